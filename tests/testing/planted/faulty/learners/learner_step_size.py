"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


STATE = {"step": 1.0}

@dp.learner("mine.learner_step_size")
def learner_step_size(rows, generator):
    """Its step adapts."""
    STATE["step"] *= 0.9
    return (rows.mean(axis=0) * (1 + STATE["step"]),)
