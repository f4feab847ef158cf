"""What one block may weigh and who counts as near, at the very edges; and what a plugin that raises says of a block."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families import mixture_mask
from dpframe.kernel.families.block_average import BlockWeight
from dpframe.kernel.families.block_mixtures import MARGIN, MOST_OFFSET, near_blocks, read_blocks
from dpframe.kernel.families.block_models import SelectBlock
from dpframe.kernel.families.density_scores import FARTHEST, log_densities
from dpframe.kernel.families.hypotheses import Hypotheses
from dpframe.kernel.families.interval_scores import masses
from dpframe.kernel.families.mixture_mask import BITS, FINE, PARTS, _above_least, _component
from dpframe.kernel.families.mixture_selection import SelectMixture
from dpframe.kernel.families.populous import PopulousWeight
from dpframe.kernel.families.registered_averages import RegisteredWeight
from dpframe.kernel.families.registered_models import SelectRegistered
from dpframe.kernel.families.registering import Family, semimetric
from dpframe.kernel.operations import Exact
from dpframe.proof.families.populous import closeness

T = 24


def mixture(mean: float) -> Any:
    return np.ones(1), np.array([[mean]]), np.array([[[1.0]]])


@semimetric("bounds.raising", triangle=lambda r: 1.0)
def raising(a: Any, b: Any) -> float:
    """Says nothing of what is far."""
    gap = float(np.abs(a - b).max())
    if gap > 50:
        raise ValueError
    return gap


def _unusable(value: Any, r: float) -> bool:
    raise ValueError


@semimetric("bounds.unusable", triangle=lambda r: 1.0, usable=_unusable)
def unusable(a: Any, b: Any) -> float:
    """Raises when it is asked which values it can take."""
    return float(np.abs(a - b).max())


def test_no_block_weighs_more_than_one() -> None:
    """All blocks are near all: beyond majority and ramp a count adds nothing, else one block would move W by more."""
    same: dict[str, Any] = {"r": 0.7, "d": 1, "majority": 12, "ramp": 2}
    points, mixtures = Exact([(np.zeros(1),)] * T), Exact([mixture(0.0)] * T)
    assert BlockWeight(**same).evaluate(points).floats.tolist() == [T]
    assert RegisteredWeight(semimetric="euclidean", **same).evaluate(points).floats.tolist() == [T]
    assert PopulousWeight(k=1, **same).evaluate(mixtures).floats.tolist() == [T]


@pytest.mark.parametrize(("share", "expected"), [(1 - 2 * MARGIN, True), (1 - MARGIN / 2, False)])
def test_means_near_the_edge_are_not_near(share: float, expected: bool) -> None:
    """Distances err by up to the margin, so what is within it of the bound counts for nothing."""
    r = 0.7
    blocks = read_blocks([mixture(0.0), mixture(closeness(r) * share)], 1, 1, r)
    assert near_blocks(blocks, r).tolist() == [[True, expected], [expected, True]]


def test_a_block_too_far_for_floats_counts_for_nothing() -> None:
    far = [mixture(MOST_OFFSET / 2), mixture(MOST_OFFSET * 2), mixture(-MOST_OFFSET * 2)]
    assert read_blocks(far, 1, 1, 0.7).valid.tolist() == [True, False, False]


def test_what_raises_separates_nothing_and_is_not_usable() -> None:
    made: dict[str, Any] = {"r": 1.0, "d": 1, "k": 2, "majority": 12, "ramp": 2}
    for gap, expected in ((20.0, T), (100.0, 0)):
        blocks = Exact([(np.array([[0.0], [gap]]),)] * T)
        assert RegisteredWeight(semimetric="bounds.raising", **made).evaluate(blocks).floats.tolist() == [expected]
    blocks = Exact([(np.array([[0.0], [20.0]]),)] * T)
    assert RegisteredWeight(semimetric="bounds.unusable", **made).evaluate(blocks).floats.tolist() == [0]


@pytest.mark.parametrize("near", [2, 3])
def test_exactly_a_majority_is_none(near: int) -> None:
    """Neighbourhoods of half of the blocks need not share one, so a block is chosen by more than that."""
    values = [7.0 if i < near else 1e4 * (i + 1) for i in range(4)]
    points, mixtures = Exact([(np.array([v]),) for v in values]), Exact([mixture(v) for v in values])
    wanted = 7.0 if near > 2 else 0.0
    of_registered = SelectRegistered(semimetric="euclidean", r=1.0, d=1, majority=2, test_threshold=0.9)
    assert of_registered.evaluate(points, None).floats.tolist() == [wanted]
    of_block = SelectBlock(r=1.0, d=1, theta=0.5, test_threshold=0.9)
    assert of_block.evaluate(points, None).floats.tolist() == [wanted]
    of_mixture = SelectMixture(k=1, d=1, nu=0.3, majority=2, test_threshold=0.9)
    assert of_mixture.evaluate(mixtures, None).integers[1].tolist() == [[wanted]]


# ------------------------------------------------------------------------------------------- masks


def test_no_number_of_a_mask_is_used_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weight, mean and covariance have noise of their own: each number of it moves one of them alone."""
    d = 2
    etas = dict.fromkeys(PARTS, Fraction(1))

    def released(at: int | None) -> list[Any]:
        one = [(1 << BITS) if i == at else 0 for i in range(1 + d + d * d)]
        monkeypatch.setattr(mixture_mask, "fine_gaussians", lambda source, count: one[:count])
        return list(_component(0.5, [0.0, 0.0], np.eye(d), etas, None))  # type: ignore[arg-type]

    still = released(None)
    moved = [[j for j, part in enumerate(released(at)) if part != still[j]] for at in range(1 + d + d * d)]
    assert moved == [[0], [1], [1], [2], [2], [2], [2]]


@pytest.mark.parametrize("cell", [3, -3, 0])
def test_within_a_cell_of_a_gaussian_the_density_falls_outwards(cell: int) -> None:
    """The exponent above the cell's least: none at the inner end, and x²/2 less the least at the outer one."""
    half, middle = 1 << (FINE - 1), cell << FINE
    inner = 0 if not cell else middle - half if cell > 0 else middle + half
    outer = middle + half if cell >= 0 else middle - half
    assert _above_least(cell, inner) == 0
    assert _above_least(cell, outer) == Fraction(outer**2 - inner**2, 2) / (1 << BITS) ** 2 > 0


# ------------------------------------------------------------------------------------------ scores


def test_masses_of_cells_are_whole_steps() -> None:
    """Sums of them are exact below 2^53; of other numbers a row of one cell would decide about all last digits."""
    edges = np.linspace(-3.0, 3.0, 40)
    listed = Hypotheses.of([[0.3, 0.7]], [[[0.1], [1.2]]], [[[0.7], [1.9]]])
    for tile in masses(listed, slice(0, 1), edges, 1000):
        assert (tile == np.rint(tile)).all()


def test_a_row_at_which_a_density_fails_leaves_the_others_to_the_last_digit() -> None:
    def by_number(rows: Any, theta: Any) -> Any:
        if np.abs(rows).max() > 10:
            raise ValueError("out of range")
        return rows[:, 0] + (2.0**-19 if len(rows) == 1 else 0.0)

    def none(*given: Any) -> None:
        """Not asked for here."""

    known = Family("bounds.by_number", by_number, size=lambda d: d, sample=none, fit=none, example=none)
    rows, theta = np.arange(1.0, 6.0)[:, None], np.ones((1, 1))
    wanted, rows[2] = log_densities(known, rows, theta)[0], 11.0
    found = log_densities(known, rows, theta)[0]
    assert found[2] == FARTHEST
    assert np.delete(found, 2).tolist() == np.delete(wanted, 2).tolist()


def test_a_density_cannot_write_into_what_was_released() -> None:
    def greedy(rows: Any, theta: Any) -> Any:
        rows[:], theta[:] = 0.0, 0.0
        return np.zeros(len(rows))

    def none(*given: Any) -> None:
        """Not asked for here."""

    known = Family("bounds.greedy", greedy, size=lambda d: d, sample=none, fit=none, example=none)
    values, theta = np.ones((3, 2)), np.ones(2)
    log_densities(known, values, theta[None])
    assert (values == 1).all()
    assert (theta == 1).all()
