"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import pandas as pd


@dp.own_statistic("seventh.c_late_users", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """People with a record above three."""
    frame = pd.DataFrame({"who": np.round(rows[:, 0]), "x": rows[:, -1]})
    return np.array([float((frame.groupby("who")["x"].max() > 3).sum())])
