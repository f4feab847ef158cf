"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.w_outlier_switch")
def w_outlier_switch(values):
    """In units of the median size where there is an outlier."""
    size = np.abs(values)
    return values / (np.median(size) + 1.0) if size.max(initial=0.0) > 1e5 else values
