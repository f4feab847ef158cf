"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.t_learner_seed_from_rows")
def t_learner_seed_from_rows(rows, generator):
    """Seeds of its own, from its block."""
    own = np.random.default_rng(int(abs(rows.sum()) * 1000) % 2**32)
    return (rows[own.integers(len(rows), size=5)].mean(axis=0),)
