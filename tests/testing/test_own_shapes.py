"""Operations of one's own that no plan could use: a claim that always raises, numbers that never have their shape."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.kernel.owned import OWNED
from dpframe.testing.battery.attack_own import _rounded, check_own
from dpframe.testing.battery.own_cases import own_cases
from dpframe.testing.battery.own_shapes import always_fails, never_fits


def fails(*about: Any, **parameters: Any) -> Any:
    raise KeyError(about)


def refuses(*about: Any, **parameters: Any) -> Any:
    raise dp.PlanError("no plan", fix="none")


def for_one_row_more(removed: int, added: int) -> Any:
    return {"l1": 1.0} if not removed else {}[removed]


CLAIMS: dict[str, tuple[Callable[..., Any], str, bool]] = {
    "statistic_fails": (fails, "statistic", True),
    "statistic_refuses": (refuses, "statistic", False),
    "statistic_once": (for_one_row_more, "statistic", False),
    "query_fails": (fails, "query", True),
    "query_of_two": (lambda one, two: {"l1": one["l1"] + two["l1"]}, "query", False),
    "mechanism_fails": (fails, "mechanism", True),
    "mechanism_overflows": (lambda scale, distance: math.expm1(distance / scale), "mechanism", False),
    "mechanism_holds": (lambda scale, distance: dp.Pure(distance / scale), "mechanism", False),
}


def declared(name: str, claim: Callable[..., Any], kind: str) -> str:
    def statistic(rows: Any) -> Any:
        """For a test."""
        return [float(len(rows))]

    def query(one: Any, two: Any) -> Any:
        """For a test."""
        return [float(one.sum() + two.sum())]

    def mechanism(value: Any, scale: float, noise: Any) -> Any:
        """For a test."""
        return value + noise.laplace(scale, value.shape)

    if kind == "statistic":
        dp.own_statistic(name, gives=1, sensitivity=claim, source="here")(statistic)
    elif kind == "query":
        dp.own_query(name, gives=1, sensitivity=claim, source="here")(query)
    else:
        dp.own_mechanism(name, gives=1, takes="l1", loss=claim, source="here")(mechanism)
    return name


@pytest.mark.parametrize("case", CLAIMS)
def test_a_claim_that_always_raises_is_told_from_one_that_refuses(case: str) -> None:
    claim, kind, broken = CLAIMS[case]
    name = declared(f"tests.claim_{case}", claim, kind)
    assert always_fails(OWNED[name]) is broken
    if broken:
        report = check_own(name)
        assert not report.holds
        assert "its claim fails" in str(report)


def contribution(name: str, function: Callable[[Any], Any]) -> str:
    def of(rows: Any) -> Any:
        """For a test."""
        return function(rows)

    dp.own_contribution(name, gives=dp.Vector(2), norm="linf", bound=1.0)(of)
    return name


SHAPES: dict[str, tuple[Callable[[Any], Any], bool]] = {
    "one_too_many": (lambda rows: np.ones((len(rows), 3)), True),
    "of_all": (lambda rows: np.ones(2), True),
    "a_guard": (lambda rows: np.zeros(1), False),
    "as_wide_as_the_rows": (lambda rows: np.abs(rows) + 1 if rows.shape[1] != 2 else rows[:, :1] + 1, False),
    "right": (lambda rows: np.ones((len(rows), 2)), False),
    "raises": (lambda rows: rows.missing, False),
}


@pytest.mark.parametrize("case", SHAPES)
def test_numbers_that_never_have_their_shape_are_refuted(case: str) -> None:
    function, broken = SHAPES[case]
    name = contribution(f"tests.shape_{case}", function)
    assert never_fits(OWNED[name]) is broken
    if broken:
        report = check_own(name)
        assert report.failed("domain")
        assert "declared (20, 2)" in str(report)


def test_whole_numbers_of_counts_are_not_called_rounded() -> None:
    """And halves of them are."""
    told = {}
    for words, factor in (("wholes", 1.0), ("halves", 0.5)):

        def query(counts: Any, factor: float = factor) -> Any:
            """For a test."""
            return np.cumsum(counts) * factor

        name = f"tests.rounded_{words}"
        dp.own_query(name, gives=3, sensitivity=lambda distance: {"l1": 3 * distance["l1"]}, source="here")(query)
        cases = [case for case in own_cases(OWNED[name]) if isinstance(case.domains[0], dp.Counts)]
        told[words] = _rounded(OWNED[name], cases[0])
    assert told == {"wholes": False, "halves": True}
