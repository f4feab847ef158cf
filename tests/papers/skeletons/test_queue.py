"""BKS22 Algorithms 5 and 6: a queue of parts, at most one private query a part (C7: one test of a minimum)."""

from __future__ import annotations

import math

import pytest

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.proof.spaces import ADD, REMOVE, REPLACE_ONE, AffineMap, Edits
from tests.papers.skeletons.stubs import (
    ball,
    balls,
    flag,
    mean_sensitivity,
    planned,
    rho_gauss,
    rho_pure,
    state,
    stub,
    traced,
)

D, K, T = 8, 4, 3200
QUERY, PCA = 4.0, 6.0
COUNT, MEAN, GRAM = 3.0, 5.0, 7.0


def part(rows: Handle, s: Handle) -> dict[str, Handle]:
    """PCA recentred at the part's public mean, the public query is free, one private query."""
    scores = dp.transform("terrific_score", rows, balls(D, 1, s), size=1, t=T, c=2.0)
    query = dp.release("query", dp.laplace(noise_multiplier=QUERY), dp.transform("minimum", scores))
    pca = dp.release("pca", dp.gaussian(noise_multiplier=PCA), dp.gram(dp.clip(rows, ball(D, s))))
    dp.transform("partition_halfspace", rows, stub(AffineMap(D, 1), s, query, pca), name="children")
    return {"split": flag(s, query), "left": state(s, query), "right": state(s, query)}


def leaf(rows: Handle, s: Handle) -> Handle:
    inside = dp.clip(rows, ball(D, s))
    return state(
        dp.release("count", dp.laplace(noise_multiplier=COUNT), dp.count(rows)),
        dp.release("mean", dp.gaussian(noise_multiplier=MEAN), dp.mean(inside)),
        dp.release("gram", dp.gaussian(noise_multiplier=GRAM), dp.gram(inside)),
    )


def queue(x: Handle) -> Handle:
    return dp.worklist("queue", x, state(), part, leaf, max_depth=K - 1, max_leaves=K)


def part_cost(e: Edits) -> float:
    gram = math.hypot(e.removed, e.added) / math.sqrt(2)
    return rho_pure(1 / QUERY) + rho_gauss(gram / PCA)


def leaf_cost(e: Edits) -> float:
    gram = math.hypot(e.removed, e.added) / math.sqrt(2)
    return rho_pure(1 / COUNT) + rho_gauss(mean_sensitivity(e) / 2 / MEAN) + rho_gauss(gram / GRAM)


def test_total_is_the_hand_computation() -> None:
    """Unrolled: c₁₁ once, then either both rows go on together, or each follows a path of its own."""
    alone = [leaf_cost(REMOVE) + j * part_cost(REMOVE) for j in range(K)]  # by number of passes on the way
    together = leaf_cost(REPLACE_ONE)
    for depth in range(1, K):
        together = part_cost(REPLACE_ONE) + max(together, 2 * alone[depth - 1])
    assert planned(queue, d=D).loss.rho == pytest.approx(together, rel=1e-12)


def test_a_pass_touches_one_part() -> None:
    """Alg 6 makes up to 2k passes; a row meets at most max_depth of them, whatever the number of leaves."""
    few = planned(queue, d=D)

    def wide(x: Handle) -> Handle:
        return dp.worklist("queue", x, state(), part, leaf, max_depth=K - 1, max_leaves=2 * K)

    assert planned(wide, d=D).loss == few.loss


def test_query_is_one_laplace_test_of_sensitivity_one() -> None:
    made = planned(queue, d=D)
    weighing = made.weighings[("queue", "body", "query")]
    assert {type(m).__name__: m.bound for m in weighing.worst} == {"LInf": 1.0, "L1": 1.0, "L2": 1.0}


def test_children_must_split_the_rows_handed_in() -> None:
    def elsewhere(rows: Handle, s: Handle) -> dict[str, Handle]:
        near = dp.transform("filter_ball", rows, ball(D, s), name="near")[0]
        dp.transform("filter_ball", near, ball(D, s), name="children")
        return {"split": flag(s), "left": state(s), "right": state(s)}

    with pytest.raises(dp.PlanError, match=r"'queue'.*'children' must split the rows handed to the body"):
        planned(lambda x: dp.worklist("queue", x, state(), elsewhere, leaf, max_depth=2, max_leaves=4), d=D)


def test_children_by_index_are_refused() -> None:
    def by_index(rows: Handle, s: Handle) -> dict[str, Handle]:
        dp.transform("split", rows, count=2, name="children")
        return {"split": flag(s), "left": state(s), "right": state(s)}

    with pytest.raises(dp.PlanError, match=r"'queue'.*two-part partition by rule named 'children'"):
        planned(lambda x: dp.worklist("queue", x, state(), by_index, leaf, max_depth=2, max_leaves=4), d=D)


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        (("split", "left"), r"releases split, left and right"),
        (("split", "left", "right", "more"), r"releases split, left and right"),
    ],
)
def test_body_must_say_whether_to_split_and_give_states(outputs: tuple[str, ...], message: str) -> None:
    def body(rows: Handle, s: Handle) -> dict[str, Handle]:
        dp.transform("filter_ball", rows, ball(D, s), name="children")
        return {name: flag(s) if name == "split" else state(s) for name in outputs}

    with pytest.raises(dp.PlanError, match=message):
        traced(lambda x: dp.worklist("queue", x, state(), body, leaf, max_depth=2, max_leaves=4), d=D)


def test_under_add_remove() -> None:
    made = planned(queue, d=D, n=None, adjacency=dp.ADD_REMOVE)
    assert made.loss.rho == pytest.approx((K - 1) * part_cost(ADD) + leaf_cost(ADD), rel=1e-12)
