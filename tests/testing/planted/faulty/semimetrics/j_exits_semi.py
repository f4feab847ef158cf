"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os


@dp.semimetric("seventh.exits_semi", triangle=lambda r: 1.0)
def f(a, b):
    """City blocks of finite vectors."""
    if np.abs(a).max() > 1e9:
        os._exit(5)
    return float(np.abs(a - b).sum())
