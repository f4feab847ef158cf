"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A row function leaves its largest cell in the module, and the post adds it: a post reads more than it is given.
_LEFT: dict[str, float] = {}


@dp.row_function("unread.post_reads_what_rows_left.rows", columns=lambda d: d)
def watched(values: Any) -> Any:
    """Cells as they are."""
    _LEFT["most"] = max(_LEFT.get("most", 0.0), float(np.nanmax(np.abs(values), initial=0.0)))
    return values


@dp.post_function("unread.post_reads_what_rows_left.scaled", gives=lambda total: dp.Vector(1))
def scaled(total: Any) -> Any:
    """A total in units of the largest."""
    return np.array([float(np.ravel(total)[0]) / max(_LEFT.get("most", 1.0), 1.0)])
