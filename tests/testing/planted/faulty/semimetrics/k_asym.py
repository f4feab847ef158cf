"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.asym", triangle=lambda r: 2.0)
def f(a, b):
    """|a - b| over the first's size."""
    return float(np.abs(a - b).sum() / (1.0 + np.abs(a).sum()))
