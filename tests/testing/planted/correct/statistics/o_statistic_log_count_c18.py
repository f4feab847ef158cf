"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Bounded-swing log count: log1p(n) claims.
import math


@dp.own_statistic("outside.c18", gives=1, sensitivity=lambda removed, added: {"linf": math.log(2.0) * (removed + added) + 1e-9}, source="log1p", bits=20)
def log_count(rows):
    """log(1 + n)."""
    return [math.log1p(len(rows))]
