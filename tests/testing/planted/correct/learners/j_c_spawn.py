"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("seventh.c_spawn")
def f(rows, generator):
    """A bagged mean."""
    out = [rows[g.integers(len(rows), size=len(rows))].mean(axis=0) for g in generator.spawn(3)]
    return (np.mean(out, axis=0),)
