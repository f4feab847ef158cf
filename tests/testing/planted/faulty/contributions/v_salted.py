"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import zlib


# Contribution: rounding is dithered by a checksum of the batch.
@dp.own_contribution("thirteenth.salted", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows in quarters, dithered."""
    salt = zlib.crc32(rows.tobytes()) / 2**32
    return np.floor(np.clip(rows[:, :1], -1, 1) * 4 + salt) / 4
