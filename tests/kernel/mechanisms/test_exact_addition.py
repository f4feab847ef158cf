"""For the same noise, what neighbours release differs by their distance, in integers, however large the exact value is.

Over every registered statistic and every mechanism that takes it, at all bits and up to 2^38 rows; and over every
mechanism with values on both sides of 2^63.
"""

from __future__ import annotations

import copy
import functools
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dpframe.front.api as dp
from dpframe.errors import DpframeError
from dpframe.kernel.mechanisms import additive
from dpframe.kernel.mechanisms.additive import Additive
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact, Mechanism, Statistic
from dpframe.kernel.registry import build, operations
from dpframe.proof.spaces import Counts, Domain, Edits, Symmetric, Vector
from dpframe.testing import parametrize_registry
from dpframe.testing.battery import metrics
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.cases import cases_of
from dpframe.testing.battery.lab import fingerprint, fitted
from dpframe.testing.battery.strategies import neighbours
from dpframe.testing.battery.tables import batch, bounded
from dpframe.testing.battery.values import draw

EDITS = {Edits(1, 1): "replace_one", Edits(1, 0): "add_remove", Edits(0, 1): "add_remove"}
SCALES = (0.01, 1.0, 2.0**20, 2.0**51, 2.0**56, 2.0**60)
DOUBLINGS = 35


def additives() -> list[Additive]:
    return [build(name, {"share": 1.0}) for name, cls in operations().items() if issubclass(cls, Additive)]


@functools.cache
def found_cases(name: str) -> list[Case]:
    return cases_of(operations()[name])[:2]


def grown(case: Case, params: Any, rows: Any, bits: int, doublings: int) -> Any:
    """The fold of the rows, each 2^doublings times, as workers would merge it."""
    statistic: Statistic = case.operation  # type: ignore[assignment]
    fold = statistic.start(case.domains[0], *params)
    statistic.update(fold, batch(rows, case.domains[0], bits), *params)
    for _ in range(doublings):
        fold.merge(copy.deepcopy(fold))
    return fold


def pythons(values: Any) -> list[int]:
    return [int(v) for v in np.ravel(values).tolist()]


def moved_alike(first: Exact, second: Exact, mechanism: Additive, domain: Domain, scale: float) -> None:
    """The sums differ as the exact values do, entry by entry."""
    calibration = {mechanism.scaled_by: float(Fraction(scale) * first.step)}
    a, b = (mechanism.noisy(x, calibration, domain, SeededSource(5)) for x in (first, second))
    apart = [x - y for x, y in zip(pythons(first.integers), pythons(second.integers), strict=True)]
    assert [x - y for x, y in zip(pythons(a), pythons(b), strict=True)] == apart


def takes(mechanism: Mechanism, domain: Domain) -> bool:
    try:
        mechanism.output(domain)
    except DpframeError:
        return False
    return True


OWN = ("all_rows", "own_contribution", "own_statistic")
"""They hold rows or run a plugin's function: tests/kernel/own."""


@parametrize_registry("name", kind="statistic", modules=("dpframe.kernel.", "dpframe_plugins."))
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_neighbours_stay_neighbours_under_the_same_noise(name: str, data: st.DataObject) -> None:
    if name in OWN:
        return
    case = data.draw(st.sampled_from(found_cases(name)))
    bits = data.draw(st.sampled_from([26, 20, 1, *range(1, 27)]))
    if hasattr(case.operation, "bits"):
        case = attrs.evolve(case, operation=attrs.evolve(case.operation, bits=bits))
    domain = case.domains[0]
    found = metrics.by_edits(case.operation, case.domains, tuple(EDITS))
    edits = data.draw(st.sampled_from(sorted(found, key=str)))
    pair = data.draw(
        neighbours(domain, EDITS[edits], bits=bits, max_rows=4).filter(
            lambda p: (len(p.removed), len(p.added)) == (edits.removed, edits.added)
        )
    )
    rng = np.random.default_rng(data.draw(st.integers(0, 9)))
    params = tuple(fitted(draw(d, rng), getattr(domain, "d", 0)) for d in case.domains[1:])
    with np.errstate(all="ignore"):
        common = grown(case, params, pair.common, bits, data.draw(st.sampled_from([0, 1, 10, DOUBLINGS])))
        values = []
        for rows in (pair.removed, pair.added):
            fold = copy.deepcopy(common)
            case.operation.update(fold, batch(rows, domain, bits if bounded(domain) else 0), *params)  # type: ignore[attr-defined]
            values.append(case.operation.value(fold))  # type: ignore[attr-defined]
    ratio, words = metrics.excess(metrics.difference(*values), found[edits])
    assert ratio <= 1, words
    made = case.operation.output(*case.domains)
    for mechanism in additives():
        if takes(mechanism, made):
            moved_alike(*values, mechanism, made, data.draw(st.sampled_from(SCALES)))


LARGE = st.one_of(
    st.integers(-40, 40), st.sampled_from([2**62, -(2**62), 2**63 - 2, 2 - 2**63]), st.integers(2**61, 2**62)
)


@pytest.mark.parametrize("mechanism", additives(), ids=lambda m: m.name)
@given(
    st.lists(LARGE, min_size=4, max_size=4),
    st.lists(st.integers(-1, 1), min_size=4, max_size=4),
    st.sampled_from(SCALES),
)
def test_noise_moves_values_alike_on_both_sides_of_int64(
    mechanism: Additive, entries: list[int], step: list[int], scale: float
) -> None:
    for offset in (0, 2**63, -(2**63)):
        first = [e + offset for e in entries]
        second = [e + s for e, s in zip(first, step, strict=True)]
        pair = [Exact(np.array(v, dtype=np.int64 if fits(v) else object), Fraction(1, 2**52)) for v in (first, second)]
        moved_alike(*pair, mechanism, Vector(4), scale)
        if takes(mechanism, Symmetric(2)):
            squares = [attrs.evolve(p, integers=symmetric(p.integers)) for p in pair]
            moved_alike(*squares, mechanism, Symmetric(2), scale)


def fits(values: list[int]) -> bool:
    return all(-(2**63) <= v < 2**63 for v in values)


def symmetric(four: Any) -> Any:
    square = four.reshape(2, 2).copy()
    square[1, 0] = square[0, 1]
    return square


# ----------------------------------------------------------------------------- the types can't be told apart


def integer_mechanisms() -> list[Case]:
    """Every registered mechanism that takes integers."""
    found = [c for cls in operations().values() if issubclass(cls, Mechanism) for c in cases_of(cls)[:1]]
    return [c for c in found if isinstance(c.domains[0], (Counts, Vector, Symmetric)) or c.operation.name == STABLE]


STABLE = "stable_histogram"


@pytest.mark.parametrize("case", integer_mechanisms(), ids=lambda c: c.operation.name)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_int64_and_python_integers_are_released_alike(case: Case, data: st.DataObject) -> None:
    """The type depends on the exact value, so whatever is released must not depend on it."""
    mechanism: Mechanism = case.operation  # type: ignore[assignment]
    domain = case.domains[0]
    step = data.draw(st.sampled_from([Fraction(1), Fraction(1, 2**20), Fraction(1, 9)]))
    shape = getattr(domain, "shape", (getattr(domain, "m", getattr(domain, "d", 2)),))
    entries = data.draw(st.lists(LARGE, min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    narrow = np.array(entries, dtype=np.int64).reshape(shape)
    if isinstance(domain, Symmetric):
        narrow = np.tril(narrow) + np.tril(narrow, -1).T
    both: list[Any] = [narrow, narrow.astype(object)]
    if mechanism.name == STABLE:
        step, ids = Fraction(1), np.arange(len(narrow))[:, None]
        both = [[(ids, v)] for v in both]
    changed = data.draw(st.sampled_from([1e-3, 1.0, 1e3, 2.0**20]))
    calibration = mechanism.calibrate(0.5 / changed**2, 1e-7, metrics.of_value(domain), domain)
    one, other = (
        fingerprint(mechanism.release_many(Exact(v, step), calibration, domain, SeededSource(3), 4)) for v in both
    )
    assert one == other


@pytest.mark.parametrize("name", ["above_threshold", "truncated_laplace_test"])
@pytest.mark.parametrize("threshold", [1e308, -1e308, 2.0**11, 5e-324])
def test_a_threshold_of_any_size_is_compared_exactly(name: str, threshold: float) -> None:
    more: dict[str, Any] = {} if name == "above_threshold" else {"delta_fraction": 0.5}
    mechanism: Any = build(name, {"share": 1.0, "threshold": threshold, **more})
    calibration = mechanism.calibrate(0.5, 1e-7, metrics.of_value(Counts(1)), Counts(1))
    low, high = (Exact(np.array([v], dtype=object), Fraction(1, 2**52)) for v in (-(2**1200), 2**1200))
    released = [mechanism.release(x, calibration, Counts(1), SeededSource(1)) for x in (low, high)]
    assert [r == 0 if name == "above_threshold" else r.passed for r in released] == [False, True]


# ------------------------------------------------------------------------------------- what was seen


def wrapping(values: Any, noise: Any) -> Any:
    """The broken twin: int64 where both sides are."""
    wide = np.asarray(noise).dtype == object or np.asarray(values).dtype == object
    return np.asarray(values).astype(object) + noise if wide else np.asarray(values) + noise


def test_the_wrapping_twin_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (Exact(np.array([[v]], dtype=object), Fraction(1, 2**52)) for v in (2**63, 2**63 - 2**52))
    narrow = attrs.evolve(second, integers=second.integers.astype(np.int64))
    gaussian: Any = build("gaussian", {"share": 1.0})

    def attack() -> None:
        for times in range(1, 20):
            moved_alike(first, narrow, gaussian, Symmetric(1), 2.0**52 * times)

    attack()
    monkeypatch.setattr(additive, "add", wrapping)
    with pytest.raises(AssertionError):
        attack()


def squares(bits: int) -> Any:
    """Σ x² of numbers in [−1, 1]."""

    @dp.program
    def program(x: Any) -> Any:
        ball = dp.ball(centre=[0.0], radius=1.0)
        return dp.release("total", dp.gaussian(share=1.0), dp.gram(dp.clip(x, ball, bits=bits), bits=bits))

    return program


@pytest.mark.parametrize(("bits", "n", "adjacency"), [(26, 2048, dp.REPLACE_ONE), (24, 2**15, dp.ADD_REMOVE)])
def test_totals_around_2_to_the_63_are_not_negative(bits: int, n: int, adjacency: Any) -> None:
    """All rows on the sphere gave no negative total, with one moved or gone 45 % were."""
    rows = dp.rows(n=n, d=1) if adjacency is dp.REPLACE_ONE else dp.rows(d=1)
    plan = dp.plan(squares(bits), x=rows, adjacency=adjacency, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    tables = [np.ones((n, 1)), np.ones((n, 1))]
    tables[1][0] = 0.0
    if adjacency is not dp.REPLACE_ONE:
        tables[1] = tables[1][1:]
    for table in tables:
        released = [float(plan.run(x=table, simulate=seed)["total"][0, 0]) for seed in range(12)]
        assert min(released) > n / 2
