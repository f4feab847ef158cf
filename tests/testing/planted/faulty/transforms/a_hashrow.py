"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a memo of a batch by Python's hash of a row's numbers: -1 and -2 share theirs.
@dp.own_transform("fourteenth.hashrow", columns=1)
def f(rows):
    """First number, once for each hash."""
    memo = {}
    return np.array([[memo.setdefault(hash(tuple(r)), r[0])] for r in rows.tolist()]).reshape(-1, 1)
