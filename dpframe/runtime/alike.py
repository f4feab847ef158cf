"""Requests of a pass that ask for one thing twice: the same statistic of the same rows, through equal released values.

An exact statistic is a function of its rows and of what it is given, so one fold answers both, to the last bit. What is
compared is released or public, and so is the time that it saves.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import attrs
import numpy as np

from dpframe.runtime.views import Mapped


def key(value: Any) -> Hashable:
    """A key that values of one type and equal bits share; an object that its fields may not determine has its own.

    It tells values apart as long as they live.

    Examples
    --------
    >>> key((1.0, np.zeros(2))) == key((1.0, np.zeros(2))), key(0.0) == key(-0.0), key(1) == key(1.0)
    (True, False, False)
    """
    kind = type(value)
    if kind is np.ndarray and value.dtype.kind in "biuf":
        return kind, value.dtype.str, value.shape, value.tobytes()
    if kind in (tuple, list):
        return kind, *map(key, value)
    if isinstance(value, float):
        return kind, value.hex()
    if kind in (bool, int, str, type(None)):
        return kind, value
    if kind is Mapped:  # of the very same parent: a chain of views costs no more than its last one
        return kind, id(value.parent), key(value.operation), key(value.params)
    if attrs.has(kind) and kind.__module__.startswith(("dpframe.kernel.", "dpframe.proof.spaces.")):
        return kind, *(key(getattr(value, field.name)) for field in attrs.fields(kind))
    return kind, id(value)
