"""Theorems of composition: totals of compositions, loops and samples are never below what they bound."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.errors import PlanError
from dpframe.proof.losses import (
    BoundedRange,
    Concentrated,
    Event,
    Gaussian,
    Laplace,
    Loss,
    Pure,
    Renyi,
    Worst,
    compose,
    epsilon,
)
from dpframe.proof.theorems import fixed_total

SIZES = st.floats(1e-6, 30.0)
KINDS = {"gaussian": Gaussian, "pure": Pure, "bounded": BoundedRange, "laplace": Laplace}


def item(kind: str, size: float, share: float) -> Event:
    """The event of one item that gets this share of ρ: μ and ε scale with its root, a bare ρ with itself."""
    if kind == "concentrated":
        return Concentrated(size * share)
    return KINDS[kind](size * math.sqrt(share))


@given(
    st.lists(st.tuples(st.sampled_from([*KINDS, "concentrated"]), SIZES), min_size=1, max_size=4),
    st.sampled_from([1, 2, 3, 7, 100, 10_000]),
)
def test_zcdp_covers_every_length(body: list[tuple[str, float]], length: int) -> None:
    total = fixed_total(Loss([item(kind, size, 1.0) for kind, size in body]), "zcdp")
    items = compose(*(Loss.of(item(kind, size, 1 / length), length) for kind, size in body))
    assert items.rho <= total.rho


@given(
    st.lists(st.tuples(st.sampled_from(sorted(KINDS)), SIZES), min_size=1, max_size=4),
    st.sampled_from([1, 2, 3, 7, 100, 10_000]),
)
def test_gdp_covers_every_length(body: list[tuple[str, float]], length: int) -> None:
    total = fixed_total(Loss([item(kind, size, 1.0) for kind, size in body]), "gdp")
    items = compose(*(Loss.of(item(kind, size, 1 / length), length) for kind, size in body))
    assert items.mu <= total.mu * (1 + 1e-6)  # the μ of a tiny ε is rounded up by that much


@given(st.lists(SIZES, min_size=1, max_size=4), st.sampled_from([1, 3, 100, 10_000]))
def test_pure_covers_every_length(body: list[float], length: int) -> None:
    total = fixed_total(Loss([Pure(size) for size in body]), "pure")
    assert sum(length * (size / length) for size in body) <= total.epsilon


def test_the_total_of_one_item_would_not_do() -> None:
    """μ and ρ of a pure ε are not quadratic: what one item costs is less than what many cost together."""
    one, many = Loss.of(Pure(10.0)), Loss.of(Pure(10 / math.sqrt(1000)), 1000)
    assert many.rho > 4.9 * one.rho
    assert many.mu > 1.5 * one.mu
    assert many.rho <= fixed_total(one, "zcdp").rho <= 1.01 * many.rho
    assert many.mu <= fixed_total(one, "gdp").mu <= 1.01 * many.mu
    # Not only the views: 1000 randomised responses leak more than a Gaussian with the μ of the one.
    exact = epsilon(many, 1e-6, "pld")
    assert epsilon(Loss.of(Gaussian(one.mu)), 1e-6, "gdp") < 0.75 * exact
    assert epsilon(fixed_total(one, "gdp"), 1e-6, "gdp") > exact
    assert epsilon(fixed_total(one, "zcdp"), 1e-6, "zcdp") > exact


def test_one_gaussian_is_kept_to_rounding() -> None:
    total = fixed_total(Loss.of(Gaussian(0.7), delta=1e-7), "gdp")
    ((event, times),) = total.events
    assert isinstance(event, Gaussian)
    assert times == 1
    assert 0.7 <= event.mu <= 0.7 * (1 + 1e-12)
    assert 1e-7 <= total.delta <= 1e-7 * (1 + 1e-12)


def test_a_worst_allocation_counts_as_its_dearest() -> None:
    loss = Loss.of(Worst((((Gaussian(3.0), 1), (Gaussian(4.0), 1)), ((Pure(2.0), 1),))), 2)
    assert fixed_total(loss, "gdp").mu == pytest.approx(5 * math.sqrt(2))
    assert fixed_total(loss, "zcdp").rho == pytest.approx(25.0)


@pytest.mark.parametrize(
    ("event", "view"),
    [
        (Gaussian(1.0), "pure"),
        (Concentrated(1.0), "gdp"),
        (Concentrated(1.0), "pure"),
        (Renyi((2.0,), (1.0,)), "zcdp"),
        (Pure(math.inf), "zcdp"),
    ],
)
def test_no_bound_in_the_view(event: Event, view: str) -> None:
    with pytest.raises(PlanError, match="no finite loss in the view"):
        fixed_total(Loss.of(event), view)


def test_an_unknown_view() -> None:
    with pytest.raises(PlanError, match="unknown view 'rdp'"):
        fixed_total(Loss.of(Gaussian(1.0)), "rdp")


def test_nothing_costs_nothing() -> None:
    assert fixed_total(Loss(()), "gdp") == Loss(())
    assert fixed_total(Loss.of(Gaussian(0.0)), "gdp").mu == 0
