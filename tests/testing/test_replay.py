"""Many runs of one plan are the runs of the executor: same noise, same values; and exact values are computed once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import RunError
from dpframe.kernel.noise import SeededSource
from dpframe.planning.results import run_plan
from dpframe.runtime import fused
from dpframe.runtime.gate import admit
from dpframe.runtime.run import open_tables
from dpframe.runtime.views import View
from dpframe.testing.audit import replay as room
from dpframe.testing.audit.replay import Recorder, numbers, replay, static
from tests.planning.examples import CASES, histograms, loop, plan_of, recursion, simple_mean

RUNNABLE = (
    "simple mean", "partition by rule", "halves by index", "for_each, zCDP view", "branch",
    "subsample", "secret pairs and labels",
)  # fmt: skip
ROWS = np.random.default_rng(3).normal(size=(1000, 2)) * 20


def fresh(seed: int) -> Any:
    """The release of a mechanism as the executor draws it in a run with this seed."""

    def release(self: Recorder, name: str, share: Any, site: tuple[Any, ...]) -> Any:
        operation, exact, calibration, domain = site
        released = operation.release(exact, calibration, domain, SeededSource(seed).child(f"{name}/noise"))
        self.record(name, released)
        return released

    return release


@pytest.mark.parametrize("case", RUNNABLE)
def test_a_run_is_the_executors_run_to_the_last_bit(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(case)
    admitted = admit(plan, simulated=True)
    opened = open_tables(admitted, {"x": ROWS})
    bases = frozenset(id(v.base) for v in opened.values.values() if isinstance(v, View))
    recorder = Recorder(SeededSource(0), bases)
    for seed in (5, 6, 5):
        monkeypatch.setattr(Recorder, "release", fresh(seed))
        recorder.columns.clear()
        room._one_run(admitted, opened, recorder, SeededSource(seed), outputs=True)
        outputs = run_plan(admitted, {"x": ROWS}, simulate=seed).outputs
        wanted = dict(pair for name in outputs for pair in numbers(outputs[name], f"output {name}"))
        found = {name: values[0] for name, (_, values) in recorder.columns.items() if name.startswith("output")}
        assert found == wanted


def plan_for(program: Any, n: int = 8) -> Any:
    return dp.plan(program, x=dp.rows(n=n, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-2))


@pytest.mark.parametrize(("program", "most"), [(simple_mean, 1), (loop, 4), (recursion, 7), (histograms, 2)])
def test_statistics_are_taken_once(program: Any, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    take = fused.take

    def counted(requests: Any, *arguments: Any, **options: Any) -> Any:
        taken.append(len(requests))
        return take(requests, *arguments, **options)

    monkeypatch.setattr(fused, "take", counted)
    if program is histograms:
        program = two_histograms
    runs = replay(plan_for(program), {"x": np.zeros((8, 2))}, runs=60, seed=1, seconds=60)
    assert runs.count == 60
    assert 0 < sum(taken) <= most


@dp.program
def two_histograms(x: Any) -> Any:
    bins = dp.transform("bin_counts", x, edges=[0.0, 1.0], column=1)
    return dp.release("bins", dp.laplace(share=1.0), bins), dp.release("count", dp.gaussian(share=1.0), dp.count(x))


def test_runs_are_independent_and_each_draw_is_used_once() -> None:
    """40,000 pairs of neighbours in time: correlation beyond 6 standard errors has probability 2e-9."""
    runs = replay(plan_for(simple_mean), {"x": np.zeros((8, 2))}, runs=40_000, seed=1, seconds=60)
    values = runs.recorder.table(["mean[0]"], runs.count)[:, 0]
    assert len(np.unique(values)) > 0.9 * min(len(values), 40_000)
    a, b = values[:-1] - values.mean(), values[1:] - values.mean()
    assert abs(float(a @ b)) < 6 * values.var() * np.sqrt(len(a))


def test_static_plans_have_no_released_parameter_and_no_secret() -> None:
    statics = {name for name in CASES if static(plan_of(name).typed)}
    assert {"simple mean", "partition by rule", "halves by index"} <= statics
    assert not statics & {"for_each", "branch", "recurse", "subsample", "secret pairs and labels"}


def test_what_is_released_nowhere_is_the_lowest_number() -> None:
    recorder = Recorder(SeededSource(0), frozenset())
    for recorder.run, value in enumerate(({"a": 1.0}, {"b": [2.0, 3.0]}, {"a": None})):
        recorder.record("x", value)
    table = recorder.table(["x.a", "x.b.length", "x.b[1]"], 3)
    assert table.tolist() == [[1.0, -np.inf, -np.inf], [-np.inf, 2.0, 3.0], [-1.0, -np.inf, -np.inf]]


def test_a_plan_without_a_mechanism_is_refused() -> None:
    @dp.program
    def nothing(x: Any) -> Any:
        return dp.constant([1.0])

    with pytest.raises(RunError, match="released nothing"):
        replay(plan_for(nothing), {"x": np.zeros((8, 2))}, runs=2, seed=0, seconds=5, least=0)
