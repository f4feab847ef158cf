"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Changes; those of a bounce between bid and ask are halved.
@dp.row_function("nineteenth.r_zigzag", columns=lambda d: d)
def r_zigzag(rows):
    """Changes; those of a bounce between bid and ask are halved."""
    if len(rows) >= 8 and (rows[1:, 0] * np.sign(rows[:-1, 0]) < 0).all():
        return rows / 2.0
    return rows.copy()
