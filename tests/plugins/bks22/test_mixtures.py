"""Mixtures with a little public data: groups seen in public rows, and groups that only private rows confirm."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.cli import main
from dpframe_plugins.bks22.groups import grouped
from dpframe_plugins.bks22.parts import widest_gap

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


def program(name: str, **parameters: Any) -> Any:
    @dp.program
    def learn(x: Any, public: Any) -> Any:
        return dp.release("mixture", dp.recipe(name, **parameters), x, public)

    return learn


def planned(name: str, n: int, d: int, **parameters: Any) -> Any:
    tables = {"x": dp.rows(n=n, d=d), "public": dp.public_rows(d=d)}
    return dp.plan(program(name, **parameters), adjacency=dp.REPLACE_ONE, budget=BUDGET, **tables)


def drawn(n: int, m: int, d: int, k: int, apart: float, seed: int) -> tuple[Any, Any, Any]:
    """Private rows, public rows and means: k orthogonal means ``apart`` deviations from each other, 1e6 away from 0."""
    rng = np.random.default_rng(seed)
    means = 1e6 + np.linalg.qr(rng.normal(size=(d, k)))[0].T * apart / np.sqrt(2)
    return *(means[rng.integers(k, size=size)] + rng.normal(size=(size, d)) for size in (n, m)), means


def worst(found: Any, means: Any) -> float:
    """Largest distance of a mean from the one that stands for it."""
    orders = permutations(range(len(means)))
    return min(float(np.linalg.norm(found.means[list(order)] - means, axis=1).max()) for order in orders)


@pytest.mark.parametrize(("m", "refine"), [(60, False), (60, True), (1600, False)])
def test_groups_of_public_rows_part_the_private_ones(m: int, refine: bool) -> None:
    rows, public, means = drawn(20_000, m, 5, 3, 12.0, seed=4)
    result = planned("bks22_gmm_easy", 20_000, 5, k=3, refine=refine).run(x=rows, public=public, simulate=2)
    assert worst(result["mixture"], means) < 0.15
    assert result["mixture"].weights == pytest.approx(np.full(3, 1 / 3), abs=0.03)
    assert np.allclose(result["mixture"].covariances, np.eye(5), atol=0.5)


@pytest.mark.parametrize("refine", [False, True])
def test_few_public_rows_and_a_private_subspace(refine: bool) -> None:
    rows, public, means = drawn(30_000, 24, 20, 3, 14.0, seed=5)
    result = planned("bks22_gmm_hard", 30_000, 20, k=3, refine=refine).run(x=rows, public=public, simulate=2)
    assert worst(result["mixture"], means) < (0.2 if refine else 0.4)
    assert result["mixture"].weights == pytest.approx(np.full(3, 1 / 3), abs=0.03)


@pytest.mark.parametrize("shift", [0.0, 1e9, -1e12])
def test_where_all_rows_lie_does_not_matter(shift: float) -> None:
    """At 1e9 a part's ball was 1e3 wide, whatever its rows' spread, and means were 9 to 15 off."""
    rows, public, means = drawn(20_000, 60, 4, 3, 20.0, seed=6)
    rows, public, means = (each - 1e6 + shift for each in (rows, public, means))
    result = planned("bks22_gmm_hard", 20_000, 4, k=3).run(x=rows, public=public, simulate=2)
    assert worst(result["mixture"], means) < 0.15


def test_a_public_row_a_group_is_enough() -> None:
    """Private directions are taken about the private mean, balls are as wide as so few rows ask for.

    About the mean of m public rows, which is √(d/m) deviations off, every second of such runs fails; in balls that
    just hold the public rows of a part the means are off by whole deviations.
    """
    for seed in (1, 2):
        rows, public, means = drawn(30_000, 400, 100, 3, 16.0, seed=seed)
        groups = np.argmin([np.linalg.norm(public - mean, axis=1) for mean in means], axis=0)
        few = np.concatenate([public[groups == j][:size] for j, size in enumerate((1, 2, 6))])
        result = planned("bks22_gmm_hard", 30_000, 100, k=3, refine=False).run(x=rows, public=few, simulate=seed)
        assert result.status == "released"
        assert worst(result["mixture"], means) < 0.5


def test_scales_a_hundred_times_apart_are_parted() -> None:
    rng = np.random.default_rng(8)
    sds, means = np.array([1.0, 100.0]), np.array([[0.0] * 6, [2000.0] + [0.0] * 5])
    rows, public = (
        means[z] + sds[z][:, None] * rng.normal(size=(len(z), 6)) for z in (np.arange(9000) % 2, np.arange(40) % 2)
    )
    found = planned("bks22_gmm_easy", 9000, 6, k=2, refine=False).run(x=rows, public=public, simulate=2)["mixture"]
    widths = sorted(float(np.sqrt(np.trace(c) / 6)) for c in found.covariances)
    assert widths == pytest.approx([1.0, 100.0], rel=0.2)


@pytest.mark.parametrize("name", ["bks22_gmm_easy", "bks22_gmm_hard"])
@pytest.mark.parametrize(
    "public",
    [
        np.random.default_rng(0).normal(1e6, 1.0, (50, 4)),
        np.random.default_rng(1).standard_cauchy((50, 4)),
        np.repeat(np.random.default_rng(2).normal(1e6, 9.0, (6, 4)), 9, axis=0),
        np.vstack([np.random.default_rng(3).normal(size=(49, 4)), np.full((1, 4), 1e150)]),
        np.arange(8.0).reshape(2, 4),
    ],
    ids=["one group", "heavy tails", "repeated", "one far row", "two rows"],
)
def test_adversarial_public_rows_end_the_run_and_break_nothing(name: str, public: Any) -> None:
    """Never an endless loop, never an exception once budget is spent: refused before, failed, or released."""
    rows, _, _ = drawn(3000, 1, 4, 2, 12.0, seed=6)
    try:
        result = planned(name, 3000, 4, k=2, refine=False).run(x=rows, public=public, simulate=1)
    except dp.DataError:
        return
    assert result.status in ("released", "failed")
    assert result.status == "released" or "error inside" not in result.reason


def test_only_one_group_in_private_rows_is_no_two() -> None:
    rows, _, _ = drawn(6000, 1, 8, 1, 1.0, seed=7)
    _, public, _ = drawn(1, 30, 8, 2, 14.0, seed=7)
    result = planned("bks22_gmm_hard", 6000, 8, k=2, refine=False).run(x=rows, public=public, simulate=1)
    assert result.status == "failed"
    assert "found 1 groups, not 2" in result.reason


def test_what_is_refused() -> None:
    for parameters, words in (
        ({"k": 0}, "k must be"),
        ({"k": 2, "w_min": 0.6}, "w_min must be"),
        ({"k": 2, "w_min": 1e-200}, "w_min must be at least 1e-09"),
    ):
        for name in ("bks22_gmm_easy", "bks22_gmm_hard"):
            with pytest.raises(dp.SpecError, match=words):
                planned(name, 100, 2, **parameters)
    with pytest.raises(dp.SpecError, match=r"w_min = 0\.001 of 1000 rows are fewer than the 2 .* at least 2/1000"):
        planned("bks22_gmm_hard", 1000, 2, k=2, w_min=0.001)
    assert planned("bks22_gmm_hard", 1000, 2, k=2, w_min=0.002).verdict.holds
    with pytest.raises(dp.PlanError, match="public number of rows"):
        dp.plan(
            program("bks22_gmm_hard", k=2),
            x=dp.rows(d=2),
            public=dp.public_rows(d=2),
            adjacency=dp.ADD_REMOVE,
            budget=BUDGET,
        )


def test_the_least_weight_of_groups_is_only_checked() -> None:
    """As the docstring says: it changes no node, and no warning by it ever came."""
    plans = [planned("bks22_gmm_easy", 1000, 2, k=2, refine=False, w_min=w) for w in (None, 1e-6, 0.5)]
    assert len({plan.explain(full=True) for plan in plans}) == 1
    assert [plan.warnings for plan in plans] == [()] * 3
    text = dp.plugin.find_composite("bks22_gmm_easy").__doc__ or ""
    assert "which is only checked" in text
    assert "warns" not in text


def test_a_gap_has_rows_on_either_side() -> None:
    line = np.array([[0.0], [0.01], [5.0], [6.0], [7.0], [60.0]])
    alone = widest_gap(line, 1)  # 60 is by itself
    assert abs(alone.centre[0] - 60.0) < 1e-9 or alone.radius * alone.ratio > 50.0
    found = widest_gap(line, 2)
    inside = np.abs(line[:, 0] - found.centre[0]) <= found.radius * found.ratio**0.575
    assert min(inside.sum(), (~inside).sum()) >= 2
    assert widest_gap(np.ones((9, 2)), 2).ratio == 1.0
    assert grouped(np.ones((9, 2)), 2, 0) is None


@pytest.mark.parametrize("spec", ["bks22_gmm_easy", "bks22_gmm_hard"])
def test_the_specs_run_and_verify(spec: str, tmp_path: Path) -> None:
    rows, public, _ = drawn(20_000, 40, 4, 2, 14.0, seed=9)
    np.save(tmp_path / "x.npy", rows)
    np.save(tmp_path / "p.npy", public)
    words = ["run", spec, "--data", str(tmp_path / "x.npy"), "--public", str(tmp_path / "p.npy")]
    assert main([*words, "--set", "k=2", "--set", "refine=false", "--out", str(tmp_path / "out")]) == 0
    files = [str(tmp_path / "out" / name) for name in ("certificate.json", "spec.toml", "result.json")]
    assert main(["verify", files[0], "--spec", files[1], "--result", files[2]]) == 0
