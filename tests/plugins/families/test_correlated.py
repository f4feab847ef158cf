"""A private list decoder of Gaussians with any covariance: its cover, its price, and a correlation that is kept."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.operations import Failed
from dpframe.planning.certificate import certificate, hypotheses
from dpframe.proof.checker import verify
from dpframe.spaces import SparseCounts
from dpframe.testing import check_operation
from dpframe.testing.audit.plan_audit import audit_plan
from dpframe_plugins.families.correlated import STEPS, GaussianList, member, named, names_of, numbers
from dpframe_plugins.families.gaussian import lower

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
MEANS = np.array([[1370.0, -20.3], [1375.5, -23.1]])
COVARIANCES = np.array([[[1.0, 0.95], [0.95, 1.0]], [[2.0, -1.2], [-1.2, 1.0]]])


def table(rng: np.random.Generator, n: int) -> Any:
    drawn = [rng.multivariate_normal(m, c, n) for m, c in zip(MEANS, COVARIANCES, strict=True)]
    return np.where(rng.random(n)[:, None] < 0.4, drawn[0], drawn[1])


def law(rng: np.random.Generator, d: int, condition: float) -> tuple[Any, Any]:
    turned = np.linalg.qr(rng.standard_normal((d, d)))[0]
    spread = turned * np.geomspace(1.0, condition, d) ** 0.5
    return rng.standard_normal(d) * 1e5, np.linalg.cholesky(spread @ spread.T)


@pytest.mark.parametrize("condition", [1.0, 1e4, 1e8])
@pytest.mark.parametrize("d", [1, 2, 4])
def test_a_member_is_near_whatever_the_law_is(d: int, condition: float) -> None:
    """Lemma 8 (i): seen by the law itself, within half a step in every entry."""
    rng = np.random.default_rng(d)
    for which, step in enumerate(STEPS):
        mean, root = law(rng, d, condition)
        theta = member(named(mean, root, which), d)
        made = lower(theta[d:], d)
        seen = np.linalg.solve(root, made)
        slack = 1e-6
        assert (np.abs(np.log(np.diagonal(seen))) <= np.log1p(step) / 2 + slack).all()
        assert np.abs(np.tril(seen, -1)).max(initial=0.0) <= np.sqrt(1 + step) * step / 2 + slack
        assert np.abs(np.linalg.solve(made, theta[:d] - mean)).max() <= step / 2 + slack


def test_few_members_are_near_a_law_however_narrow_it_is() -> None:
    """Lemma 8 (ii): laws that are near one law have as many names wherever and however narrow that is."""
    counts = []
    for condition in (1.0, 1e6):
        rng = np.random.default_rng(0)
        mean, root = law(rng, 2, condition)
        near = (np.eye(2) + 0.2 * np.tril(rng.uniform(-1, 1, (2, 2))) for _ in range(2000))
        names = {tuple(named(mean + root @ rng.uniform(-0.2, 0.2, 2), root @ e, 0).tolist()) for e in near}
        counts.append(len(names))
    assert max(counts) < 500
    assert max(counts) < 2 * min(counts)


def test_a_fixed_grid_is_no_such_cover() -> None:
    """The twin: covariances rounded in one unit have ever more names near a law as that gets narrow."""
    counts = []
    for width in (1.0, 1e-2):
        rng = np.random.default_rng(0)
        near = (np.eye(2) + 0.2 * np.tril(rng.uniform(-1, 1, (2, 2))) for _ in range(2000))
        counts.append(len({tuple(np.rint(np.ravel(e) / width / 0.25)) for e in near}))
    assert counts[1] > 10 * counts[0]


def listed(x: Any) -> Any:
    recipe = dp.recipe("families.gaussian_decoder", k=2, most=8, rows=4000, t=20)
    return {"list": dp.release("list", recipe, x)}


def learned(x: Any) -> Any:
    recipe = dp.recipe("families.mixture", family="families.gaussian_full", k=2, alpha=0.3, listed=12, steps=10)
    return {"mixture": dp.release("mixture", recipe, x)}


def planned(program: Any, n: int) -> Any:
    return dp.plan(program, x=dp.rows(n=n, d=2), adjacency=dp.REPLACE_ONE, budget=BUDGET)


def test_it_plans_and_nothing_is_asserted_of_its_price() -> None:
    plan = planned(learned, 200_000)
    made = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    assert verify(json.loads(json.dumps(made))).verified
    said = " ".join(entry["hypothesis"] for entry in hypotheses(plan.typed))
    assert "no shared state" in said
    assert "asserted by its plugin" not in said
    (cells,) = [node for node in made["graph"]["nodes"] if node["operation"] == "block_cells"]
    assert cells["parameters"]["k"] == 6  # every cell that a block may enter: two components, three covers


@pytest.mark.slow
def test_a_correlation_is_kept() -> None:
    """The end of it: mixtures of two Gaussians with a correlation of .95, by private list decoding alone."""
    result = planned(learned, 100_000).run(x=table(np.random.default_rng(2), 100_000), simulate=2)
    assert result.status == "released", result.reason
    found = result["mixture"][np.argsort(result["mixture"][:, 1])]
    for row, mean, covariance in zip(found, MEANS, COVARIANCES, strict=True):
        root = lower(row[3:], 2)
        seen = root @ root.T
        assert np.abs(np.linalg.solve(root, row[1:3] - mean)).max() < 0.5
        correlation = seen[0, 1] / np.sqrt(seen[0, 0] * seen[1, 1])
        assert abs(correlation - covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])) < 0.1
        assert abs(correlation) > 0.75
    assert abs(found[0][0] - 0.4) < 0.1


@pytest.mark.slow
def test_one_gaussian_is_selected_from_its_cover() -> None:
    cover = {"proposer": "families.gaussian_full_cover", "members": "families.gaussian_full_members"}
    recipe = dp.recipe("families.select_from_cover", family="families.gaussian_full", numbers=numbers(2), **cover)
    plan = planned(lambda x: {"law": dp.release("law", recipe, x)}, 40_000)
    rows = np.random.default_rng(3).multivariate_normal([1e6, 3.0], [[1e4, 95.0], [95.0, 1.0]], 40_000)
    result = plan.run(x=rows, simulate=1)
    assert result.status == "released", result.reason
    root = lower(result["law"][0][3:], 2)
    seen = root @ root.T
    assert abs(seen[0, 1] / np.sqrt(seen[0, 0] * seen[1, 1]) - 0.95) < 0.06


def test_what_is_listed_comes_from_each_cover_in_turn() -> None:
    names = [named(MEANS[0] * i, np.eye(2), v) for v in range(3) for i in (1, 2)]
    table = type("Table", (), {"ids": np.array(names, dtype=int), "counts": np.array([5.0, 9.0, 1.0, 2.0, 8.0, 4.0])})
    found = GaussianList(d=2, most=4).apply([table])
    wanted = [member(names[i], 2) for i in (1, 3, 4, 0)]
    np.testing.assert_array_equal(found, wanted)
    empty = type("Table", (), {"ids": np.zeros((0, 6)), "counts": np.zeros(0)})
    assert isinstance(GaussianList(d=2, most=4).apply([empty]), Failed)


def test_refusals() -> None:
    with pytest.raises(dp.PlanError, match="at most 8 components"):
        planned(lambda x: {"l": dp.release("l", dp.recipe("families.gaussian_decoder", k=9, most=4, rows=9), x)}, 1000)
    with pytest.raises(dp.PlanError, match="cells of 6 numbers at d=2"):
        GaussianList(d=2, most=4).output(SparseCounts(3, 1))
    with pytest.raises(ValueError, match="no weight"):
        names_of(np.array([1.0, 0.0]), MEANS, COVARIANCES)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "families.gaussian_list",
        "families.gaussian_full_members",
        "families.gaussian_names_2",
        "families.gaussian_full_cover",
        "families.gaussian_full",
        "families.gaussian_decoder",
    ],
)
def test_the_battery_holds(name: str) -> None:
    report = check_operation(name)
    assert report.holds, str(report)


@pytest.mark.slow
def test_an_audit_finds_no_more_than_is_claimed() -> None:
    """The decoder on two tables that differ in one far row; false alarms at most once in a million (docs/audits.md)."""
    rows = table(np.random.default_rng(6), 4000)
    other = rows.copy()
    other[0] = 1e9
    found = audit_plan(planned(listed, 4000), rows, other, delta=1e-2, runs=60, seconds=30)
    assert not found.refuted, found
