"""Domains: what a value may be. ``check`` guards every released value; those with parts are in :mod:`.structures`."""

from __future__ import annotations

import enum
import math
import operator
from collections.abc import Iterable
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.errors import DomainError
from dpframe.proof.spaces.checks import (
    MOST_COLUMNS,
    check_numbers,
    columns,
    numbers,
    parts,
    positive_whole,
    up_to,
    validator,
    whole,
)
from dpframe.proof.spaces.values import Outcome


class Kind(enum.Enum):
    """Who may see the value on an edge."""

    PRIVATE = "private"
    RELEASED = "released"
    PUBLIC = "public"


@attrs.frozen
class Domain:
    """What a value may be. Subclasses are final; ``check`` raises :class:`DomainError`."""

    type: ClassVar[str] = "abstract"

    def check(self, value: Any) -> None:
        """Raise :class:`DomainError` unless ``value`` belongs to the domain."""
        raise DomainError(f"domain {self.type!r} holds private values only and is never checked from outside")

    def to_json(self) -> dict[str, Any]:
        """JSON form: the type name and the fields."""
        fields: dict[str, Any] = {"type": self.type}
        for a in attrs.fields(type(self)):
            v = getattr(self, a.name)
            fields[a.name] = v.to_json() if isinstance(v, Domain) else list(v) if isinstance(v, tuple) else v
        return fields

    def __str__(self) -> str:
        inner = ", ".join(f"{a.name}={getattr(self, a.name)}" for a in attrs.fields(type(self)))
        return f"{type(self).__name__}({inner})"


def finite_array(value: Any, shape: tuple[int, ...], what: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Finite numbers of a shape, or a :class:`DomainError` that says what is wrong with ``what``."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise DomainError(f"{what} must be numbers of shape {shape}") from None
    if array.shape != shape:
        raise DomainError(f"{what} must have shape {shape}, not {array.shape}")
    if not np.isfinite(array).all():
        raise DomainError(f"{what} must be finite")
    return array


def positive_definite(matrices: Any) -> bool:
    """Whether symmetric matrices (…, d, d) are positive definite, judged as correlations: whatever the columns' units.

    Examples
    --------
    >>> positive_definite(np.diag([1e30, 1e-30])), positive_definite(np.ones((2, 2)))
    (True, False)
    """
    array = np.asarray(matrices, dtype=np.float64)
    with np.errstate(all="ignore"):
        scale = np.sqrt(np.diagonal(array, axis1=-2, axis2=-1))
        correlations = array / scale[..., :, None] / scale[..., None, :]
    return bool(np.isfinite(correlations).all() and np.linalg.eigvalsh(correlations).min() > 0)


BOUNDS = ("any", "unit_ball", "unit_box")


@attrs.frozen
class Rows(Domain):
    """Rows of ``d`` numbers. ``bound`` says what the kernel has enforced.

    ``any``: finite numbers, unbounded. ``unit_ball``/``unit_box``: lattice points of the unit ball or
    cube of a released or public frame; sums and Gram matrices exist only there, so a sum of rows
    that is bounded about one point can't be taken about another.
    """

    d: int = attrs.field(validator=columns)
    bound: str = attrs.field(default="any", validator=validator(lambda v: v in BOUNDS, f"one of {BOUNDS}"))
    type: ClassVar[str] = "rows"

    @property
    def region(self) -> str:
        """The same as ``bound``, under the name of 0.1.0; kept for one release."""
        return self.bound


@attrs.frozen
class WeightedRows(Domain):
    """Rows seen by ``k`` components: weights ``γ_j >= 0`` with ``Σγ_j <= 1`` and ``z_j`` in the unit ball."""

    k: int = attrs.field(validator=up_to(MOST_COLUMNS))
    d: int = attrs.field(validator=up_to(MOST_COLUMNS))
    type: ClassVar[str] = "weighted_rows"

    def __attrs_post_init__(self) -> None:
        check_numbers(self, self.k * self.d)


@attrs.frozen
class Vector(Domain):
    """A vector of ``d`` finite numbers."""

    d: int = attrs.field(validator=numbers)
    type: ClassVar[str] = "vector"

    def check(self, value: Any) -> None:
        """Check shape ``(d,)`` and finiteness."""
        finite_array(value, (self.d,), "a vector")


def _sizes(values: Iterable[int]) -> tuple[int, ...]:
    """A shape: whole numbers >= 1."""
    given = tuple(values)
    try:
        sizes = tuple(operator.index(v) for v in given)
    except TypeError:
        sizes = (0,)
    if min(sizes, default=1) < 1:
        raise DomainError(f"a shape is made of whole numbers >= 1, not {given!r}", fix="give 1, 2, ...")
    return sizes


@attrs.frozen
class Array(Domain):
    """A finite array of the given shape."""

    shape: tuple[int, ...] = attrs.field(converter=_sizes)
    type: ClassVar[str] = "array"

    def __attrs_post_init__(self) -> None:
        check_numbers(self, math.prod(self.shape))

    def check(self, value: Any) -> None:
        """Check shape and finiteness."""
        finite_array(value, self.shape, "an array")


@attrs.frozen
class Symmetric(Domain):
    """``k`` symmetric d×d matrices, shape ``(k, d, d)``; ``k = 0`` means one matrix of shape ``(d, d)``."""

    d: int = attrs.field(validator=positive_whole)
    k: int = attrs.field(default=0, validator=whole)
    type: ClassVar[str] = "symmetric"

    def __attrs_post_init__(self) -> None:
        check_numbers(self, math.prod(self.shape))

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the value."""
        return (self.k, self.d, self.d) if self.k else (self.d, self.d)

    def check(self, value: Any) -> None:
        """Check shape, finiteness and symmetry."""
        array = finite_array(value, self.shape, "a symmetric matrix")
        if not np.array_equal(array, np.swapaxes(array, -1, -2)):
            raise DomainError("a symmetric matrix must equal its transpose")


@attrs.frozen
class Counts(Domain):
    """``m`` counts (or scores that start as counts)."""

    m: int = attrs.field(validator=numbers)
    type: ClassVar[str] = "counts"

    def check(self, value: Any) -> None:
        """Check shape ``(m,)`` and finiteness."""
        finite_array(value, (self.m,), "counts")


@attrs.frozen
class Scores(Domain):
    """Scores of a released number of candidates, at most ``m``: private values only."""

    m: int = attrs.field(validator=positive_whole)
    type: ClassVar[str] = "scores"


@attrs.frozen
class SparseCounts(Domain):
    """Occupied cells of ``levels`` grids in ``p`` dimensions, with their counts; one row, or block, is in ``each``."""

    p: int = attrs.field(validator=positive_whole)
    levels: int = attrs.field(validator=parts)
    each: int = attrs.field(default=1, validator=parts)
    type: ClassVar[str] = "sparse_counts"

    def check(self, value: Any) -> None:
        """Check that there is one released table a level."""
        if not isinstance(value, tuple) or len(value) != self.levels:
            raise DomainError(f"a released histogram must have {self.levels} levels")


@attrs.frozen
class Index(Domain):
    """An index in ``range(m)``, or ``None``."""

    m: int = attrs.field(validator=positive_whole)
    type: ClassVar[str] = "index"

    def check(self, value: Any) -> None:
        """Check the range."""
        if value is not None and not (isinstance(value, (int, np.integer)) and 0 <= value < self.m):
            raise DomainError(f"an index must be None or in range({self.m})")


@attrs.frozen
class Flag(Domain):
    """The released outcome of a test: passed or not, with the released noisy value."""

    type: ClassVar[str] = "flag"

    def check(self, value: Any) -> None:
        """Check that the outcome is a bool with a finite number."""
        if not (isinstance(value, Outcome) and math.isfinite(value.value)):
            raise DomainError("a test outcome must be Outcome(passed, value)")
