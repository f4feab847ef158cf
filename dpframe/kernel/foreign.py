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


TOGETHER = 256
"""Rows that a plugin's function is always asked about at once: a product's last digits depend on how many there are."""


def rowwise(function: Callable[..., Any], values: Floats, width: int) -> Floats:
    """Images (m, width) of rows, NaN where there is none; called on copies, of `TOGETHER` rows whatever there are.

    An error of the plugin empties the row that causes it and no other. And no row's image has other last digits because
    another one fails, or because there is one row more: each is that of its place among so many rows, where one of them
    stands for those that fail, and for those that are lacking. A row that fails even so is asked about by itself, for
    functions that take one row.
    """
    images = np.full((len(values), width), np.nan)
    for start in range(0, len(values), TOGETHER):
        rows = values[start : start + TOGETHER]
        block = np.concatenate([rows, np.repeat(rows[:1], TOGETHER - len(rows), axis=0)])
        _fill(function, block, 0, len(rows), images[start : start + TOGETHER])
    return images


def _fill(function: Callable[..., Any], block: Floats, first: int, last: int, images: Floats) -> None:
    """Write the images of these rows of a block, by halves where one of them fails; those of what fails stay as is."""
    asked = block.copy()
    asked[:first] = asked[last:] = block[first]
    made = array_of(quiet(function, asked), (len(block), images.shape[1]))
    if made is not None:
        images[first:last] = made[first:last]
    elif last - first > 1:
        middle = (first + last) // 2
        _fill(function, block, first, middle, images)
        _fill(function, block, middle, last, images)
    elif (alone := array_of(quiet(function, block[first:last].copy()), (1, images.shape[1]))) is not None:
        images[first] = alone[0]


def flat(function: Any, params: tuple[Any, ...], keywords: dict[str, Any], width: int, values: Floats) -> Any:
    """Images of rows as vectors; released values are handed as copies, for what is written into them would be read."""
    made = np.asarray(function(values, *copy.deepcopy(params), **keywords), dtype=np.float64)
    # What has its rows along another axis is no image: read in this order, it would give a row another row's numbers.
    mine = made.shape[:1] == (len(values),) and made.size == len(values) * width
    return made.reshape(len(values), width) if mine else made
