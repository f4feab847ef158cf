"""Whether a row is inside a ball is decided by its own numbers, whatever rows stand beside it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpframe.kernel.exact.lattice import squared_norms
from dpframe.kernel.operations import Batch
from dpframe.kernel.transforms.partition import FilterBall, inside
from dpframe.proof.spaces import BallValue


@pytest.mark.parametrize("d", [3, 7, 20])
def test_rows_at_the_edge_are_judged_alike_alone_and_in_company(d: int, rng: np.random.Generator) -> None:
    """On the sphere itself the last bit of a norm decides, and sums that are blocked by the batch differ in it."""
    rows = rng.standard_normal((200, d))
    flags = np.ones(len(rows), dtype=np.bool_)
    radii = [math.sqrt(math.fsum(x * x for x in row)) for row in rows.tolist()]
    differing = 0
    for i, radius in enumerate(radii):
        ball = BallValue(np.zeros(d), radius)
        together = inside(Batch(0, rows, flags), ball)
        alone = inside(Batch(0, rows[i : i + 1], flags[:1]), ball)
        shuffled = inside(Batch(0, np.asfortranarray(rows[i:]), flags[i:]), ball)
        assert together[i] == alone[0] == shuffled[0]
        differing += bool((((rows @ rows.T).diagonal() <= radius**2) != together).any())
    assert differing  # the broken twin: by a product of all rows


def test_a_part_is_of_those_inside() -> None:
    batch = Batch(0, np.array([[0.5], [2.0], [1.0]]), np.ones(3, dtype=np.bool_))
    assert FilterBall().assign(batch, None, BallValue(np.zeros(1), 1.0)).tolist() == [0, 1, 0]


@pytest.mark.parametrize("d", [3, 7, 20])
def test_squared_norms_have_the_same_bits_in_any_company(d: int, rng: np.random.Generator) -> None:
    rows = rng.standard_normal((300, d))
    together = squared_norms(rows)
    assert together.tolist() == [float(squared_norms(row[None])[0]) for row in rows]
    assert together.tolist() == squared_norms(np.asfortranarray(rows)).tolist()
