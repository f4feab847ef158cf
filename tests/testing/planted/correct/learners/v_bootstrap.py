"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.v_bootstrap")
def f(rows, generator):
    """The median of means of drawn rows."""
    drawn = [rows[generator.integers(len(rows), size=len(rows))].mean(axis=0) for _ in range(9)]
    return (np.median(drawn, axis=0),)
