"""Values that a memo with a short key takes for others: what is kept by it may be answered to these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DpframeError

SAMPLED, ENDS = (8, 16, 32, 64, 100, 128), 10
"""Rows at even places, and at either end, by which a memo may know an array."""
CRC = (0xEDB88320 << 1) | 1
"""The polynomial of CRC-32 as bits that follow one another in memory."""


def alike(value: Any) -> list[Any]:
    """Others that a memo with a short key takes for the same: of one shape, mean, ends, numbers, digits or checksum.

    Of an array: two that are near, two of one checksum, one with only its middle changed, its mirror image about the
    mean, its reverse, and its numbers in order. Of a value with fields one is changed; of others nothing is alike.

    Examples
    --------
    >>> [v.tolist() for v in alike(np.array([1.0, 2.0, 6.0]))][3:]
    [[1.0, 3.0, 6.0], [5.0, 4.0, 0.0], [6.0, 2.0, 1.0]]
    """
    if attrs.has(type(value)):
        fields = {a.name: getattr(value, a.name) for a in attrs.fields(type(value)) if a.init}
        return [other for name, v in fields.items() for near in alike(v)[:2] for other in _evolved(value, name, near)]
    if isinstance(value, float):
        return [value * (1 + 2.0**-30), value + 2.0**-8]
    if not isinstance(value, np.ndarray) or not value.size or value.dtype.kind != "f" or not np.isfinite(value).all():
        return []
    with np.errstate(all="ignore"):
        mirrored = 2 * value.mean(axis=0) - value
        near = [value * (1 + 2.0**-30), value + 2.0**-8]
    inner = value.copy()
    inner.flat[value.size // 2] += 1.0
    near += [*_of_one_checksum(value)]
    others = [*near, inner, mirrored, value[::-1].copy(), np.sort(value, axis=None).reshape(value.shape)]
    others += [*_of_one_sample(value)]
    return [other for other in others if not np.array_equal(other, value)]  # a memo keeps the first that it met


def _of_one_sample(value: Any) -> Iterator[Any]:
    """Arrays of the same first and last rows, and of the same rows at so many even places, the others changed.

    Examples
    --------
    >>> value = np.arange(100.0)
    >>> [int((other == value).sum()) for other in _of_one_sample(value)]
    [20, 8, 9, 16, 17, 32, 34, 64]
    """
    count = len(value)
    places = [np.r_[:ENDS, count - ENDS : count]] if count > 2 * ENDS else []
    for kept in SAMPLED:
        if count > kept:
            places += [np.linspace(0, count - 1, kept).astype(np.intp)]
        if count >= 2 * kept:
            places += [np.arange(0, count, count // kept)]
    for at in places:
        other = value + 1.0
        other[at] = value[at]
        yield other


def _of_one_checksum(value: Any) -> Iterator[Any]:
    """Near arrays of the same CRC-32 (its polynomial is added), and of the same Adler-32 and sum of bytes.

    Examples
    --------
    >>> import zlib
    >>> value = np.array([0.1, 2.7, -3.3])
    >>> [zlib.crc32(other) == zlib.crc32(value) for other in _of_one_checksum(value)]
    [True, False]
    >>> [zlib.adler32(other) == zlib.adler32(value) for other in _of_one_checksum(value)]
    [False, True]
    """
    bits = np.ascontiguousarray(value, dtype="<f8").view("<u8")
    yield (bits ^ np.uint64(CRC << 12)).view("<f8")
    parts = bits.reshape(-1).view(np.uint8).reshape(-1, 8).copy()
    room = (parts[:, 0] < 255) & (parts[:, 1] > 1) & (parts[:, 2] < 255)
    parts[room, :3] += np.array([1, 254, 1], dtype=np.uint8)
    yield parts.reshape(-1).view("<f8").reshape(value.shape)


def _evolved(value: Any, name: str, part: Any) -> list[Any]:
    """The value with another field, if it takes it."""
    try:
        return [attrs.evolve(value, **{name: part})]
    except (DpframeError, TypeError, ValueError, ArithmeticError):
        return []
