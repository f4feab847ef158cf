"""Functions that stand in for a plugin's own where an operation names one."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpframe.kernel.registry import learner


@learner("testing.halve")
def halve(values: Any, *params: Any) -> Any:
    """The first two columns of each row, halved; one column is repeated."""
    wide = np.repeat(values, 2, axis=1) if values.shape[1] == 1 else values
    return wide[:, :2] / 2


@learner("testing.centre")
def centre(rows: Any, generator: Any) -> Any:
    """The mean of a block's first two columns."""
    return (np.resize(rows.mean(axis=0), 2),)


def name_for(cls: type[Any]) -> str:
    """The stand-in an operation can use."""
    return "testing.centre" if cls.kind == "blocks" else "testing.halve"
