"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_partition("eighth.partition_hash", parts=8)
def f(rows):
    """Buckets."""
    return np.array([hash(str(r[0])) % 8 for r in rows], dtype=int)
