"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.composite("mine.composite_of_a_set")
def composite_of_a_set(x, *, share=1.0):
    """Sums in the order of a set of names."""
    made = {}
    for key in {"left", "right", "upper", "lower", "front"}:
        made[key] = dp.release(key, dp.laplace(share=share / 5), dp.count(x))
    return made
