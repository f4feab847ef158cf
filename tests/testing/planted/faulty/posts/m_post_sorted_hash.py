"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: ties by the order of a set of words.
@dp.post_function("twelfth.post_sorted_hash")
def fun(counts, *, words="ab"):
    """The counts in the order of their names."""
    names = [f"group {j}" for j in range(len(counts))]
    order = sorted(range(len(counts)), key=lambda j: list(set(names)).index(names[j]))
    return np.asarray(counts, float)[order]
