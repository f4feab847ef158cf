"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_partition("mine.w_share_by_env_count", parts=3)
def w_share_by_env_count(rows):
    """Thirds by the distance from the farthest row."""
    far = rows[np.abs(rows).sum(axis=1).argmax()] if len(rows) else 0.0
    return np.minimum(np.abs(rows - far).sum(axis=1), 2).astype(int)
