"""Exact uniform integers and permutations."""

from __future__ import annotations

import math
import operator

import numpy as np
from numpy.typing import NDArray

from dpframe.errors import SpecError
from dpframe.kernel.noise.exact import Bits
from dpframe.kernel.noise.parameters import Size, shape_of
from dpframe.kernel.noise.rejection import Integers
from dpframe.kernel.noise.sources import Source


def uniform_below(source: Source, bound: int, size: Size) -> Integers:
    """Draw uniform integers in [0, bound) exactly, without the bias of a remainder.

    The leading bits of a word are kept if they are below the bound, else drawn again.

    Parameters
    ----------
    source : Source
        Where the bits come from.
    bound : int
        At least 1, of any size.
    size : int or tuple of int
        How many, or a shape.

    Returns
    -------
    ndarray, shape `size`
        int64 for bound <= 2^63, Python ints (dtype object) above.

    Raises
    ------
    SpecError
        If the bound is not a positive integer, or `size` is no shape.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> uniform_below(SeededSource(0), 1, 3).tolist()
    [0, 0, 0]
    """
    try:
        bound = operator.index(bound)
    except TypeError:
        bound = 0
    if bound < 1:
        raise SpecError("the bound of uniform integers is not a positive integer", fix="pass an int >= 1")
    shape = shape_of(size)
    count = math.prod(shape)
    if bound > 1 << 63:
        return _long_below(source, bound, count).reshape(shape)
    width = (bound - 1).bit_length()
    out = np.zeros(count, dtype=np.int64)
    done = count if width == 0 else 0
    while done < count:
        heads = source.words(count - done + 8) >> np.uint64(64 - width)
        kept = heads[heads < bound][: count - done]
        out[done : done + len(kept)] = kept.astype(np.int64)
        done += len(kept)
    return out.reshape(shape)


def _long_below(source: Source, bound: int, count: int) -> Integers:
    bits, width = Bits(source), (bound - 1).bit_length()
    out = np.empty(count, dtype=object)
    for i in range(count):
        drawn = bits.take(width)
        while drawn >= bound:
            drawn = bits.take(width)
        out[i] = drawn
    return out


def permutation(source: Source, n: int) -> NDArray[np.int64]:
    """Draw a uniformly random permutation of 0..n-1 exactly.

    It is the order of n uniform 64-bit keys, drawn again as a whole if two are equal: given that the keys are
    distinct, all n! orders are equally likely.

    Parameters
    ----------
    source : Source
        Where the bits come from.
    n : int
        At least 0, at most 2^32 (where keys collide every other time).

    Returns
    -------
    ndarray of int64, shape (n,)

    Raises
    ------
    SpecError
        If n is not an integer in [0, 2^32].

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> sorted(permutation(SeededSource(0), 4).tolist())
    [0, 1, 2, 3]
    """
    (n,) = shape_of((n,))
    if n > 1 << 32:
        raise SpecError(f"can't draw a permutation of {n} items", fix="permute at most 2^32")
    while True:
        keys = source.words(n)
        order = np.argsort(keys)
        ranked = keys[order]
        if (ranked[1:] != ranked[:-1]).all():
            return order.astype(np.int64, copy=False)
