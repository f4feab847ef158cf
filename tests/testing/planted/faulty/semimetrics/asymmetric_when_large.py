"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.asymmetric_when_large", triangle=lambda r: 1.0)
def asymmetric_when_large(a, b):
    """Another unit above a million."""
    return float(np.abs(a - b).sum()) / (1.0 if np.abs(a).max() < 1e6 else 2.0)
