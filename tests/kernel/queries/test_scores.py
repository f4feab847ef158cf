"""``cap``, ``minimum`` and ``maximum``: 1-Lipschitz in ℓ∞, and exact on the scores' lattice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpframe.front.api as dp
from dpframe.errors import PlanError
from dpframe.front.program import apply
from dpframe.kernel.operations import Exact, Query
from dpframe.kernel.queries.scores import Cap, Maximum, Minimum
from dpframe.kernel.registry import build
from dpframe.proof.spaces import Counts, LInf, Vector

SCORES = st.lists(st.integers(-50, 50), min_size=3, max_size=3)


def exact(values: list[int], step: Fraction = Fraction(1, 4)) -> Exact:
    return Exact(np.array(values, dtype=np.int64), step)


def gap(a: Exact, b: Exact) -> Fraction:
    return int(np.abs(a.integers - b.integers).max()) * a.step


@pytest.mark.parametrize("query", [Cap(t=3), Minimum(), Maximum()], ids=lambda q: q.name)
@given(a=SCORES, b=SCORES, c=SCORES)
def test_no_query_moves_more_than_its_scores(query: Query, a: list[int], b: list[int], c: list[int]) -> None:
    inputs = [(exact(a), exact(b))] if isinstance(query, Cap) else [(exact(a), exact(b)), (exact(c), exact(a))]
    moved = max(gap(x, y) for x, y in inputs)
    one, other = query.evaluate(*(x for x, _ in inputs)), query.evaluate(*(y for _, y in inputs))
    assert gap(one, other) <= moved


def test_values() -> None:
    assert Cap(t=3).evaluate(exact([11, 12, 13])).integers.tolist() == [11, 12, 12]
    assert Minimum().evaluate(exact([5, 7, 9]), exact([6, 2, 8])).integers.tolist() == [2]
    assert Maximum().evaluate(exact([5, 7, 9]), exact([6, 2, 8])).integers.tolist() == [9]


def test_bounds_of_several_inputs_are_the_largest() -> None:
    rule = Minimum().cited().rule
    assert {type(m).__name__: m.bound for m in rule({"scalar": True}, ((LInf(1.0),), (LInf(2.5),)))} == {
        "LInf": 2.5,
        "L1": 2.5,
        "L2": 2.5,
    }
    assert Cap(t=3).cited().rule({}, ((LInf(1.0),),)) == (LInf(1.0),)


def test_scores_of_two_lattices_are_compared_exactly() -> None:
    both = exact([1, 2, 3], Fraction(1)), exact([7, 16, 25], Fraction(1, 8))
    assert (Minimum().evaluate(*both).integers.tolist(), Minimum().evaluate(*both).step) == ([7], Fraction(1, 8))
    assert Maximum().evaluate(exact([1], Fraction(1, 9)), exact([1], Fraction(1, 8))).integers.tolist() == [9]
    assert Maximum().step((Fraction(1, 9), Fraction(1, 8))) == Fraction(1, 72)


def test_vectors_are_refused() -> None:
    with pytest.raises(PlanError, match="takes Counts"):
        Cap(t=3).output(Vector(2))
    with pytest.raises(PlanError, match="at least one input"):
        Maximum().output()
    assert Minimum().output(Counts(3), Counts(1)) == Counts(1)


@dp.program
def first_above(x: Any) -> Any:
    """Whether Σ x² of numbers in [−1, 1], capped far above it, is large."""
    rows = dp.clip(x, dp.ball(centre=[0.0], radius=1.0), bits=26)
    capped = apply("capped", build("cap", {"t": 4096}), dp.square_sum(rows, bits=26))
    return dp.release("first", dp.above_threshold(threshold=900.0, share=1.0), capped)


def test_a_cap_raises_for_no_total() -> None:
    """It raised below 2^62 steps and not above: on one of two neighbours."""
    plan = dp.plan(
        first_above, x=dp.rows(n=1024, d=1), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6)
    )
    table = np.ones((1024, 1))
    for moved in (1.0, 0.0):
        table[0] = moved
        assert plan.run(x=table, simulate=1)["first"] == 0
