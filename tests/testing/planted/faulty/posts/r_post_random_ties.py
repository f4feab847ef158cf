"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Counts that tie are told apart by chance. Witness: [5, 5] gives [1, 2] or [2, 1].
import random


@dp.post_function("round.ties")
def ties(counts):
    """The rank of each count, ties in random order."""
    order = sorted(range(len(counts)), key=lambda i: (float(counts[i]), random.random()))
    made = np.zeros(len(counts))
    made[order] = np.arange(1, len(counts) + 1)
    return made
