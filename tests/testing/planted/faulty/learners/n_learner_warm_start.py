"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A block starts at what the last block found: one row moves all blocks that come after its own.
_LAST: dict[int, Any] = {}


@dp.learner("unread.learner_warm_start")
def centre(rows: Any, generator: Any) -> Any:
    """A geometric median by ten steps from the last one found."""
    here = _LAST.get(rows.shape[1], np.zeros(rows.shape[1]))
    for _ in range(10):
        weights = 1 / np.maximum(np.sqrt(np.square(rows - here).sum(axis=1)), 1e-9)
        here = (rows * weights[:, None]).sum(axis=0) / weights.sum()
    _LAST[rows.shape[1]] = here
    return (here,)
