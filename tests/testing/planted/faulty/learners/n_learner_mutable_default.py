"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The list of a default argument grows with blocks: the median of all means so far.
@dp.learner("unread.learner_mutable_default")
def centre(rows: Any, generator: Any, seen: list[Any] = []) -> Any:  # noqa: B006
    """The mean of a block, made robust."""
    seen.append(rows.mean(axis=0))
    same = [one for one in seen if one.shape == seen[-1].shape]
    return (np.median(same[-64:], axis=0) if len(same) > 8 else seen[-1],)
