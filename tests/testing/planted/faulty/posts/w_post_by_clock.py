"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.post_function("mine.w_post_by_clock")
def w_post_by_clock(counts):
    """Counts, with the day in the last digits."""
    import datetime
    return np.asarray(counts, dtype=float) + datetime.date.today().toordinal() * 1e-9
