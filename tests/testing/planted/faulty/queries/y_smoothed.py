"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A kernel of weights 1/4, 1/2, 1/4 with reflected ends gives the end entries weights that sum to more in a
# column: l1 grows by 5/4.
@dp.own_query("laterf19.smooth", gives=lambda m: m, source="an average", examples={"m": 8}, bits=10,
    sensitivity=lambda counts, m: {"l1": counts["l1"]})


def smooth(counts, *, m):
    """Neighbouring bins share."""
    x = np.zeros(m)
    x[: min(m, len(counts))] = counts[:m]
    padded = np.concatenate([x[:1], x, x[-1:]])
    y = np.concatenate([x[1:2], x, x[-2:-1]]) * 0.5 + padded * 0.0
    y = np.concatenate([[x[1]], x, [x[-2]]])
    return 0.25 * y[:-2] + 0.5 * y[1:-1] + 0.25 * y[2:]
