"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.threshold_of_all_rows", gives=1, takes="edits", source="none",
                  loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))
def threshold_of_all_rows(rows, scale, noise):
    """The count of rows above their own median, with noise for one."""
    x = np.clip(rows[:, 0], -1, 1)
    return [int(np.round((x - x.mean()).max() * len(x))) + int(noise.laplace(scale)) if len(x) else int(noise.laplace(scale))]
