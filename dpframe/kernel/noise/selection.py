"""Exact choice of an index by integer scores: the exponential mechanism and permute-and-flip."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpframe.errors import SpecError
from dpframe.kernel.noise.bernoulli import flip, near
from dpframe.kernel.noise.parameters import Size, shape_of
from dpframe.kernel.noise.rejection import Integers
from dpframe.kernel.noise.sources import Source
from dpframe.kernel.noise.uniform import uniform_below

_FLIPS = 1 << 18  # coins of permute-and-flip held at once


def categorical_exp(source: Source, scores: ArrayLike, scale: Fraction | float, size: Size = ()) -> NDArray[np.int64]:
    r"""Draw an index with probability proportional to :math:`e^{s\,q_i}` exactly.

    Parameters
    ----------
    source : Source
        Where the bits come from.
    scores : array_like of int, shape (m,)
        Scores q; higher is likelier. Integers only, since rounded scores have no proved sensitivity.
    scale : Fraction or float
        s >= 0; a float counts as the exact rational number it is.
    size : int or tuple of int
        Shape of independent draws on the same scores; () for one.

    Returns
    -------
    ndarray of int64, shape `size`
        Indices below m.

    Raises
    ------
    SpecError
        If there is no score, one is no integer, the scale is negative or not finite, or `size` is no shape.

    Notes
    -----
    With :math:`t_i = s(\max q - q_i)` and K a power of 2, index i is proposed with probability proportional
    to the integer :math:`n_i \ge K e^{-t_i}` and kept if :math:`V < K e^{-t_i}/n_i`, decided exactly: kept
    indices have probability proportional to :math:`e^{-t_i}` (docs/theory/noise.md). Time O(m).

    Formal guarantees
    -----------------
    Scores of sensitivity Δ and s = ε/2Δ give the exponential mechanism: ε-DP and ε²/8-zCDP [1]_ [2]_. A
    seeded source gives no guarantee.

    References
    ----------
    .. [1] McSherry, Talwar, "Mechanism Design via Differential Privacy", FOCS 2007.
    .. [2] Cesar, Rogers, "Bounding, Concentrating, and Truncating", ALT 2021.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> int(categorical_exp(SeededSource(0), [3, 90, 5], 1.0))
    1
    """
    gaps, rate, shape = _gaps(scores), _rate(scale), shape_of(size)
    exponents = _exponents(gaps, rate)
    digits = min(45, 61 - len(gaps).bit_length())
    peak = 2.0**digits * np.exp(-exponents)
    counts = np.maximum(np.ceil(peak * (1 + 2.0**-30)), 1).astype(np.int64)
    ends = np.cumsum(counts)
    drawn = np.empty(0, dtype=np.int64)
    missing = math.prod(shape)
    while missing > 0:
        place = uniform_below(source, int(ends[-1]), missing)
        index = np.searchsorted(ends, place, side="right").astype(np.int64)
        exact = _Exact(gaps, rate, index, counts, digits)
        keep = flip(source, 2.0**digits / counts[index], exponents[index], exact)
        drawn = np.append(drawn, index[keep])
        missing -= int(keep.sum())
    return drawn.reshape(shape)


def permute_and_flip(source: Source, scores: ArrayLike, scale: Fraction | float, size: Size = ()) -> NDArray[np.int64]:
    r"""Draw an index by permute-and-flip exactly.

    Visits the indices in uniformly random order and returns the first whose coin, of bias
    :math:`e^{-s(\max q - q_i)}`, shows heads.

    Parameters
    ----------
    source : Source
        Where the bits come from.
    scores : array_like of int, shape (m,)
        Scores q; higher is likelier.
    scale : Fraction or float
        s >= 0; a float counts as the exact rational number it is.
    size : int or tuple of int
        Shape of independent draws on the same scores; () for one.

    Returns
    -------
    ndarray of int64, shape `size`
        Indices below m.

    Raises
    ------
    SpecError
        If there is no score, one is no integer, the scale is negative or not finite, or `size` is no shape.

    Notes
    -----
    The coins are independent of the order, so all m are flipped, and the first head in a uniformly random
    order is a uniformly random head. A best score always shows heads. Time O(m) a draw.

    Formal guarantees
    -----------------
    Scores of sensitivity Δ and s = ε/2Δ give ε-DP, and ε²/2-zCDP through it [1]_. It is not bounded-range:
    the exponential mechanism's ε²/8 does not apply. A seeded source gives no guarantee.

    References
    ----------
    .. [1] McKenna, Sheldon, "Permute-and-Flip: A New Mechanism for Differentially Private Selection",
       NeurIPS 2020.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> permute_and_flip(SeededSource(0), [0, 99, 99], 1.0, 8).min() >= 1
    np.True_
    """
    gaps, rate, shape = _gaps(scores), _rate(scale), shape_of(size)
    exponents = _exponents(gaps, rate)
    count, m = math.prod(shape), len(gaps)
    drawn = np.empty(count, dtype=np.int64)
    batch = max(1, _FLIPS // m)
    for start in range(0, count, batch):
        rows = min(batch, count - start)
        coin = np.tile(np.arange(m), rows)
        heads = flip(source, 1.0, exponents[coin], _Exact(gaps, rate, coin)).reshape(rows, m)
        drawn[start : start + rows] = _uniform_head(source, heads)
    return drawn.reshape(shape)


def _uniform_head(source: Source, heads: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the column of a uniformly random head in every row; each has one."""
    number = heads.sum(axis=1)
    chosen = np.empty(len(heads), dtype=np.int64)
    for total in np.unique(number).tolist():
        rows = np.flatnonzero(number == total)
        columns = np.nonzero(heads[rows])[1].reshape(len(rows), total)
        chosen[rows] = columns[np.arange(len(rows)), uniform_below(source, total, len(rows))]
    return chosen


@attrs.frozen(eq=False)
class _Exact:
    """The exact (coefficient, exponent) of a coin, looked up only when float64 leaves doubt."""

    gaps: Integers
    rate: Fraction
    index: NDArray[np.int64]
    counts: NDArray[np.int64] | None = None
    digits: int = 0

    def __call__(self, coin: int) -> tuple[Fraction, Fraction]:
        i = self.index[coin]
        count = 1 if self.counts is None else int(self.counts[i])
        return Fraction(1 << self.digits, count), int(self.gaps[i]) * self.rate


def _gaps(scores: ArrayLike) -> Integers:
    """Return max(scores) - scores, in integers."""
    array = np.asarray(scores)
    if array.dtype == object:
        whole = all(isinstance(score, int | np.integer) for score in array.ravel())
    else:
        whole = array.dtype.kind in "iu"
    if array.ndim != 1 or not array.size or not whole:
        raise SpecError(
            f"scores must be a vector of integers, not {array.dtype} of shape {array.shape}",
            fix="pass a non-empty vector of integers",
        )
    top, bottom = int(array.max()), int(array.min())
    if array.dtype == object or top - bottom >= 1 << 63 or top >= 1 << 63:
        return np.asarray(top - array.astype(object))
    return top - array.astype(np.int64)


def _rate(scale: Fraction | float) -> Fraction:
    try:
        rate = Fraction(*scale.as_integer_ratio())
    except (AttributeError, ValueError, OverflowError):  # no number, NaN, infinity
        rate = Fraction(-1)
    if rate < 0:
        raise SpecError(f"scale = {scale!r} is no finite number >= 0", fix="pass eps / (2 * sensitivity)")
    return rate


def _exponents(gaps: Integers, rate: Fraction) -> NDArray[Any]:
    """Return gaps * rate in float64, to a relative 2^-50 or an absolute 2^-900.

    Which way is taken depends on the rate, and on the gaps' size only where both give the same: integers of either type
    are rounded to float64 once.
    """
    factor = near(rate)
    if factor < 2.0**-960:
        return np.array([near(gap * rate) for gap in gaps.tolist()], dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):  # 0 * infinity is put right
        sizes = np.array([near(gap) for gap in gaps]) if gaps.dtype == object else gaps.astype(np.float64)
        return np.where(gaps == 0, 0.0, sizes * factor)
