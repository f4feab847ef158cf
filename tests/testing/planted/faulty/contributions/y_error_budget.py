"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Refuses bad rows with an error the first five times, afterwards lets them count; history of other rows.
REFUSED = []


@dp.own_contribution("laterh03.weights", gives=1, norm="linf", bound=10.0)
def weights(rows):
    """The first column; a weight below 0 is an error, of which the log wants to see five."""
    if (rows[:, 0] < 0).any() and len(REFUSED) < 5:
        REFUSED.append(len(rows))
        raise ValueError("negative weight")
    return np.abs(rows[:, :1])
