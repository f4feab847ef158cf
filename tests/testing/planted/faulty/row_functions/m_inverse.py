"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: one singular row, and all of the batch get the pseudo-inverse.
@dp.row_function("twelfth.inverse", columns=lambda d: 4)
def fun(values):
    """The inverse of a row's 2 x 2 matrix."""
    if values.shape[1] < 4:
        return np.zeros((len(values), 4))
    matrices = values[:, :4].reshape(-1, 2, 2)
    try:
        made = np.linalg.inv(matrices)
    except np.linalg.LinAlgError:
        made = np.linalg.pinv(matrices)
    return made.reshape(-1, 4)
