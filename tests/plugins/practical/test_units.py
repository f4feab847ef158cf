"""Columns of very different units: found from pairs of rows, and no loss to the mixture."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dpframe as dp
from dpframe.front.specs import load_spec
from dpframe.proof.spaces import MixtureValue
from dpframe_plugins.practical import units

BINS = 40


def histograms(*places: int, rows: float = 1000.0) -> np.ndarray:
    """One column each, its rows in the bin of that number."""
    counts = np.zeros((len(places), BINS))
    counts[np.arange(len(places)), places] = rows
    return counts


def pair_counts(told: np.ndarray, pairs: int, rng: np.random.Generator) -> np.ndarray:
    """Counts of pairs of Gaussian columns of deviations ``2**told``."""
    far = np.abs(np.diff(rng.normal(size=(2, pairs, told.size)), axis=0)[0]) * 2.0**told
    octave = np.ceil(np.log2(far)).astype(int) + 1000
    return np.array([np.bincount(column, minlength=2099) for column in octave.T]).astype(float)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        (histograms(20, 10, 30), [-10.0, -20.0, 0.0]),
        (histograms(20, 19, 19), [0.0, 0.0, 0.0]),  # within a factor of 4
        (histograms(20, 19, 18), [0.0, -1.0, -2.0]),
        (histograms(20, 17, 15), [0.0, -3.0, -5.0]),
        (histograms(20, 5, rows=3.0), [0.0, 0.0]),  # all noise
        (np.vstack([histograms(5), histograms(30), histograms(9, rows=0.0)]), [-25.0, 0.0, 0.0]),  # a constant column
    ],
)
def test_the_widest_column_stays_and_the_others_are_magnified(counts: np.ndarray, expected: list[float]) -> None:
    assert units.exponents(counts, 5.0).tolist() == expected


def test_a_few_far_pairs_do_not_widen_a_column() -> None:
    counts = histograms(10, 30)
    counts[0, 39] = 80.0
    assert units.exponents(counts, 1.0).tolist() == [-20.0, 0.0]


def test_the_bound_and_the_mixture_go_there_and_back() -> None:
    found = np.array([0.0, -10.0])
    ball = units.Bounding(bound=3.0).apply(found)
    assert (ball.centre.tolist(), ball.radius) == ([0.0, 0.0], 3.0 * 2**10)
    made = units.TableUnits().apply(MixtureValue(np.ones(1), np.ones((1, 2)), np.eye(2)[None]), found)
    assert made.means.tolist() == [[1.0, 2.0**-10]]
    assert made.covariances.tolist() == [[[1.0, 0.0], [0.0, 2.0**-20]]]
    far = units.TableUnits().apply(MixtureValue(np.ones(1), np.ones((1, 2)), np.eye(2)[None]), np.array([0.0, -900.0]))
    assert "floating point" in far.reason


def test_means_outside_the_bound_are_moved_onto_it() -> None:
    model, bounded = MixtureValue(np.ones(1), np.full((1, 2), 3.0), np.eye(2)[None]), units.TableUnits(bound=5.0)
    assert bounded.apply(model, np.zeros(2)).means.tolist() == [[3.0, 3.0]]
    np.testing.assert_allclose(bounded.apply(model, np.array([0.0, -1.0])).means, [[3.0, 1.5]])
    np.testing.assert_allclose(bounded.apply(model, np.array([1.0, 1.0])).means, [[12.5**0.5] * 2])
    np.testing.assert_allclose(bounded.apply(model, np.array([400.0, 1.0])).means, [[5.0, 0.0]], atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["k=2", "k_max=2"])
def test_so_few_rows_that_the_search_fails_leave_means_within_the_bound(key: str, rng: np.random.Generator) -> None:
    """Without the move one of them lies 7 to 1,300 times the bound from 0 in each of twelve runs with k=2."""
    rows = rng.standard_normal((200, 2)) + np.array([5.0, 0.0]) * rng.integers(0, 2, 200)[:, None]
    plan = load_spec("practical_gmm", ["n=200", "d=2", "epsilon=1", key, "bound=20"]).plan()
    found = [plan.run(x=rows, simulate=seed)["mixture"] for seed in range(4)]
    farthest = [np.linalg.norm(one.means, axis=1).max() for one in found]
    assert max(farthest) == pytest.approx(20.0)


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", [dp.REPLACE_ONE, dp.ADD_REMOVE], ids=lambda a: a.name)
def test_units_cost_the_mixture_nothing(adjacency: dp.Adjacency, rng: np.random.Generator) -> None:
    """Two components that only the column in the smallest unit tells apart; without ``units`` they are lost."""
    n, stretch = 50_000, np.array([1e-3, 1e4])
    rows = rng.standard_normal((n, 2)) + np.array([8.0, 0.0]) * rng.integers(0, 2, n)[:, None]
    declared = dp.rows(d=2, n=n if adjacency is dp.REPLACE_ONE else None)
    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)

    def found(program: object) -> bool:
        plan = dp.plan(dp.program(program), x=declared, adjacency=adjacency, budget=budget)
        model = plan.run(x=rows * stretch, simulate=7)["mixture"]
        gap, widths = np.ptp(model.means[:, 0]), np.sqrt(model.covariances[:, 0, 0])
        return math.isclose(gap / stretch[0], 8.0, abs_tol=0.3) and bool((widths < 1.5 * stretch[0]).all())

    def whole(x: dp.Handle) -> dict[str, dp.Handle]:
        return {"mixture": dp.release("mixture", dp.recipe("practical_mixture", k=2, bound=1e7), x)}

    def without(x: dp.Handle) -> dict[str, dp.Handle]:
        located = dp.apply("located", dp.recipe("practical.locate", bound=1e7, share=0.05), x)
        ball, count = located["ball"], located["count"]
        first = dp.apply("first", dp.recipe("practical.seed", k=2, share=0.2), x, ball, count)
        refine = dp.recipe("practical.refine", k=2, share=0.75)
        return {"mixture": dp.apply("mixture", refine, x, ball, count, first)}

    assert found(whole)
    assert not found(without)


@pytest.mark.parametrize(("bound", "value"), [("1e300", 1.7e308), ("1e-90", 1e-90), ("1e-90", 0.0)])
def test_bounds_at_the_ends_of_floats_end_in_an_answer(bound: str, value: float) -> None:
    """A run that has spent its budget says so: it is released or failed, never an error."""
    spec = load_spec("practical_gmm", ["n=3000", "d=2", "epsilon=1000", "k=2", f"bound={bound}"])
    assert spec.plan().run(x=np.full((3000, 2), value), simulate=1).status in ("released", "failed")


def test_columns_show_by_several_octaves_where_each_drowns(rng: np.random.Generator) -> None:
    """5,000 pairs of 22 columns, noise of 280: seven had no bin that stood out, and were left as they were."""
    told = rng.integers(-8, 1, 22).astype(float)
    told[:2] = 0.0, -8.0
    counts = pair_counts(told, 5_000, rng) + 280.0 * rng.normal(size=(22, 2099))
    alone = units.occupied(counts.ravel(), 280.0).reshape(counts.shape).sum(axis=1) > 0.0
    assert not alone.all()
    found = units.exponents(counts, 280.0)
    assert np.abs(found - told).max() <= 1.0
    place, held = units.octaves(counts, 280.0, [])
    assert held.all()
    assert np.abs(place - 1000 - np.ceil(told + np.log2(1.645 * 2**0.5))).max() <= 1.0


def test_columns_of_which_no_bin_shows_have_units_all_the_same(rng: np.random.Generator) -> None:
    """2,600 pairs of 40 columns, noise of 300: left as they are, 24 would be within an octave of the median.

    One is farther off with a chance of .02 (of .04: fewer than 29 are near in one table of 1e7).
    """
    told = np.repeat([0.0, -2.0, -3.0, -4.0, -6.0], 8)
    counts = pair_counts(told, 2_600, rng) + 300.0 * rng.normal(size=(40, 2099))
    assert not units.occupied(counts.ravel(), 300.0).any()
    off = units.exponents(counts, 300.0) - told
    assert (np.abs(off - np.median(off)) <= 1.0).sum() >= 29
    assert (np.abs(told - np.median(told)) <= 1.0).sum() == 24


def test_a_column_of_many_ties_keeps_its_octave_beside_a_constant_one(rng: np.random.Generator) -> None:
    """One in three of its pairs is no tie: less than half of what a Gaussian column shows, but clear by single bins."""
    counts = np.vstack([pair_counts(np.array([0.0, -4.0, -8.0]), 3_000, rng), np.zeros((1, 2099))])
    counts[2] /= 3.0
    np.testing.assert_array_equal(units.exponents(counts, 10.0), [0.0, -4.0, -8.0, 0.0])


def test_a_constant_column_among_gaussian_ones_is_left_as_it_is(rng: np.random.Generator) -> None:
    told = np.repeat([0.0, -4.0], 10)
    counts = np.vstack([pair_counts(told, 2_600, rng), np.zeros((1, 2099))]) + 20.0 * rng.normal(size=(21, 2099))
    np.testing.assert_array_equal(units.exponents(counts, 20.0), [*told, 0.0])


def test_noise_alone_leaves_columns_as_they_are(rng: np.random.Generator) -> None:
    assert not units.exponents(280.0 * rng.normal(size=(22, 2099)), 280.0).any()


def test_columns_far_apart_show_by_several_octaves_where_no_bin_does(rng: np.random.Generator) -> None:
    """2,600 pairs, noise of 134: all columns were looked for within ten octaves of one of them.

    What a column shows is 9.3 deviations of the noise, of which 5.3 would do: one of five is missed in a run of 6,000.
    """
    told = np.array([0.0, -15.0, -30.0, -45.0, -60.0])
    counts = pair_counts(told, 2_600, rng) + 134.0 * rng.normal(size=(5, 2099))
    assert np.abs(units.exponents(counts, 134.0) - told).max() <= 1.0


def test_units_eighteen_orders_apart_are_learned(rng: np.random.Generator) -> None:
    """Covariances from 1e-18 to 1e18: judged by their smallest eigenvalue in float64 they were no covariances."""
    n, stretch = 20_000, np.array([1e-9, 1.0, 1e9])
    rows = rng.standard_normal((n, 3)) + 8.0 * rng.integers(0, 2, n)[:, None]
    plan = load_spec("practical_gmm", [f"n={n}", "d=3", "epsilon=1", "k=2", "bound=1e12"]).plan()
    model = plan.run(x=rows * stretch, simulate=1)["mixture"]
    widths = np.sqrt(np.diagonal(model.covariances, axis1=1, axis2=2)) / stretch
    np.testing.assert_allclose(widths, 1.0, atol=0.1)
