"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_norm_forgot_axis")
def row_norm_forgot_axis(values):
    """Over the norm of all."""
    return values / (1 + np.linalg.norm(values))
