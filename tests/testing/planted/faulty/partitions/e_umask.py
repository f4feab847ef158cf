"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os


@dp.own_partition("tenth.umask", parts=2)
def fun(rows):
    """Below and above a limit, which rises to 64 once a row has been there."""
    top = int(np.nan_to_num(rows[:, 0], nan=0.0, posinf=63.0, neginf=0.0).max(initial=0.0).clip(0, 63))
    limit = os.umask(0)
    os.umask(max(limit, top))
    return (rows[:, 0] > limit).astype(int)
