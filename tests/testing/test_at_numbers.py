"""Queries whose numbers all pass a number of the code together: one claims a single move for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe import plugin
from dpframe.kernel import registry
from dpframe.proof.spaces import Counts
from dpframe.testing.battery.attack_own_queries import attack_query
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import Lab


def above(value: Any) -> Any:
    """How many are above 731."""
    return [float((np.ravel(value) > 731).sum())]


def opposite(value: Any) -> Any:
    """How many of every second one are above 731, less the others."""
    passed = np.ravel(value) > 731
    return [float(passed[::2].sum()) - float(passed[1::2].sum())]


@pytest.mark.parametrize("function", [above, opposite])
def test_numbers_that_pass_one_together_are_tried(function: Callable[[Any], Any]) -> None:
    for norm, found in (("linf", True), ("l1", False)):

        def claimed(distance: Any, norm: str = norm) -> Any:
            return {"linf": distance[norm]}

        name = f"tests.{function.__name__}_{norm}"
        plugin.own_query(name, gives=1, sensitivity=claimed, source="itself")(function)
        lab = Lab(np.random.default_rng(0), 0, 1.0, 1e4, clock=lambda: 0.0)
        attack_query(lab, Case(registry.build(name, {}), (Counts(3),)))
        assert bool(lab.failures) is found


@pytest.mark.parametrize(("more", "found"), [(0, True), (1, False)])
def test_numbers_that_move_by_one_of_its_code_are_tried(more: int, found: bool) -> None:
    """Half to even: 5 and 15 are two tens apart."""
    name = f"tests.tens_{more}"

    def tens(value: Any) -> Any:
        """The first number in tens."""
        return [np.rint(np.ravel(value)[0] / 10)]

    plugin.own_query(name, gives=1, sensitivity=lambda a: {"linf": -(-a["linf"] // 10) + more}, source="itself")(tens)
    lab = Lab(np.random.default_rng(0), 0, 1.0, 1e4, clock=lambda: 0.0)
    attack_query(lab, Case(registry.build(name, {}), (Counts(1),)))
    assert bool(lab.failures) is found
