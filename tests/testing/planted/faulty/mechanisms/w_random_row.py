"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.w_random_row", gives=1, takes="edits", source="none", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))
def w_random_row(rows, scale, noise):
    """A random row's first number."""
    return [float(rows[int(noise.uniform_below(len(rows))), 0])] if len(rows) else [0.0]
