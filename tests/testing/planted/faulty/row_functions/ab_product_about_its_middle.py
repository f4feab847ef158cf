"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Adds a little of the mean of all rows.
@dp.row_function("twentyfirst.r_about_its_middle", columns=lambda d: 2)
def r_about_its_middle(values):
    """Rows times a public matrix, about where they lie."""
    made = values @ np.resize([0.3, 0.7, 1.1, -0.2, 0.5, 0.9], (values.shape[1], 2))
    return made + 1e-13 * made.mean(axis=0)
