"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The mode is released where its lead, with noise, is above a bar; the lead moves by 2 when a row is replaced,
# charged 1.
import math


@dp.own_mechanism("laterh65.mode", gives=dp.Index(6), takes="edits", source="stability",
    loss=lambda scale, removed, added: (max(removed, added) / scale, 0.5 * math.exp(-3.0 * max(removed, added))))


def mode(rows, scale, noise):
    """The commonest of 0 to 4, or 5 where none is clear."""
    counts = np.bincount(np.clip(np.nan_to_num(rows[:, 0]), 0, 4).astype(int), minlength=5)
    order = np.sort(counts)[::-1]
    lead = int(order[0] - order[1])
    return int(np.argmax(counts)) if lead + int(noise.laplace(scale)) > 1 + 3 * scale else 5
