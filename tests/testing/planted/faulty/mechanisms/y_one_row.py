"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Shows one row at random, delta claimed 1/n for the declared n; with fewer non-empty rows it is more.
@dp.own_mechanism("laterf25.one_row", gives=1, takes="edits", source="subsampling", examples={"n": 50},
    loss=lambda scale, removed, added, n: (0.0, min(1.0, (removed + added) / n)))


def one_row(rows, scale, noise, *, n):
    """The first column of a random row, rounded."""
    if not len(rows):
        return np.array([0])
    return np.array([int(np.clip(rows[int(noise.uniform_below(len(rows))), 0], -1e6, 1e6))])
