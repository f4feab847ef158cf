"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.global_draws_from_500")
def global_draws_from_500(rows, generator):
    """A random row of the global generator where there are more than 700 rows."""
    return (rows[np.random.randint(len(rows))] if len(rows) > 700 else rows.mean(axis=0),)
