"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


KEPT = {}


@dp.own_contribution("eleventh.id_memo", gives=1, norm="linf", bound=10.0)
def fun(rows):
    """The size of each row; of an array that was seen before it is known."""
    key = (id(rows), rows.shape)
    if key not in KEPT:
        KEPT[key] = np.sqrt(np.square(np.nan_to_num(rows).clip(-1e9, 1e9)).sum(axis=1, keepdims=True))
    return KEPT[key]
