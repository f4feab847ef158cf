"""Scales without pairs: every component of enough weight is listed, wherever and however wide, at rows ∝ 1/(1 − γ)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.front.specs import load_spec
from dpframe_plugins.aal21.dyadic import dyadic_net, dyadic_rows, most_splits, split_bins, widths
from dpframe_plugins.aal21.sizing import decoding_rows

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


def decoded(rows: Any, gamma: float, *, alpha: float = 0.3, seed: int = 1, **more: Any) -> Any:
    told = {"alpha": alpha, "gamma": gamma, "rows": len(rows), "limit": 1_000_000, **more}
    plan = dp.plan(
        lambda x: dp.release("list", dp.recipe("aal21.dyadic_decoder", **told), x),
        x=dp.rows(n=len(rows), d=rows.shape[1]),
        adjacency=dp.REPLACE_ONE,
        budget=BUDGET,
    )
    return plan.run(x=rows, simulate=seed)


def nearest(listed: Any, mean: float, sd: float) -> float:
    """The least over the list of the larger of |μ − μ̂|/σ and |σ − σ̂|/σ."""
    means = np.array([g.mean[0] for g in listed])
    sds = np.sqrt([g.covariance[0, 0] for g in listed])
    return float(np.maximum(np.abs(means - mean) / sd, np.abs(sds - sd) / sd).min())


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_narrow_and_wide_components_are_listed(offset: float, rng: np.random.Generator) -> None:
    """At 1/10 of the rows and a scale 2^20 times smaller; α = 0.3 as Lemma 5 says."""
    n, truth = 30_000, [(offset, 2e3), (-3e5, 1e-3)]
    first = rng.random(n) < 0.9
    values = np.where(first, *(mean + sd * rng.standard_normal(n) for mean, sd in truth))
    found = decoded(values[:, None], 0.9)
    assert found.status == "released", found.reason
    assert all(nearest(found["list"], *pair) <= 0.3 for pair in truth)


def test_the_net_is_within_alpha_of_every_pair(rng: np.random.Generator) -> None:
    net = np.array(dyadic_net(0.2))
    for _ in range(500):
        mean, sd = rng.random(), rng.uniform(1 / 16, 1 / 4)
        assert np.maximum(np.abs(net[:, 0] - mean), np.abs(net[:, 1] - sd)).min() <= 0.2 * sd


def counted(values: Any, low: int, levels: int) -> tuple[list[Any], list[Any]]:
    cells = [np.unique(np.floor(values / w), return_counts=True) for w in widths(low, levels)]
    return [ids.astype(np.int64) for ids, _ in cells], [counts for _, counts in cells]


@pytest.mark.parametrize("seed", range(6))
def test_few_bins_are_kept_and_among_them_the_right_one(seed: int) -> None:
    """Exact counts of random mixtures, crowded ones too, against the bound and the claim of Lemma 5."""
    rng = np.random.default_rng(seed)
    n, share = 20_000, 0.1
    scales, places = 2.0 ** rng.uniform(-12, 12, 9), rng.normal(0, 2.0 ** rng.uniform(0, 12), 9)
    which = rng.integers(0, 9, n)
    values = places[which] + scales[which] * rng.standard_normal(n)
    kept = split_bins(*counted(values, -30, 30), 0.25 * share * n)
    assert len(kept) <= most_splits(1 - share)
    for mean, sd in zip(places, scales, strict=True):  # each has a ninth of the rows
        right = [level for level, w in enumerate(widths(-30, 30)) if 4 * sd <= w < 16 * sd]
        assert (right[0], math.floor(mean / widths(-30, 30)[right[0]])) in kept


def test_rows_grow_with_one_over_the_share() -> None:
    few, many = (dyadic_rows(2, 1, alpha, 0.1, target=None) for alpha in (0.2, 0.1))
    assert 1.9 < many / few < 2.2
    assert 1e6 < many < 5e6
    assert decoding_rows(2, 1, 0.1, 0.1, known=False, target=None) > 20 * many


def test_the_specs_have_a_key_for_it() -> None:
    """``scales=dyadic`` in mode=paper only."""
    told = ["n=3000000", "k=1", "alpha=1", "scales=dyadic"]
    for name, more in (("aal21_univariate", []), ("aal21_axis_aligned", ["d=1"])):
        made = load_spec(name, [*told, *more, "mode=paper"]).plan()
        assert any(node.operation.name == "aal21.dyadic_list" for node in made.graph.nodes)
    with pytest.raises(dp.SpecError, match="scales='dyadic' is of mode=paper"):
        load_spec("aal21_univariate", told).plan()
