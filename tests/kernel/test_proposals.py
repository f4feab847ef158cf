"""What operations propose to the planner is trusted with nothing: no run asks for it, and a wrong one is refused."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from dpframe.errors import CertificateError, DpframeError
from dpframe.kernel import claiming, proposals
from dpframe.kernel.operations import Mechanism, Query, Statistic
from dpframe.planning.documents import plain
from dpframe.proof.losses import Loss
from dpframe.proof.spaces import L2, Vector
from dpframe.runtime.gate import admit
from dpframe.runtime.run import run_plan
from tests.planning.examples import CASES, make, plan_of

ROWS = np.random.default_rng(3).normal(size=(1000, 2)) * 20
ALLOWED = {"output", "theorem_inputs", "derived", "claims", "warnings", "rho", "calibrate", "confirm", "loss", "scale"}
RUN = (
    "release",
    "release_many",
    "noise_std",
    "apply",
    "assign",
    "draw",
    "evaluate",
    "start",
    "update",
    "value",
    "admit",
)
"""What the engine asks of an operation."""
RUNS = (
    *(
        "simple mean",
        "simple mean, add/remove",
        "partition by rule",
        "halves by index",
        "branch",
        "recurse",
        "worklist",
    ),
    *("categories", "subsample", "secret pairs and labels", "columns", "operations of one's own", "row expressions"),
)
"""Cases that run: others have stubs. The noise of a loop's items is asked of the plan, and priced by the guard."""


def proposing() -> Iterator[type]:
    """The classes of both modules."""
    for module in (proposals, claiming):
        yield from (c for _, c in inspect.getmembers(module, inspect.isclass) if c.__module__ == module.__name__)


def methods(cls: type) -> set[str]:
    return {name for name, value in vars(cls).items() if inspect.isfunction(value)}


@pytest.mark.parametrize("cls", list(proposing()), ids=lambda c: c.__name__)
def test_only_proposals_are_defined(cls: type) -> None:
    """Of a query the step of its lattice too, which a statistic's sums are made with."""
    assert methods(cls) <= ALLOWED | {"step"}
    assert not methods(cls) & set(RUN)
    assert vars(cls)["__slots__"] == ()
    assert "step" not in methods(cls) or not issubclass(Statistic, cls)
    assert all(issubclass(known, proposals.Proposed) for known in (Mechanism, Query, Statistic))


def taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: Any, **__: Any) -> Any:
        raise AssertionError("a run asked for a proposal")

    for cls in proposing():
        for name in methods(cls):
            monkeypatch.setattr(cls, name, gone)


@pytest.mark.parametrize("case", RUNS)
def test_a_run_asks_for_no_proposal(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(case)
    honest = run_plan(admit(plan, simulated=True), {"x": ROWS}, simulate=5)
    assert honest.status == "released"
    admitted = admit(plan, simulated=True)
    taken_away(monkeypatch)
    found = run_plan(admitted, {"x": ROWS}, simulate=5)
    assert (found.status, found.reason) == (honest.status, honest.reason)
    assert repr(plain(found.outputs)) == repr(plain(honest.outputs))


def test_they_are_really_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    taken_away(monkeypatch)
    with pytest.raises(AssertionError, match="asked for a proposal"):
        make(*CASES["simple mean"])


def cheaper(real: Callable[..., Loss]) -> Callable[..., Loss]:
    """The loss of twice the noise."""
    return lambda self, noise, *rest: real(self, {**noise, "sigma": 2 * noise["sigma"]}, *rest)


def nearer(real: Callable[..., Any]) -> Callable[..., Any]:
    """Neighbours half as far apart."""

    def derived(*given: Any) -> Any:
        made = real(*given)
        return tuple(L2(m.bound / 2) if isinstance(m, L2) else m for m in made) if isinstance(made, tuple) else made

    return derived


WRONG: dict[str, tuple[type, str, Callable[..., Any]]] = {
    "a loss": (proposals.ProposedNoise, "loss", cheaper),
    "metrics": (proposals.Proposed, "derived", nearer),
    "a domain": (proposals.Proposed, "output", lambda real: lambda *g: Vector(7) if g[0].name == "mean" else real(*g)),
    "theorem inputs": (proposals.Proposed, "theorem_inputs", lambda real: lambda *g: {**real(*g), "more": 1}),
    "infinite noise": (proposals.GaussianNoise, "calibrate", lambda real: lambda *g: {"sigma": math.inf}),
    "negative noise": (proposals.GaussianNoise, "calibrate", lambda real: lambda *g: {"sigma": -1.0}),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_proposal_is_refused(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the planner's own algebra or by the gate: nothing runs."""
    cls, name, change = WRONG[wrong]
    monkeypatch.setattr(cls, name, change(getattr(cls, name)))
    by_the_gate = wrong in {"a loss", "metrics", "theorem inputs"}
    with pytest.raises(CertificateError if by_the_gate else DpframeError):
        run_plan(make(*CASES["simple mean"]), {"x": ROWS}, simulate=5)


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_another_noise_is_another_proved_plan(factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search goes on until the total that the checker computes fits the budget: never above it."""
    real = proposals.GaussianNoise.calibrate
    monkeypatch.setattr(proposals.GaussianNoise, "calibrate", lambda *given: {"sigma": factor * real(*given)["sigma"]})
    checked = admit(make(*CASES["simple mean"]), simulated=True).checked
    assert checked.total["epsilon"] <= 1.0
    (noise,) = checked.noise.values()
    assert noise.calibration["sigma"] == pytest.approx(plan_of("simple mean").calibrations["mean",]["sigma"], rel=1e-6)
