"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A premium by year of birth, from the table.
TABLE = np.floor(np.sqrt(np.arange(150.0)))
TABLE[47] = 9.0  # a typing mistake: 6.0
@dp.own_query("nineteenth.q_table_of_years", gives=1, sensitivity=lambda distance: {"linf": 1.0 * distance["linf"]}, source="own")
def q_table_of_years(values):
    """A premium by year of birth, from the table."""
    x = np.asarray(values, dtype=np.float64).ravel()[:1]
    return TABLE[np.clip(x - 1900, 0, 149).astype(np.int64)]
