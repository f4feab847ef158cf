"""The kernel's statistics in plain floating point with seeded noise: fast, and no release.

``fit`` is the practical learner's float simulation, for tests of its pure functions and for
``python bench/mixtures.py --fit tests.plugins.practical.float_kernel:fit``.
"""

from __future__ import annotations

import math

import attrs
import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from dpframe_plugins.practical import (
    cells,
    clipping,
    deconvolution,
    dense,
    finish,
    judging,
    locate,
    passes,
    scales,
    subspace,
)
from dpframe_plugins.practical.recipe import AVERAGED, FINE_RATIO, SHARES
from dpframe_plugins.practical.records import Ball, Cells, Floats, Mixture
from dpframe_plugins.practical.subspace import Subspace

MU = 0.2355  # GDP of (1, 0.9e-6)
THRESHOLD_DELTA = 1e-7


def clip(rows: Floats, radius: float) -> Floats:
    lengths = np.linalg.norm(rows, axis=1)
    return rows * np.minimum(1.0, radius / np.maximum(lengths, 1e-300))[:, None]


def histogram(values: Floats, edges: Floats) -> Floats:
    return np.bincount(np.searchsorted(edges, values), minlength=len(edges) + 1).astype(float)


@attrs.define(eq=False)
class Kernel:
    """Rows, a noise generator and the budget."""

    rows: Floats
    rng: np.random.Generator
    mu: float = MU

    def multiplier(self, share: float) -> float:
        return 1.0 / (self.mu * math.sqrt(share))

    def noisy(self, value: Floats, std: float) -> Floats:
        return value + std * self.rng.standard_normal(np.shape(value))

    def noisy_symmetric(self, value: Floats, std: float) -> Floats:
        raw = self.rng.standard_normal(value.shape) * std / math.sqrt(2.0)
        lower = np.tril(raw, -1)
        diagonal = np.eye(value.shape[-1]) * raw * math.sqrt(2.0)
        return value + lower + np.swapaxes(lower, -1, -2) + diagonal


def located(kernel: Kernel, bound: float) -> tuple[Ball, float]:
    """Nodes 1 to 3 of the recipe."""
    n, d = kernel.rows.shape
    count_std = kernel.multiplier(SHARES.count)
    count = float(kernel.noisy(np.array(float(n)), count_std))
    center, outer = np.zeros(d), bound
    for t, share in enumerate(SHARES.distances):
        last = t == len(SHARES.distances) - 1
        edges = locate.radial_edges(outer, ratio=FINE_RATIO) if last else locate.radial_edges(outer)
        std = math.sqrt(2.0) * kernel.multiplier(share)
        far = kernel.noisy(histogram(np.linalg.norm(kernel.rows - center, axis=1), edges), std)
        ball = Ball(center, locate.next_radius(edges, far, std, outer))
        if not last:
            std = 2.0 * ball.radius * kernel.multiplier(SHARES.centers[t])
            total = kernel.noisy(clip(kernel.rows - center, ball.radius).sum(axis=0), std)
            center, outer = locate.next_center(ball, total, count, count_std), 4.0 * ball.radius
    return ball, count


def counted(kernel: Kernel, frame: Floats, count: float, k: int) -> Mixture | None:
    """The counts of all cells of fixed grids, and the first of the starts."""
    d = frame.shape[1]
    std = math.sqrt(2.0) * kernel.multiplier((SHARES.pairs + SHARES.cells) / len(dense.SIDES[d]))
    released = []
    for side in dense.SIDES[d]:
        inner = np.array(dense.edges(1, side)[0])
        place = np.zeros(len(frame), dtype=np.int64)
        for column in frame.T:
            place = place * 2**side + np.searchsorted(inner, column, side="right")
        released.append(kernel.noisy(np.bincount(place, minlength=2 ** (side * d)).astype(float), std))
    noise = [std] * len(released)
    levels, offset = dense.levels(released, noise, d)
    tree = dense.nested(released, noise, d, (count, kernel.multiplier(SHARES.count) ** 2))
    starts = deconvolution.first_mixtures(levels, offset, k, subspace.identity_subspace(d), 0, tree)
    return None if starts is None else starts.candidates[0]


def seeded(kernel: Kernel, frame: Floats, count: float, k: int) -> Mixture | None:
    """Nodes 4 to 6 of the recipe; the first of the starts."""
    n, d = frame.shape
    if d <= dense.MOST_COLUMNS:
        return counted(kernel, frame, count, k)
    rank = subspace.subspace_dimension(d, k)
    space: Subspace = subspace.identity_subspace(d)
    if rank < d:
        std = math.sqrt(2.0) * kernel.multiplier(SHARES.gram)
        inner = clip(frame, 1.0)
        space = subspace.subspace(kernel.noisy_symmetric(inner.T @ inner, std), std, count, rank)
    projected = frame @ space.basis
    order = np.random.default_rng(1).permutation(n)[: 2 * min(n // 2, 2**17)]
    std = math.sqrt(2.0) * kernel.multiplier(SHARES.pairs)
    edges = scales.pair_edges()
    near = histogram(np.linalg.norm(projected[order[::2]] - projected[order[1::2]], axis=1), edges)
    sizes = scales.cell_sizes(scales.quantile_range(edges, kernel.noisy(near, std), std))
    offset = cells.grid_offset(sizes, rank, 0)
    std = math.sqrt(2.0 * len(sizes)) * kernel.multiplier(SHARES.cells)
    threshold = 1.0 - std * float(ndtri(THRESHOLD_DELTA / len(sizes)))
    levels = []
    for size in sizes:
        index: NDArray[np.int64] = np.floor((projected - offset) / size).astype(np.int64)
        found, counts = np.unique(index, axis=0, return_counts=True)
        noisy = kernel.noisy(counts.astype(float), std)
        levels.append(Cells(float(size), found[noisy > threshold], noisy[noisy > threshold]))
    starts = deconvolution.first_mixtures(levels, offset, k, space, 0)
    return None if starts is None else starts.candidates[0]


def augmented_grams(frame: Floats, model: Mixture, radius: float, anchor: float) -> Floats:
    """Sum of ``g_j (a, z_j) (a, z_j)^T`` over rows, for every component."""
    k, d = model.means.shape
    total = np.zeros((k, d + 1, d + 1))
    inverse = np.linalg.inv(model.cholesky)
    logs = np.log(model.weights) - np.log(np.diagonal(model.cholesky, axis1=1, axis2=2)).sum(axis=1)
    for start in range(0, len(frame), 1 << 16):
        block = frame[start : start + (1 << 16)]
        white = [(block - model.means[j]) @ inverse[j].T for j in range(k)]
        joint = np.array([logs[j] - 0.5 * (z * z).sum(axis=1) for j, z in enumerate(white)])
        share = np.exp(joint - joint.max(axis=0))
        share /= share.sum(axis=0)
        for j, z in enumerate(white):
            rows = np.concatenate([np.full((len(z), 1), anchor), clip(z, radius)], axis=1)
            total[j] += (rows * share[j][:, None]).T @ rows
    return total


def refined(kernel: Kernel, frame: Floats, count: float, first: Mixture, share: float) -> list[Mixture]:
    """The mixtures after every pass (node 7), with ``share`` of the budget for all passes."""
    d, k = frame.shape[1], len(first.weights)
    model, models = first, []
    for t, weight in enumerate(SHARES.passes):
        multiplier = kernel.multiplier(share * weight / sum(SHARES.passes))
        radius = passes.clip_radius(d, count, k, multiplier)
        anchor = clipping.ANCHOR * radius
        std = math.sqrt(2.0) * (anchor**2 + radius**2) * multiplier
        grams = kernel.noisy_symmetric(augmented_grams(frame, model, radius, anchor), std)
        model = passes.update(model, passes.split_augmented(grams, radius, std), t)
        models.append(model)
    return models


def fit(rows: Floats, k: int, bound: float, seed: int) -> tuple[Floats, Floats, Floats] | None:
    """Weights, means and covariances, or None where no cell was published."""
    kernel = Kernel(rows, np.random.default_rng([seed, 1]))
    ball, count = located(kernel, bound)
    frame = (rows - ball.center) / ball.radius
    first = seeded(kernel, frame, count, k)
    if first is None:
        return None
    gram = SHARES.gram if subspace.subspace_dimension(rows.shape[1], k) == rows.shape[1] else 0.0
    models = refined(kernel, frame, count, first, SHARES.refining + gram)
    last = judging.settled(models[-AVERAGED:])
    return finish.table_units(passes.average(models[-last:], SHARES.passes[-last:]), ball)
