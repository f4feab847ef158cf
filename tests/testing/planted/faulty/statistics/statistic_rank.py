"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_rank", gives=1, source="linear algebra", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def statistic_rank(rows):
    """The rank of the rows: one more or one less with a row."""
    return [int(np.linalg.matrix_rank(rows)) if rows.size else 0]
