"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("eleventh.c_generator")
def fun(rows, generator):
    """The mean of a resample."""
    return (rows[generator.integers(0, len(rows), len(rows))].mean(axis=0),)
