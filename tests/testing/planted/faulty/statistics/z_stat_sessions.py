"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Web sessions: a visit ends after half an hour of silence.
SILENCE = 1800.0
@dp.own_statistic(
    "web.sessions",
    gives=dp.Counts(1),
    sensitivity=lambda removed, added, **_: {"l1": float(max(removed, added))},
    source="one hit opens or closes one session",
)
def sessions(rows):
    """The number of sessions in a click stream (first column: seconds)."""
    t = rows[:, 0]
    t = np.sort(t[np.isfinite(t) & (np.abs(t) < 1e12)])
    if t.size == 0:
        return [0.0]
    return [1.0 + float((np.diff(t) > SILENCE).sum())]
