"""Claims that no plan could call are refused when they are declared, and those that it can are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dpframe.errors import SpecError
from dpframe.front.calls import check_called
from dpframe.kernel.owned import Own

WRONG: dict[str, tuple[str, str, Callable[..., Any], str]] = {
    "parameters alone": ("statistic", "", lambda k: {"l1": 1.0}, "sensitivity(removed, added, k=k)"),
    "no parameters": ("statistic", "", lambda removed, added: {"l1": 1.0}, "sensitivity(removed, added, k=k)"),
    "one number of edits": ("statistic", "", lambda edits, k: {"l1": 1.0}, "sensitivity(removed, added, k=k)"),
    "no distance": ("query", "", lambda k: {"l1": 1.0}, "sensitivity(distance, k=k)"),
    "no scale": ("mechanism", "l1", lambda distance, k: 1.0, "loss(scale, distance, k=k)"),
    "no edits": ("mechanism", "edits", lambda scale, k: 1.0, "loss(scale, removed, added, k=k)"),
}
RIGHT: dict[str, tuple[str, str, Callable[..., Any]]] = {
    "edits": ("statistic", "", lambda removed, added, k: {"l1": 1.0}),
    "any": ("statistic", "", lambda *edits, **parameters: {"l1": 1.0}),
    "more": ("statistic", "", lambda removed, added, k, j=3: {"l1": 1.0}),
    "by place": ("statistic", "", lambda removed, added, /, *, k: {"l1": 1.0}),
    "two distances": ("query", "", lambda one, other, k: {"l1": 1.0}),
    "any distances": ("query", "", lambda *distances, k: {"l1": 1.0}),
    "a loss": ("mechanism", "l2", lambda scale, distance, k: 1.0),
    "a loss of edits": ("mechanism", "edits", lambda scale, removed, added, k: 1.0),
    "a built-in": ("query", "", dict),
}


def check(kind: str, takes: str, claim: Callable[..., Any] | None) -> None:
    check_called(Own("t.a", kind, f"own_{kind}", print, {"k": 5}, lambda settings: {}, claim, takes), {})


@pytest.mark.parametrize("case", WRONG)
def test_a_claim_that_no_plan_could_call_is_refused(case: str) -> None:
    *told, called = WRONG[case]
    with pytest.raises(SpecError) as error:
        check(*told)
    assert f"is called as {called}" in str(error.value)
    assert called.partition("(")[0] in error.value.fix


@pytest.mark.parametrize("case", RIGHT)
def test_one_that_it_can_is_not(case: str) -> None:
    check(*RIGHT[case])


def test_what_claims_nothing_is_not_called() -> None:
    check("transform", "", None)
