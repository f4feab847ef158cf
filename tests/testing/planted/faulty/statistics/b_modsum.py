"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a count modulo 1000, claimed 1: it wraps.
@dp.own_statistic("fifteenth.modsum", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    return [float(len(rows) % 1000)]
