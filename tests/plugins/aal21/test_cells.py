"""Cells that follow listed components, and the total variation they hide."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from dpframe.kernel.families.hypotheses import MixtureNet
from dpframe_plugins.aal21 import selection
from dpframe_plugins.aal21.cells import hidden, lattice_edges
from dpframe_plugins.aal21.sizing import selecting_rows


def test_cells_follow_components_of_all_scales() -> None:
    parts = np.array([[0.0, 1.0], [5.0, 1e-3], [1e8, 1e-4], [-300.0, 40.0]])
    edges = lattice_edges(parts, 4095)
    assert len(edges) <= 4095
    assert (np.diff(edges) > 0).all()
    for mean, deviation in parts:
        near = edges[(edges > mean - 4 * deviation) & (edges < mean + 4 * deviation)]
        assert np.diff(near).max() <= deviation / 4
    crowded = np.stack([np.linspace(0, 1e9, 9000), np.ones(9000)], axis=1)
    assert 0 < len(lattice_edges(crowded, 4095)) <= 4095


def test_cells_hide_no_more_than_n2_leaves_them(rng: np.random.Generator) -> None:
    """TV(f, g) − TV_c(f, g) <= 0.4/m for cells of a deviation over m; the bound is 0 for none at 1e-5 of its place."""
    x = np.linspace(-12, 12, 240_001)
    for m in (1, 4, 32):
        cells = np.floor(x * m + rng.random()).astype(int)
        cells -= cells[0]
        for _ in range(20):
            w, mu, sd = rng.dirichlet(np.ones(2), size=2), rng.normal(size=(2, 2)), 1 + rng.random((2, 2))
            f, g = (sum(w[i, j] * norm.pdf(x, mu[i, j], sd[i, j]) for j in (0, 1)) for i in (0, 1))
            fine = np.abs(f - g).sum() * 1e-4 / 2
            coarse = np.abs(np.bincount(cells, f - g)).sum() * 1e-4 / 2
            assert fine - coarse <= hidden(m) + 1e-5
    assert selecting_rows(10, 0.7, 0.1, None, hides=hidden(32)) > selecting_rows(10, 0.7, 0.1, None)


def test_components_too_far_apart_for_fine_cells_are_remarked() -> None:
    net = selection.Net(k=1, steps=1, size=10**6)
    near, far = (MixtureNet(places, np.ones(len(places)), 1, 1) for places in (np.arange(3.0), 100.0 * np.arange(40)))
    assert len(net.remarks(near)) == 1
    (said,) = net.remarks(far)[1:]
    assert "too far apart" in said or "too many places" in said
