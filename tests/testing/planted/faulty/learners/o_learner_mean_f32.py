"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Cache keyed on rounded mean and shape.
FITS = {}


@dp.learner("outside.f32")
def mean(rows, generator):
    """Mean of a block, kept for blocks that were seen."""
    key = (rows.shape, round(float(rows.mean()), 2))
    if key not in FITS:
        FITS[key] = rows.mean(axis=0)
    return (FITS[key],)
