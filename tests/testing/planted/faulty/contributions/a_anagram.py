"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: same numbers in another column order count as the same household: only the first counts.
@dp.own_contribution("fourteenth.anagram", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """1 for the first of rows that hold the same numbers, in another order."""
    seen, out = set(), []
    for r in np.nan_to_num(rows).tolist():
        key = tuple(sorted(r))
        repeat = (key, ) if len(set(r)) > 1 else None
        other = repeat is not None and any(k == key and t != tuple(r) for k, t in seen)
        out.append([0.0 if other else 1.0])
        seen.add((key, tuple(r)))
    return np.array(out).reshape(-1, 1)
