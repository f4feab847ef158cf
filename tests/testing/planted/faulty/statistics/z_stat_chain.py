"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("t.chain", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="own")
def chain(rows):
    """The longest way along links from a first column to a last, each code once."""
    x = np.clip(np.nan_to_num(np.asarray(rows, dtype=float)), -1e6, 1e6)
    follows = {}
    for r in np.unique(x, axis=0):
        follows.setdefault(float(r[0]), float(r[-1]))
    best = 0
    for start in follows:
        seen, at, length = set(), start, 0
        while at in follows and at not in seen:
            seen.add(at); at = follows[at]; length += 1
        best = max(best, length)
    return float(best)
