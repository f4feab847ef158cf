"""KSSU19 Algorithm 1 (PEGME): halves, PCA on Y, k rounds of balls on Z, first ball wins, estimates per ball."""

from __future__ import annotations

import math
from typing import Any

import pytest

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.proof.spaces import ADD, REMOVE, REPLACE_ONE, Subspace
from tests.papers.skeletons.stubs import (
    ball,
    balls,
    mean_sensitivity,
    planned,
    rho_gauss,
    rho_pure,
    rho_selection,
    stub,
)

D, K, CANDIDATES = 16, 3, 50
PCA, FIND, COUNT, SUM, GRAM = 5.0, 2.0, 3.0, 4.0, 6.0  # noise multipliers


def pegme(x: Handle) -> dict[str, Handle]:
    """Index halves Y and Z (C1, C8 and C9 in their mended form)."""
    y, z = dp.transform("split", x, count=2, name="halves")
    bound = dp.ball(centre=[0.0] * D, radius=100.0)
    gram = dp.release("pca", dp.gaussian(noise_multiplier=PCA), dp.gram(dp.clip(y, bound)))
    space = stub(Subspace(D, K), gram)
    low = dp.transform("project", z, space, bound)
    rest, found = low, []
    for i in range(K):  # always k rounds: whether rows are left is never asked
        near = dp.transform("ball_counts", rest, balls(K, CANDIDATES, space), size=CANDIDATES)
        best = dp.release(f"found_{i}", dp.exponential_mechanism(noise_multiplier=FIND), near)
        found.append(best)
        if i < K - 1:
            rest = dp.transform("filter_ball", rest, ball(K, best), name=f"without_{i}")[1]
    lifted = balls(D, K, *found)
    parts = dp.transform("partition_balls", z, lifted, balls=K, name="clusters")
    out = {}
    for i, part in enumerate(parts[:K]):
        inside = dp.clip(part, ball(D, lifted))
        out[f"count_{i}"] = dp.release(f"cluster_{i}.count", dp.laplace(noise_multiplier=COUNT), dp.count(part))
        out[f"mean_{i}"] = dp.release(f"cluster_{i}.mean", dp.gaussian(noise_multiplier=SUM), dp.mean(inside))
        out[f"gram_{i}"] = dp.release(f"cluster_{i}.gram", dp.gaussian(noise_multiplier=GRAM), dp.gram(inside))
    return out


def estimate(e: Any) -> float:
    """ρ of one ball's three releases under edits e, calibrated for (1,1)."""
    count = rho_pure(1 / COUNT)  # a count moves by one under each of (1,1), (1,0), (0,1)
    total = rho_gauss(mean_sensitivity(e) / 2.0 / SUM)
    gram = rho_gauss(math.hypot(e.removed, e.added) / math.sqrt(2) / GRAM)
    return count + total + gram


def by_hand() -> float:
    """The larger of the halves: an index split costs no composition."""
    half_y = rho_gauss(1 / PCA)
    # scores move by one under any edit, so wherever the row went each round costs the same
    rounds = K * rho_selection(2 / FIND)
    clusters = max(estimate(REPLACE_ONE), estimate(REMOVE) + estimate(ADD))
    return max(half_y, rounds + clusters)


def test_total_is_the_hand_computation() -> None:
    plan = planned(pegme, d=D)
    assert plan.loss.rho == pytest.approx(by_hand(), rel=1e-12)
    # the row that changes its cluster is the worst: two counts move, and no sum moves by 2
    assert estimate(REMOVE) + estimate(ADD) > estimate(REPLACE_ONE)


def test_halves_cost_their_maximum_not_their_sum() -> None:
    assert planned(pegme, d=D).loss.rho < by_hand() + rho_gauss(1 / PCA) / 2


def test_under_add_remove_the_index_split_is_refused() -> None:
    with pytest.raises(dp.PlanError, match=r"halves.*secret_split"):
        planned(pegme, d=D, n=None, adjacency=dp.ADD_REMOVE)


def test_secret_halves_under_add_remove_cost_one_half_and_one_edit() -> None:
    def secret(x: Handle) -> dict[str, Handle]:
        a, b = dp.transform("secret_split", x, count=2, name="halves")
        return {
            "a": dp.release("a", dp.laplace(noise_multiplier=2.0), dp.count(a)),
            "b": dp.release("b", dp.laplace(noise_multiplier=4.0), dp.count(b)),
        }

    assert planned(secret, n=None, adjacency=dp.ADD_REMOVE).loss.rho == pytest.approx(rho_pure(0.5), rel=1e-12)
    # under replace-one the two labels may differ
    assert planned(secret).loss.rho == pytest.approx(rho_pure(0.5) + rho_pure(0.25), rel=1e-12)
