"""``cap``, ``minimum`` and ``maximum``: 1-Lipschitz in ℓ∞, and exact on the scores' lattice."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.errors import PlanError
from dpframe.operations import Exact, Query
from dpframe.queries.scores import Cap, Maximum, Minimum
from dpframe.spaces import Counts, LInf, Vector

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


def test_scores_of_two_lattices_and_vectors_are_refused() -> None:
    with pytest.raises(PlanError, match="one lattice, not in steps of 1/4, 1/8"):
        Minimum().step((Fraction(1, 4), Fraction(1, 8)))
    assert Maximum().step((Fraction(1, 4), Fraction(1, 4))) == Fraction(1, 4)
    with pytest.raises(PlanError, match="takes Counts"):
        Cap(t=3).output(Vector(2))
    with pytest.raises(PlanError, match="at least one input"):
        Maximum().output()
    assert Minimum().output(Counts(3), Counts(1)) == Counts(1)
