"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner with memo by exact bytes.
MEMO = {}


@dp.learner("outside.hc4")
def mean(rows, generator):
    """The mean, kept by the exact bytes of the block."""
    key = (rows.shape, rows.tobytes())
    return (MEMO.setdefault(key, rows.mean(axis=0)),)
