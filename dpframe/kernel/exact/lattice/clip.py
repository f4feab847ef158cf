"""Clip rows to a ball or a box and round them toward zero onto its integer lattice."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpframe.errors import DomainError

Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]

EXACT = 2.0**53
"""Integers of at most this size add and multiply exactly in float64."""
MAX_BITS = 26
"""The finest lattice: a clipped row's squared norm, 2^(2·bits), stays below 2^53."""


def check_bits(bits: int) -> None:
    """Refuse a lattice finer or coarser than 1..`MAX_BITS`."""
    if not 1 <= bits <= MAX_BITS:
        raise DomainError(f"lattice: bits is {bits}, not in 1..{MAX_BITS}", fix="use 18 to 20 bits")


def check_rows(values: npt.ArrayLike, valid: npt.ArrayLike) -> tuple[Floats, Bools]:
    """Rows (m, d) and their flags (m,) as arrays, or `DomainError`."""
    rows = np.asarray(values, dtype=np.float64)
    alive = np.asarray(valid, dtype=np.bool_)
    if rows.ndim != 2 or rows.shape[1] < 1 or alive.shape != rows.shape[:1]:
        raise DomainError(
            f"lattice: values of {rows.ndim} dimensions and flags of {alive.ndim} do not match",
            fix="pass values (m, d) and valid (m,)",
        )
    return rows, alive


def check_vector(name: str, value: npt.ArrayLike, d: int) -> Floats:
    """A public vector of d finite numbers, or `DomainError`."""
    vector = np.asarray(value, dtype=np.float64)
    if vector.shape != (d,) or not np.isfinite(vector).all():
        raise DomainError(f"lattice: {name} is not {d} finite numbers", fix=f"pass a finite {name} of length {d}")
    return vector


def _arguments(
    values: npt.ArrayLike, valid: npt.ArrayLike, centre: npt.ArrayLike, radius: float, bits: int
) -> tuple[Floats, Bools, Floats]:
    """Rows, flags and centre of a clip, or `DomainError`."""
    check_bits(bits)
    rows, alive = check_rows(values, valid)
    if not (0.0 < radius < math.inf):
        raise DomainError("lattice: radius is not positive and finite", fix="pass a radius above 0")
    return rows, alive, check_vector("centre", centre, rows.shape[1])


def _to_lattice(rows: Floats, centre: Floats, radius: float, bits: int, out: Floats) -> None:
    """(rows − centre) · 2^bits / radius, for every positive finite radius, subnormal ones included.

    A centre of zeros moves no bit of a row.
    """
    mantissa, exponent = math.frexp(radius)
    spare = max(bits - exponent - 1000, 0)
    if spare or centre.any() or np.signbit(centre).any():
        subtract_vector(rows, centre, out)
        rows = out
    if spare:
        np.multiply(rows, math.ldexp(1.0, spare), out=out)
    np.multiply(rows, math.ldexp(1.0 / mantissa, bits - exponent - spare), out=out)


def subtract_vector(rows: Floats, vector: Floats, out: Floats) -> None:
    """Rows − vector, element by element; several rows at a time, since short inner loops are slow."""
    m, d = rows.shape
    several = min(max(1, 2**13 // d), m)
    if several < 2 or not (rows.flags.c_contiguous and out.flags.c_contiguous):
        np.subtract(rows, vector, out=out)
        return
    tiled = np.tile(vector, several)
    whole = m - m % several
    wide = (whole // several, several * d)
    np.subtract(rows[:whole].reshape(wide), tiled, out=out[:whole].reshape(wide))
    np.subtract(rows[whole:].reshape(-1), tiled[: (m - whole) * d], out=out[whole:].reshape(-1))


def _norms(q: Floats) -> Floats:
    """Σq² of each row, by whatever is fastest: exact, or at least 2^53, in any order (module docstring)."""
    if q.shape[1] < 32:
        norms: Floats = np.einsum("ij,ij->i", q, q)
    else:
        norms = np.vecdot(q, q)
    return norms


def _within(q: Floats) -> Floats:
    """Σq² of each row for a comparison: exact, or at least 2^53; above it a row's number may differ with its place."""
    if q.ndim == 3 and (columns := q.transpose(0, 2, 1)).flags.c_contiguous:
        flat = columns.reshape(-1, q.shape[1])
        joint: Floats = np.einsum("ij,ij->j", flat, flat)
        return joint
    if q.ndim == 3:
        return _joint_norms(q)
    if not 1 < q.shape[1] < 32:
        return _norms(q)
    norms, ones = np.empty(len(q)), np.ones(q.shape[1])
    for at in small_blocks(len(q), q.shape[1], 2**18):  # with more calls threads wait for one another
        np.matmul(np.square(q[at]), ones, out=norms[at])
    return norms


def small_blocks(rows: int, width: int, numbers: int = 2**16) -> Iterator[slice]:
    """Cut 0..rows into blocks whose temporaries stay small: fresh large ones cost more than the arithmetic."""
    size = max(64, numbers // width)
    for start in range(0, rows, size):
        yield slice(start, min(start + size, rows))


def cap_norms(q: Floats, bits: int) -> None:
    """Enforce ``Σ q² <= 2^(2·bits)`` per row, in integers, in place.

    The last word of every clip: rows within the bound are left alone, others are multiplied by
    2^bits·(1−2^−30)/√(Σq²) and truncated toward zero, non-finite rows become 0.

    Parameters
    ----------
    q : (..., m, d) float64
        Integer-valued rows. With leading axes (k components of one row) the *joint* norm over them is capped.
    bits : int
        Lattice bits, 1..26.

    Notes
    -----
    *Formal guarantee.* Afterwards Σq² <= 2^(2·bits) exactly, because that is what is tested, and the test is
    exact (see `dpframe.kernel.exact.lattice`). A shrunk row passes it: the computed √Σq² of N < 2^22 entries is
    within a relative 2^−32 of the true one, the factor leaves 2^−30, and truncation only shortens. A row that
    failed all the same would be dropped.

    Examples
    --------
    >>> rows = np.array([[3.0, 4.0], [30.0, 40.0]])
    >>> cap_norms(rows, 3)
    >>> rows
    array([[3., 4.],
           [4., 6.]])
    """
    with np.errstate(all="ignore"):
        norms = _within(q)
        if norms.max(initial=0.0) <= 4.0**bits:  # not where one is NaN
            return
        bad = np.flatnonzero(~(norms <= 4.0**bits))
        shrunk = q[..., bad, :]
        factor = 2.0**bits * (1.0 - 2.0**-30) / np.sqrt(_joint_norms(shrunk))
        shrunk = np.trunc(shrunk * factor[:, None])
    shrunk[..., ~(_joint_norms(shrunk) <= 4.0**bits), :] = 0.0
    q[..., bad, :] = shrunk


def _joint_norms(q: Floats) -> Floats:
    """Squared norms of rows (m, d), or of rows (k, m, d) over k and d together."""
    with np.errstate(all="ignore"):
        if q.ndim == 2:
            return _norms(q)
        columns = q.transpose(0, 2, 1)
        if columns.flags.c_contiguous:
            squares: Floats = np.add.reduce(np.square(columns.reshape(-1, q.shape[1])), axis=0)
            return squares
        total = _norms(q[0])
        for part in q[1:]:
            total += _norms(part)
    return total


def to_ball(values: npt.ArrayLike, valid: npt.ArrayLike, centre: npt.ArrayLike, radius: float, bits: int) -> Floats:
    """Project rows onto a Euclidean ball and round them toward zero onto its integer lattice.

    Row x becomes q = trunc(2^bits · P((x − centre)/radius)), P the radial projection onto the unit ball;
    lattice step h = radius·2^−bits, so Σ q·h is the sum of clipped centred rows, short by less than 2h per
    coordinate and row. A row outside the ball keeps its direction to a relative 2^−(53−log₂d)/2.

    Parameters
    ----------
    values : (m, d) float64
        Any finite values up to 1.8e308, in any memory layout.
    valid : (m,) bool
        Rows to count; the others, and rows with a NaN or infinity, become 0.
    centre : (d,) float64
        Released or public, finite.
    radius : float
        Released or public, positive and finite, subnormal values included.
    bits : int
        1..26; 18 to 20 are usual.

    Returns
    -------
    (m, d) float64
        Integer-valued; divide by 2^bits and multiply by radius for units of the table.

    Raises
    ------
    DomainError
        If a public argument is malformed; never because of a value in a row.

    Notes
    -----
    *Formal guarantees.* (i) Σq² <= 2^(2·bits) holds in integers for every row (`cap_norms`). (ii) Row i of
    the result is a function of values[i], valid[i] and the public arguments only, bit for bit: all steps are
    element-wise or exact. So a sum of rows has L2 sensitivity 2^bits lattice units under one addition or
    removal.

    Examples
    --------
    >>> to_ball([[3.0, 4.0], [30.0, 40.0]], [True, True], [0.0, 0.0], 10.0, 4)
    array([[ 4.,  6.],
           [ 9., 12.]])
    """
    rows, alive, centre = _arguments(values, valid, centre, radius, bits)
    q = np.empty(rows.shape)
    with np.errstate(all="ignore"):
        _to_lattice(rows, centre, float(radius), bits, q)
        np.trunc(q, out=q)
        norms = _within(q)
        if not norms.max(initial=0.0) <= 4.0**bits:  # or one is NaN
            outside = ~(norms <= 4.0**bits)
            far = outside & ~(norms < EXACT)
            _shorten(q, norms, outside & ~far, bits)
            q[far] = _directions(rows[far], centre, bits)
            cap_norms(q, bits)
    if not alive.all():
        q[~alive] = 0.0
    return q


def _shorten(q: Floats, norms: Floats, chosen: Bools, bits: int) -> None:
    """Project the chosen rows of q in place; one way for few of them and one for many, with equal results."""
    if 4 * np.count_nonzero(chosen) > chosen.size:
        np.multiply(q, np.where(chosen, 2.0**bits / np.sqrt(norms), 1.0)[:, None], out=q)
        np.trunc(q, out=q)
    else:
        near = np.flatnonzero(chosen)
        q[near] = np.trunc(q[near] * (2.0**bits / np.sqrt(norms[near]))[:, None])


def _directions(rows: Floats, centre: Floats, bits: int) -> Floats:
    """Rows so far out that only their direction matters: 2^bits · (x − c)/‖x − c‖, without overflow."""
    offset = rows - centre
    over = ~np.isfinite(offset).all(axis=1)
    offset[over] = 0.5 * rows[over] - 0.5 * centre
    broken = ~np.isfinite(offset).all(axis=1)
    offset[broken] = 0.0
    largest = np.abs(offset).max(axis=1)
    _, exponent = np.frexp(largest)
    fine = (53 - math.ceil(math.log2(rows.shape[1]))) // 2
    q = np.trunc(np.ldexp(np.ldexp(offset, -exponent[:, None]), fine))
    norms = np.maximum(_norms(q), 1.0)
    result: Floats = np.trunc(q * (2.0**bits / np.sqrt(norms))[:, None])
    return result


def to_box(values: npt.ArrayLike, valid: npt.ArrayLike, centre: npt.ArrayLike, radius: float, bits: int) -> Floats:
    """Clip each coordinate to [centre − radius, centre + radius] and truncate it onto the lattice.

    q_j = trunc(2^bits · clip((x_j − centre_j)/radius, −1, 1)): |q_j| <= 2^bits exactly, so a row has L∞
    norm 2^bits, L1 norm d·2^bits and L2 norm √d·2^bits at most.

    Parameters
    ----------
    values, valid, centre, bits
        As in `to_ball`.
    radius : float
        Half of every coordinate's width, positive and finite, released or public.

    Returns
    -------
    (m, d) float64
        Integer-valued.

    Raises
    ------
    DomainError
        If a public argument is malformed.

    Examples
    --------
    >>> to_box([[0.5, -7.0]], [True], [0.0, 0.0], 1.0, 4)
    array([[  8., -16.]])
    """
    rows, alive, centre = _arguments(values, valid, centre, radius, bits)
    q = np.empty(rows.shape)
    alive = finite_rows(rows, alive)
    with np.errstate(all="ignore"):
        _to_lattice(rows, centre, float(radius), bits, q)
        np.clip(q, -(2.0**bits), 2.0**bits, out=q)
        np.trunc(q, out=q)
    if not alive.all():
        q[~alive] = 0.0
    return q


def finite_rows(rows: Floats, alive: Bools) -> Bools:
    """Live rows without NaN or infinity (one cheap sum decides the usual case)."""
    with np.errstate(all="ignore"):
        if np.isfinite(rows.sum()):
            return alive
    finite: Bools = alive & np.isfinite(rows).all(axis=1)
    return finite
