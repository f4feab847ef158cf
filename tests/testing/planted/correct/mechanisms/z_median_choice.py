"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The exponential mechanism for a median: the utility moves by 2 at most when a row is replaced, and 1 when it
# goes.
@dp.own_mechanism("laterk38.median", gives=dp.Index(11), takes="edits", source="exponential mechanism",
    loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))


def median(rows, scale, noise):
    """Index of a median among 0, ..., 10."""
    x = rows[:, 0] if len(rows) else np.zeros(0)
    scores = np.array([-abs(int((x < c).sum()) - int((x > c).sum())) for c in range(11)])
    return int(noise.categorical_exp(scores, 1.0 / (2.0 * scale)))
