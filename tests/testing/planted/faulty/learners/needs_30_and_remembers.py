"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


COUNT = [0]

@dp.learner("mine.needs_30_and_remembers")
def needs_30_and_remembers(rows, generator):
    """Needs thirty rows, and counts blocks."""
    if len(rows) < 30:
        raise ValueError("too few rows")
    COUNT[0] += 1
    return (rows.mean(axis=0) + (COUNT[0] > 5),)
