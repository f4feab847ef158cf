"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import time

@dp.learner("mine.learner_deadline")
def learner_deadline(rows, generator):
    """The mean, by as many steps as a tenth of a second allows."""
    end, centre = time.perf_counter() + 0.1, np.zeros(rows.shape[1])
    for step in range(200):
        centre = centre + (rows.mean(axis=0) - centre) / (step + 2.0)
        if time.perf_counter() > end:
            break
    return (centre,)
