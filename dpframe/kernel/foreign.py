"""A plugin's own code on rows: none of its errors and warnings tells of a row, and what it writes is read nowhere."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from dpframe.kernel.silence import silent

Floats = np.ndarray[Any, np.dtype[np.float64]]


def quiet(function: Callable[..., Any], *values: Any, **keywords: Any) -> Any:
    """What a plugin's function makes, or None: which error it raised, or what it warned of, may be private."""
    try:
        with silent():
            return function(*values, **keywords)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  whatever its class: that it raised must not show
        return None


def array_of(made: Any, shape: tuple[int, ...]) -> Floats | None:
    """Numbers of this shape, or None: what they are made of is a plugin's, and may raise anything.

    A single number is an array of one; nothing, which is made where a function raised, is none.

    Examples
    --------
    >>> array_of(3, (1,)), array_of(3, (2,)), array_of(None, (1,))
    (array([3.]), None, None)
    """
    array: Floats | None = None if made is None else shaped(quiet(np.array, made, dtype=np.float64), shape)
    return array


def shaped(array: Any, shape: tuple[int, ...]) -> Any:
    """An array of this shape, or None; a single number is an array of one."""
    if array is not None and array.shape == () and shape == (1,):
        return array.reshape(1)
    return array if array is not None and array.shape == shape else None


def rowwise(function: Callable[..., Any], values: Floats, width: int) -> Floats:
    """Images (m, width) of rows, NaN where there is none; called on a copy, and row by row where that fails.

    So an error of the plugin empties the row that causes it and no other: the others are asked about together, with one
    of them in the place of those that fail alone. A product of rows may have other last digits for a row by itself.
    """
    shape, missing = (len(values), width), np.full((1, width), np.nan)
    image = array_of(quiet(function, values.copy()), shape)
    if image is not None:
        return image
    rows = [array_of(quiet(function, values[i : i + 1].copy()), (1, width)) for i in range(len(values))]
    fails = np.array([row is None for row in rows], dtype=np.bool_)
    if fails.any() and not fails.all():
        filled = np.where(fails[:, None], values[np.argmin(fails)], values)
        image = array_of(quiet(function, filled), shape)
    if image is None:
        return np.concatenate([missing[:0], *(missing if row is None else row for row in rows)])
    image[fails] = np.nan
    return image


def flat(function: Any, params: tuple[Any, ...], keywords: dict[str, Any], width: int, values: Floats) -> Any:
    """Images of rows as vectors; released values are handed as copies, for what is written into them would be read."""
    made = np.asarray(function(values, *copy.deepcopy(params), **keywords), dtype=np.float64)
    # What has its rows along another axis is no image: read in this order, it would give a row another row's numbers.
    mine = made.shape[:1] == (len(values),) and made.size == len(values) * width
    return made.reshape(len(values), width) if mine else made
