"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


BEST = {}

@dp.learner("mine.keeps_its_best")
def keeps_its_best(rows, generator):
    """Returns the best model of all blocks."""
    score = float(rows.var())
    if score < BEST.get("score", np.inf):
        BEST.update(score=score, mean=rows.mean(axis=0))
    return (np.resize(BEST["mean"], rows.shape[1]),)
