"""Which blocks are near one another: on both sides alike, one component to one, and only where floats can tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families.block_mixtures import _one_each, near_blocks, read_blocks
from dpframe.proof.families.populous import closeness


def block(mean: float, variance: float) -> tuple[Any, ...]:
    return np.ones(1), np.array([[mean]]), np.array([[[variance]]])


def test_nearness_is_the_same_from_both_sides() -> None:
    """A step of one's own deviation is less than that of a wider one's: asked from one side alone, a block would be
    near one that is not near it, and by more than the average may move."""
    r, rng = 0.7, np.random.default_rng(2)
    nu = closeness(r)
    edge = [block(0.0, 1.0), block(nu * 1.05, 1.25)]
    near = near_blocks(read_blocks(edge, 1, 1, r), r)
    assert near.tolist() == [[True, False], [False, True]]
    assert nu * 1.05 / 1.25**0.5 < nu  # the wider one's view alone
    drawn = [block(float(m), float(v)) for m, v in zip(rng.uniform(0, 1, 200), rng.uniform(1, 1.3, 200), strict=True)]
    found = near_blocks(read_blocks(drawn, 1, 1, r), r)
    assert (found == found.T).all()
    assert 200 < found.sum() < 200**2


@pytest.mark.parametrize(
    ("hits", "matched"),
    [
        ([[1, 0], [0, 1]], True),
        ([[0, 1], [1, 0]], True),
        ([[1, 0], [1, 0]], False),
        ([[1, 1], [0, 0]], False),
        ([[1, 1], [0, 1]], False),
        ([[0, 0], [0, 1]], False),
    ],
)
def test_a_component_has_one_partner_and_is_one(hits: list[list[int]], matched: bool) -> None:
    """By its rows alone two components of a block have one partner, and one of the other block has none."""
    both = np.array(hits, dtype=bool)[None, :, None, :]
    assert _one_each(both).tolist() == [[matched]]
    assert _one_each(both.transpose(2, 3, 0, 1)).tolist() == [[matched]]


@pytest.mark.parametrize("share", [1e-3, 1e-4, 1e-5])
def test_a_block_whose_shape_floats_blur_counts_for_nothing(share: float) -> None:
    """Nearly flat, its distances are rounded by more than a small r leaves room for: then it is no block at all."""
    flat = np.array([[1.0, (1 - share) ** 0.5], [(1 - share) ** 0.5, 1.0]])
    results = [(np.ones(1), np.zeros((1, 2)), flat[None]), (np.ones(1), np.zeros((1, 2)), np.eye(2)[None])]
    assert read_blocks(results, 1, 2, 0.7).valid.tolist() == [True, True]
    assert read_blocks(results, 1, 2, 2e-5).valid.tolist() == [False, True]
