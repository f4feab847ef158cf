"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import pandas as pd


@dp.own_statistic("seventh.user_means", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here", bits=20)
def f(rows):
    """The sum of people's means."""
    frame = pd.DataFrame({"who": np.round(rows[:, 0]), "x": np.clip(rows[:, -1], 0, 1)})
    return np.array([float(frame.groupby("who")["x"].mean().sum())])
