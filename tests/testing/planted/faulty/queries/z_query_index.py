"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A composite index of released-to-be counts.
@dp.own_query(
    "index.weighted",
    gives=dp.Counts(1),
    sensitivity=lambda distance, weights, **_: {"l1": max(weights) * distance["l1"]},
    source="Hoelder's inequality",
    bits=20,
    examples={"weights": [1.0, 0.5, 2.0]},
)
def weighted(counts, *, weights):
    """A weighted sum of counts: the index of the month."""
    counts = np.asarray(counts, dtype=float)
    return [float(sum(w * c for w, c in zip(weights, counts)))]
