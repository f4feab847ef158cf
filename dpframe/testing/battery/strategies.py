"""Hypothesis strategies: rows, tables, neighbours, released values, graphs and specs, shrinking to simple ones.

Needs ``dpframe[test]``; everything else in this room works without.

Examples
--------
>>> from hypothesis import find
>>> from dpframe.proof.spaces import Ball, Rows
>>> find(values(Ball(1)), lambda ball: ball.radius > 3)
BallValue(centre=array([0.]), radius=4.0)
>>> len(find(rows(Rows(1)), lambda table: len(table) > 1))
2
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dpframe.errors import DomainError, SpecError
from dpframe.proof.spaces import (
    Adjacency,
    AffineMap,
    AffineValue,
    Array,
    Ball,
    BallValue,
    Counts,
    Domain,
    Edits,
    Flag,
    Gaussian,
    GaussianValue,
    Index,
    ListOf,
    Mixture,
    MixtureValue,
    Outcome,
    Record,
    Rows,
    SparseCounts,
    Subspace,
    Symmetric,
    Vector,
    WeightedRows,
    Whitening,
    WhiteningValue,
    adjacency,
)
from dpframe.testing.battery.attack_exact import Pair
from dpframe.testing.battery.sketches import ANYWHERE, FAULTS, FIRST, LEAVES, ROWWISE, Chain, Sketch
from dpframe.testing.battery.tables import EXTREMES, Row, empty, width
from dpframe.testing.battery.values import draw

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    Strategy = SearchStrategy[Any]

BITS = 6
SIZES = (1.0, 4.0, 0.5, 1e-3, 1e6, 1e-150, 1e150)


def _st() -> Any:
    """The strategies module, or an error that names the extra."""
    try:
        from hypothesis import strategies
    except ImportError:
        raise SpecError(
            "dpframe.testing.battery.strategies needs hypothesis", fix="pip install 'dpframe[test]'"
        ) from None
    return strategies


# ------------------------------------------------------------------------------------------------ rows


def numbers() -> Strategy:
    """A finite float: small whole numbers first, then extremes, then any."""
    st = _st()
    whole = st.integers(-4, 4).map(float)
    return st.one_of(whole, st.sampled_from(EXTREMES), st.floats(allow_nan=False, allow_infinity=False))  # type: ignore[no-any-return]


def row(domain: Domain, *, bits: int = BITS) -> Strategy:
    """One row of a row domain; bounded ones lie on the lattice of ``bits``, corners included. It may be missing."""
    st = _st()
    if isinstance(domain, WeightedRows):
        points = st.lists(_point(domain.d, bits, ball=True), min_size=domain.k, max_size=domain.k)
        shares = st.lists(st.integers(0, 2**bits), min_size=domain.k, max_size=domain.k)
        some = st.builds(lambda p, s: Row(tuple(p), True, _at_most(s, 2**bits)), points, shares)
    elif isinstance(domain, Rows) and domain.bound != "any":
        some = _point(domain.d, bits, ball=domain.bound == "unit_ball").map(Row)
    else:
        some = st.tuples(*[numbers()] * width(domain)).map(Row)
    return st.one_of(some, st.just(empty(domain)))  # type: ignore[no-any-return]


def _point(d: int, bits: int, *, ball: bool) -> Strategy:
    """A lattice point of the unit ball or cube: whole coordinates, drawn in towards 0 where they are too far."""
    st = _st()
    top = 2**bits
    whole = st.one_of(
        st.integers(-1, 1), st.sampled_from([top, -top, math.isqrt(top * top // d)]), st.integers(-top, top)
    )

    def inside(point: tuple[int, ...]) -> tuple[float, ...]:
        square = sum(x * x for x in point)
        factor = top / math.sqrt(square) * (1 - 1e-9) if ball and square > top * top else 1.0
        return tuple(float(math.trunc(x * factor)) for x in point)

    return st.tuples(*[whole] * d).map(inside)  # type: ignore[no-any-return]


def _at_most(shares: list[int], top: int) -> tuple[float, ...]:
    total = sum(shares)
    return tuple(float(s if total <= top else s * top // total) for s in shares)


def rows(domain: Domain, *, bits: int = BITS, max_rows: int = 8) -> Strategy:
    """A list of rows: none, one, ties, missing ones."""
    return _st().lists(row(domain, bits=bits), max_size=max_rows)  # type: ignore[no-any-return]


def tables(d: int, *, max_rows: int = 8) -> Strategy:
    """A table as users give it: (n, d) floats, missing entries NaN."""
    st = _st()
    entry = st.one_of(numbers(), st.just(math.nan))
    return st.lists(st.tuples(*[entry] * d), max_size=max_rows).map(  # type: ignore[no-any-return]
        lambda found: np.array(found, dtype=np.float64).reshape(len(found), d)
    )


def neighbours(domain: Domain, relation: str | Adjacency | Edits, *, bits: int = BITS, max_rows: int = 5) -> Strategy:
    """Two tables that differ by one of the relation's edits: a :class:`dpframe.testing.battery.attack_exact.Pair`."""
    st = _st()
    one = row(domain, bits=bits)

    def pair(e: Edits) -> Any:
        common = st.lists(one, max_size=max_rows).map(tuple)
        return st.builds(Pair, common, st.tuples(*[one] * e.removed), st.tuples(*[one] * e.added))

    return st.sampled_from(adjacency(relation).edits).flatmap(pair)  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------- released values


def _array(shape: tuple[int, ...], entry: Strategy | None = None) -> Strategy:
    count = int(np.prod(shape))
    entries = _st().lists(numbers() if entry is None else entry, min_size=count, max_size=count)
    return entries.map(lambda found: np.array(found, dtype=np.float64).reshape(shape))  # type: ignore[no-any-return]


def _mild(shape: tuple[int, ...]) -> Strategy:
    return _array(shape, _st().integers(-8, 8).map(lambda x: x / 2))


def _sizes() -> Strategy:
    return _st().sampled_from(SIZES)  # type: ignore[no-any-return]


def _covariances(k: int, d: int) -> Strategy:
    def definite(roots: Any, size: float) -> Any:
        lower = np.tril(roots, -1) / 4 + np.eye(d)
        full = lower @ np.swapaxes(lower, -1, -2) * size
        return (full + np.swapaxes(full, -1, -2)) / 2

    return _st().builds(definite, _mild((k, d, d)), _sizes())  # type: ignore[no-any-return]


def _weights(k: int) -> Strategy:
    def simplex(parts: list[int]) -> Any:
        raised = np.array(parts, dtype=np.float64) if sum(parts) else np.ones(k)
        return raised / raised.sum()

    return _st().lists(_st().integers(0, 4), min_size=k, max_size=k).map(simplex)  # type: ignore[no-any-return]


def _affine(domain: Any) -> Strategy:
    return _st().builds(AffineValue, _mild((domain.d,)), _mild((domain.d, domain.p)), _sizes())  # type: ignore[no-any-return]


def _whitening(domain: Any) -> Strategy:
    st = _st()
    maps = st.tuples(*[_affine(AffineMap(domain.d, domain.d))] * domain.k)
    return st.builds(WhiteningValue, maps, _mild((domain.k,)), _sizes(), st.sampled_from([0.0, 1.0]))  # type: ignore[no-any-return]


def _mixture(domain: Any) -> Strategy:
    k, d = domain.k, domain.d
    return _st().builds(MixtureValue, _weights(k), _mild((k, d)), _covariances(k, d))  # type: ignore[no-any-return]


def _symmetric(domain: Any) -> Strategy:
    return _mild(domain.shape).map(lambda m: (m + np.swapaxes(m, -1, -2)) / 2)


def _drawn(domain: Any) -> Strategy:
    """From the battery's own generator, by seed and size: for records, subspaces and released cells."""
    st = _st()
    return st.builds(  # type: ignore[no-any-return]
        lambda seed, size: draw(domain, np.random.default_rng(seed), size),
        st.integers(0, 99),
        st.sampled_from(SIZES[:3]),
    )


_VALUES: dict[type[Domain], Callable[[Any], Any]] = {
    Vector: lambda domain: _array((domain.d,)),
    Array: lambda domain: _array(domain.shape),
    Counts: lambda domain: _array((domain.m,)),
    Symmetric: _symmetric,
    Index: lambda domain: _st().one_of(_st().integers(0, domain.m - 1), _st().none()),
    Flag: lambda domain: _st().builds(Outcome, _st().booleans(), numbers()),
    Ball: lambda domain: _st().builds(BallValue, _mild((domain.d,)), _sizes()),
    AffineMap: _affine,
    Whitening: _whitening,
    Gaussian: lambda domain: _st().builds(
        GaussianValue, _mild((domain.d,)), _covariances(1, domain.d).map(lambda c: c[0])
    ),
    Mixture: _mixture,
    ListOf: lambda domain: _st().lists(values(domain.item), max_size=domain.max_length),
    Subspace: _drawn,
    SparseCounts: _drawn,
    Record: _drawn,
}


def values(domain: Domain) -> Strategy:
    """A released value that its domain's own check accepts.

    Raises
    ------
    DomainError
        For a domain of private values.
    """
    if type(domain) not in _VALUES:
        raise DomainError(f"no released value belongs to {domain}")
    strategy: Strategy = _VALUES[type(domain)](domain)
    return strategy


# ------------------------------------------------------------------------------------ graphs and specs


def graphs(*, fault: str | None = None) -> Strategy:
    """A ``dpframe.testing.battery.sketches.Sketch`` that must plan, or with that fault one that must be refused."""
    st = _st()

    def sketch(relation: str) -> Any:
        first = st.sampled_from(FIRST[relation])
        heads = st.one_of(st.just(()), st.tuples(first), st.tuples(st.sampled_from(ROWWISE), first))
        tails = st.lists(st.sampled_from(ANYWHERE), max_size=2).map(tuple)
        chain = st.builds(
            lambda head, tail, leaf, part, share: Chain((*head, *tail), leaf, part, share),
            heads,
            tails,
            st.sampled_from(sorted(LEAVES)),
            st.integers(0, 2),
            st.sampled_from([1.0, 2.0, 0.25]),
        )
        chains = st.lists(chain, min_size=1, max_size=3).map(tuple)
        return st.builds(lambda d, found: Sketch(relation, d, found, fault), st.integers(1, 3), chains)

    return st.sampled_from(sorted(FIRST)).flatmap(sketch)  # type: ignore[no-any-return]


def faulty_graphs() -> Strategy:
    """A sketch with one planted fault; its kind is ``sketch.fault``, and ``FAULTS`` has words of the refusal."""
    return _st().sampled_from(sorted(FAULTS)).flatmap(lambda fault: graphs(fault=fault))  # type: ignore[no-any-return]


def specs() -> Strategy:
    """The TOML of a plan."""
    from dpframe.front.specs import dump

    return graphs().map(lambda sketch: dump(sketch.plan(), name="drawn"))
