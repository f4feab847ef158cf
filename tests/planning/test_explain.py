"""The ledger and its JSON: what a plan shows of itself, and what a refusal does."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.front.specs import load_spec
from dpframe.planning.composition import Scope
from dpframe.planning.explain import doubts, refusal_json
from dpframe.planning.summary import summary
from dpframe.planning.weighing import each_alone, total_loss
from tests.papers.skeletons.stubs import ball, balls, flag, planned, state

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


def program(x: Handle) -> dict[str, Handle]:
    count = dp.release("count", dp.laplace(share=0.2), dp.count(x))
    inside = dp.clip(dp.transform("pairs", x), ball(2, count))
    mean = dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside))
    mechanism = dp.stable_histogram(share=1.0, delta_fraction=0.1)
    cells = dp.release("cells", mechanism, dp.transform("cells", x, state(mean), levels=2))
    chosen = dp.branch("choice", flag(cells), body, body, x)
    return {"mean": mean, "choice": chosen}


def body(rows: Handle) -> Handle:
    return state(dp.release("again", dp.laplace(share=0.1), dp.count(rows)))


@pytest.fixture(scope="module")
def plan() -> dp.Plan:
    return planned(program, budget=BUDGET)


def test_ledger_has_a_line_a_node(plan: dp.Plan) -> None:
    text = plan.explain(full=True)
    lines = text.splitlines()
    assert lines[0].split() == "node operation pass edits sensitivity noise loss theorem level".split()
    names = [line.split()[0] for line in lines[2 : lines.index("")]]
    assert len(names) == sum(1 for _ in plan.graph.walk())
    assert {"choice/then/again", "choice/otherwise/again", "mean.value"} <= set(names)


@pytest.mark.parametrize(
    ("node", "words"),
    [
        ("pairs_1", ["pairs", "1 out, 1 in", "pairs_by_index"]),
        ("mean_1", ["mean", "L2(2)", "sum_and_count"]),
        ("mean", ["gaussian", "L2(2)", "sigma=", "μ=", "gaussian_mechanism"]),
        ("count", ["laplace", "L1(1)", "scale=", "ε=", "laplace_mechanism"]),
        ("cells", ["stable_histogram", "OneSided(2)", "δ=1e-07", "stable_histogram"]),
        ("choice/then/again", ["laplace", "L1(1)", "ε="]),
    ],
)
def test_ledger_says_metric_noise_loss_and_theorem(plan: dp.Plan, node: str, words: list[str]) -> None:
    (line,) = [line for line in plan.explain(full=True).splitlines() if line.startswith(node + " ")]
    for word in words:
        assert word in line


@pytest.mark.parametrize("full", [False, True])
def test_both_end_with_the_total(plan: dp.Plan, full: bool) -> None:
    text = plan.explain(full=full)
    assert re.search(
        r"total: epsilon=0\.99\d+, delta=1e-06 under replace_one, by pld; budget epsilon=1, delta=1e-06", text
    )
    assert re.search(r"delta: cells 1e-07, conversion 9e-07", text)
    assert "passes over the data: " in text


def test_the_summary_has_a_line_a_release(plan: dp.Plan) -> None:
    lines = plan.explain().splitlines()
    assert lines[0].split() == ["stage", "releases", "by", "noise", "pass", "of", "loss"]
    for word in ("gaussian", "sigma=", " 2 "):
        assert word in next(line for line in lines if "mean" in line)
    assert [line.split()[0] for line in lines if "again" in line] == ["choice/then", "choice/otherwise"]
    steps = sum(1 for _ in plan.graph.walk())
    assert f"{steps - 5} steps spend nothing" in plan.explain()


def test_the_summary_adds_up_and_takes_numbered_names_together() -> None:
    def repeated(x: Handle) -> Handle:
        count = dp.release("found.count_0", dp.gaussian(share=1.0), dp.count(x))
        for i in range(1, 20):
            count = dp.release(f"found.count_{i}", dp.gaussian(share=1.0), dp.count(x))
        return dp.release("mean", dp.gaussian(share=20.0), dp.mean(dp.clip(x, ball(2, count))))

    lines = planned(repeated, budget=BUDGET).explain().splitlines()
    assert lines[2].split()[:4] == ["found", "count_*", "(20×)", "gaussian"]
    assert [line.split()[-2] for line in lines[2:4]] == ["50.0", "50.0"]


@pytest.mark.parametrize("length", [1, 30, 200])
def test_no_line_of_the_summary_is_longer_than_100(length: int) -> None:
    def named(x: Handle) -> dict[str, Handle]:
        names = [f"{'s' * length}.{'n' * length}_{i}" for i in range(12)]
        return {n: dp.release(n, dp.gaussian(share=i + 1.0), dp.count(x)) for i, n in enumerate(names)}

    lines = planned(named, budget=BUDGET).explain().splitlines()
    assert max(map(len, lines)) <= 100


def test_passes_wait_for_releases(plan: dp.Plan) -> None:
    passes = dict(plan.passes)
    assert passes["count_1"] == passes["pairs_1"] == 1
    assert passes["mean_1"] == 2  # the ball waits for the count
    assert passes["cells_1"] == 3  # the grids wait for the mean
    assert passes["choice"] == 4


def test_json_has_the_keys_of_the_contract(plan: dp.Plan) -> None:
    content = plan.to_json()
    json.dumps(content, allow_nan=False)
    assert {"holds", "loss", "delta_split", "nodes", "passes", "warnings", "error"} <= set(content)
    assert content["holds"] is True
    assert content["error"] is None
    assert content["loss"]["adjacency"] == "replace_one"
    assert content["loss"]["accountant"] == plan.verdict.accountant
    assert content["loss"]["epsilon"] <= 1.0
    assert content["passes"] == 4
    nodes = {node["name"]: node for node in content["nodes"]}
    assert nodes["mean"]["edge"] == {"kind": "released", "domain": {"type": "vector", "d": 3}}
    assert nodes["mean"]["calibration"]["sigma"] > 0
    assert nodes["mean"]["inputs"] == ["mean_1"]
    assert nodes["pairs_1"]["edge"]["kind"] == "private"
    assert nodes["choice/then/again"]["loss"]["events"]


def test_json_of_parts_names_them() -> None:
    def parts(x: Handle) -> Handle:
        near = dp.transform("filter_ball", x, ball(2), name="sides")[0]
        return dp.release("n", dp.laplace(share=1.0), dp.count(near))

    content = planned(parts, budget=BUDGET).to_json()
    json.dumps(content, allow_nan=False)
    nodes = {node["name"]: node for node in content["nodes"]}
    assert nodes["count_1"]["edge"]["lineage"] == [["sides", 0]]


def test_the_ledger_says_what_the_total_is_composed_of() -> None:
    """Parts of a table spend beside one another, so the losses of nodes are not what adds up."""

    def sides(x: Handle) -> dict[str, Handle]:
        inside, outside = dp.filter_ball(x, dp.ball(centre=[0.0, 0.0], radius=1.0))
        mean = dp.mean(dp.clip(inside, dp.ball(centre=[0.0, 0.0], radius=1.0)))
        return {
            "inside": dp.release("inside", dp.gaussian(noise_multiplier=10.0), mean),
            "outside": dp.release("outside", dp.gaussian(noise_multiplier=10.0), dp.count(outside)),
        }

    made = planned(sides, budget=BUDGET)
    assert made.node_loss("inside").mu == pytest.approx(0.1)
    assert made.node_loss("outside").mu == pytest.approx(0.1)
    (said,) = (line for line in made.explain(full=True).splitlines() if line.startswith("composed of: "))
    assert said == "composed of: μ=0.07071 + μ=0.1"  # a row leaves one part, which moves √2 and not 2, for the other
    assert "composed of" not in made.explain()


def test_a_refusal_has_the_same_keys(plan: dp.Plan) -> None:
    with pytest.raises(dp.BudgetError) as caught:
        planned(lambda x: dp.release("n", dp.gaussian(noise_multiplier=0.1), dp.count(x)), budget=BUDGET)
    content = refusal_json(caught.value)
    assert set(content) == set(plan.to_json()) - {"budget"}
    assert content["holds"] is False
    assert "its most expensive node is 'n'" in content["error"]


def test_plans_do_not_change(plan: dp.Plan) -> None:
    import attrs

    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        plan.factor = 2.0  # type: ignore[misc]
    for mapping in (plan.calibrations, plan.calibrations["mean",], plan.delta_split, plan.passes, plan.edges):
        with pytest.raises(TypeError):
            mapping["sigma"] = 1e-9  # type: ignore[index]
    with pytest.raises(TypeError, match="can't be changed"):
        plan.calibrations["mean",].update(sigma=1e-9)
    copied = pickle.loads(pickle.dumps(plan.calibrations))
    assert copied == plan.calibrations
    assert type(copied["mean",]) is type(plan.calibrations["mean",])
    again = planned(program, budget=BUDGET)
    assert again.to_json() == plan.to_json()


def test_a_stage_has_the_whole_name_of_the_program_that_it_stands_in() -> None:
    """One of a plugin is called ``mine.mean``: ``mine`` is the plugin."""

    def inner(rows: Handle) -> Handle:
        inside = dp.clip(rows, dp.ball(centre=[0.0, 0.0], radius=1.0))
        return dp.release("noisy", dp.gaussian(share=1.0), dp.mean(inside))

    plan = planned(lambda x: dp.release("mine.mean", dp.program(inner), x), budget=BUDGET)
    assert [name for name, _ in plan.typed.outputs] == ["mine.mean"]
    line = plan.explain().splitlines()[2]
    assert line.split()[:3] == ["mine.mean", "noisy", "gaussian"]
    assert "mine.mean" in plan.mermaid()
    assert ">mine.mean</text>" in plan.svg(full=True)


def test_a_release_that_no_output_comes_of_is_warned_of() -> None:
    """In bodies too; what a post makes of it for an output counts as used."""

    def counted(rows: Handle, name: str) -> Handle:
        return dp.release(name, dp.laplace(share=1.0), dp.count(rows))

    def inner(rows: Handle) -> Handle:
        counted(rows, "lost")
        return counted(rows, "kept")

    def whole(x: Handle) -> dict[str, Handle]:
        counted(x, "idle")
        test = dp.truncated_laplace_test(share=1.0, threshold=5.0, delta_fraction=0.1)
        chosen = dp.branch("choice", dp.release("test", test, dp.count(x)), inner, inner, x)
        return {"chosen": chosen, "half": counted(x, "used") / 2}

    said = [text.split("'")[1] for text in planned(whole, budget=BUDGET).warnings if "no output comes of it" in text]
    assert sorted(said) == ["choice/otherwise/lost", "choice/then/lost", "idle"]


def spread_over(parts: int) -> dp.Plan:
    """A release in each of so many parts and below them, the last part unread, and one of the whole table."""

    def inner(x: Handle) -> dict[str, Handle]:
        made = {"all": dp.release("all", dp.gaussian(share=1.0), dp.count(x))}
        for i, part in enumerate(dp.partition_balls(x, balls(2, parts, made["all"]), balls=parts)[:-1]):
            made[f"n_{i}"] = dp.release(f"n_{i}", dp.gaussian(share=1.0 + i % 3), dp.count(part))
            near = dp.clip(part, ball(2, made[f"n_{i}"]))
            made[f"total_{i}"] = dp.release(f"total_{i}", dp.gaussian(share=2.0), dp.sum(near), frame=True)
        return made

    return planned(inner, budget=BUDGET)


def test_the_part_of_a_mechanism_is_that_of_the_whole_graph_priced_for_it_alone(plan: dp.Plan) -> None:
    for one in (plan, spread_over(4)):
        noise = dict(one.calibrations)
        alone = each_alone(one.typed, one.adjacency, noise, one.weighings)
        assert alone == {p: total_loss(one.typed, one.adjacency, noise, only=p) for p in one.weighings}
        assert all(loss.rho > 0 for loss in alone.values())


def test_the_parts_of_many_mechanisms_take_steps_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin prices the whole graph for each."""
    counted, step = [0], Scope._node

    def counting(*given: Any) -> Any:
        counted[0] += 1
        return step(*given)

    monkeypatch.setattr(Scope, "_node", counting)

    def steps(parts: int, price: Callable[[dp.Plan], Any]) -> int:
        one = spread_over(parts)
        counted[0] = 0
        price(one)
        return counted[0]

    def whole(one: dp.Plan) -> None:
        for path in one.weighings:
            total_loss(one.typed, one.adjacency, dict(one.calibrations), only=path)

    assert steps(12, summary) < 2.5 * steps(6, summary)
    assert steps(12, whole) > 3.0 * steps(6, whole)


@pytest.mark.parametrize("spec", ["private_quantiles", "private_density", "practical_gmm"])
@pytest.mark.parametrize(("rows", "told"), [(178, True), (20_000, False)])
def test_a_plan_tells_what_it_does_not_expect_to_find(spec: str, rows: int, told: bool) -> None:
    keys = {"n": rows, "d": 13, "bound": 1e4, **({"k": 3} if spec == "practical_gmm" else {})}
    found = doubts(load_spec(spec, {**keys, "epsilon": 1.0, "delta": 1e-6}).plan())
    assert [f"with {rows} rows" in doubt for doubt in found] == [True] * told
