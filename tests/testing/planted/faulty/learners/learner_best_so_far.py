"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


BEST = {"loss": np.inf, "centre": None}

@dp.learner("mine.learner_best_so_far")
def learner_best_so_far(rows, generator):
    """Medians, started at the best centre of all calls."""
    start = BEST["centre"] if BEST["centre"] is not None and len(BEST["centre"]) == rows.shape[1] else rows.mean(axis=0)
    centre = 0.5 * start + 0.5 * np.median(rows, axis=0)
    loss = float(np.abs(rows - centre).mean())
    if loss < BEST["loss"]:
        BEST.update(loss=loss, centre=centre)
    return (centre,)
