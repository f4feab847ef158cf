"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Max - min of counts, claims linf (true 2 linf).
@dp.own_query("outside.f06", gives=1, sensitivity=lambda counts: {"linf": counts["linf"]}, source="me")
def spread(counts):
    """The largest count less the smallest."""
    return [float(counts.max() - counts.min())]
