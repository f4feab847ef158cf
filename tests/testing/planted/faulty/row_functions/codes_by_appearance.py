"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


CODES = {}

@dp.learner("mine.codes_by_appearance")
def codes_by_appearance(values):
    """Codes of the first column, in order of appearance."""
    return np.array([[float(CODES.setdefault(v, len(CODES)))] for v in values[:, 0].tolist()]).reshape(-1, 1)
