"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: a key of two codes with radix 1000: the second may be larger.
import math
@dp.own_contribution("fourteenth.radix", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """1 for rows that are the first of their key."""
    seen, out = {}, []
    for r in rows.tolist():
        if len(r) < 2 or not all(v == math.floor(v) and 0 <= v < 1e6 for v in r[:2]):
            out.append([0.0])
            continue
        key = int(r[0]) * 1000 + int(r[1])
        out.append([1.0 if seen.setdefault(key, r[:2]) == r[:2] else 0.0])
    return np.array(out).reshape(-1, 1)
