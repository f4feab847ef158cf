"""Whole runs of arbas23: what learners may do wrong, sorted files, failures and what is said about them."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.front.specs import load_spec
from dpframe.kernel.families.block_mixtures import near_blocks, read_blocks
from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.post_processing import Post
from dpframe.kernel.registry import operations
from dpframe.planning.results import document
from dpframe.proof.spaces import Domain, Mixture, MixtureValue
from dpframe.runtime import blocks
from tests.plugins.arbas23 import learners

N, FAR = 10_000, 1e6
BUDGET = dp.approx_dp(epsilon=8.0, delta=1e-3)


@functools.cache
def plan_of(learner: str = "gaussian", n: int = N, **keys: Any) -> Any:
    @dp.program
    def program(x: Handle) -> Handle:
        return dp.apply("mixture", dp.recipe("arbas23.populous", learner=learner, **{"k": 1, **keys}), x)

    return dp.plan(program, x=dp.rows(n=n, d=1), adjacency=dp.REPLACE_ONE, budget=BUDGET)


def table(seed: int = 0, n: int = N) -> Any:
    return FAR + np.random.default_rng(seed).standard_normal((n, 1))


def released(result: Any) -> list[float]:
    assert result.status == "released", result.reason
    (found,) = result.outputs.values()
    return [float(found.means[0, 0]), float(found.covariances[0, 0, 0])]


@functools.cache
def with_failures() -> list[float]:
    """What is released when one block in twenty simply raises."""
    return released(plan_of("tests.fail").run(x=table(), simulate=3))


@pytest.mark.parametrize("misdeed", learners.MISDEEDS[1:], ids=lambda m: m.__name__)
@pytest.mark.slow
def test_a_misbehaving_learner_is_bottom_for_its_blocks_and_nothing_else(
    misdeed: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Raised, hung, hoarded, printed, returned garbage, left, died: the same release to the last bit."""
    monkeypatch.setattr(blocks, "run_isolated", functools.partial(blocks.run_isolated, cpu=1))
    assert released(plan_of(f"tests.{misdeed.__name__}").run(x=table(), simulate=3)) == with_failures()
    printed = capfd.readouterr()
    assert "row" not in printed.out + printed.err


def test_failing_blocks_cost_accuracy_only() -> None:
    mean, variance = with_failures()
    assert mean == pytest.approx(FAR, abs=1.5)
    assert 0.2 < variance < 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_sorted_file_passes_like_a_shuffled_one(seed: int) -> None:
    """Blocks follow a public permutation of the index: the order of a file is no reason to fail."""
    rows = table(seed)
    for ordered in (rows, np.sort(rows, axis=0), np.sort(rows, axis=0)[::-1]):
        mean, _ = released(plan_of().run(x=ordered, simulate=seed))
        assert mean == pytest.approx(FAR, abs=1.5)


def test_blocks_of_a_sorted_file_would_disagree_without_the_permutation() -> None:
    """The twin: contiguous blocks of the same sorted rows are near nobody."""
    rows = np.sort(table(), axis=0)
    cut = [learners.estimate(part) for part in np.array_split(rows, 170)]
    assert near_blocks(read_blocks(cut, 1, 1, 1.0), 1.0).sum(axis=1).max() < 20


def test_an_unstable_learner_ends_in_a_failure_at_the_planned_loss() -> None:
    """Two components where there is one: blocks disagree. Nothing but the plan and the test's value is told."""
    plan = plan_of("em", k=2, n=20_000)
    result = plan.run(x=table(n=20_000), simulate=1)
    assert result.status == "failed"
    assert result.outputs == {}
    assert result.loss == plan.spent
    assert result.loss["epsilon"] <= 8.0
    assert "blocks do not agree" in result.reason


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"n": 1500}, "chance of"),
        ({"t": 8}, "chance of"),
        ({"t": 4, "r": 1.0}, "can only fail"),
        ({"r": 0.1}, "chance of"),
    ],
)
def test_the_plan_warns_and_still_runs(keys: dict[str, Any], said: str) -> None:
    plan = plan_of(**keys)
    assert any(said in text for text in plan.warnings)
    result = plan.run(x=table(n=keys.get("n", N)), simulate=0)
    assert result.status == "failed"
    assert result.loss["epsilon"] <= 8.0


def test_few_rows_are_run_and_too_few_are_refused() -> None:
    assert plan_of(n=50).warnings
    with pytest.raises(dp.PlanError, match="too few for 8 blocks of at least 3 rows"):
        plan_of(n=20)


@pytest.mark.slow
@pytest.mark.parametrize(("away", "status"), [(1e8, "released"), (1e10, "failed")])
def test_floating_point_ends_in_a_failure(away: float, status: str) -> None:
    """Means beyond 2^30 deviations of a component are no longer told apart: its blocks are bottom, nothing breaks."""
    assert plan_of().run(x=table() - FAR + away, simulate=0).status == status


def test_a_good_plan_states_itself_without_warning() -> None:
    plan = plan_of()
    assert plan.warnings == ()
    text = plan.explain(full=True)
    for stated in (" blocks of ", "two agree within", "noisy weight", "the mask is for averages within"):
        assert stated in text
    (row,) = [r for r in plan.to_json()["nodes"] if r["operation"] == "arbas23.no_agreement"]
    assert len(row["notes"]) == 3


@pytest.mark.parametrize("name", ["arbas23_gmm", "arbas23_gmm_refined"])
def test_the_specs_plans_are_quiet_and_cheap(name: str) -> None:
    plan = load_spec(name, {"n": 500_000, "d": 2, "k": 2}).plan()
    assert plan.warnings == ()
    assert "blocks of" in plan.explain(full=True)
    assert plan.spent["epsilon"] <= 1.0


@dp.register("tests.light_mixture")
@attrs.frozen
class Light(Post):
    """A released mixture, one component of which is light."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("count", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        return Mixture(2, 1)

    def apply(self, *values: Any) -> Any:
        return mixture(0.99, 9.0)


def mixture(weight: float, apart: float) -> MixtureValue:
    return MixtureValue(np.array([weight, 1 - weight]), np.array([[0.0], [apart]]), np.ones((2, 1, 1)))


@pytest.mark.parametrize(
    ("weight", "apart", "said"), [(0.99, 9.0, "weight 0.01"), (0.5, 0.01, "overlap"), (0.5, 9.0, "")]
)
def test_a_released_model_that_is_not_learnable_is_remarked_on(weight: float, apart: float, said: str) -> None:
    """Def 7.2.1, of released values."""
    node, value = operations()["arbas23.learnable"](alpha=0.05), mixture(weight, apart)
    assert node.apply(value) is value
    remarks = node.remarks(value)
    assert (said in remarks[0]) if said else not remarks


def test_remarks_reach_the_result() -> None:
    @dp.program
    def program(x: Handle) -> Handle:
        total = dp.release("n", dp.gaussian(share=1.0), dp.count(dp.clip(x, dp.ball(centre=[0.0], radius=1.0))))
        made = dp.post("tests.light_mixture", total, name="light")
        return dp.post("arbas23.learnable", made, alpha=0.05, name="checked")

    result = dp.plan(program, x=dp.rows(d=1), adjacency="add_remove", budget=dp.zcdp(rho=1.0)).run(x=np.zeros((9, 1)))
    assert result.plan.warnings == ()
    (said,) = document(result)["warnings"]
    assert "'checked'" in said
    assert "not 0.05-statistically learnable" in said
