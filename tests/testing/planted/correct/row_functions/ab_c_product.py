"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("twentyfirst.c_product", columns=lambda d: 2)
def c_product(values):
    """Rows times a public matrix."""
    return values @ np.resize([0.3, 0.7, 1.1, -0.2, 0.5, 0.9], (values.shape[1], 2))
