"""What folds share: an integer accumulator that never overflows, the interface, and a loop over blocks."""

from __future__ import annotations

import abc
from collections.abc import Iterator
from typing import Any, Self, TypeAlias, final

import numpy as np
import numpy.typing as npt

from dpframe.errors import DomainError

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[Any]  # int64, or Python integers in an object array

_ROOM = 2**62
_BLOCK_ELEMENTS = 2**18


@final
class ExactSum:
    """An array of integers that never overflows: int64 while that is safe, Python integers after.

    Parameters
    ----------
    shape : tuple of int
        Shape of the array; it starts at 0.

    Examples
    --------
    >>> total = ExactSum((1,))
    >>> for _ in range(4):
    ...     total.add(np.array([2.0**53]), 2**53)
    >>> total.value
    array([36028797018963968])
    """

    __slots__ = ("_bound", "_near", "_wide")

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._near = np.zeros(shape, dtype=np.int64)
        self._wide: npt.NDArray[np.object_] | None = None
        self._bound = 0

    def add(self, part: npt.NDArray[Any], bound: int) -> None:
        """Add integers (int64, or float64 up to 2^53) that are at most `bound` <= 2^62 in size."""
        if bound > _ROOM:
            raise DomainError("exact sum: a part may exceed 2^62", fix="add smaller blocks")
        if self._bound + bound > _ROOM:
            self._widen(self._near)
            self._near[...] = 0
            self._bound = 0
        self._near += part.astype(np.int64, copy=False)
        self._bound += bound

    def merge(self, other: ExactSum) -> None:
        """Add all that `other` holds."""
        if other._wide is not None:
            self._widen(other._wide)
        self.add(other._near, other._bound)

    def _widen(self, part: npt.NDArray[Any]) -> None:
        before = 0 if self._wide is None else self._wide
        self._wide = np.add(part.astype(object), before, dtype=object)

    @property
    def value(self) -> Integers:
        """int64 if every entry fits in it, else Python integers in an object array; history plays no part."""
        if self._wide is None:
            return self._near.copy()
        total: Integers = self._wide + self._near.astype(object)
        limit = 2**63 - 1
        return total.astype(np.int64) if all(-limit <= entry <= limit for entry in total.flat) else total


class Fold(abc.ABC):
    """An exact, order-free summary of rows: updated by chunks, merged with its like."""

    __slots__ = ()

    @abc.abstractmethod
    def merge(self, other: Self) -> None:
        """Add what `other` has seen; the order of merging cannot be seen in the value."""

    @property
    @abc.abstractmethod
    def value(self) -> Any:
        """The exact value over all rows seen so far."""


class TotalFold(Fold):
    """A fold whose value is one exact sum of integers; parameters are what another must have to be merged."""

    __slots__ = ("_parameters", "_total")

    def __init__(self, shape: tuple[int, ...], parameters: tuple[int, ...]) -> None:
        self._total, self._parameters = ExactSum(shape), parameters

    def merge(self, other: Self) -> None:
        """Add another fold of the same parameters."""
        check_alike(self._parameters, other._parameters)
        self._total.merge(other._total)

    @property
    def value(self) -> Integers:
        """The sum, in the units that the class states."""
        return self._total.value


def check_alike(mine: tuple[int, ...], other: tuple[int, ...]) -> None:
    """Refuse to merge folds that were built with other parameters."""
    if mine != other:
        raise DomainError(f"fold: parameters {mine} and {other} do not merge", fix="build both folds alike")


def check_size(name: str, value: int, low: int, high: int) -> int:
    """A public parameter within its range."""
    if not low <= value <= high:
        raise DomainError(f"fold: {name} is {value}, not in {low}..{high}", fix=f"choose {name} in that range")
    return value


def check_shape(name: str, array: npt.NDArray[Any], shape: tuple[int | None, ...]) -> None:
    """Refuse arrays of another shape (None is any length)."""
    if array.ndim != len(shape) or any(w not in {None, n} for n, w in zip(array.shape, shape, strict=True)):
        have = (None, *array.shape[1:])  # the number of rows may be private
        raise DomainError(f"fold: {name} of shape {have}, expected {shape}", fix="pass rows as the fold declares them")


def unclipped() -> DomainError:
    """The error of calling code that hands over rows it has not clipped."""
    return DomainError("fold: rows are not on the declared lattice", fix="clip with to_ball or to_box first")


def spans(rows: int, size: int) -> Iterator[slice]:
    """Cut 0..rows into slices of at most `size`."""
    for start in range(0, rows, size):
        yield slice(start, min(start + size, rows))


def block_rows(width: int) -> int:
    """Rows of `width` numbers that stay in a core's cache from one operation to the next."""
    return max(1, min(64, _BLOCK_ELEMENTS // max(width, 1) // 128)) * 128
