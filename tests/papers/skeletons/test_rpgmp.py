"""KSSU19 Algorithms 3 and 4 (RPGMP): recursion on terrific balls, leaves with counts, V_e by hand."""

from __future__ import annotations

import math

import pytest

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.proof.spaces import ADD, REMOVE, REPLACE_ONE, Edits, ListOf, Record
from tests.papers.skeletons.stubs import (
    ball,
    balls,
    flag,
    mean_sensitivity,
    planned,
    rho_gauss,
    rho_pure,
    rho_selection,
    state,
)

D, K, CENTRES, T = 3, 4, 64, 500
COUNT, PLOC, TERRIFIC, CENTRE, PCA = 5.0, 4.0, 6.0, 7.0, 8.0
LEAF_COUNT, LEAF_MEAN, LEAF_GRAM = 3.0, 9.0, 10.0


def level(rows: Handle, s: Handle) -> dict[str, Handle]:
    """Bounding ball, terrific ball in the raw space, else after PCA; both children get the rest of the depth."""
    count = dp.release("count", dp.laplace(noise_multiplier=COUNT), dp.count(rows))
    counts = dp.transform("ball_counts", rows, balls(D, CENTRES, s), size=CENTRES)
    located = dp.release("ploc", dp.exponential_mechanism(noise_multiplier=PLOC), counts)
    bound = ball(D, located, count)
    tries = []
    for where in ("raw", "projected"):
        scores = dp.transform("terrific_score", rows, balls(D, CENTRES, bound), size=CENTRES, t=T, c=5.0)
        radius = dp.release(f"{where}.radius", dp.above_threshold(noise_multiplier=TERRIFIC, threshold=0.8 * T), scores)
        again = dp.transform("terrific_score", rows, balls(D, CENTRES, radius), size=CENTRES, t=T, c=5.0)
        tries += [radius, dp.release(f"{where}.centre", dp.exponential_mechanism(noise_multiplier=CENTRE), again)]
        if where == "raw":
            tries.append(dp.release("pca", dp.gaussian(noise_multiplier=PCA), dp.gram(dp.clip(rows, bound))))
    dp.transform("filter_ball", rows, ball(D, *tries), name="children")
    return {"split": flag(*tries), "left": state(*tries), "right": state(*tries)}


def leaf(rows: Handle, s: Handle) -> Handle:
    inside = dp.clip(rows, ball(D, s))
    released = [
        dp.release("count", dp.laplace(noise_multiplier=LEAF_COUNT), dp.count(rows)),
        dp.release("mean", dp.gaussian(noise_multiplier=LEAF_MEAN), dp.mean(inside)),
        dp.release("gram", dp.gaussian(noise_multiplier=LEAF_GRAM), dp.gram(inside)),
    ]
    return state(*released)


def rpgmp(x: Handle) -> Handle:
    return dp.recurse("tree", x, state(), level, leaf, max_depth=K - 1, max_leaves=K)


def level_cost(e: Edits) -> float:
    """c_e: counts and scores move by one under every edit; the Gram matrix by √2, 1 or 1."""
    scores = rho_selection(2 / PLOC) + 2 * (rho_pure(1 / TERRIFIC) + rho_selection(2 / CENTRE))
    gram = math.hypot(e.removed, e.added) / math.sqrt(2)
    return rho_pure(1 / COUNT) + scores + rho_gauss(gram / PCA)


def leaf_cost(e: Edits) -> float:
    gram = math.hypot(e.removed, e.added) / math.sqrt(2)
    return rho_pure(1 / LEAF_COUNT) + rho_gauss(mean_sensitivity(e) / 2 / LEAF_MEAN) + rho_gauss(gram / LEAF_GRAM)


def by_hand(depth: int) -> dict[Edits, float]:
    """V_e(D): a removed and an added row share a prefix and may then follow two paths."""
    v = {e: leaf_cost(e) for e in (REPLACE_ONE, REMOVE, ADD)}
    for _ in range(depth):
        v = {
            REPLACE_ONE: level_cost(REPLACE_ONE) + max(v[REPLACE_ONE], v[REMOVE] + v[ADD]),
            REMOVE: level_cost(REMOVE) + v[REMOVE],
            ADD: level_cost(ADD) + v[ADD],
        }
    return v


def test_total_is_the_hand_computation() -> None:
    assert planned(rpgmp, d=D).loss.rho == pytest.approx(by_hand(K - 1)[REPLACE_ONE], rel=1e-12)
    # diverging at the first split, then two paths of two more levels and two leaves each
    spread = level_cost(REPLACE_ONE) + 2 * (2 * level_cost(REMOVE) + leaf_cost(REMOVE))
    assert by_hand(K - 1)[REPLACE_ONE] == pytest.approx(spread, rel=1e-12)


def test_under_add_remove_only_one_path_counts() -> None:
    plan = planned(rpgmp, d=D, n=None, adjacency=dp.ADD_REMOVE)
    assert plan.loss.rho == pytest.approx((K - 1) * level_cost(REMOVE) + leaf_cost(REMOVE), rel=1e-12)


def test_one_branch_per_level_as_printed_is_too_little() -> None:
    """C5: the text counts one branch a level; the planner charges both paths."""
    literal = (K - 1) * level_cost(REPLACE_ONE) + leaf_cost(REPLACE_ONE)
    assert planned(rpgmp, d=D).loss.rho > 1.5 * literal


def test_delta_follows_both_paths_too() -> None:
    """V_e of δ: a histogram with δ₀ in every level and leaf costs 1 + 2·(2 + 1) times δ₀ at depth 3."""
    share = 0.01

    def step(rows: Handle, s: Handle) -> dict[str, Handle]:
        mechanism = dp.stable_histogram(noise_multiplier=50.0, delta_fraction=share)
        cells = dp.release("cells", mechanism, dp.transform("cells", rows, state(), levels=1))
        dp.transform("filter_ball", rows, ball(D, cells), name="children")
        return {"split": flag(cells), "left": state(cells), "right": state(cells)}

    def end(rows: Handle, s: Handle) -> Handle:
        mechanism = dp.stable_histogram(noise_multiplier=50.0, delta_fraction=share)
        return dp.release("cells", mechanism, dp.transform("cells", rows, state(), levels=1))

    def program(x: Handle) -> Handle:
        return dp.recurse("tree", x, state(), step, end, max_depth=3, max_leaves=4)

    plan = planned(program, d=D, budget=dp.approx_dp(epsilon=10.0, delta=1e-6))
    assert plan.loss.delta == pytest.approx((1 + 2 * (2 + 1)) * share * 1e-6, rel=1e-12)
    assert sum(plan.delta_split.values()) == pytest.approx(1e-6, rel=1e-12)


def test_domains_of_the_tree() -> None:
    plan = planned(rpgmp, d=D)
    assert plan.edges[plan.graph.outputs[0][1]].domain == ListOf(Record("state"), K)
