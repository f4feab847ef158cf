"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import resource

@dp.learner("mine.row_by_memory")
def row_by_memory(values):
    """By the memory that was used."""
    return values * (2.0 if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 900_000 else 1.0)
