"""A histogram of log densities tells wrong sizes and rows far outside from a mixture that fits."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from dpframe.plugin import BallValue
from dpframe_plugins.practical import goodness
from dpframe_plugins.practical.likelihoods import FitEdges, Flat
from dpframe_plugins.practical.records import Mixture

PAIR = Mixture([0.4, 0.6], [[0.0, 0.0], [9.0, 0.0]], np.array([np.eye(2), 0.5 * np.eye(2)]))
SEED = 3


def table(rng: np.random.Generator, n: int = 20_000) -> np.ndarray:
    labels = (rng.random(n) < 0.6).astype(int)
    return PAIR.means[labels] + np.einsum("mab,mb->ma", PAIR.cholesky[labels], rng.standard_normal((n, 2)))


def released(rows: np.ndarray, std: float, rng: np.random.Generator) -> np.ndarray:
    """What the kernel counts by these edges, with noise."""
    first, second = FitEdges(seed=SEED).apply(PAIR)
    half = 0.5 * goodness.log_densities(PAIR, rows)
    cells = np.searchsorted(first, half, side="right") * (goodness.EDGES + 1)
    cells += np.searchsorted(np.sort(second), -half, side="right")
    counts = np.bincount(cells, minlength=(goodness.EDGES + 1) ** 2).astype(float)
    return counts + std * rng.standard_normal(counts.size)


def test_edges_take_no_matrix_a_row() -> None:
    """In 500 columns these were 40 GB, and every run ended as failed."""
    d = 100
    tracemalloc.start()
    try:
        edges = goodness.edges(Mixture([0.5, 0.5], np.zeros((2, d)), np.repeat(np.eye(d)[None], 2, axis=0)), 0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (np.diff(edges) > 0.0).all()
    assert peak < 8 * 8 * goodness.SAMPLES * d


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("std", [0.0, 50.0])
def test_rows_of_the_mixture_itself_fit(seed: int, std: float) -> None:
    """Sampling moves the mean by .007 nats, noise of 50 counts by .03: nothing near what is called."""
    rng = np.random.default_rng(seed)
    found = goodness.fit(PAIR, released(table(rng), std, rng), std, SEED)
    assert abs(found.shortfall) < 0.05 + 5.0 * found.error
    assert found.gain < 0.01
    assert found.beyond < 0.005


def test_rows_are_compared_with_those_of_a_result() -> None:
    """Rows of a wider mixture than the one whose densities are counted fit beside that one."""
    rng = np.random.default_rng(2)
    wide = Mixture(PAIR.weights, PAIR.means, 1.5 * PAIR.cholesky)
    rows = wide.means[(rng.random(20_000) < 0.6).astype(int)]
    rows = rows + np.einsum(
        "mab,mb->ma", wide.cholesky[(rows[:, 0] > 4.5).astype(int)], rng.standard_normal((20_000, 2))
    )
    counts = released(rows, 20.0, rng)
    assert goodness.fit(PAIR, counts, 20.0, SEED).gain > 0.05
    beside = goodness.fit(PAIR, counts, 20.0, SEED, result=wide)
    assert abs(beside.shortfall) < 0.05 + 5.0 * beside.error
    assert beside.gain < 0.01
    assert beside.beyond < 0.005
    narrow = goodness.fit(PAIR, released(table(rng), 20.0, rng), 20.0, SEED, result=wide)
    assert narrow.shortfall < -0.1


@pytest.mark.parametrize("far", [30.0, 1e4])
def test_one_row_in_a_hundred_far_out_is_called_unless_there_is_a_tail(far: float) -> None:
    rng = np.random.default_rng(1)
    rows = table(rng)
    rows[:200] += far * rng.standard_normal((200, 2))
    counts = released(rows, 25.0, rng)
    assert goodness.fit(PAIR, counts, 25.0, SEED).gain > 0.1
    assert goodness.fit(PAIR, counts, 25.0, SEED, tail=True).gain < 0.1


@pytest.mark.parametrize(("few", "called"), [(0, False), (20, False), (60, True)])
@pytest.mark.parametrize("seed", range(5))
def test_few_rows_far_outside_count_once_they_stand_out(few: int, called: bool, seed: int) -> None:
    """Sixty rows under a noise of 10 are six deviations; how far out they are is no reason to doubt them again."""
    rng = np.random.default_rng(seed)
    rows = table(rng, 12_000)
    rows[:few] += 500.0
    found = goodness.fit(PAIR, released(rows, 10.0, rng), 10.0, SEED)
    assert (found.wide > 0.05) == (called or found.outside > 0.0)
    assert called <= (found.outside > 0.0)
    assert found.outside == pytest.approx(few / 12_000, abs=0.004 if found.outside else 0.002)
    assert goodness.fit(PAIR, released(rows, 10.0, rng), 10.0, SEED, tail=True).wide == 0.0


def test_a_wide_component_gains_at_least_what_is_said() -> None:
    """Against the gain of the best wide component on a grid of weights and widths."""
    rng = np.random.default_rng(3)
    rows = table(rng, 12_000)
    rows[:60] += 20.0 * rng.standard_normal((60, 2)) + 40.0
    own = goodness.log_densities(PAIR, rows)
    centre = np.broadcast_to(rows.mean(axis=0), (1, 2))
    best = 0.0
    for width in 2.0 ** np.arange(1, 9):
        wide = goodness.log_densities(Mixture([1.0], centre, [width * np.eye(2)]), rows)
        for weight in (0.003, 0.006, 0.012):
            best = max(best, float((np.logaddexp(own + np.log1p(-weight), wide + np.log(weight)) - own).mean()))
    found = goodness.fit(PAIR, released(rows, 5.0, rng), 5.0, SEED)
    assert 0.1 < found.wide <= best


@pytest.mark.parametrize("std", [5.0, 60.0])
def test_rows_of_all_bins_far_outside_gain_at_least_what_is_said(std: float) -> None:
    """Three rows in a hundred of either cluster lie 3 to 30 nats below: no bin beyond those sees them."""
    rng = np.random.default_rng(4)
    rows = table(rng)
    rows[:1000] += 3.0 * rng.standard_normal((1000, 2))
    own = goodness.log_densities(PAIR, rows)
    wider = goodness.log_densities(
        Mixture(PAIR.weights, PAIR.means, 10.0 * PAIR.cholesky @ PAIR.cholesky.swapaxes(1, 2)), rows
    )
    best = max(
        float((np.logaddexp(own + np.log1p(-weight), wider + np.log(weight)) - own).mean())
        for weight in (0.01, 0.03, 0.05)
    )
    counts = released(rows, std, rng)
    found = goodness.fit(PAIR, counts, std, SEED)
    assert found.wide == 0.0
    assert 0.005 < found.beyond <= best
    assert goodness.fit(PAIR, counts, std, SEED, tail=True).beyond == 0.0


@pytest.mark.parametrize(("factor", "called"), [(1.0, False), (1.05, False), (1.5, True), (0.5, True)])
def test_wrong_sizes_gain_what_is_said(factor: float, called: bool) -> None:
    """About a bound from below: bins are wide."""
    rng = np.random.default_rng(2)
    rows = table(rng)
    near = rows[:, 0] < 4.5
    for part, mean in ((near, PAIR.means[0]), (~near, PAIR.means[1])):
        rows[part] = mean + factor * (rows[part] - mean)
    found = goodness.fit(PAIR, released(rows, 20.0, rng), 20.0, SEED)
    square = factor**2
    assert found.gain < 1.25 * (square - 1.0 - np.log(square)) + 0.02
    assert (found.gain > 0.05) == called


def test_the_flat_gaussian_is_flat_within_the_reach_of_maps() -> None:
    value = Flat().apply(BallValue(np.ones(2), 3.0))
    (only,) = value.maps
    assert np.abs(np.full(2, only.scale) @ only.matrix).max() < 1e-4


@pytest.mark.parametrize(("some", "is_open"), [(0, False), (150, False), (300, True), (900, False)])
@pytest.mark.parametrize("seed", range(3))
def test_few_rows_of_the_nearest_bin_outside_may_lie_at_its_far_edge(some: int, is_open: bool, seed: int) -> None:
    """Counts as they are, as if with a noise of 100: of many rows the shortfall tells. A tail takes them up."""
    rng = np.random.default_rng(seed)
    rows = table(rng, 12_000)
    rows[:some] = np.array([0.0, 6.0])
    counts = released(rows, 0.0, rng)
    found = goodness.fit(PAIR, counts, 100.0, SEED)
    assert (found.possible > 0.5) == is_open
    assert goodness.fit(PAIR, counts, 100.0, SEED, tail=True).possible == 0.0


@pytest.mark.parametrize(("far", "between", "called"), [(30, 0, False), (36, 0, True), (30, 30, True)])
def test_the_farthest_rows_alone_must_stand_out_more(far: int, between: int, called: bool) -> None:
    """Of a noise of 10: three deviations are chance in one run of a thousand, unless rows lie between, too."""
    counts = np.zeros((goodness.EDGES + 1, goodness.EDGES + 1))
    counts[:, -1] = [far, between, 0, *10_000.0 * np.diff([0.0, *goodness.QUANTILES, 1.0])]
    given = counts.copy()
    found = goodness.fit(PAIR, counts, 10.0, SEED)
    assert (found.wide > 0.05) == called
    assert (found.beyond > 0.02) == called
    assert (counts == given).all()
