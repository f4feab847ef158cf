"""Clipping undone, bounds that hold, the order of matrices, and averages: without noise, or with noise drawn here."""

from __future__ import annotations

import math

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe_plugins.classic import moments
from dpframe_plugins.shared.truncation import chi_quantile
from tests.plugins.classic.runs import covariance_error, draw, stretched


def clipped(rows: moments.Floats, radius: float) -> moments.Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows * np.minimum(1.0, radius / np.maximum(lengths, 1e-300))


def one_pass(estimate: moments.Estimate, rows: moments.Floats, *, noise: float = 0.0, seed: int = 0) -> moments.Seen:
    """What the kernel's pass and the update node do, with the given noise on a diagonal entry of Σzzᵀ."""
    clip, _ = moments.clip_of(estimate, 1.0, anchored=True)
    z = clipped(np.linalg.solve(estimate.root, (rows - estimate.mean).T).T, clip)
    d = z.shape[1]
    raw = np.random.default_rng([3, seed]).standard_normal((d, d)) * noise / math.sqrt(2)
    gram = z.T @ z + np.triu(raw, 1) + np.triu(raw, 1).T + np.diag(np.diagonal(raw)) * math.sqrt(2)
    found = moments.unclipped(float(len(z)), z.sum(axis=0), gram, clip=clip, total_noise=0.0, gram_noise=noise)
    return moments.Seen(estimate.mean, estimate.root, *found)


def passes(rows: moments.Floats, count: int, *, noise: float = 0.0) -> moments.Estimate:
    """An estimate after some passes from a ball around the rows."""
    center = rows.mean(axis=0) + 0.01
    estimate = moments.start(center, float(np.quantile(np.linalg.norm(rows - center, axis=1), 0.98)))
    for t in range(count):
        estimate = moments.advance(estimate, one_pass(estimate, rows, noise=noise, seed=t), len(rows), noise, 1.0)
    return estimate


@pytest.mark.parametrize("clip", [1.0, 2.0, 4.0, 10.0])
def test_the_anchor_is_where_the_sum_of_errors_is_least(clip: float) -> None:
    def cost(t: float) -> float:
        return (1 + t * t) ** 2 * (clip**2 + 1 / t**2)

    best = moments.anchor_ratio(clip)
    assert cost(best) <= min(cost(best * 0.99), cost(best * 1.01))


@pytest.mark.parametrize("d", [1, 3, 30])
def test_clips_widen_as_noise_fades(d: int) -> None:
    for radii in (
        [moments.mean_clip(d, rows, 5.0) for rows in (1e2, 1e4, 1e7)],
        [moments.moments_clip(d, rows, 5.0, anchored=True) for rows in (1e2, 1e4, 1e7)],
        [moments.moments_clip(d, rows, 5.0, anchored=False) for rows in (1e2, 1e4, 1e7)],
    ):
        assert radii == sorted(radii)
        assert radii[0] < radii[-1] <= chi_quantile(d, 0.9999)


@pytest.mark.parametrize("d", [1, 2, 10])
@pytest.mark.parametrize("scale", [0.5, 1.0, 1.4])
def test_what_the_clip_did_is_undone(d: int, scale: float) -> None:
    """1e5 rows: an entry's standard error is at most 0.0055·scale² and the mean variance's 0.0045·scale²/√d.

    The bounds are eight of them. Twin: not undoing misses the variance by more.
    """
    rows = draw(100_000, 0.05, scale**2 * np.eye(d), seed=d)
    clip = chi_quantile(d, 0.9)
    z = clipped(rows, clip)
    mean, covariance, _, _ = moments.unclipped(1e5, z.sum(axis=0), z.T @ z, clip=clip, total_noise=0.0, gram_noise=0.0)
    assert np.abs(covariance - scale**2 * np.eye(d)).max() < 0.045 * scale**2
    assert np.abs(mean - 0.05).max() < 0.035 * scale
    level, bound = float((z * z).sum()) / 1e5 / d, 0.036 * scale**2 / math.sqrt(d)
    assert abs(np.trace(covariance) / d - scale**2) < bound
    assert (abs(level - scale**2) > bound) == (scale >= 1.0)


def test_the_stretched_case_needs_the_mended_order() -> None:
    """Twin: the published order, Z^(−1/2) A for rows x A, is right for isotropic rows and never for stretched ones."""
    truth = stretched(np.repeat([1.0, 1e3], 3))
    rows = draw(20_000, 5.0, truth)
    good = passes(rows, 5)
    assert covariance_error(good.root @ good.root.T, truth) < 0.15

    bad = passes(rows, 0)
    for _ in range(5):
        seen = one_pass(bad, rows)
        inner = np.linalg.cholesky(moments.bounded(seen.covariance, seen.noise))
        bad = attrs.evolve(
            bad,
            mean=seen.center + seen.root @ seen.mean,
            root=np.linalg.cholesky((inner @ seen.root) @ (inner @ seen.root).T),
        )
    assert covariance_error(bad.root @ bad.root.T, truth) > 1.0


def test_a_hidden_direction_is_bounded_and_found_in_the_end() -> None:
    truth = stretched(np.array([1e-6, 1.0, 1.0]))
    rows = draw(20_000, 0.0, truth)
    errors = []
    for count in (1, 2, 7):
        root = passes(rows, count, noise=400.0).root
        inner = np.linalg.solve(root, np.linalg.cholesky(truth))
        assert np.linalg.eigvalsh(inner @ inner.T)[-1] < 1.5
        errors.append(covariance_error(root @ root.T, truth))
    assert errors[0] > 10 * errors[1] > 10 * errors[2]
    assert errors[2] < 0.3


symmetric = st.integers(1, 5).flatmap(
    lambda d: st.lists(st.floats(-10, 10), min_size=d * d, max_size=d * d).map(lambda v: np.reshape(v, (d, d)))
)


@given(symmetric, st.floats(0.0, 1e6))
def test_bounded_is_positive_definite_whatever_comes(raw: moments.Floats, noise: float) -> None:
    found = moments.bounded(0.5 * (raw + raw.T), noise)
    values = np.linalg.eigvalsh(found)
    assert np.isfinite(found).all()
    assert values[0] >= min(noise * math.sqrt(2 * len(raw)), 1.0) * (1 - 1e-9) - 1e-9 * values[-1]


def test_bounded_keeps_what_is_known() -> None:
    truth = stretched(np.array([0.5, 1.0, 2.0]))
    assert np.allclose(moments.bounded(truth, 0.0), truth)


def test_the_average_is_better_than_the_last_pass() -> None:
    """Four equal passes: the noise halves. Twenty seeds, mean ratio about 0.5, spread 0.05: above 0.8 never."""
    rows, truth = draw(50_000, 0.0, np.eye(4)), np.eye(4)
    exact = passes(rows, 3)
    ratios = []
    for seed in range(20):
        seen = [one_pass(exact, rows, noise=3000.0, seed=10 * seed + i) for i in range(4)]
        _, root = moments.combine(seen, exact.root)
        last = seen[-1].root @ seen[-1].covariance @ seen[-1].root.T
        ratios.append(covariance_error(root @ root.T, truth) / covariance_error(last, truth))
    assert np.mean(ratios) < 0.8


def test_a_pass_that_was_whitened_wrongly_is_left_out() -> None:
    rows = draw(20_000, 0.0, np.eye(3))
    exact = passes(rows, 3)
    good = one_pass(exact, rows)
    wide = attrs.evolve(good, root=10 * good.root, covariance=np.full((3, 3), 1e6))
    alone, both = moments.combine([good], exact.root), moments.combine([wide, good], exact.root)
    assert np.allclose(alone[0], both[0])
    assert np.allclose(alone[1] @ alone[1].T, both[1] @ both[1].T)


def test_covariances_of_roots_are_positive_definite() -> None:
    for root in (np.array([[1.0, 0.0], [1.0, 0.0]]), np.diag([1e-40, 1e40]), np.eye(1) * 1e-100):
        found = moments.covariance_of(root)
        assert np.array_equal(found, found.T)
        scale = np.sqrt(np.diagonal(found))
        assert np.linalg.eigvalsh(found / scale / scale[:, None])[0] > 0
        assert np.allclose(np.diagonal(found), np.diagonal(root @ root.T), rtol=1e-9)


def test_an_estimate_stops_before_it_underflows() -> None:
    estimate = moments.start(np.zeros(2), 2.0**-395)
    seen = moments.Seen(estimate.mean, estimate.root, np.zeros(2), np.diag([1e-30, 1e-30]), 0.0, 0.0)
    again = moments.advance(estimate, seen, 100.0, 1.0, 1.0)
    assert np.array_equal(again.root, estimate.root)
    assert len(again.seen) == 1
