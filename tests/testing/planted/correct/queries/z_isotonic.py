"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Isotonic regression is a projection to a cone (l2) and moves no further than its input (linf).
@dp.own_query("laterk36.isotonic", gives=lambda m: m, bits=24, source="Robertson, Wright and Dykstra 1988", examples={"m": 5},
    sensitivity=lambda s, m: {"l2": s["l2"], "linf": s["linf"]})


def isotonic(scores, *, m):
    """Nearest rising vector, by pooling."""
    x = np.zeros(m)
    x[: min(m, len(scores))] = np.clip(scores[:m], -(2.0**30), 2.0**30)
    blocks = []
    for v in x.tolist():
        blocks.append([v, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            b, n = blocks.pop()
            a, k = blocks.pop()
            blocks.append([(a * k + b * n) / (k + n), k + n])
    return np.concatenate([np.full(n, v) for v, n in blocks])
