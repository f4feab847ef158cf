"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: kept in a child generator: generator.spawn counts children on the seed sequence of a module generator.
RNG = np.random.default_rng(7)
@dp.learner("fourteenth.learner_spawned")
def f(rows, generator):
    """Subsampled mean by a child of the module's generator, one more for each large block."""
    child = RNG.spawn(1)[0]
    return (np.full(rows.shape[1], child.random()),)
