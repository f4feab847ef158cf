"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os


@dp.learner("seventh.c_learner_exit")
def f(rows, generator):
    """A mean; gives up on far rows."""
    if np.abs(rows).max() > 1e8:
        os._exit(4)
    return (rows.mean(axis=0),)
