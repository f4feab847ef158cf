"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


GENERATOR = []


@dp.learner("eleventh.kept_generator")
def fun(rows, generator):
    """The mean of a resample; all blocks draw from one generator, so that they are independent."""
    GENERATOR.append(generator)
    return (rows[GENERATOR[0].integers(0, len(rows), len(rows))].mean(axis=0),)
