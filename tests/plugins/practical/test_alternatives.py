"""Optima that the released cells prefer to the result."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

from dpframe_plugins.practical import dense
from dpframe_plugins.practical.alternatives import better
from dpframe_plugins.practical.cells import Points
from dpframe_plugins.practical.deconvolution import Starts, first_mixtures
from dpframe_plugins.practical.judging import ELSEWHERE, FEWER
from dpframe_plugins.practical.records import Mixture
from dpframe_plugins.practical.subspace import identity_subspace

SIDE = 0.5
PLACES = (-30.0, 0.0, 7.0, 30.0)
"""Four clusters of deviation 1 on a line."""


def cells(rows: float) -> Points:
    at = np.arange(-36.0, 36.0, SIDE)
    density = sum(np.exp(-0.5 * (at - place) ** 2) for place in PLACES)
    held = density > 1e-3
    return Points(at[held, None], rows * density[held] / density.sum(), np.full(held.sum(), SIDE**2 / 12.0))


def on_a_line(*places: float, sd: float = 1.0) -> Mixture:
    k = len(places)
    return Mixture(np.full(k, 1.0 / k), np.array(places)[:, None], np.full((k, 1, 1), sd))


RIGHT = on_a_line(*PLACES)
MERGED = on_a_line(-30.5, -29.5, 3.5, 30.0, sd=2.0)
"""One component over two clusters, two in one: EM does not leave it."""


@pytest.mark.parametrize(
    ("result", "starts", "least", "most"),
    [
        (RIGHT, (RIGHT, MERGED), 0.0, 0.0),
        (MERGED, (MERGED,), 0.0, 0.0),  # nothing better is known
        (MERGED, (RIGHT,), 0.15, 0.5),
        (MERGED, (MERGED, RIGHT), 0.15, 0.5),  # the chosen start need not be the better one
        (on_a_line(-30.2, 0.3, 7.2, 30.1, sd=1.3), (RIGHT,), 0.0, 0.0),  # the same optimum
    ],
)
def test_a_start_left_for_a_worse_optimum(
    result: Mixture, starts: tuple[Mixture, ...], least: float, most: float
) -> None:
    gain = better(Starts(starts, cells(1e4), identity_subspace(1)), result)
    assert least <= gain <= most


@pytest.mark.parametrize(("places", "least", "most"), [(PLACES, 0.0, 0.0), ((-15.0, 18.5), FEWER, 3.0)])
def test_fewer_components_than_a_start_has(places: tuple[float, ...], least: float, most: float) -> None:
    """Those that are chosen of more: whole clusters, or some merged that the cells show apart."""
    more = on_a_line(*PLACES, -29.0, 8.0)
    left = on_a_line(*places, sd=1.0 if len(places) == len(PLACES) else 15.0)
    assert least <= better(Starts((more,), cells(1e4), identity_subspace(1)), left) <= most


def test_chance_is_taken_off() -> None:
    """With a smallest cell of 40 rows in 2000 the same difference is less sure."""
    few = attrs.evolve(cells(2e3), weights=np.maximum(cells(2e3).weights, 40.0))
    many = attrs.evolve(cells(2e5), weights=np.maximum(cells(2e5).weights, 40.0))
    gains = [better(Starts((RIGHT,), one, identity_subspace(1)), MERGED) for one in (few, many)]
    assert gains[0] < gains[1]


def counted(rows: np.ndarray, k: int, noise: float, rng: np.random.Generator) -> Starts:
    """Starts of k components from all counts of the cells on a line, noise included."""
    edges = [np.linspace(-dense.SPAN, dense.SPAN, 2**side + 1) for side in dense.SIDES[1]]
    counts = [np.histogram(rows, e)[0] + noise * rng.standard_normal(len(e) - 1) for e in edges]
    levels, offset = dense.levels(counts, [noise] * 3, 1)
    tree = dense.nested(counts, [noise] * 3, 1, (float(len(rows)), 100.0))
    starts = first_mixtures(levels, offset, k, identity_subspace(1), 0, tree)
    assert starts is not None
    return starts


@pytest.mark.parametrize("seed", [3, 8])
def test_what_stands_out_of_all_counts_by_chance_is_no_better_optimum(seed: int) -> None:
    """Two clusters of 2,500 rows, fitted by four components: counts of 2048 cells with noise of 60 show narrow ones."""
    rng = np.random.default_rng(seed)
    rows = np.where(rng.random(5000) < 0.5, -0.3, 0.3) + 0.12 * rng.standard_normal(5000)
    starts = counted(rows, 4, 60.0, rng)
    result = on_a_line(-0.36, -0.24, 0.24, 0.36, sd=0.1)
    assert better(attrs.evolve(starts, tree=None), result) > ELSEWHERE
    assert better(starts, result) == 0.0


def test_what_all_counts_show_is_called() -> None:
    """As `MERGED`, a thirtieth as large."""
    rng = np.random.default_rng(0)
    rows = rng.choice(np.array(PLACES), 20_000) / 30.0 + rng.standard_normal(20_000) / 30.0
    gain = better(counted(rows, 4, 60.0, rng), on_a_line(-30.5 / 30.0, -29.5 / 30.0, 3.5 / 30.0, 1.0, sd=2.0 / 30.0))
    assert gain > ELSEWHERE


def test_without_cells_nothing_is_said() -> None:
    assert better(Starts((RIGHT,)), MERGED) == 0.0
