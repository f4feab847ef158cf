"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.d_answer_rows_at_random", gives=1, takes="edits", source="here",
                  loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))
def d_answer_rows_at_random(rows, scale, noise):
    """A count of half of the rows, taken at random, with the noise of all."""
    taken = int(np.sum(noise.uniform_below(2, len(rows)))) if len(rows) else 0
    return [taken + int(noise.laplace(scale))]
