"""Fits of noisy cells: integrals and slopes against differences, recovery, stray rows, and no error on any input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from dpframe_plugins.aal21 import candidates, fitting, starts

Cells, Model = fitting.Cells, fitting.Model
TRUTH = Model(np.array([30_000.0, 70_000.0]), np.array([[0.0], [6.0]]), np.array([[1.0], [3.0]]))


def noisy(edges: Any, model: Any, noise: float, seed: int) -> Any:
    """Cells of a model with Poisson rows and normal noise."""
    shape = tuple(len(e) + 1 for e in edges)
    blank = Cells(edges, np.zeros(shape), noise)
    rng = np.random.default_rng(seed)
    counts = rng.poisson(fitting.expected(blank, model)) + noise * rng.standard_normal(blank.counts.size)
    return Cells(edges, counts.reshape(shape), noise)


def two_columns() -> Any:
    return Model(np.array([300.0, 700.0]), np.array([[0.0, 1.0], [3.0, -1.0]]), np.array([[1.0, 0.5], [2.0, 1.0]]))


@pytest.mark.parametrize(("mean", "sd"), [(0.0, 1.0), (6.0, 0.01), (-30.0, 2.0), (0.3, 1e-6), (0.0, 1e6)])
def test_cell_masses_are_those_of_the_normal_law(mean: float, sd: float) -> None:
    edges = np.array([-40.0, -1.0, 0.0, 0.5, 7.0, 35.0])
    masses = fitting._integrals(edges, mean, sd)[0]
    full = np.concatenate([[-np.inf], edges, [np.inf]])
    z = np.clip((full - mean) / sd, -fitting.FARTHEST, fitting.FARTHEST)
    wanted = np.where(z[1:] < 0, np.diff(norm.cdf(z)), -np.diff(norm.sf(z)))
    assert masses == pytest.approx(wanted, abs=1e-12)
    assert masses.sum() == pytest.approx(1.0, abs=1e-12)


def test_slopes_are_those_of_the_expected_counts() -> None:
    model = two_columns()
    fine = tuple((np.linspace(-4, 7, m), np.zeros(m + 1)) for m in (9, 4))
    cells = Cells((np.linspace(-3, 6, 7), np.linspace(-2, 3, 5)), np.zeros((8, 6)), 1.0, None, fine, 2.0)
    total, rows = fitting._jacobian(cells, model)
    assert total == pytest.approx(fitting.expected(cells, model))
    for p in range(len(rows)):
        step = np.zeros(len(rows))
        step[p] = 1e-5
        above = fitting.expected(cells, fitting._moved(cells, model, step))
        below = fitting.expected(cells, fitting._moved(cells, model, -step))
        assert rows[p] == pytest.approx((above - below) / 2e-5, rel=1e-4, abs=1e-4)


def bias(cells: int, noise: float, *, cut: bool = False) -> float:
    """Largest mean error of a parameter over 40 fits, in standard errors."""
    found, edges = [], (np.linspace(-6.0, 16.0, cells),)
    for seed in range(40):
        made = noisy(edges, TRUTH, noise, seed)
        counts = np.maximum(made.counts, 0.0) if cut else made.counts
        found.append(fitting.refit(Cells(edges, counts, noise), TRUTH)[0])
    worst = 0.0
    for name in ("amplitudes", "means", "sds"):
        values = np.array([getattr(m, name).ravel() for m in found])
        error = values.std(axis=0) / np.sqrt(len(values))
        worst = max(worst, float((np.abs(values.mean(axis=0) - getattr(TRUTH, name).ravel()) / error).max()))
    return worst


@pytest.mark.parametrize("cells", [30, 300])
def test_a_fit_is_unbiased_in_spite_of_empty_noisy_cells(cells: int) -> None:
    """5.5 standard errors are passed by none of six means but with probability under 1e-6."""
    assert bias(cells, 300.0) < 5.5


def test_counts_cut_at_0_are_caught() -> None:
    """The broken twin: without its negative half, the noise of empty cells looks like rows."""
    assert bias(300, 300.0, cut=True) > 8.0


def test_known_deviations_stay() -> None:
    cells = noisy((np.linspace(-6, 12, 80),), Model(TRUTH.amplitudes, TRUTH.means, np.ones((2, 1))), 5.0, 1)
    cells = Cells(cells.edges, cells.counts, cells.noise, np.ones(1))
    for model, _ in candidates.fits(cells, 2, 0):
        assert (model.sds == 1.0).all()
        assert np.sort(model.means[:, 0]) == pytest.approx([0.0, 6.0], abs=0.05)


def test_candidates_are_found_from_nothing() -> None:
    cells = noisy((np.linspace(-8, 20, 150),), TRUTH, 8.0, 3)
    found = candidates.candidates(cells, 2, 0)
    assert len(found) <= 2 * 2 + 4
    best = min(found, key=lambda m: fitting.refit(cells, m)[1])
    order = np.argsort(best.means[:, 0])
    assert best.means[order, 0] == pytest.approx([0.0, 6.0], abs=0.15)
    assert best.sds[order, 0] == pytest.approx([1.0, 3.0], rel=0.05)


def test_stray_rows_do_not_pull_a_robust_fit() -> None:
    cells = noisy((np.linspace(-8, 20, 150),), TRUTH, 8.0, 4)
    cells.counts[-12:] += 400.0
    pulled = candidates.fits(cells, 2, 0)[0][0]
    kept = candidates.robust(cells, pulled)
    assert abs(kept.sds.max() - 3.0) < 0.1
    assert abs(pulled.sds.max() - 3.0) > 2 * abs(kept.sds.max() - 3.0)


def test_finer_columns_tell_widths_that_product_cells_do_not() -> None:
    """Two cells a column show one number of two; with the columns alone on finer cells both parameters are found."""
    truth = Model(np.full(2, 50_000.0), np.array([[0.0, 0.0], [9.0, 9.0]]), np.array([[1.0, 2.0], [0.5, 1.0]]))
    edges = (np.array([4.5]), np.array([4.5]))
    joint = noisy(edges, truth, 8.0, 5)
    fine = []
    for j in (0, 1):
        column = Model(truth.amplitudes, truth.means[:, j : j + 1], truth.sds[:, j : j + 1])
        made = noisy((np.linspace(-8, 12, 80),), column, 20.0, 6 + j)
        fine.append((made.edges[0], made.counts))
    both = Cells(edges, joint.counts, 8.0, None, tuple(fine), 20.0)
    begin = Model(truth.amplitudes, truth.means + 0.5, truth.sds * 1.5)
    assert fitting.refit(both, begin)[0].sds == pytest.approx(truth.sds, rel=0.05)
    assert np.abs(np.log(fitting.refit(joint, begin)[0].sds / truth.sds)).max() > 0.2


def test_merged_cells_keep_rows_and_noise() -> None:
    cells = Cells((np.arange(6.0), np.arange(3.0)), np.arange(28.0).reshape(7, 4), 2.0)
    merged = starts.coarsened(cells)
    assert merged.counts.shape == (4, 2)
    assert merged.counts.sum() == cells.counts.sum()
    assert [e.tolist() for e in merged.edges] == [[1.0, 3.0, 5.0], [1.0]]
    assert merged.noise == 4.0


numbers = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1e5, -1e5])


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 3), st.integers(1, 2), st.data())
def test_any_counts_give_usable_models_or_none(k: int, d: int, data: st.DataObject) -> None:
    edges = []
    for _ in range(d):
        inner = data.draw(st.lists(st.floats(-5, 5), min_size=1, max_size=6, unique=True))
        edges.append(np.unique(inner))
    shape = tuple(len(e) + 1 for e in edges)
    size = int(np.prod(shape))
    counts = data.draw(st.lists(numbers, min_size=size, max_size=size))
    noise = data.draw(st.sampled_from([0.0, 1.0, 1e4]))
    cells = Cells(tuple(edges), np.array(counts).reshape(shape), noise)
    with np.errstate(all="ignore"):
        usable = [m for m in candidates.candidates(cells, k, 0) if candidates.is_usable(m)]
    if usable:
        packed = candidates.packed(usable, k)
        assert packed.weights.shape == (len(usable), k)
        assert packed.weights.sum(axis=1) == pytest.approx(1.0)
