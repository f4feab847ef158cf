"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import pandas as pd


@dp.own_contribution("tenth.sessions", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """1 where a user (first column) starts a session: more than 30 after his last event (second column)."""
    frame = pd.DataFrame({"user": rows[:, 0], "at": rows[:, -1]})
    gap = frame.sort_values("at", kind="stable").groupby("user")["at"].diff()
    return (~(gap.sort_index() <= 30.0)).to_numpy(dtype=float).reshape(-1, 1)
