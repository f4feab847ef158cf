"""Coins whose bias is an exponential."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpframe.errors import SpecError
from dpframe.kernel.noise.exact import SLACK, Bits, Uniform, below_exp, known
from dpframe.kernel.noise.sources import Source, Words


def bernoulli_exp(source: Source, gamma: ArrayLike) -> NDArray[np.bool_]:
    r"""Flip independent coins that show true with probability :math:`e^{-\gamma}` exactly.

    Parameters
    ----------
    source : Source
        Where the bits come from.
    gamma : array_like
        Non-negative exponents: floats (as the exact rational numbers they are; infinity allowed), integers,
        or an object array of integers and fractions.

    Returns
    -------
    ndarray of bool, shape of `gamma`

    Raises
    ------
    SpecError
        If an exponent is negative, not a number, or wider than float64.

    Notes
    -----
    A 64-bit uniform is compared with exp(-γ) in float64; where the two are within 2^-36, with exact bounds
    (docs/theory/noise.md).

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> bernoulli_exp(SeededSource(0), [0.0, 1000.0]).tolist()
    [True, False]
    """
    exponents = np.asarray(gamma)
    approximate = _as_float(exponents)
    if not (approximate >= 0).all():  # also false for NaN
        raise SpecError("an exponent is negative or not a number", fix="pass gamma >= 0")
    flat = exponents.ravel()
    flips = flip(source, 1.0, approximate.ravel(), lambda i: (Fraction(1), _exactly(flat[i])))
    return flips.reshape(exponents.shape)


def flip(
    source: Source,
    coefficient: float | NDArray[np.float64],
    exponent: NDArray[np.float64],
    exact: Callable[[int], tuple[Fraction, Fraction | None]],
    *,
    slack: float = SLACK,
) -> NDArray[np.bool_]:
    r"""Decide :math:`V_i < c_i e^{-t_i}` for independent uniform :math:`V_i`, exactly.

    Parameters
    ----------
    source : Source
        Where the bits come from.
    coefficient, exponent : float or ndarray, ndarray of float64, shape (m,)
        c in [0, 2^45] and t >= 0 with c exp(-t) <= 1, each to a relative 2^-50 (t also to an absolute 2^-50).
    exact : callable
        Maps an index to the exact (c, t), as fractions, or t None for infinity.
    slack : float
        Distance from which a float64 comparison is believed.

    Returns
    -------
    ndarray of bool, shape (m,)
    """
    v: Words = source.words(len(exponent))
    above = v * 2.0**-64 - coefficient * np.exp(-exponent)
    below = above < -slack
    for i in np.flatnonzero(np.abs(above) <= slack).tolist():
        c, t = exact(i)
        uniform = Uniform(Bits(source), int(v[i]), 64)
        below[i] = t is not None and below_exp(uniform, c, known(t))
    return below


def _as_float(exponents: NDArray[Any]) -> NDArray[np.float64]:
    """Return exponents to a relative 2^-52; what float64 cannot hold becomes infinite."""
    if exponents.dtype.kind in "iuf" and exponents.dtype.itemsize <= 8:
        return exponents.astype(np.float64)
    if exponents.dtype != object:
        raise SpecError(f"exponents can't be of type {exponents.dtype}", fix="pass float64, integers or fractions")
    try:
        numbers = [near(value) for value in exponents.ravel()]
    except (TypeError, ValueError):
        raise SpecError("an exponent is no number", fix="pass float64, integers or fractions") from None
    return np.array(numbers, dtype=np.float64).reshape(exponents.shape)


def near(value: Any) -> float:
    """Return the float next to a number, infinite if it is too large."""
    try:
        return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf


def _exactly(value: Any) -> Fraction | None:
    """Return an element of an array as the rational number it is, None for infinity."""
    number = value.item() if isinstance(value, np.generic) else value
    return None if number == np.inf else Fraction(number)
