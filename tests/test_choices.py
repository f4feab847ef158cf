"""A choice that privacy rests on is never absent, and every kind of number is a number, at every front end."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.cli import main
from dpframe.front.estimators import PrivateGaussian, PrivateGaussianMixture
from dpframe.front.specs import load_spec, shipped
from dpframe.proof.losses import Loss

ABSENT = [None, float("nan"), True, False, np.True_, "1", "", np.nan, [], np.array([0.5]), 1j, object()]
NUMBERS = [0.5, np.float64(0.5), np.float32(0.5), np.float16(0.5), np.longdouble(0.5), np.array(0.5)]
WHOLE = [1, np.int64(1), np.int8(1), np.uint32(1), np.array(1)]
BUDGET = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 10.0}


class Unread:
    """A table that must not be looked at."""

    def __getattribute__(self, name: str) -> Any:
        if name in ("__class__", "__dict__"):
            return object.__getattribute__(self, name)
        raise AssertionError("the table was read")


def counted(x: Any) -> Any:
    return dp.release("n", dp.laplace(share=1.0), dp.count(x))


def planned(**changes: Any) -> Any:
    how = {"x": dp.rows(n=100, d=2), "adjacency": dp.REPLACE_ONE, "budget": dp.pure_dp(epsilon=1.0), **changes}
    return dp.plan(counted, **how)


def located(**parameters: Any) -> Any:
    def program(x: Any) -> Any:
        return dp.release("ball", dp.locate(**{"share": 1.0, **parameters}), x)

    return dp.plan(program, x=dp.rows(n=100, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(1.0, 1e-6))


CHOICES: dict[str, Callable[[Any], Any]] = {
    "approx_dp epsilon": lambda v: dp.approx_dp(epsilon=v, delta=1e-6),
    "approx_dp delta": lambda v: dp.approx_dp(epsilon=1.0, delta=v),
    "pure_dp": lambda v: dp.pure_dp(epsilon=v),
    "zcdp": lambda v: dp.zcdp(rho=v),
    "gdp": lambda v: dp.gdp(mu=v),
    "share": lambda v: dp.gaussian(share=v),
    "noise_multiplier": lambda v: dp.laplace(noise_multiplier=v),
    "share of a recipe": lambda v: located(share=v),
    "radius": lambda v: dp.build("ball", {"centre": [0.0], "radius": v}),
    "bound of a ball": lambda v: dp.build("bounding_ball", {"d": 1, "bound": v}),
    "epsilon of a spec": lambda v: load_spec("practical_gmm", {"epsilon": v}),
    "delta of a spec": lambda v: load_spec("practical_gmm", {"delta": v}),
    "rho of a spec": lambda v: load_spec("practical_gmm", {"rho": v}),
    "bound of a spec": lambda v: load_spec("practical_gmm", {"bound": v}),
    "share of a loop": lambda v: dp.build("for_each", {"share": v, "max_length": 2}),
    "delta of a view": lambda v: planned().epsilon(delta=v),
}
COUNTS: dict[str, Callable[[Any], Any]] = {
    "edits": lambda v: dp.Edits(v, v),
    "rows": lambda v: dp.rows(n=v, d=2) if v is not None else dp.rows(n=v, d=None),  # type: ignore[arg-type]
    "columns": lambda v: dp.rows(n=5, d=v),
    "k of a spec": lambda v: load_spec("practical_gmm", {"k": v}),
    "seed": lambda v: load_spec("practical_gmm", {"seed": v}),
}


def cases(table: dict[str, Any], values: list[Any]) -> list[Any]:
    return [
        pytest.param(choose, value, id=f"{name} {re.sub(' at 0x.*', '', repr(value))}")
        for name, choose in table.items()
        for value in values
    ]


@pytest.mark.parametrize(("choose", "value"), cases({**CHOICES, **COUNTS}, ABSENT))
def test_an_absent_choice_is_an_error(choose: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises(dp.DpframeError):
        choose(value)


@pytest.mark.parametrize(("choose", "value"), [*cases(CHOICES, NUMBERS), *cases(COUNTS, WHOLE)])
def test_every_kind_of_number_is_a_number(choose: Callable[[Any], Any], value: Any) -> None:
    plain = float(value) if value != 1 else 1
    assert str(choose(value)) == str(choose(plain))


@pytest.mark.parametrize("name", ["epsilon", "delta", "rho", "mu"])
def test_a_budget_names_what_is_absent(name: str) -> None:
    make: dict[str, Callable[[Any], Any]] = {
        "epsilon": dp.pure_dp, "delta": lambda v: dp.approx_dp(1.0, v), "rho": dp.zcdp, "mu": dp.gdp,
    }  # fmt: skip
    with pytest.raises(dp.DpframeError, match=f"{name} of the budget: expected a number.*give {name}="):
        make[name](None)
    with pytest.raises(dp.DpframeError, match=f"{name} must .*Fix: give"):
        make[name](0.0)


@pytest.mark.parametrize("value", [v for v in ABSENT if v != "1"] + ["swap", 1, dp.Edits, ["replace_one"]])
def test_an_absent_adjacency_is_an_error(value: Any) -> None:
    with pytest.raises(dp.DpframeError, match="adjacency"):
        planned(adjacency=value)
    with pytest.raises(dp.DpframeError, match="adjacency"):
        load_spec("practical_gmm", {"adjacency": value})


@pytest.mark.parametrize("value", [*ABSENT, 1.0, dp.pure_dp, (1.0, 1e-6), {"epsilon": 1.0}])
def test_an_absent_budget_is_an_error_before_the_program_is_traced(value: Any) -> None:
    def program(x: Any) -> Any:
        raise AssertionError("traced")

    with pytest.raises(dp.PlanError, match="budget must be a privacy budget"):
        dp.plan(program, x=dp.rows(n=5, d=1), adjacency=dp.REPLACE_ONE, budget=value)


def test_a_bound_may_be_left_out_where_the_recipe_needs_none_and_is_a_number_where_it_is_given() -> None:
    assert located().verdict.holds
    assert located(bound=None).spent == located().spent
    assert located(bound=np.float32(8)).spent["epsilon"] <= 1
    for wrong in [v for v in ABSENT if v is not None and not isinstance(v, np.ndarray)] + [0, -1.0]:
        with pytest.raises(dp.DpframeError):
            located(bound=wrong)
    assert load_spec("coinpress_gaussian", {"bound": None}).value("bound") is None


@pytest.mark.parametrize("spec", shipped())
@pytest.mark.parametrize("key", ["epsilon", "delta", "rho", "adjacency"])
def test_no_shipped_spec_falls_back_to_its_own_budget(spec: str, key: str) -> None:
    with pytest.raises(dp.SpecError, match=key):
        load_spec(spec, {key: None})


# ------------------------------------------------------------------------------------- estimators


@pytest.mark.parametrize("make", [PrivateGaussian, lambda **how: PrivateGaussianMixture(2, **how)])
@pytest.mark.parametrize("name", BUDGET)
@pytest.mark.parametrize("value", ABSENT)
def test_an_estimator_refuses_before_it_looks_at_the_table(make: Any, name: str, value: Any) -> None:
    model = make(**{**BUDGET, name: value})
    with pytest.raises(dp.SpecError, match=name):
        model.fit(Unread())
    assert not hasattr(model, "plan_")


def test_an_estimator_takes_every_kind_of_number() -> None:
    rows = np.random.default_rng(0).normal(size=(500, 1))
    plain = PrivateGaussian(**{**BUDGET, "epsilon": 8.0}, simulate=1).fit(rows)
    numpy = {"epsilon": np.float32(8), "delta": np.array(1e-6), "adjacency": dp.REPLACE_ONE, "bound": np.int64(10)}
    assert PrivateGaussian(**numpy, simulate=np.int64(1)).fit(rows).mean_ == plain.mean_  # type: ignore[arg-type]
    for wrong in (True, False, "1", 1.5):
        with pytest.raises(dp.SpecError, match="seed"):
            PrivateGaussian(**BUDGET, simulate=wrong).fit(rows)


# --------------------------------------------------------------------------- plan and command line


@pytest.mark.parametrize("text", ["None", "nan", "true", "", "inf", "-1", "0"])
@pytest.mark.parametrize("key", ["epsilon", "delta", "rho", "bound"])
def test_the_command_line_refuses_an_absent_choice(key: str, text: str, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros((10, 1)))
    words = ["run", "practical_gmm", "--data", str(tmp_path / "x.npy"), "--out", str(tmp_path / "out")]
    assert main([*words, "--set", "k=1", "--set", "bound=1", "--set", f"{key}={text}"]) == 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("table", "fix"),
    [
        ((10, 2), r"x=dp.rows\(n=10, d=2\)"),
        ([np.int64(10), 2], r"x=dp.rows\(n=10, d=2\)"),
        (np.zeros((10, 2)), r"x=dp.rows\(n=..., d=...\)"),
        (None, r"x=dp.rows\(n=..., d=...\)"),
        (10, r"x=dp.rows\(n=..., d=...\)"),
        (dp.rows, r"x=dp.rows\(n=..., d=...\)"),
        ("x.csv", r"x=dp.rows\(n=..., d=...\)"),
    ],
)
def test_a_table_is_declared_by_its_size(table: Any, fix: str) -> None:
    with pytest.raises(dp.PlanError, match=f"table 'x' is declared by a .*Fix: {fix}"):
        planned(x=table)


def test_what_is_planned_is_a_function_or_a_graph() -> None:
    assert planned().verdict.holds  # a bare function
    for wrong in (3, "practical_gmm", None):
        with pytest.raises(dp.PlanError, match="a program is a function of handles"):
            dp.plan(wrong, x=dp.rows(n=5, d=1), adjacency=dp.REPLACE_ONE, budget=dp.pure_dp(1.0))  # type: ignore[arg-type]
    with pytest.raises(dp.PlanError, match="declared by name"):
        dp.plan(counted, dp.rows(n=5, d=1), adjacency=dp.REPLACE_ONE, budget=dp.pure_dp(1.0))
    with pytest.raises(dp.PlanError, match="without brackets"):
        dp.program()


def test_a_plan_with_one_table_takes_it_without_a_name() -> None:
    plan, rows = planned(), np.zeros((100, 2))
    assert plan.run(rows, simulate=1)["n"] == plan.run(x=rows, simulate=1)["n"]
    for call, message in [
        (lambda: plan.run(rows, rows), "by name"),
        (lambda: plan.run(rows, x=rows), "by name"),
        (lambda: plan.run(X=rows), "no table 'X'. Fix: did you mean 'x'"),
        (lambda: plan.run(rows, simulated=1), "no table 'simulated'. Fix: did you mean 'simulate'"),
        (plan.run, "table 'x' is missing"),
    ]:
        with pytest.raises(dp.DataError, match=message):
            call()
    with pytest.raises(dp.SpecError, match=r"no output 'm'.*it has n"):
        plan.run(rows)["m"]

    two = dp.plan(
        lambda x, y: counted(x), x=dp.rows(n=100, d=2), y=dp.public_rows(d=2),
        adjacency=dp.REPLACE_ONE, budget=dp.pure_dp(1.0),
    )  # fmt: skip
    with pytest.raises(dp.DataError, match=r"by name. Fix: plan.run\(x=..., y=...\)"):
        two.run(rows)


def test_the_loss_of_a_node_is_asked_for_by_its_path() -> None:
    plan = planned()
    assert plan.node_loss("n") == plan.node_loss(("n",)) == plan.loss
    assert isinstance(plan.node_loss("n"), Loss)
    for wrong in ("m", "count_1", "", ("n", "m"), 3, None):
        with pytest.raises(dp.PlanError, match=r"no mechanism .*; it has n.*did you mean 'n'"):
            plan.node_loss(wrong)
