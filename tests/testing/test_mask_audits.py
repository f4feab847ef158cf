"""Audits of ``mixture_mask``: what is sampled in bulk is what is released, its likelihood ratio is exact, and it bites.

Audits have a false-alarm rate of at most 1e-6 each; seeds are fixed.
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest

from dpframe.kernel.families import mixture_mask
from dpframe.kernel.noise import SeededSource
from dpframe.proof.spaces import Mixture, Within
from dpframe.testing.audit import audits, mask_cases
from dpframe.testing.audit.worst_cases import Case, cases

NOISE = {"eta_weight": 0.02, "eta_mean": 0.3, "eta_covariance": 0.2, "delta": 2.0**-100}
CASES = {case.name: case for case in cases("mixture_mask")}


def released(monkeypatch: pytest.MonkeyPatch, pair: mask_cases.Pair, noise: np.ndarray, order: np.ndarray) -> Any:
    """What the kernel releases if these are its Gaussians and this its order."""
    waiting = iter(noise[order])
    bits = mixture_mask.BITS
    monkeypatch.setattr(
        mixture_mask,
        "fine_gaussians",
        lambda source, count: [round(float(g) * 2**60) << (bits - 60) for g in next(waiting)],
    )
    monkeypatch.setattr("dpframe.kernel.noise.permutation", lambda source, count: order)
    mask = mixture_mask.MixtureMask(share=1.0)
    return mask.release(pair.second, NOISE, Mixture(pair.k, pair.d), SeededSource(0))


@pytest.mark.parametrize(("k", "d"), [(1, 1), (1, 2), (2, 1), (2, 2), (4, 2)])
def test_bulk_samples_are_the_releases_of_the_same_gaussians(k: int, d: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = mask_cases.pair(k, d)
    noise, order = mask_cases.draws(np.random.default_rng(5), 20, pair)
    found = mask_cases.masked(pair.second, NOISE, noise, order)
    for i in range(20):
        wanted = released(monkeypatch, pair, noise[i], order[i])
        np.testing.assert_allclose(found[0][i], wanted.weights, rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(found[1][i], wanted.means, rtol=1e-12, atol=1e-9)
        np.testing.assert_allclose(found[2][i], wanted.covariances, rtol=1e-9, atol=1e-12)


def distance(white: np.ndarray, mean: np.ndarray, shape: np.ndarray) -> float:
    inverse = np.linalg.inv(white)
    return max(
        float(np.linalg.norm(inverse @ mean)),
        float(np.linalg.norm(inverse @ shape @ shape.T @ inverse.T - np.eye(len(white)))),
    )


@pytest.mark.parametrize(("k", "d"), [(1, 1), (1, 2), (2, 2)])
def test_the_two_are_as_far_apart_as_is_claimed_and_no_further(k: int, d: int) -> None:
    pair = mask_cases.pair(k, d, gamma=0.1)
    one, two = pair.first.integers, pair.second.integers
    found = [float(np.abs(one[0] - two[0]).max())]
    for j in range(k):
        shift = two[1][j] - one[1][j]
        found += [distance(one[2][j], shift, two[2][j]), distance(two[2][j], shift, one[2][j])]
    assert 0.1 * (1 - 1e-6) < max(found) <= 0.1
    assert min(found[1:]) > 0.08


@pytest.mark.parametrize(("k", "d"), [(1, 1), (1, 2), (2, 2)])
@pytest.mark.parametrize("eta", [0.2, 1.0])
def test_the_likelihood_ratio_is_that_of_a_density(k: int, d: int, eta: float) -> None:
    """E_Q of P/Q is 1, over halves of the line too: E_Q[P/Q; A] = P(A). Six standard errors: 2e-9 a comparison."""
    pair = mask_cases.pair(k, d, gamma=0.1)
    noise = {**NOISE, "eta_weight": 0.1, "eta_covariance": eta}
    score, rng, size = mask_cases.ratio(pair, noise), np.random.default_rng(8), 200_000
    on = [score(*mask_cases.masked(e, noise, *mask_cases.draws(rng, size, pair))) for e in (pair.first, pair.second)]
    for bar in (-np.inf, -0.5, 0.0, 0.5):
        weighed = np.exp(on[1]) * (on[1] > bar)
        error = (weighed.std() + 0.5) / np.sqrt(size)
        assert abs(float(weighed.mean()) - float((on[0] > bar).mean())) < 6 * error


@pytest.mark.parametrize("name", sorted(CASES))
def test_no_mask_is_refuted(name: str) -> None:
    samples = 500 if "as released" in name else 30_000
    found = audits.audit_case(audits.default_mechanism("mixture_mask"), CASES[name], samples=samples)
    assert not any(f.refuted for f in found)
    assert all(0.999 < f.claimed <= 1 for f in found)


def halved(case: Case) -> Case:
    """The broken twin: calibrated and sold for half the radius."""
    return attrs.evolve(case, metrics=(Within("component", case.metrics[0].r / 2),))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "name",
    [
        "all moved: 2 components, d=2",
        "mean",
        pytest.param("covariance, one direction", marks=pytest.mark.slow),
        pytest.param("weight", marks=pytest.mark.slow),
    ],
)
def test_a_mask_calibrated_for_half_the_radius_is_refuted(name: str) -> None:
    found = audits.audit_case(
        audits.default_mechanism("mixture_mask"), halved(CASES[name]), samples=200_000, deltas=(1e-2,)
    )
    assert all(f.refuted for f in found), found


@attrs.frozen
class QuarterOfTheNoise(mixture_mask.MixtureMask):
    """A twin that releases with a quarter of the noise it is charged for."""

    def release(self, exact: Any, calibration: Any, domain: Any, source: Any) -> Any:
        less = {**calibration, **{key: calibration[key] / 4 for key in ("eta_mean", "eta_covariance")}}
        return super().release(exact, less, domain, source)


def test_a_twin_is_audited_as_it_releases() -> None:
    found = audits.audit_case(
        QuarterOfTheNoise(share=1.0),
        CASES["all moved: 1 component, d=1"],
        samples=4000,
        deltas=(1e-2,),
        epsilon=2.0,
    )
    assert all(f.refuted for f in found), found


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(CASES) - {"as released, 1 component, d=1"}))
def test_seven_tenths_of_the_claim_are_found(name: str) -> None:
    """At radius 0.05 the claim itself is looser: 0.70 and 0.72 of it were found."""
    for f in audits.audit_case(audits.default_mechanism("mixture_mask"), CASES[name]):
        assert not f.refuted
        assert f.found >= (0.65 if name == mask_cases.WIDE_RADIUS else 0.7), f
