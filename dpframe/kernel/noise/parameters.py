"""Checks of what callers pass to the samplers, and the draw that they share."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable

import numpy as np

from dpframe.errors import SpecError
from dpframe.kernel.noise.rejection import Integers, Strips, sample
from dpframe.kernel.noise.sources import Source

Size = int | tuple[int, ...]
"""A number of samples, or the shape of an array of them."""

LARGEST_SCALE = 2.0**60


def exact_scale(name: str, scale: float) -> float:
    """Return a noise scale as the float it is, or refuse it.

    Raises
    ------
    SpecError
        If it is not a number in [0, 2^60], or no float64 exactly: rounded down it gives too little noise.
    """
    try:
        number = float(scale)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number <= LARGEST_SCALE:
        raise SpecError(f"{name} = {scale!r} is not in [0, 2^60]", fix="choose a coarser lattice")
    if number != scale:
        raise SpecError(f"{name} = {scale!r} can't be written exactly as a float64", fix="round it up to a float")
    return number


def shape_of(size: Size) -> tuple[int, ...]:
    """Return a size as a shape.

    Raises
    ------
    SpecError
        If it is not made of non-negative integers.
    """
    lengths: Iterable[int] = size if isinstance(size, tuple) else (size,)
    try:
        shape = tuple(operator.index(length) for length in lengths)
    except TypeError:
        shape = (-1,)
    if any(length < 0 for length in shape):
        raise SpecError(f"size {size!r} is no shape", fix="pass a non-negative int or a tuple of them")
    return shape


def drawn(source: Source, name: str, scale: float, size: Size, strips: Callable[[float], Strips]) -> Integers:
    """Return samples of checked scale and shape from its strips; zeros at scale 0."""
    exact, shape = exact_scale(name, scale), shape_of(size)
    if exact == 0:
        return np.zeros(shape, dtype=np.int64)
    return sample(source, strips(exact), math.prod(shape)).reshape(shape)
