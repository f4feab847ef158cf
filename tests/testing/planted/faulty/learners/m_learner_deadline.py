"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: stops its steps when its share of a minute is spent.
import time
@dp.learner("twelfth.learner_deadline")
def fun(rows, generator):
    """A median by steps, as many as there is time for."""
    end = time.process_time() + 0.002
    place = rows.mean(axis=0)
    for step in range(400):
        place = place + np.sign(rows - place).mean(axis=0) / (step + 2)
        if time.process_time() > end:
            break
    return (place,)
