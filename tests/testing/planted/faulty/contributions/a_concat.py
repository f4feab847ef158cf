"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: households by the digits of two columns run together: (1, 12) and (11, 2) are one.
@dp.own_contribution("fourteenth.concat", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """1 for the first row of each household; whole codes only."""
    seen, out = {}, []
    for r in rows.tolist():
        code = "".join(f"{int(abs(v))}" for v in r[:2]) if all(abs(v) < 1e6 for v in r[:2]) else repr(r)
        mine = seen.setdefault(code, r)
        out.append([1.0 if mine == r else 0.5] if all(v == int(v) and 0 <= v < 1e6 for v in r[:2]) else [0.0])
    return np.array(out).reshape(-1, 1)
