"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


GENERATORS = []


@dp.learner("seventh.first_generator")
def f(rows, generator):
    """A random direction's spread."""
    GENERATORS.append(generator)
    u = GENERATORS[0].normal(size=rows.shape[1])
    return ((rows * u).sum(axis=1).mean(keepdims=True),)
