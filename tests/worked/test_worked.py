"""The worked plugins of docs/worked as a reader uses them: planned, run, verified, attacked; broken twins caught."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.kernel.families.registering import SEMIMETRICS, find_semimetric
from dpframe.kernel.registry import import_file
from dpframe.planning.certificate import certificate, hypotheses
from dpframe.proof.checker import verify
from dpframe.runtime.gate import admit
from dpframe.testing import check_file
from dpframe.testing.audit.plan_audit import audit_plan

FOLDER = Path(__file__).parents[2] / "docs" / "worked"
FILES = sorted(FOLDER.glob("*.py"))
BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


def gaussians(rng: np.random.Generator, n: int) -> Any:
    first = rng.random(n)[:, None] < 0.4
    correlated = rng.multivariate_normal([0.0, 0.0], [[1.0, 0.95], [0.95, 1.0]], n)
    return np.where(first, correlated, rng.multivariate_normal([8.0, -3.0], [[2.0, -1.2], [-1.2, 1.0]], n))


def counts(rng: np.random.Generator, n: int) -> Any:
    return rng.poisson(np.where(rng.random(n) < 0.3, 4, 30))[:, None].astype(float)


def answers(rng: np.random.Generator, n: int) -> Any:
    p = np.array([[0.9, 0.8, 0.1, 0.2], [0.2, 0.3, 0.8, 0.6]])[(rng.random(n) < 0.3).astype(int)]
    return (rng.random((n, 4)) < p).astype(float)


def tailed(rng: np.random.Generator, n: int) -> Any:
    first = rng.random(n) < 0.3
    return (1e3 + np.where(first, rng.laplace(0, 1, n), rng.laplace(20, 3, n)))[:, None]


def far(rng: np.random.Generator, n: int) -> Any:
    return 1e4 + rng.standard_normal((n, 2))


def coded(rng: np.random.Generator, n: int) -> Any:
    return rng.choice([1.0, 2.0, 3.0, 7.0], p=[0.2, 0.45, 0.25, 0.1], size=n)[:, None]


def pairs(rng: np.random.Generator, n: int) -> Any:
    return np.exp(rng.normal([0.5, 0.0], 1.0, (n, 2)))


def right_mean(value: Any) -> bool:
    return bool(np.abs(value - 1e4).max() < 1.5)


def right_poisson(value: Any) -> bool:
    roots = np.sort(value[:, 1])
    return bool(abs(roots[0] - 2) < 1.5 and abs(roots[1] - 30**0.5) < 1.5)


def right_laplace(value: Any) -> bool:
    value = value[np.argsort(value[:, 1])]
    return bool(np.abs(value - [[0.3, 1e3, 1.0], [0.7, 1020.0, 3.0]]).max() < 0.5)


def right_bernoulli(value: Any) -> bool:
    value = value[np.argsort(value[:, 0])]
    wanted = [[0.3, 0.2, 0.3, 0.8, 0.6], [0.7, 0.9, 0.8, 0.1, 0.2]]
    return bool(np.abs(value - wanted).max() < 0.1)


def right_correlation(value: Any) -> bool:
    """0.95 stays 0.95, up to what 70 public rows tell."""
    first = value[np.argmin(np.abs(value[:, 1]))]
    return bool(first[4] / np.hypot(first[4], first[5]) > 0.85)


def right_ratio(value: Any) -> bool:
    return bool(abs(value[0] - 0.5) < 0.1 and abs(value[1] - 10_000) < 700 and abs(value[2] - 10_000) < 700)


CASES: dict[str, Any] = {
    "commonest": (coded, 2_000, {"values": [1.0, 2.0, 3.0]}, lambda value: value == 1, dp.pure_dp(1.0)),
    "median_of_means": (far, 20_000, {"width": 1.5, "n": 20_000, "t": 500}, right_mean, BUDGET),
    "poisson_mixture": (counts, 60_000, {"r": 0.7, "t": 500}, right_poisson, dp.approx_dp(epsilon=4.0, delta=1e-6)),
    "laplace_mixture": (tailed, 20_000, {}, right_laplace, BUDGET),
    "bernoulli_mixture": (answers, 20_000, {}, right_bernoulli, BUDGET),
    "public_gaussians": (gaussians, 20_000, {}, right_correlation, dp.pure_dp(1.0)),
    "ratio": (pairs, 20_000, {}, right_ratio, BUDGET),
}
ASSERTED: dict[str, set[str]] = {
    "commonest": set(),
    "median_of_means": {"limits", "learner"},
    "poisson_mixture": {"limits", "learner", "semimetric", "convexity", "mask"},
    "laplace_mixture": {"rowwise"},
    "bernoulli_mixture": {"rowwise"},
    "public_gaussians": {"rowwise"},
    "ratio": set(),
}


@pytest.fixture(autouse=True, scope="module")
def imported() -> None:
    for path in FILES:
        import_file(path)


def planned(name: str, *, allow_asserted: bool = True) -> Any:
    table, rows, parameters, _, budget = CASES[name]
    d = table(np.random.default_rng(0), 4).shape[1]
    more = {"public": dp.public_rows(d=d, n=200)} if name == "public_gaussians" else {}

    def alone(x: Any) -> Any:
        return {"result": dp.release("result", dp.recipe(f"worked.{name}", **parameters), x)}

    def both(x: Any, public: Any) -> Any:
        return {"result": dp.release("result", dp.recipe(f"worked.{name}", **parameters), x, public)}

    tables = {"x": dp.rows(n=rows, d=d), **more}
    said = {"adjacency": dp.REPLACE_ONE, "budget": budget, "allow_asserted": allow_asserted}
    return dp.plan(both if more else alone, **tables, **said)


def test_they_are_short() -> None:
    assert len(FILES) == 7  # the six that are asked for, and one in row expressions
    assert all(len(path.read_text().splitlines()) < 120 for path in FILES)


def test_what_is_written_in_row_expressions_counts_no_assertion() -> None:
    made = certificate(planned("ratio"), spec_sha256=None, result_sha256=None, simulated=False, status="released")
    verdict = verify(json.loads(json.dumps(made)))
    assert (verdict.verified, verdict.assertions) == (True, 0)
    rowwise = [node for node in made["graph"]["nodes"] if node["operation"].startswith("express")]
    assert [sorted(node["parameters"]) for node in rowwise] == [
        ["bits", "bound", "formula", "gives", "nonnegative", "norm"],  # no plugin's name or digest: it is data
        ["count", "formula"],
    ]


@pytest.mark.parametrize("name", CASES)
def test_they_plan_and_say_what_is_asserted(name: str) -> None:
    plan = planned(name)
    assert plan.verdict.holds
    said = {entry["hypothesis"].split(":")[0].split()[0] for entry in hypotheses(plan.typed)}
    assert said - {"the", "public,"} == ASSERTED[name]
    made = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    assert verify(json.loads(json.dumps(made))).reasons == ()


def test_a_plugins_word_is_planned_only_where_that_is_allowed() -> None:
    """Of semimetrics, averages and masks; a density that looks at one row only is enforced but for that."""
    assert planned("laplace_mixture", allow_asserted=False).verdict.holds
    with pytest.raises(dp.PlanError, match=r"what 'worked.report_max' promises is asserted.* allow_asserted=True"):
        planned("commonest", allow_asserted=False)
    with pytest.raises(dp.PlanError, match=r"what 'worked.root_rate' promises is asserted.* allow_asserted=True"):
        planned("poisson_mixture", allow_asserted=False)


def test_private_rows_are_never_the_public_ones() -> None:
    recipe = dp.recipe("worked.public_gaussians")
    with pytest.raises(dp.PlanError, match=r"input 'known' takes a released or public value; 'x' is private"):
        dp.plan(
            lambda x: {"result": dp.release("result", recipe, x, x)},
            x=dp.rows(n=1000, d=2),
            adjacency=dp.REPLACE_ONE,
            budget=dp.pure_dp(1.0),
        )


def test_the_gate_asks_the_plugin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan whose certificate holds, made with a word that the plugin no longer gives, is not run."""
    plan = planned("poisson_mixture")
    known = find_semimetric("worked.root_rate")
    monkeypatch.setitem(SEMIMETRICS, known.name, attrs.evolve(known, averages=lambda r, tau: 2 * tau * r))
    with pytest.raises(dp.CertificateError, match=r"averages in 'worked.root_rate' are within"):
        admit(plan, simulated=True)


@pytest.mark.parametrize("name", ["bernoulli_mixture", "commonest", "public_gaussians", "ratio"])
def test_they_learn(name: str) -> None:
    run(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["laplace_mixture", "median_of_means", "poisson_mixture"])
def test_they_learn_in_a_while(name: str) -> None:
    run(name)


def run(name: str) -> None:
    table, n, _, right, _ = CASES[name]
    rng = np.random.default_rng(5)
    more = {"public": table(rng, 200)} if name == "public_gaussians" else {}
    result = planned(name).run(x=table(rng, n), **more)
    assert result.status == "released", result.reason
    assert right(result["result"]), result["result"]
    assert verify(result.certificate).verified


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_battery_holds(path: Path) -> None:
    reports = check_file(path)
    assert reports
    assert all(report.holds for report in reports), [str(report) for report in reports]


LIES = {
    "median_of_means": (
        "return (rows.mean(axis=0),)",
        "mean.kept = getattr(mean, 'kept', 0) + 1; return (rows.mean(axis=0) + mean.kept,)",
    ),
    "poisson_mixture": ("np.sqrt(np.square(a - b).sum(axis=-1))", "np.square(a - b).sum(axis=-1) ** 0.25"),
    "laplace_mixture": ("counts.sum() > 0", "counts.sum() >= 0"),
    "bernoulli_mixture": ("[: self.most]", "[: self.most + 1]"),
    "noisy_max": ("2 * distance / scale", "distance / scale"),
    "public_list": (
        "    recipe = dp",
        "    public_gaussians.each = each = getattr(public_gaussians, 'each', each) + 1\n    recipe = dp",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LIES)
def test_broken_twins_are_caught(name: str, tmp_path: Path) -> None:
    right, wrong = LIES[name]
    text = (FOLDER / f"{name}.py").read_text()
    assert right in text
    twin = tmp_path / f"{name}_twin.py"
    twin.write_text(text.replace(right, wrong).replace('"worked.', '"broken.'))
    assert not all(report.holds for report in check_file(twin))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["commonest", "public_gaussians"])
def test_an_audit_finds_no_more_than_is_claimed(name: str) -> None:
    """Whole plans on two tables that differ in one row; false alarms at most once in a million (docs/audits.md)."""
    table, n, *_ = CASES[name]
    rows = table(np.random.default_rng(6), n)
    other = rows.copy()
    other[0] = np.where(rows[0] == rows[0].min(), rows.max(), rows.min())
    more = {"public": table(np.random.default_rng(7), 200)} if name == "public_gaussians" else {}
    found = audit_plan(planned(name), rows, other, delta=1e-2, runs=100, seconds=20, others=more)
    assert not found.refuted, found
