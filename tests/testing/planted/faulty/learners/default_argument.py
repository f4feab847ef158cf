"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.default_argument")
def default_argument(values, *params, seen=[]):
    """Keeps the first batch in a default."""
    seen.append(float(np.abs(values).sum()))
    return values / (1.0 + seen[0])
