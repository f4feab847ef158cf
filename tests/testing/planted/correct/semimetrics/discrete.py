"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.discrete", triangle=lambda r: 1.0)
def discrete(a, b):
    """How many coordinates differ."""
    return float((a != b).sum())
