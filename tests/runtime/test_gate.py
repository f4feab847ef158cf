"""The gate: whatever is done to a plan before, during or after the check, a run refuses or runs what was checked."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable
from contextlib import ExitStack
from fractions import Fraction
from typing import Any, ClassVar
from unittest import mock

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import CertificateError, RunError
from dpframe.kernel.operations import Mechanism
from dpframe.planning.documents import plain
from dpframe.planning.plan import Plan
from dpframe.planning.results import RunResult, run_plan
from dpframe.planning.sealing import to_bytes
from dpframe.proof.checker import Noise, check, verify
from dpframe.proof.spaces import ADJACENCIES
from dpframe.runtime import control, gate
from dpframe.runtime.gate import admit
from dpframe.runtime.guard import Guard
from dpframe.runtime.run import run_plan as run
from dpframe.testing.audit.replay import replay
from tests.mutants import verify as mutants
from tests.planning.examples import CASES, make, plan_of

ROWS = np.random.default_rng(3).normal(size=(1000, 2)) * 20
CASE = "for_each, zCDP view"


def changed(plan: Plan, **fields: Any) -> None:
    """Change a frozen plan in place, as no code of ours does."""
    for name, value in fields.items():
        object.__setattr__(plan, name, value)


def quieter(plan: Plan) -> None:
    """A thousandth of the noise, also where the mapping is shared with something else."""
    for calibration in plan.calibrations.values():
        for key, value in calibration.items():
            dict.__setitem__(calibration, key, value / 1000)


def with_operation(plan: Plan, change: Callable[[Mechanism], Any]) -> None:
    """Another operation at the first mechanism of the graph or a body."""

    def graph(typed: Any) -> Any:
        return attrs.evolve(typed, nodes=tuple(map(node, typed.nodes)))

    def node(found: Any) -> Any:
        if isinstance(found.operation, Mechanism):
            return attrs.evolve(found, operation=change(found.operation))
        return attrs.evolve(found, bodies={label: graph(body) for label, body in found.bodies.items()})

    changed(plan, typed=graph(plan.typed))


@attrs.frozen
class Cheaper:
    """An operation that calls itself post-processing."""

    real: Any
    theorem = "post_processing"

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


def dropped(plan: Plan) -> None:
    changed(plan, typed=attrs.evolve(plan.typed, nodes=plan.typed.nodes[1:]))


def without_bodies(plan: Plan) -> None:
    nodes = tuple(attrs.evolve(n, bodies={}) for n in plan.typed.nodes)
    changed(plan, typed=attrs.evolve(plan.typed, nodes=nodes))


LARGER = (CASES["halves by index"][0], dp.REPLACE_ONE, dp.zcdp(rho=9.0))
CHANGES: dict[str, Callable[[Plan], None]] = {
    "smaller sigma": quieter,
    "other calibrations": lambda plan: changed(
        plan, calibrations={p: {k: v / 9 for k, v in c.items()} for p, c in plan.calibrations.items()}
    ),
    "another graph": lambda plan: changed(plan, typed=plan_of("simple mean").typed),
    "larger plan": lambda plan: changed(plan, **attrs.asdict(make(*LARGER), recurse=False)),
    "dropped node": dropped,
    "no bodies": without_bodies,
    "other adjacency": lambda plan: changed(plan, adjacency=ADJACENCIES["add_remove"]),
    "larger budget": lambda plan: changed(plan, budget=dp.approx_dp(epsilon=100.0, delta=1e-6)),
    "other share": lambda plan: with_operation(plan, lambda op: attrs.evolve(op, share=7.0)),
    "fixed noise": lambda plan: with_operation(plan, lambda op: attrs.evolve(op, share=None, noise_multiplier=0.01)),
    "swapped operation": lambda plan: with_operation(plan, lambda op: dp.build("laplace", {"share": 1.0})),
    "cheaper theorem": lambda plan: with_operation(plan, Cheaper),
    "larger factor": lambda plan: changed(plan, factor=plan.factor * 1e6),
    "no loss": lambda plan: changed(plan, loss=attrs.evolve(plan.loss, events=())),
    "other verdict": lambda plan: changed(
        plan, verdict=attrs.evolve(plan.verdict, spent={"epsilon": 1e-3, "delta": 1e-6})
    ),
    "nonsense": lambda plan: changed(plan, typed=None, weighings=None, calibrations=None),
}


HARMLESS = ("larger plan", "larger budget", "larger factor", "other share")
"""Changes that leave a proof: of the same noise under the same total."""


@functools.cache
def honest(case: str) -> tuple[Any, dict[str, Any]]:
    """What a run of the unchanged plan gives, and what is certified of it."""
    result = run_plan(make(*CASES[case]), {"x": ROWS}, simulate=5)
    assert result.status == "released"
    return plain(result.outputs), dict(result.certificate)


def is_honest(case: str, result: RunResult) -> None:
    outputs, proof = honest(case)
    assert plain(result.outputs) == outputs
    assert dict(result.certificate) == proof
    assert result.loss == proof["total"]


@pytest.mark.parametrize("change", CHANGES)
def test_a_plan_changed_before_the_check(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused before the reserve and before a table is opened; or what runs is what its certificate says."""
    plan, opened, reserved = make(*CASES[CASE]), [], []
    monkeypatch.setattr("dpframe.runtime.run.open_slots", lambda *a, **k: opened.append(1))
    CHANGES[change](plan)
    if change not in HARMLESS:
        with pytest.raises(CertificateError, match="nothing was read or spent"):
            run_plan(plan, {"x": ROWS}, simulate=5, reserved=lambda: reserved.append(1))
        assert not opened
        assert not reserved
        return
    admitted = admit(plan, simulated=True)
    proved = check(admitted.checked.content)
    assert [path for path, _ in proved.graph.walk()] == [path for path, _ in admitted.graph.walk()]
    assert proved.total == admitted.spent


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("case", ["simple mean", CASE])
def test_a_plan_changed_during_and_after_the_check(
    case: str, change: str, monkeypatch: pytest.MonkeyPatch, run_errors: list[Any]
) -> None:
    """While its bytes are checked, and again when the loss is reserved: the run is that of the unchanged plan.

    In a loop the noise of items is proposed by the changed plan: the run may fail, and releases no more.
    """
    plan = make(*CASES[case])
    honest(case)

    def while_checking(content: bytes) -> Any:
        with contextlib.suppress(AttributeError):  # a change of what an earlier one left
            CHANGES[change](plan)
        return check(content)

    def when_reserved() -> None:
        with contextlib.suppress(AttributeError, TypeError):
            CHANGES[change](plan)

    monkeypatch.setattr(gate, "check", while_checking)
    result = run_plan(plan, {"x": ROWS}, simulate=5, reserved=when_reserved)
    if result.status == "failed":
        assert case == CASE
        assert result.loss == honest(case)[1]["total"]
        assert result.outputs == {}
    else:
        is_honest(case, result)


def test_a_loop_whose_items_get_less_noise_is_stopped(run_errors: list[Any]) -> None:
    """The planner's proposal for an item is not taken on trust: μ of each item would be ten times its part."""
    plan = make(*CASES[CASE])
    result = run_plan(plan, {"x": ROWS}, simulate=5, reserved=lambda: changed(plan, factor=plan.factor * 100))
    assert (result.status, result.outputs) == ("failed", {})
    is_honest(CASE, run_plan(make(*CASES[CASE]), {"x": ROWS}, simulate=5))


PLANNERS = [m for m in mutants.MUTANTS if getattr(m.broken, "func", None) is mutants._plan]


@pytest.mark.parametrize("mutant", PLANNERS, ids=lambda m: m.name)
def test_a_planner_with_a_fault_runs_nothing(mutant: Any) -> None:
    case, faults = mutant.broken.args
    with ExitStack() as stack:
        for fault in faults:
            stack.enter_context(mock.patch.object(*fault))
        plan = make(*mutants.PROGRAMS[case])
        with pytest.raises(CertificateError, match="the plan is not run"):
            admit(plan, simulated=False)
        with pytest.raises(CertificateError, match="the plan is not run"):
            replay(plan, {"x": ROWS}, runs=2, seed=0, seconds=1)


def test_there_are_planners_with_faults() -> None:
    assert len(PLANNERS) >= 10


@pytest.mark.parametrize("case", CASES)
def test_what_is_built_is_what_was_planned(case: str) -> None:
    """Paths, operations, edges and noise of the checked value are those of the plan, for every shape of plan."""
    plan = plan_of(case)
    admitted = admit(plan, simulated=False)
    planned = {path: (n.operation, n.inputs, n.output, n.parts) for path, n in plan.typed.walk()}
    assert {path: (n.operation, n.inputs, n.output, n.parts) for path, n in admitted.graph.walk()} == planned
    assert admitted.graph.edges == plan.typed.edges
    assert {path: dict(n.calibration) for path, n in admitted.checked.noise.items()} == plan.calibrations
    assert admitted.spent == plan.spent
    assert check(to_bytes(dict(plan_certificate(plan)))).total == plan.spent


def plan_certificate(plan: Plan) -> Any:
    from dpframe.planning.certificate import certificate

    return certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")


def test_an_admitted_plan_is_not_run_the_other_way() -> None:
    admitted = admit(plan_of("simple mean"), simulated=False)
    with pytest.raises(CertificateError, match="simulated"):
        run_plan(admitted, {"x": ROWS}, simulate=1)


# ------------------------------------------------------------------------------------------- the guard


def noise(case: str) -> dict[Any, Noise]:
    return dict(admit(plan_of(case), simulated=False).checked.noise)


def test_the_guard_releases_once_and_at_the_certified_noise() -> None:
    proved = noise("simple mean")
    ((path, known),) = proved.items()
    guard = Guard(proved)
    with pytest.raises(RunError, match="beyond its reserve"):
        guard.charge(path, (), {key: value * 2 for key, value in known.calibration.items()})
    guard.charge(path, (), known.calibration)
    with pytest.raises(RunError, match="beyond its reserve"):
        guard.charge(path, (), known.calibration)
    with pytest.raises(RunError, match="never priced"):
        guard.charge(("b",), (), known.calibration)


@pytest.mark.parametrize("case", ["for_each", "for_each, zCDP view", "for_each, pure"])
@pytest.mark.parametrize("items", [1, 2, 3, 7, 50])
def test_items_at_their_shares_fit_and_one_more_does_not(case: str, items: int) -> None:
    admitted = admit(plan_of(case), simulated=False)
    guard = Guard(admitted.checked.noise)
    for path, known in admitted.checked.noise.items():
        if known.view is None:
            continue
        share = Fraction(1, items)
        proposed = admitted.proposed(path, share)
        for i in range(items):
            guard.charge(path, (f"item{i}",), proposed, share)
            with pytest.raises(RunError, match="beyond its reserve"):
                guard.charge(path, (f"item{i}",), proposed, share)
        with pytest.raises(RunError, match="beyond its reserve"):
            guard.charge(path, (f"item{items}",), proposed, share)
        guard.charge(path, ("0", "leaf", "item0"), proposed, share)  # another place of a division is another release


class Metered:
    """What is proved of a node in a loop: 1 and a δ of 1e-6 under two metrics; an item takes what it is told."""

    view = "zcdp"
    calibration: ClassVar[dict[str, float]] = {}

    def costs(self, calibration: Any = None) -> Any:
        return ((1.0, 1e-6), (1.0, 1e-6)) if calibration is None else calibration


@pytest.mark.parametrize(
    "dear", [((0.6, 0.0), (0.0, 0.0)), ((0.0, 6e-7), (0.0, 0.0)), ((0.0, 0.0), (0.6, 0.0)), ((0.0, 0.0), (0.0, 6e-7))]
)
def test_items_share_loss_and_delta_under_every_metric(dear: Any) -> None:
    path, most, half = ("loop", "body", "n"), Fraction(3, 5), Fraction(1, 2)
    guard = Guard({path: Metered()})  # type: ignore[dict-item]
    with pytest.raises(RunError, match="beyond its reserve"):
        guard.charge(path, ("item0",), dear, half)
    guard.charge(path, ("item0",), dear, most)
    with pytest.raises(RunError, match="beyond its reserve"):
        guard.charge(path, ("item1",), tuple((cost / 3, delta / 3) for cost, delta in dear), half)
    guard.charge(path, ("item1",), tuple((cost / 3, delta / 3) for cost, delta in dear), Fraction(2, 5))
    with pytest.raises(RunError, match="beyond its reserve"):
        Guard({("n",): Metered()}).charge(("n",), ("item0",), tuple((2 * a, 2 * b) for a, b in dear))  # type: ignore[dict-item]


@attrs.frozen
class Lopsided:
    """A planner that gives one item all of one part's total, another all of the other's: each node's adds up."""

    plan: Plan
    allow_asserted = False
    asked: dict[Any, int] = attrs.field(factory=dict)

    def document(self, *, simulated: bool) -> bytes:
        return self.plan.document(simulated=simulated)

    def item_noise(self, path: Any, share: Fraction) -> dict[str, Any]:
        item = self.asked[path] = self.asked.get(path, -1) + 1
        times = 1 + 1e-9 if (path[-1], item) in {("inside", 0), ("outside", 1)} else 1e12
        return {key: value * times for key, value in self.plan.item_noise(path, Fraction(1)).items()}


def test_an_item_has_its_share_at_every_node(run_errors: list[BaseException]) -> None:
    """A row may lie in one part for the first item and in the other for the second: it would pay both totals."""

    def body(ball: Any, rows: Any) -> Any:
        inside, outside = dp.filter_ball(rows, ball)
        near = dp.release("inside", dp.laplace(share=1.0), dp.count(inside))
        return near + dp.release("outside", dp.laplace(share=1.0), dp.count(outside))

    def parts(x: Any) -> Any:
        return dp.for_each("counts", dp.post("test.balls"), body, x, share=1.0, max_length=4, view="pure")

    budget = dp.pure_dp(epsilon=1.0)
    plan = dp.plan(dp.program(parts), x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=budget)
    assert run(plan, {"x": ROWS}, simulate=1).status == "released"
    assert run(Lopsided(plan), {"x": ROWS}, simulate=1).status == "failed"
    assert "beyond its reserve" in str(run_errors[0])


def test_of_a_branch_one_body_releases(monkeypatch: pytest.MonkeyPatch, run_errors: list[BaseException]) -> None:
    """An engine that runs both bodies spends the sum of what is proved to be the worse of two."""
    plan, rows = plan_of("branch"), np.zeros((1000, 2))
    assert plan.run(x=rows, simulate=1).status == "released"
    one = control.body

    def both(scope: Any, node: Any, label: str, inputs: Any, place: Any) -> Any:
        for other in node.bodies:
            found = one(scope, node, other, inputs, place)
        return found

    monkeypatch.setattr(control, "body", both)
    assert plan.run(x=rows, simulate=1).status == "failed"
    assert "beyond its reserve" in str(run_errors[0])


def test_items_and_places_may_take_other_bodies() -> None:
    proved = Noise("gaussian_mechanism", "{}", {"sigma": 1.0}, ())
    then, otherwise = ("loop", "body", "test", "then", "a"), ("loop", "body", "test", "otherwise", "b")
    for branches, places, fits in (
        ({("loop", "body", "test"): False}, (("item0",), ("item0",)), False),
        ({("loop", "body", "test"): False}, (("0",), ("1",)), True),
        ({("loop", "body", "test"): False}, (("0",), ("0", "item3")), False),
        ({("loop", "body", "test"): False}, (("0", "item3"), ("0",)), False),  # the place around comes second
        ({("loop", "body", "test"): False}, (("item0", "item1"), ("item0",)), False),
        ({("loop", "body", "test"): True}, (("0",), ("0", "1")), True),
        ({("loop", "body", "test"): True}, (("0", "1"), ("0", "1")), False),
    ):
        guard = Guard({then: proved, otherwise: proved})
        guard._branches = branches
        guard.charge(then, places[0], proved.calibration)
        if fits:
            guard.charge(otherwise, places[1], proved.calibration)
        else:
            with pytest.raises(RunError, match="beyond its reserve"):
                guard.charge(otherwise, places[1], proved.calibration)


@pytest.mark.parametrize("bad", [{}, {"sigma": -1.0}, {"sigma": float("inf")}, {"sigma": float("nan")}, {"count": 1.0}])
def test_a_proposal_of_other_parameters_is_refused(bad: dict[str, float]) -> None:
    proved = noise("for_each")
    path = next(path for path, known in proved.items() if known.view is not None)
    with pytest.raises((CertificateError, RunError)):
        Guard(proved).charge(path, (), bad)
    with pytest.raises(CertificateError):
        Guard(proved).charge(path, (), {**proved[path].calibration, "d": 1.0})


@pytest.mark.parametrize("budget", [dp.approx_dp(1.0, 1e-6), dp.zcdp(0.1)], ids=str)
def test_a_run_states_no_total_below_what_is_computed(budget: Any) -> None:
    """Verifiers on other machines round otherwise and allow for it; a planner here may not make use of that."""

    def mean(x: Any) -> Any:
        inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=3.0))
        return dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside))

    plan = dp.plan(mean, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=budget)
    content = json.loads(plan.document(simulated=False))
    assert check(json.dumps(content).encode()).total == content["total"]
    key = "epsilon" if "epsilon" in content["total"] else "rho"
    content["total"][key] *= 1 - 5e-10
    changed_ = json.dumps(content).encode()
    assert verify(changed_).verified
    with pytest.raises(CertificateError, match=r"total: declared .*, below "):
        check(changed_)
