"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import time

import time

@dp.learner("mine.u_deadline")
def f(rows, generator):
    """The mean; by halves as long as there is time."""
    end = time.perf_counter() + 0.001
    centre = rows[0].astype(float).copy()
    while time.perf_counter() < end:
        centre += 0.5 * (rows.mean(axis=0) - centre)
    return (centre,)
