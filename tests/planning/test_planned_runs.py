"""What a plan and its parameters decide is decided by the plan: a graph is refused with a fix, or its run is sound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.front.program import Program, plan
from dpframe.planning.graph import infer, ordered
from dpframe.planning.lattices import steps
from dpframe.planning.plan import Plan
from dpframe.planning.surveying import mechanisms
from dpframe.proof.spaces import Ball, Kind, ListOf, Rows
from dpframe.proof.typed import Input
from dpframe.runtime.gate import admit
from dpframe.testing.battery.planned import public
from tests.planning import examples
from tests.planning.extremes import happens, run_uncaught
from tests.ungated import with_noise

QUICK, MANY = 60, 2000


def planned(program: Callable[[Any], Any], budget: Any, *, n: int = 1000, adjacency: Any = dp.REPLACE_ONE) -> Plan:
    rows = dp.rows(n=n if adjacency == dp.REPLACE_ONE else None, d=2)
    return plan(Program(program), x=rows, adjacency=adjacency, budget=budget)


def ball() -> Any:
    return dp.ball(centre=[0.0, 0.0], radius=1.0)


def squares(x: Any, bits: int = 26) -> Any:
    return dp.transform("square_sum", dp.clip(x, ball(), bits=bits), bits=bits)


def gram(x: Any, bits: int) -> Any:
    return dp.apply("out", dp.gaussian(share=1.0), dp.gram(dp.clip(x, ball(), bits=bits), bits=bits), finish=False)


def out(kind: str, value: Any, **more: Any) -> Any:
    return dp.apply("out", dp.build(kind, {"share": 1.0, **more}), value, finish=False)


def loop(x: Any, most: int, view: str) -> Any:
    def body(item: Any, rows: Any) -> Any:
        return out("laplace", squares(rows))

    return dp.for_each("loop", public(ListOf(Ball(2), 3), "balls"), body, x, share=1.0, max_length=most, view=view)


def histogram(x: Any, levels: int, **noise: float) -> Any:
    value = dp.transform("cells", x, dp.post("test.grids"), levels=levels)
    made = dp.build("stable_histogram", {**noise, "noise": "laplace", "delta_fraction": 0.1})
    return dp.apply("out", made, value, finish=False)


LITTLE = {"zcdp": dp.zcdp(rho=1e-7), "pure": dp.pure_dp(epsilon=1e-3), "gdp": dp.gdp(mu=1e-3)}
REFUSED: dict[str, tuple[Callable[[Any], Any], Any, str]] = {
    "gaussian on a fine lattice": (lambda x: gram(x, 26), LITTLE["zcdp"], r"'out': noise of scale .* lattice of step"),
    "laplace": (lambda x: out("laplace", squares(x)), LITTLE["pure"], r"'out': noise of scale"),
    "discrete gaussian": (lambda x: out("discrete_gaussian", squares(x)), LITTLE["zcdp"], r"noise of scale"),
    "above threshold": (
        lambda x: out("above_threshold", squares(x), threshold=1.0), LITTLE["pure"], r"noise of scale"
    ),
    "a test": (
        lambda x: out("truncated_laplace_test", squares(x), threshold=1.0, delta_fraction=0.1),
        dp.approx_dp(epsilon=1e-3, delta=1e-6), r"noise of scale",
    ),
    "a histogram": (lambda x: histogram(x, 2**16, noise_multiplier=1e17), dp.approx_dp(epsilon=1.0, delta=1e-6),
                    r"noise of scale"),
    "the longest list of a loop": (lambda x: loop(x, 2**20, "gdp"), dp.gdp(mu=1.0), r"'loop/body/out': noise of scale"),
    "a share beyond reckoning": (lambda x: out("laplace", dp.count(x), share=5e-324), LITTLE["pure"], r"1e-30 to 1e"),
    "a loop's share": (
        lambda x: dp.for_each("f", public(ListOf(Ball(2), 3), "b"), lambda i, r: out("laplace", dp.count(r)), x,
                              share=1e300, max_length=2), dp.gdp(mu=1.0), r"share must be from",
    ),
    "noise beyond reckoning": (
        lambda x: dp.apply("out", dp.gaussian(noise_multiplier=1e200), dp.count(x)), dp.gdp(mu=1.0), r"noise_multiplier"
    ),
    "a part of δ beyond reckoning": (
        lambda x: out("truncated_laplace_test", dp.count(x), threshold=1.0, delta_fraction=1e-200),
        dp.approx_dp(epsilon=1.0, delta=1e-200), r"part of δ",
    ),
    "bins that no memory holds": (
        lambda x: out("laplace", dp.transform("distance_histogram", x, ball(), edges=2**60)), LITTLE["pure"], "at most",
    ),
    "counts that no memory holds": (
        lambda x: out("exponential_mechanism", dp.transform("ball_counts", x, dp.post("test.balls"), size=2**60)),
        LITTLE["pure"], "at most",
    ),
    "levels that no memory holds": (
        lambda x: histogram(x, 2**60, share=1.0), dp.approx_dp(epsilon=1.0, delta=1e-6), "at most",
    ),
    "more blocks than rows": (
        lambda x: out("laplace", dp.transform("agreement", dp.transform(
            "block_learner", x, learner="testing.centre", t=1001, item="vector", size=[2]), r=1.0, d=2)),
        LITTLE["pure"], "can't cut 1000 rows into 1001 blocks",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused_before_anything_is_reserved(case: str) -> None:
    program, budget, says = REFUSED[case]
    with pytest.raises(dp.DpframeError, match=says) as caught:
        planned(program, budget)
    assert caught.value.fix


def test_a_secret_order_of_too_many_rows_is_refused() -> None:
    def program(x: Any) -> Any:
        return out("laplace", dp.count(dp.transform("secret_pairs", x)))

    assert planned(program, dp.pure_dp(epsilon=1.0), n=2**32).verdict.holds
    with pytest.raises(dp.PlanError, match="orders at most 4294967296 rows"):
        planned(program, dp.pure_dp(epsilon=1.0), n=2**32 + 1)


RUNS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "the finest lattice with as much noise as can be drawn": (lambda x: gram(x, 26), dp.zcdp(rho=1 / 200**2)),
    "a loop shorter than its longest list": (lambda x: loop(x, 2**10, "zcdp"), dp.zcdp(rho=0.5)),
    "a cap beyond the lattice": (
        lambda x: out("above_threshold", dp.transform("cap", squares(x), t=2**40), threshold=1.0), dp.zcdp(rho=1.0)
    ),
    "a threshold beyond the lattice": (
        lambda x: out("above_threshold", dp.count(x), threshold=-1.7e308), dp.pure_dp(epsilon=1.0),
    ),
    "a test's threshold beyond the lattice": (
        lambda x: out("truncated_laplace_test", squares(x), threshold=1.7e308, delta_fraction=0.1),
        dp.approx_dp(epsilon=100.0, delta=1e-6),
    ),
    "a score of more rows than there are": (
        lambda x: out("exponential_mechanism",
                      dp.transform("terrific_score", x, dp.post("test.balls"), size=4, t=2**40)),
        dp.pure_dp(epsilon=1.0),
    ),
    "a narrow truncated law": (
        lambda x: out("truncated_laplace_test", dp.count(x), threshold=1.0, delta_fraction=1e-12),
        dp.approx_dp(epsilon=3000.0, delta=1e-280),
    ),
    "pairs of pairs, mapped": (
        lambda x: out("laplace", dp.count(dp.transform("secret_pairs", dp.transform(
            "row_map", dp.transform("pairs", x), function="testing.halve", p=2)))), dp.pure_dp(epsilon=1.0),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", RUNS)
def test_planned_and_run(case: str) -> None:
    program, budget = RUNS[case]
    rows = np.random.default_rng(0).normal(size=(40, 2))
    assert len(run_uncaught(planned(program, budget), rows)) == 1


@pytest.mark.parametrize("start", range(0, QUICK, 20))
def test_no_planned_run_raises(start: int) -> None:
    found = [happens(seed, quick=True) for seed in range(start, start + 20)]
    assert {"planned", "refused"} == set(found)  # the graphs are neither all mild nor all extreme


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, MANY, 200))
def test_no_planned_run_raises_of_thousands(start: int) -> None:
    found = [happens(seed, quick=bool(seed % 2)) for seed in range(10**6 + start, 10**6 + start + 200)]
    assert found.count("planned") > 40


def test_a_run_that_raises_is_caught() -> None:
    """The planted fault: an exception of an operation comes through, and is not taken for a refusal."""
    made = planned(lambda x: out("laplace", dp.count(x)), dp.pure_dp(epsilon=1.0))
    broken = with_noise(admit(made, simulated=True), {("out",): {"scale": 2.0**61}})
    with pytest.raises(dp.SpecError, match=r"not in \[0, 2\^60\]"):
        run_uncaught(broken, np.zeros((3, 2)))


@pytest.mark.parametrize("case", examples.CASES)
def test_every_mechanism_of_the_examples_has_its_lattice(case: str) -> None:
    graph = infer(ordered(examples.CASES[case][0].graph([Input("x", Kind.PRIVATE, Rows(2), 1000)])))
    names = {path[-1]: step for path, step in steps(graph, {})}
    assert len(names) == len({path[-1] for path in mechanisms(graph)}) > 0
    without = {n for n, step in names.items() if step is None}
    assert without <= {"cells", "masked", "bins", "boxes"}, "only mixtures lie on no lattice"
