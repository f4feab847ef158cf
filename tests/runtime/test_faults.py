"""Whatever raises after the reserve, at whatever node of whatever spec, the run ends as `failed`, in the same words."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DataError, DomainError, DpframeError, RunError
from dpframe.front.estimators import PrivateGaussian
from dpframe.front.specs import load_spec, shipped, tables_of
from dpframe.kernel import registry
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Statistic
from dpframe.kernel.reductions.control import Control
from dpframe.planning.documents import to_bytes
from dpframe.planning.results import document, run_plan
from dpframe.proof.spaces import Kind
from dpframe.proof.typed import Ref
from dpframe.runtime import blocks, control, engine, scope
from dpframe.runtime.engine import Scope
from dpframe.runtime.gate import admit
from dpframe.runtime.run import ENDED

SECRET = "0.7310585786300049"
ROWS = 4000
FAST = ("arbas23_gmm", "coinpress_gaussian")
SEPARATED = ("bks22_gmm_hard", "kssu19_pegme", "kssu19_pgme", "kssu19_sample_and_aggregate")
"""On rows without groups they fail by themselves."""
METHODS = (
    *("apply", "apply_noisy", "start", "update", "value", "release", "evaluate", "assign", "draw"),
    *("indices", "combine", "split"),
)
ERRORS: tuple[Callable[[], BaseException], ...] = (
    lambda: ValueError(SECRET),
    lambda: MemoryError(SECRET),
    lambda: OverflowError(SECRET),
    lambda: KeyError(SECRET),
    lambda: RuntimeWarning(SECRET),
    lambda: np.linalg.LinAlgError(SECRET),
    lambda: OSError(5, SECRET),
    lambda: DomainError(SECRET, fix=SECRET),
    lambda: DataError(SECRET, fix=SECRET),
    lambda: RunError(SECRET, fix=SECRET),
    lambda: StopIteration(SECRET),
    lambda: RecursionError(SECRET),
    lambda: SystemExit(SECRET),
    lambda: GeneratorExit(SECRET),
    lambda: UnicodeDecodeError("utf-8", b"x", 0, 1, SECRET),
)


def planned(name: str) -> tuple[Any, dict[str, Any], Any]:
    """The plan of a shipped spec for a small table, the table, and its columns."""
    registry.discover()
    spec = load_spec(name)
    one = name.startswith(("arbas23", "aal21_univariate"))
    values = {"k": 1 if name.startswith("arbas23") else 2, "d": 1 if one else 2, "n": ROWS, "bound": 100.0}
    needed = {k for k, key in spec.keys.items() if key.default is None and not key.optional} | {"n"}
    needed |= {"d"} if spec.needs_d else set()
    sigma = {"sigma": 1.0} if "sigma" in spec.keys else {}
    spec = spec.set({k: values.get(k, 1) for k in needed} | sigma | {"epsilon": 50.0, "delta": 1e-3})
    rng = np.random.default_rng(0)
    x: Any = rng.normal(size=(ROWS, spec.width or 1))
    if name in SEPARATED:
        x += 60.0 * rng.integers(0, 2, (ROWS, 1)) - 30.0
    if spec.columns:
        x = pytest.importorskip("pandas").DataFrame(x, columns=list(spec.columns))
    public = x[:50] + 1.0 if any(t.kind is Kind.PUBLIC for t in spec.tables) else None
    return spec.plan(), tables_of(spec, x, public), spec.columns


class Replay:
    """Runs a plan once, then again and again: values of nodes before a target are taken from the first run."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.kept: dict[Any, dict[Ref, Any]] = {}
        self.operations: dict[Any, Any] = {}
        self.target: Any = None
        self.past = False
        evaluate, fuse = Scope._evaluate, Scope._pass

        def one(scope: Scope, node: Any) -> None:
            self.take(scope, [node], lambda rest: evaluate(scope, rest[0]))

        def many(scope: Scope, nodes: list[Any]) -> None:
            self.take(scope, nodes, lambda rest: fuse(scope, rest))

        patch.setattr("dpframe.runtime.run.reads_once", lambda graph: False)  # a view of the first run is read again
        patch.setattr(Scope, "_evaluate", one)
        patch.setattr(Scope, "_pass", many)

    def take(self, scope: Scope, nodes: list[Any], make: Callable[[list[Any]], None]) -> None:
        keys = [(scope.path, scope.place, node.name) for node in nodes]
        if self.target in keys:
            self.past = True
        if self.target is not None and not self.past and all(key in self.kept for key in keys):
            inside = self.target[0][: len(scope.path) + 1]
            if not any((*key[0], key[2]) == inside for key in keys):
                for key in keys:
                    scope.values.update(self.kept[key])
                return
        make(nodes)
        if self.target is None:
            for key, node in zip(keys, nodes, strict=True):
                self.kept[key] = {r: v for r, v in scope.values.items() if r.node == node.name}
                self.operations[key] = node.operation


def raising(operation: Any, error: Callable[[], BaseException], patch: pytest.MonkeyPatch) -> None:
    """Every method that the executor calls of this very operation raises; of a statistic, which may be answered by
    another node's fold, also those of equal ones."""
    if isinstance(operation, Control):
        run = control.run

        def refuse(scope: Any, node: Any, found: Any, inputs: Any) -> Any:
            if found is operation:
                raise error()
            return run(scope, node, found, inputs)

        patch.setattr(engine.control, "run", refuse)
        return
    cls = type(operation)
    shared = isinstance(operation, Statistic)
    for name in METHODS:
        method = getattr(cls, name, None)
        if callable(method):

            def fail(self: Any, *args: Any, _inner: Any = method, **more: Any) -> Any:
                if self is operation or (shared and self == operation):
                    raise error()
                return _inner(self, *args, **more)

            patch.setattr(cls, name, fail)


@pytest.mark.parametrize("name", [n if n in FAST else pytest.param(n, marks=pytest.mark.slow) for n in shipped()])
def test_an_error_at_any_node_of_any_spec(name: str, run_errors: list[BaseException]) -> None:
    plan, tables, columns = planned(name)
    admitted = admit(plan, simulated=True)  # once, so that an operation is the same one in every run
    with pytest.MonkeyPatch.context() as outer:
        replay = Replay(outer)
        assert run_plan(admitted, tables, simulate=1, columns=columns).status == "released"
        errors = itertools.cycle(ERRORS)
        results = set()
        for key, operation in replay.operations.items():
            replay.target, replay.past = key, False
            run_errors.clear()
            with pytest.MonkeyPatch.context() as patch:
                raising(operation, next(errors), patch)
                try:
                    result = run_plan(admitted, tables, simulate=1, columns=columns)
                except DpframeError:  # of what follows from the public table: before a row is read or anything spent
                    assert admitted.graph.node(key[2]).output.kind is Kind.PUBLIC
                    assert run_errors == []
                    continue
            assert [SECRET in f"{e} {e.args}" for e in run_errors] == [True], key
            assert result.status == "failed", key
            results.add(to_bytes(document(result)))
    assert len(replay.operations) > 5
    assert len(results) == 1
    assert SECRET not in results.pop().decode()


@pytest.mark.parametrize("where", ["noise", "guard", "progress", "domain", "changed"])
def test_errors_around_the_nodes(where: str, run_errors: list[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **more: Any) -> Any:
        raise ValueError(SECRET)

    plan, tables, columns = planned("coinpress_gaussian")
    places: dict[str, tuple[Any, str]] = {
        "noise": (SeededSource, "child"),
        "guard": (scope.Guard, "charge"),
        "progress": (scope.Progress, "end"),
        "domain": (type(plan.edges[plan.graph.outputs[0][1]].domain), "check"),
        "changed": (engine.View, "batch"),
    }
    monkeypatch.setattr(*places[where], fail)
    result = run_plan(plan, tables, simulate=1, columns=columns)
    assert (result.status, result.reason) == ("failed", ENDED[0])
    assert SECRET not in repr(result) + result.advice
    with pytest.raises(RunError, match="failed after spending"):
        _ = result["gaussian"]


def test_a_server_of_learners_that_is_gone(run_errors: list[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **more: Any) -> Any:
        raise ConnectionResetError(SECRET)

    monkeypatch.setattr(blocks, "run_isolated", fail)
    plan, tables, _ = planned("arbas23_gmm")
    result = run_plan(plan, tables, simulate=1)
    assert (result.status, result.reason) == ("failed", ENDED[0])


def test_an_interruption_passes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*args: Any, **more: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(scope.Guard, "charge", stop)
    plan, tables, _ = planned("coinpress_gaussian")
    with pytest.raises(KeyboardInterrupt):
        run_plan(plan, tables, simulate=1)


def test_an_estimator_says_that_it_failed_and_nothing_else(
    run_errors: list[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **more: Any) -> Any:
        raise ValueError(SECRET)

    model = PrivateGaussian(epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=10.0)
    monkeypatch.setattr(engine.View, "batch", fail)
    with pytest.raises(RunError, match="failed after spending") as caught:
        model.fit(np.ones((ROWS, 2)))
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None
    assert SECRET not in str(error)
    assert model.privacy_["epsilon"] <= 1.0
