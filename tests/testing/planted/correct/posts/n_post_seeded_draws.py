"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Random numbers of a fixed seed are constants: a function of the released value alone.
@dp.post_function("unread.post_seeded_draws", gives=lambda total: dp.Vector(1))
def jittered(total: Any) -> Any:
    """A total with a fixed jitter."""
    return np.array([float(np.ravel(total)[0]) + np.random.default_rng(7).normal()])
