"""Scales, grids and edges: what they must follow, and what they must never break on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpframe.kernel.families.released_bins import DYADIC, dyadic_bin
from dpframe_plugins.aal21 import grids


def pair_counts(*parts: tuple[float, float], n: int = 50_000) -> Any:
    """Dyadic counts of |N(0, s²)|, for shares and scales."""
    rng = np.random.default_rng(0)
    drawn = np.concatenate([s * rng.standard_normal(int(share * n)) for share, s in parts])
    return np.bincount(dyadic_bin(drawn), minlength=DYADIC).astype(np.float64)


@pytest.mark.parametrize(
    ("parts", "wide", "narrow"),
    [
        ([(1.0, 1.0)], (2.0, 4.0), (0.5, 2.0)),
        ([(1.0, 1e-4)], (2e-4, 4e-4), (0.5e-4, 2e-4)),
        ([(0.5, 1.0), (0.5, 1e-3)], (2.0, 4.0), (0.5e-3, 2e-3)),
        ([(0.3, 1e8), (0.7, 1.0)], (2e8, 4e8), (0.5, 2.0)),
    ],
)
def test_scales_are_those_of_the_components(parts: Any, wide: Any, narrow: Any) -> None:
    found = grids.scales(pair_counts(*parts), 10.0, DYADIC)
    assert found is not None
    assert wide[0] <= found.wide <= wide[1]
    assert narrow[0] <= found.narrow <= narrow[1]


def test_noise_alone_has_no_scale() -> None:
    """A histogram of pure noise passes in less than one of 100; 30 of them pass 9 times with probability under 1e-6."""
    rng = np.random.default_rng(1)
    found = [grids.scales(50.0 * rng.standard_normal(DYADIC), 50.0, DYADIC) for _ in range(30)]
    assert sum(f is not None for f in found) < 9


@pytest.mark.parametrize(("wide", "narrow"), [(4.0, 1.0), (2.0**400, 2.0**-400), (1.0, 1.0), (2.0**-400, 2.0**-400)])
def test_grids_are_nested_and_reach_the_narrow_scale(wide: float, narrow: float) -> None:
    listed = grids.column_grids(3, grids.Scales(wide, narrow), np.random.default_rng(0))
    assert len(listed) <= grids.LEVELS
    assert set(listed[:, 0]) == {3.0}
    assert len(set(listed[:, 1])) == 1
    ratios = np.log2(listed[:-1, 2]) - np.log2(listed[1:, 2])
    assert (ratios == np.round(ratios)).all()
    assert listed[0, 2] == 2.0 * wide
    assert listed[-1, 2] <= grids.FINER * narrow


def levels_of(x: Any, sizes: Any, least: int) -> list[grids.Level]:
    out = []
    for size in sizes:
        ids, counts = np.unique(np.floor(x / size).astype(np.int64), return_counts=True)
        kept = counts > least
        out.append(grids.Level(0.0, size, dict(zip(ids[kept].tolist(), counts[kept].tolist(), strict=True))))
    return out


def test_edges_are_fine_where_rows_concentrate() -> None:
    rng = np.random.default_rng(2)
    x = np.concatenate([rng.standard_normal(50_000), 100.0 + 0.01 * rng.standard_normal(50_000)])
    edges = grids.column_edges(levels_of(x, 256.0 * 4.0 ** -np.arange(9), 200), 1023)
    assert edges is not None
    assert (np.diff(edges) > 0).all()
    assert edges[0] < -4.0
    assert edges[-1] > 100.5
    for centre, scale in ((0.0, 1.0), (100.0, 0.01)):
        near = edges[np.abs(edges - centre) < 2 * scale]
        assert 5 <= len(near) <= 100
        assert np.diff(near).max() <= scale


def test_clusters_that_fill_wide_bins_evenly_are_cut_all_the_same() -> None:
    """Three clusters whose distance is about that of a coarse bin's parts: only the next level tells them apart."""
    x = np.concatenate([50.0 + 10.0 * j + np.random.default_rng(j).standard_normal(7000) for j in range(3)]) + 20.4
    edges = grids.column_edges(levels_of(x, 32.0 * 4.0 ** -np.arange(5), 200), 1023)
    assert edges is not None
    for centre in (70.4, 80.4, 90.4):
        assert np.diff(edges[np.abs(edges - centre) < 2.0]).max() <= 1.0


@pytest.mark.parametrize("most", [3, 10, 50])
def test_there_are_never_more_edges_than_asked_for(most: int) -> None:
    x = np.random.default_rng(3).standard_cauchy(100_000)
    edges = grids.column_edges(levels_of(x, 64.0 * 4.0 ** -np.arange(6), 100), most)
    assert edges is not None
    assert len(edges) <= most


@settings(deadline=None)
@given(st.lists(st.dictionaries(st.integers(-9, 9), st.floats(1, 1e6), max_size=6), min_size=1, max_size=4))
def test_any_published_bins_give_increasing_edges(tables: Any) -> None:
    levels = [grids.Level(-0.3, 4.0**-i, table) for i, table in enumerate(tables)]
    edges = grids.column_edges(levels, 64)
    if edges is None:
        assert not tables[0]
    else:
        assert (np.diff(edges) > 0).all()
        assert len(edges) <= 64


def test_grids_of_far_apart_scales_are_cut_around_what_was_published() -> None:
    """A bin with 2^164 parts: writing all of them out would never end."""
    levels = [grids.Level(0.0, 2.0**164, {0: 900.0}), grids.Level(0.0, 1.0, {5: 300.0, 6: 500.0})]
    edges = grids.column_edges(levels, 1023)
    assert edges is not None
    assert {5.0, 6.0, 7.0, 2.0**164} <= set(edges.tolist())


def test_quantile_edges_cut_equal_masses() -> None:
    edges = np.linspace(-5, 5, 201)
    counts = np.histogram(
        np.random.default_rng(4).standard_normal(100_000), np.concatenate([[-np.inf], edges, [np.inf]])
    )[0].astype(np.float64)
    cut = grids.quantile_edges(edges, counts, 3.0, 4)
    assert cut == pytest.approx([-0.6745, 0.0, 0.6745], abs=0.03)


def test_padding_is_undone() -> None:
    padded = grids.padded(np.array([1.0, 2.0, 5.0]), 6)
    edges, bins = grids.real_bins(padded)
    assert edges.tolist() == [1.0, 2.0, 5.0]
    counts = np.bincount(np.searchsorted(padded, [0.0, 1.0, 1.5, 3.0, 7.0, 9.0], side="right"), minlength=7)
    assert counts[bins].tolist() == [1, 2, 1, 2]
    assert counts.sum() == counts[bins].sum()
