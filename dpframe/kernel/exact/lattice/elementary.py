"""Exponentials, logarithms and mixture weights that give the same bits in every build and position."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from dpframe.errors import DomainError
from dpframe.kernel.exact.lattice.clip import Bools, Floats, check_bits, check_rows, small_blocks

_STEPS = 2048  # entries of the table of 2^(i/2048)
_BLOCK = 2**16  # elements a time: the scratch stays in the cache, and threads seldom wait for one another
_LN2 = 0.6931471805599453
_FLOOR = 1e300  # log weights at or below −1e300 are no weight at all
_MAGIC = 1.5 * 2.0**52  # adding it rounds to an integer and leaves that integer in the low bits
_EXP_LOW, _EXP_HIGH = -708.0, 709.0


@cache
def _exp_table() -> npt.NDArray[np.int64]:
    """Bits of the correctly rounded 2^(i/2048), less i·2^41, so that adding k·2^41 gives 2^(k/2048)."""
    digits = 200
    root = 2 << digits
    for _ in range(11):
        root = math.isqrt(root << digits)
    power, entries = 1 << digits, []
    for _ in range(_STEPS):
        entries.append(power / (1 << digits))
        power = (power * root) >> digits
    return np.array(entries).view(np.int64) - (np.arange(_STEPS, dtype=np.int64) << 41)


def exp_det(values: npt.ArrayLike) -> Floats:
    """exp(x) from additions, multiplications and one table: the same bits in every build and position.

    x·2048/ln 2 = k + r, |r| <= ½; exp(x) = 2^(k/2048)·(1 + c r + (c r)²/2 + (c r)³/6), c = ln 2/2048.

    Parameters
    ----------
    values : array of float64
        Clamped to [−708, 709] first, so that the result is positive, normal and finite; NaN stays NaN.

    Returns
    -------
    array of float64
        Within a relative (|x| + 3)·2^−52 of exp(x); exactly 1 at 0, and at most 1 below.

    Notes
    -----
    NumPy's own `exp` takes other code paths for other processors, builds and layouts. This one takes
    4 to 5 ns an element, about five times as long, but less where NumPy's result underflows.

    Examples
    --------
    >>> exp_det([0.0, 1.0])
    array([1.        , 2.71828183])
    """
    x = np.asarray(values, dtype=np.float64)
    flat, result, table = x.ravel(), np.empty(x.size), _exp_table()
    c = _LN2 / _STEPS
    scaled, whole = np.empty(min(x.size, _BLOCK)), np.empty(min(x.size, _BLOCK))
    index = np.empty(min(x.size, _BLOCK), dtype=np.int64)
    for start in range(0, x.size, _BLOCK):
        out = result[start : start + _BLOCK]
        r, t, i = scaled[: out.size], whole[: out.size], index[: out.size]
        np.clip(flat[start : start + _BLOCK], _EXP_LOW, _EXP_HIGH, out=r)
        np.multiply(r, _STEPS / _LN2, out=r)
        np.add(r, _MAGIC, out=t)
        bits = t.view(np.int64)
        np.bitwise_and(bits, _STEPS - 1, out=i)
        np.take(table, i, out=out.view(np.int64), mode="clip")
        np.left_shift(bits, 41, out=i)
        np.add(out.view(np.int64), i, out=out.view(np.int64))
        np.subtract(t, _MAGIC, out=t)
        np.subtract(r, t, out=r)
        np.multiply(r, c**3 / 6, out=t)
        for coefficient in (c * c / 2, c, 1.0):
            np.add(t, coefficient, out=t)
            if coefficient != 1.0:
                np.multiply(t, r, out=t)
        np.multiply(out, t, out=out)
    return result.reshape(x.shape)


_LN2_HIGH, _LN2_LOW = float.fromhex("0x1.62e42fefa3800p-1"), float.fromhex("0x1.ef35793c76730p-45")


def log_det(values: npt.ArrayLike) -> Floats:
    """log(x) from exact scaling and a fixed polynomial: the same bits in every build and position.

    x = 2^e·m with m in [√½, √2); log m = 2 artanh((m − 1)/(m + 1)) as a series of eleven terms.

    Parameters
    ----------
    values : array of float64

    Returns
    -------
    array of float64
        Within a relative 2^−50 of log(x); −inf at 0, NaN below.

    Examples
    --------
    >>> log_det([1.0, 2.0])
    array([0.        , 0.69314718])
    """
    x = np.asarray(values, dtype=np.float64)
    with np.errstate(all="ignore"):
        m, e = np.frexp(x)
        low = m < math.sqrt(0.5)
        m = np.where(low, m + m, m)
        e = np.subtract(e, low, dtype=np.float64)
        s = (m - 1.0) / (m + 1.0)
        square = s * s
        series = np.full(x.shape, 2.0 / 21.0)
        for odd in range(19, 1, -2):
            series = series * square + 2.0 / odd
        result: Floats = e * _LN2_HIGH + (2.0 * s + (s * square * series + e * _LN2_LOW))
        special = np.where(x > 0.0, x, np.where(x == 0.0, -np.inf, np.nan))
    return np.where((x > 0.0) & (x < np.inf), result, special)


def responsibilities(log_weights: npt.ArrayLike, valid: npt.ArrayLike, bits: int) -> Floats:
    """Turn unnormalised log weights into integer weights that sum to at most 2^bits in every row.

    E_j = trunc(2^B·exp(l_j − max l)), w_j = ⌊2^bits·E_j/ΣE⌋ with B = 52 − bits − ⌈log₂k⌉.

    Parameters
    ----------
    log_weights : (m, k) float64
        Anything; NaN counts as −inf, values beyond ±1e300 as ±1e300.
    valid : (m,) bool
        Other rows get no weight.
    bits : int
        1..26.

    Returns
    -------
    (m, k) float64, each column contiguous
        Non-negative integers, each row's sum within k of 2^bits, or 0 where no weight is above −1e300.

    Raises
    ------
    DomainError
        If bits and k leave no room for exactness.

    Notes
    -----
    *Formal guarantee.* Σ_j w_j <= 2^bits exactly: a = 2^bits·E_j and S = ΣE are exact integers, and a
    quotient a/S that is not an integer lies at least 1/S below the next integer N, while float64 division
    could only round up to N within N·2^−54; N·S <= 2^bits·k·2^B <= 2^52. So the truncated quotient is the
    floor, and the floors sum to at most 2^bits. Each row depends on itself only (`exp_det`, exact sums).

    Examples
    --------
    >>> responsibilities([[0.0, 0.0], [-1e9, 5.0]], [True, True], 4)
    array([[ 8.,  8.],
           [ 0., 16.]])
    """
    check_bits(bits)
    logs, alive = check_rows(log_weights, valid)
    k = logs.shape[1]
    fine = 52 - bits - math.ceil(math.log2(k))
    if fine < bits:
        raise DomainError(f"responsibilities: {bits} bits are too many for {k} components", fix="use fewer bits")
    weights = np.empty((k, len(logs)))  # a component's weights are contiguous: folds take them one by one
    for at in small_blocks(len(logs), max(1, k // 2)):  # calls cost more than the cache here
        weights[:, at] = _shares(logs[at].T, alive[at], 2.0**fine, 2.0**bits)
    return weights.T


def _shares(logs: Floats, alive: Bools, fine: float, whole: float) -> Floats:
    """Weights (k, m) of one block, by element-wise steps along its rows."""
    top = logs.max(axis=0)
    if not (logs.min() > -_FLOOR and top.max() < _FLOOR):  # or one is NaN
        logs = np.fmin(np.fmax(logs, -_FLOOR), _FLOOR)
        top = logs.max(axis=0)
    weights = exp_det(np.subtract(logs, top, order="C"))
    weights *= fine
    np.trunc(weights, out=weights)
    total = weights.sum(axis=0)
    total /= whole  # exact, and one row of numbers instead of k
    weights /= total
    np.trunc(weights, out=weights)
    empty = ~(alive & (top > -_FLOOR))
    if empty.any():
        weights[:, empty] = 0.0
    return weights
