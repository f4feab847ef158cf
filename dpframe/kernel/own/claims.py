"""``own_statistic``, ``own_query``, ``own_mechanism``: a plugin's, at the price it asserts; ``all_rows``."""

from __future__ import annotations

import copy
import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.claiming import ClaimedLoss, ClaimedQuery, ClaimedStatistic
from dpframe.kernel.exact.integers import to_floats
from dpframe.kernel.foreign import Floats, array_of, quiet, shaped
from dpframe.kernel.mechanisms.additive import lattice_scale
from dpframe.kernel.operations import Batch, Exact, Mechanism, Query, Statistic, lattice_step
from dpframe.kernel.own.base import Owned, agree, shape_of, value_domain
from dpframe.kernel.own.sampler import Sampler
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain, Index, Table, whole

LARGEST = 2.0**53


def on_lattice(made: Any, shape: tuple[int, ...], bits: int) -> Any:
    """A plugin's numbers rounded to the nearest lattice point, 0 for what is none, held within 2^53 steps.

    Whole numbers beyond 2^53 are not all floats: there rounding could move two of them apart by more than a step.
    Holding both within brings nothing further apart. Halves go up, so that numbers a whole number of steps apart stay
    so, and two of them are never further apart than the next whole number: to the even one 0.5 and 1.5 would be two.

    Examples
    --------
    >>> on_lattice([0.5, 1.5, -0.5], (3,), 0).tolist()
    [1, 2, 0]
    """
    array = array_of(made, shape)
    if array is None:
        return np.zeros(shape, dtype=np.int64)
    with np.errstate(all="ignore"):
        scaled = np.ldexp(array, bits)
        below = np.floor(scaled)
        scaled = np.nan_to_num(below + (scaled - below >= 0.5), nan=0.0, posinf=LARGEST, neginf=-LARGEST)
    return np.clip(scaled, -LARGEST, LARGEST).astype(np.int64)


def seen_as_floats(exact: Exact) -> Floats:
    """A private value as a query of a plugin's own sees it: floats, held within 2^53 steps.

    Beyond, neighbours one step apart would be the same float or two steps apart. Holding brings nothing further apart.
    """
    within = int(LARGEST)
    return to_floats(np.clip(exact.integers, -within, within), exact.step)


class Collected:
    """Batches of non-empty rows of d columns, put in an order that their values decide; and what goes with them."""

    def __init__(self, d: int, params: tuple[Any, ...] = ()) -> None:
        self.d, self.params = d, params
        self.parts: list[Floats] = []

    def update(self, batch: Batch) -> None:
        """Keep the rows."""
        self.parts.append(batch.values[batch.valid] + 0.0)  # −0 is 0: no row is two

    def merge(self, other: Collected) -> None:
        """Keep the rows that the other one has kept."""
        self.parts += other.parts

    def rows(self) -> Floats:
        """All rows that were kept, sorted by their values: a function of their multiset."""
        every = np.concatenate([np.zeros((0, self.d)), *self.parts])
        return np.ascontiguousarray(every[np.lexsort(every.T[::-1])])


@attrs.frozen
class _Collecting(Statistic):
    """A statistic that needs all rows at once."""

    def start(self, domain: Domain, *params: Any) -> Any:
        """An empty collection of rows."""
        return Collected(shape_of(domain)[0], params)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Keep the rows."""
        fold.update(batch)


@register("all_rows")
@attrs.frozen
class AllRows(_Collecting):
    """All non-empty rows as one private value, for a mechanism of one's own that needs them at once.

    They are held in memory, sorted by their values: neither index nor order of the table is left.

    Formal guarantees
    -----------------
    Level: proved. The edits are kept, without a common index (``all_rows``).

    Examples
    --------
    >>> from dpframe.proof.spaces import Rows
    >>> rows = AllRows()
    >>> fold = rows.start(Rows(1))
    >>> rows.update(fold, Batch(0, np.array([[3.0], [0.0], [1.0]]), np.array([True, False, True])))
    >>> rows.value(fold).integers.tolist()  # sorted, without the empty one
    [[1.0], [3.0]]
    """

    def value(self, fold: Any) -> Exact:
        """The rows."""
        return Exact(fold.rows())


@register("own_statistic")
@attrs.frozen
class OwnStatistic(ClaimedStatistic, Owned, _Collecting):
    """A plugin's function of all non-empty rows, ``function(rows, *params) -> numbers``, rounded to a lattice.

    The rows come sorted by their values: the statistic is a function of their multiset. What is no array of
    the declared shape, or raises, counts as zeros, which the claim must cover.

    Parameters
    ----------
    gives : str
        Domain of the value, as JSON text.
    bits : int
        Values are multiples of 2^−bits; of 1 with 0.

    Formal guarantees
    -----------------
    Level: asserted. Sensitivity as the plugin says for each (removed, added), widened by the rounding
    (``own_statistic``).
    """

    gives: str = attrs.field(kw_only=True)
    bits: int = attrs.field(kw_only=True, validator=whole)

    def step(self) -> Fraction:
        """2^−bits."""
        return lattice_step(self.bits)

    def value(self, fold: Any) -> Exact:
        """Call the function once."""
        made = quiet(self.known.function, fold.rows(), *copy.deepcopy(fold.params), **self.keywords)
        return Exact(on_lattice(made, shape_of(value_domain(self)), self.bits), self.step())


@register("own_query")
@attrs.frozen
class OwnQuery(ClaimedQuery, Owned, Query):
    """A plugin's function of private values, ``function(*values) -> numbers``, rounded to a lattice.

    Released inputs come as they are. What is no array of the declared shape, or raises, counts as zeros, which the
    claim must cover.

    Parameters
    ----------
    gives : str
        Domain of the value, as JSON text.
    bits : int
        Values are multiples of 2^−bits; of 1 with 0.

    Formal guarantees
    -----------------
    Level: asserted. Sensitivity as the plugin says for the distances of its inputs, widened by the rounding
    (``own_query``).
    """

    gives: str = attrs.field(kw_only=True)
    bits: int = attrs.field(kw_only=True, validator=whole)

    def evaluate(self, *values: Any) -> Exact:
        """Call the function once."""
        made = quiet(self._asked, values)
        return Exact(on_lattice(made, shape_of(value_domain(self)), self.bits), lattice_step(self.bits))

    def _asked(self, values: tuple[Any, ...]) -> Any:
        plain = (seen_as_floats(v) if isinstance(v, Exact) else copy.deepcopy(v) for v in values)
        return self.known.function(*plain, **self.keywords)


@register("own_mechanism")
@attrs.frozen
class OwnMechanism(ClaimedLoss, Owned, Mechanism):
    """A plugin's mechanism: ``function(value, scale, noise) -> released``, drawing from the kernel's samplers only.

    Of a statistic the value is whole numbers of lattice steps, the scale is in steps too, and so is what is released:
    the kernel puts it into the units of the value. Of ``all_rows`` the value is rows of floats. What is not of the
    declared domain, or raises, is released as 0 or zeros, which the claim must cover.

    Parameters
    ----------
    gives : str
        Domain of the released value, as JSON text.
    share, noise_multiplier : float
        A share of ρ buys the least scale whose asserted loss is within it.

    Formal guarantees
    -----------------
    Level: asserted. Loss as the plugin says for the scale and the distance of its input (``own_mechanism``).
    """

    gives: str = attrs.field(kw_only=True)

    def __attrs_post_init__(self) -> None:
        Mechanism.__attrs_post_init__(self)
        agree(self)

    def release(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """Call the function once."""
        rows, scale = isinstance(domain, Table), float(calibration["scale"])
        value = np.array(exact.integers)
        function = functools.partial(self.known.function, value, scale if rows else lattice_scale(scale, exact.step))
        made, wanted = quiet(function, Sampler(source), **self.keywords), value_domain(self)
        if isinstance(wanted, Index):
            index = made is not None and isinstance(made, (int, np.integer)) and 0 <= made < wanted.m
            return int(made) if index else 0
        shape = shape_of(wanted)
        if rows:
            array = array_of(made, shape)
            return array if array is not None and np.isfinite(array).all() else np.zeros(shape)
        return to_floats(_steps(made, shape), exact.step)


def _steps(made: Any, shape: tuple[int, ...]) -> Any:
    """What a plugin made as whole numbers of lattice steps; zeros where it is none."""
    array = shaped(quiet(np.asarray, made), shape)
    kind = "" if array is None else array.dtype.kind
    exact = kind in ("i", "u") or (kind == "O" and all(type(v) is int for v in array.flat))
    return array if exact else np.zeros(shape, dtype=np.int64)
