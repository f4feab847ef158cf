"""Mechanisms that are right for few numbers, distances, rows or parameters, and claims that hold for these alone.

A mechanism that holds is refuted with a chance of at most 2e-6 for each size at which it asks for less noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.kernel import registry
from dpframe.kernel.owned import OWNED
from dpframe.proof.spaces import Counts, Rows, Table
from dpframe.testing.battery import own_law
from dpframe.testing.battery.attack_own_queries import attack_query
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.metrics import by_edits
from dpframe.testing.battery.own_parameters import others
from dpframe.testing.battery.own_sizes import attack_price, attack_sizes
from dpframe.testing.battery.own_tables import _numbered, attack_tables


def laplace(name: str, scaled: Callable[[int], float], charged: Callable[[int], float]) -> Any:
    """Laplace noise on m numbers, of a scale and at a price that may depend on m."""

    @dp.own_mechanism(
        name,
        gives=lambda m: m,
        takes="l1",
        source="here",
        examples={"m": 3},
        loss=lambda scale, distance, m: dp.Pure(distance / scale * charged(m) * (1 + 1e-12)),
    )
    def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
        """Laplace noise."""
        return value + noise.laplace(scale * scaled(m), m)

    return registry.build(name, {"m": 3, "share": 1.0})


def lab() -> Lab:
    return Lab(np.random.default_rng(0), 8, 1.0, math.inf)


TWINS = {
    "a tenth less for many": (lambda m: 0.9 if m > 11 else 1.0, lambda m: 1.0, True),
    "a price that falls": (lambda m: 1.0, lambda m: min(1.0, 14.0 / m), True),
    "less for many, charged": (lambda m: 0.9 if m > 11 else 1.0, lambda m: 1 / 0.9 if m > 11 else 1.0, False),
    "the same for all": (lambda m: 1.0, lambda m: 1.0, False),
}


@pytest.mark.parametrize("name", TWINS)
def test_noise_for_many_numbers_is_held_to_its_price(name: str) -> None:
    *parts, broken = TWINS[name]
    named = f"tests.sizes_{'_'.join(name.replace(',', '').split())}"
    operation = laplace(named, *parts)
    found = attack_sizes(OWNED[named], operation)
    assert (found is not None) is broken, found
    assert found is None or (found.refuted and "numbers" in found.case)


def test_a_claim_is_of_several_rows_too() -> None:
    """A count whose price is that of one row; the correct twin charges each of them."""
    failed = {}
    for words, price in (("one", lambda removed, added: min(1, max(removed, added))), ("each", max)):

        @dp.own_mechanism(
            f"tests.rows_{words}",
            gives=1,
            takes="edits",
            source="here",
            loss=lambda scale, removed, added, price=price: dp.Pure(price(removed, added) / scale * (1 + 1e-12)),
        )
        def count(rows: Any, scale: float, noise: Any) -> Any:
            """A noisy count."""
            return np.array([float(len(rows))]) + noise.laplace(scale, 1)

        here = lab()
        case = Case(registry.build(f"tests.rows_{words}", {"share": 1.0}), (Table(1),))
        own_law.attack_own_law(here, case, 0.2)
        failed[words] = [f.layer for f in here.failures]
    assert failed == {"one": ["law"], "each": []}


def test_a_query_is_asked_about_larger_distances() -> None:
    """The correct twin cuts its answer where it says that it moves no further."""
    failed = {}
    for words, most in (("open", math.inf), ("cut", 3.0)):

        @dp.own_query(f"tests.far_{words}", gives=1, source="here", sensitivity=lambda d: {"linf": min(d["linf"], 3.0)})
        def first(value: Any, most: float = most) -> Any:
            """The first number."""
            return np.array([min(max(float(np.ravel(value)[0]), 0.0), most)])

        here = lab()
        attack_query(here, Case(registry.build(f"tests.far_{words}", {}), (Counts(2),)))
        failed[words] = [f.layer for f in here.failures]
    assert failed == {"open": ["sensitivity"], "cut": []}


def test_claims_are_held_to_at_other_parameters() -> None:
    failed = {}
    for words, told in (("fixed", lambda top: 1.0), ("told", lambda top: top)):

        @dp.own_statistic(
            f"tests.top_{words}",
            gives=1,
            source="here",
            examples={"top": 1.0},
            sensitivity=lambda removed, added, top, told=told: {"linf": told(top) * max(removed, added)},
        )
        def total(rows: Any, *, top: float) -> Any:
            """A total of whole numbers from 0 to a top."""
            return np.array([np.floor(np.clip(rows[:, 0], 0, top)).sum()])

        known = OWNED[f"tests.top_{words}"]
        made = [*others(known, registry.build(known.name, {"top": 1.0}))]
        assert [m.keywords["top"] for m in made] == [3.0, 1 / 3, -3.0, 1.5]
        here = lab()
        attack_tables(here, Case(made[0], (Rows(1),)), [known.function], 0.2, brief=True)
        failed[words] = [f.layer for f in here.failures]
    assert failed == {"fixed": ["sensitivity"], "told": []}


@pytest.mark.parametrize(("kind", "wraps"), [("int16", True), ("uint16", True), ("int64", False)])
def test_counters_of_two_bytes_end(kind: str, wraps: bool) -> None:
    @dp.own_statistic(
        f"tests.counter_{kind}",
        gives=1,
        source="here",
        sensitivity=lambda removed, added: {"linf": float(max(removed, added))},
    )
    def positive(rows: Any) -> Any:
        """Positive rows."""
        return np.array([float(np.sum(rows[:, 0] > 0, dtype=kind))])

    here, case = lab(), Case(registry.build(f"tests.counter_{kind}", {}), (Rows(1),))
    found = _numbered(here, case, by_edits(case.operation, case.domains), [OWNED[case.operation.of].function], 60.0)
    assert found is wraps
    assert bool(here.failures) is wraps


PRICES: dict[str, tuple[Callable[[float, float], float], bool]] = {
    "right": (lambda scale, distance: distance / scale * (1 + 1e-12), True),
    "dear": (lambda scale, distance: math.expm1(distance / scale), True),
    "half_an_exponential": (lambda scale, distance: math.expm1(distance / scale) / 2, False),
    "squared": (lambda scale, distance: (distance / scale) ** 2, False),
    "cheap_from_four_on": (lambda scale, distance: distance / scale * (1.0 if scale < 4 else 0.5), False),
}


@pytest.mark.parametrize("case", PRICES)
def test_a_price_that_is_right_for_little_noise_alone_is_refuted(case: str) -> None:
    price, holds = PRICES[case]

    @dp.own_mechanism(f"tests.priced_{case}", gives=2, takes="l1", loss=price, source="here")
    def noisy(value: Any, scale: float, noise: Any) -> Any:
        """Laplace noise."""
        return value + noise.laplace(scale, value.shape)

    operation: Any = registry.build(f"tests.priced_{case}", {"share": 1.0})
    found = attack_price(operation, Counts(2))
    assert (found is None) is holds
    assert holds or (found is not None and found.refuted)
