"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import sys


@dp.own_mechanism("seventh.prints_mech", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """Laplace noise, with a word to whoever debugs it."""
    sys.stdout.write(f"releasing {value}\n")
    return value + noise.laplace(scale, 1)
