"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Python loop by row, month by integer arithmetic of day counts.
@dp.own_partition("outside.c06", parts=12)
def month(rows):
    """The month of a day since 1970, in months of the proleptic calendar."""
    found = []
    for day in rows[:, 0].tolist():
        z = int(min(max(day, -1e6), 1e6)) + 719468
        era = z // 146097
        doe = z - era * 146097
        yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
        doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
        mp = (5 * doy + 2) // 153
        found.append((mp + 2) % 12)
    return np.array(found, dtype=np.int64)
