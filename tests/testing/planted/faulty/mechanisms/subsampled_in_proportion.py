"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.subsampled_in_proportion", gives=1, takes="edits", source="amplification by sampling",
                  loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / (2 * scale))))
def subsampled_in_proportion(rows, scale, noise):
    """A count of rows that are each taken with probability one half: half the loss."""
    taken = int(np.sum(noise.uniform_below(2, len(rows)))) if len(rows) else 0
    return [taken + int(noise.laplace(scale))]
