"""What a decorator of own operations is told: a value that no parameters could mend is refused where it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.errors import SpecError
from dpframe.front import owning
from dpframe.proof.spaces import Vector

CLAIM: dict[str, Any] = {"sensitivity": lambda *edits: {"l2": 1.0}, "source": "here"}


def rows_alone(rows: Any) -> Any:
    """The first column."""
    return rows[:, :1]


def composed(x: Any, *, share: float = 1.0) -> Any:
    return dp.release("n", dp.laplace(share=share), dp.count(x))


def statistic(**changed: Any) -> Any:
    return owning.own_statistic("t.a", gives=1, **{**CLAIM, **changed})


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "a norm": (lambda: owning.own_contribution("t.a", gives=2, norm="l3", bound=1.0), "l1, l2, linf, not 'l3'"),
    "a bound below 0": (lambda: owning.own_contribution("t.a", gives=2, norm="l2", bound=-1.0), "bound=-1.0"),
    "a bound of text": (lambda: owning.own_contribution("t.a", gives=2, norm="l2", bound="x"), "bound='x'"),  # type: ignore[arg-type]
    "no numbers": (lambda: owning.own_contribution("t.a", gives=0, norm="l2", bound=1.0), "gives=0"),
    "half a column": (lambda: owning.own_transform("t.a", columns=2.5), "columns=2.5"),  # type: ignore[arg-type]
    "true parts": (lambda: owning.own_partition("t.a", parts=True), "parts=True"),
    "words of numbers": (lambda: owning.own_statistic("t.a", gives="two", **CLAIM), "gives='two'"),  # type: ignore[arg-type]
    "numbers of a query": (lambda: owning.own_query("t.a", gives=-1, **CLAIM), "gives=-1"),
    "numbers released": (
        lambda: owning.own_mechanism("t.a", gives=0, takes="l2", loss=lambda scale, r: 1.0, source="here"),
        "gives=0",
    ),
    "columns of the rows": (
        lambda: owning.own_transform("t.a", columns=lambda d: d)(rows_alone),
        r"columns= is called with the operation's parameters (none)",
    ),
    "columns of a domain": (lambda: owning.own_transform("t.a", columns=Vector(2)), "columns=Vector"),  # type: ignore[arg-type]
    "a norm of a claim": (lambda: statistic(sensitivity={"l3": 1.0}), "no mapping of bounds by norm (l1, l2, linf)"),
    "a bare claim": (lambda: statistic(sensitivity=1.0), "sensitivity=1.0"),
    "a claim below 0": (lambda: statistic(sensitivity={"l1": -1.0}), "sensitivity={'l1': ...}=-1.0"),
    "bits of a claim": (lambda: statistic(bits=99), "bits=99, not 0 to 52"),
    "bits of a sum": (lambda: owning.own_contribution("t.a", gives=2, norm="l2", bound=1.0, bits=27), "bits=27"),
    "a claim of a query": (
        lambda: owning.own_query("t.a", gives=1, sensitivity={"l1": 1.0}, source="here"),  # type: ignore[arg-type]
        "a query moves as its inputs do",
    ),
    "an example": (lambda: statistic(examples={"zz": 3})(rows_alone), "name 'zz', which is no parameter"),
    "examples": (lambda: dp.composite("t.a", examples=3), "examples=3"),  # type: ignore[arg-type]
    "an example of a composite": (lambda: dp.composite("t.a", examples={"zz": 3})(composed), "'zz'"),
    "a row function of the kernel's name": (lambda: dp.row_function("count", columns=1)(rows_alone), "'count' has the"),
    "a row function of no name": (lambda: dp.row_function("t.a b", columns=1)(rows_alone), "not 't.a b'"),
    "a learner of the kernel's name": (lambda: dp.learner("gaussian")(rows_alone), "'gaussian' has the name"),
    "edits without a list": (lambda: statistic(proved_for=(1, 1)), "proved_for=(1, 1), which is no list of pairs"),
    "half a pair": (lambda: statistic(proved_for=[(1,)]), "no list of pairs"),
    "a pair of texts": (lambda: statistic(proved_for=[("a", 1)]), "no list of pairs"),
    "a hypothesis without a list": (
        lambda: statistic(assumes="sorted rows"),
        "assumes='sorted rows', which is no list",
    ),
    "a number as a hypothesis": (lambda: statistic(assumes=[3]), "assumes=[3]"),
    "columns of text": (lambda: dp.row_function("t.a", columns="x"), "columns='x'"),  # type: ignore[arg-type]
    "no columns": (lambda: dp.row_function("t.a", columns=0), "columns=0"),
    "true columns": (lambda: dp.row_function("t.a", columns=True), "columns=True"),
    "a distance": (
        lambda: owning.own_mechanism("t.a", gives=1, takes="l7", loss=lambda scale, r: 1.0, source="here"),
        "not 'l7'",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_value_that_nothing_can_mend_is_refused(case: str) -> None:
    declare, told = WRONG[case]
    with pytest.raises(SpecError) as error:
        declare()
    assert error.value.fix
    assert told in str(error.value)


def test_bounds_by_norm_are_those_of_one_row_and_add_over_more() -> None:
    claim = owning._sensitivity("t.a", {"l1": 1.0, "linf": 0.5})
    assert claim(1, 1, top=3) == claim(1, 0) == {"l1": 1.0, "linf": 0.5}
    assert claim(2, 3)["l1"] == pytest.approx(3.0)
    assert claim(2, 3)["l1"] >= 3.0


def test_functions_of_parameters_and_domains_are_asked_later() -> None:
    owning.own_contribution("t.a", gives=lambda k: k, norm="l1", bound=float)
    owning.own_contribution("t.a", gives=Vector(2), norm="linf", bound=2)
    owning.own_transform("t.a", columns=lambda k: k)
    owning.own_partition("t.a", parts=3)


def test_contributions_that_are_said_to_be_whole_are_kept_on_a_lattice_that_has_them() -> None:
    """``bits=0`` says so of statistics; a plan refused it of sums, whatever the decorator took."""
    make = owning.own_contribution("owning.kinds", gives=2, norm="l1", bound=4.0, nonnegative=True, bits=0)

    @make
    def kinds_of(rows: Any) -> Any:
        """One where a row is positive, else three in another place."""
        return np.stack([rows[:, 0] > 0, 3 * (rows[:, 0] <= 0)], axis=1)

    @dp.program
    def kinds(x: dp.Handle) -> dp.Handle:
        return dp.release("kinds", dp.laplace(share=1.0), dp.own("owning.kinds", x))

    rows = dp.rows(n=3, d=1)
    plan = dp.plan(kinds, x=rows, adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(epsilon=1e6))
    assert np.allclose(plan.run(x=np.array([[1.0], [-1.0], [2.0]]))["kinds"], [2.0, 3.0], rtol=0, atol=1e-3)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: family(example=lambda d: [0.0]), r"family 'owning.family': example is called with \(d, generator\)"),
        (lambda: family(fit=lambda rows: [0.0]), r"fit is called with \(rows, generator\), and does not take these"),
        (lambda: dp.semimetric("owning.far", triangle=lambda: 1.0)(lambda a, b: 0.0), r"triangle is called with \(r\)"),
        (
            lambda: dp.semimetric("owning.far", triangle=lambda r: 1.0)(lambda a: 0.0),
            r"distance is called with \(a, b\)",
        ),
        (lambda: dp.mask("owning.mask", semimetric="x", cost=lambda r: 1.0)(lambda v, n, g: v), "cost is called with"),
    ],
)
def test_functions_of_a_distance_a_mask_or_a_family_are_refused_where_they_take_other_arguments(
    make: Callable[[], Any], words: str
) -> None:
    """When they are registered: a call would come in a run, or in the middle of `dpframe check`."""
    with pytest.raises(SpecError, match=words) as caught:
        make()
    assert caught.value.fix


def family(**changed: Any) -> Any:
    functions: dict[str, Any] = {
        "size": lambda d: 1,
        "sample": lambda theta, count, generator: np.zeros((count, 1)),
        "fit": lambda rows, generator: [0.0],
        "example": lambda d, generator: [0.0],
    }
    return dp.family("owning.family", **(functions | changed))(lambda rows, theta: np.zeros(len(rows)))
