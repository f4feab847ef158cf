"""Poisson-sampled Gaussian and Laplace noise against numerical integration of the two mixtures, both directions."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from dpframe.errors import CertificateError
from dpframe.planning import sampled_events
from dpframe.planning.booked_events import booked_loss
from dpframe.planning.sampled_events import SampledGaussian, SampledLaplace
from dpframe.proof.losses import (
    Event,
    Gaussian,
    Laplace,
    Loss,
    LossError,
    Pure,
    epsilon,
    tightest_epsilon,
)

CASES = [
    (SampledGaussian(1.0, 0.1, "add_remove"), 0.1),
    (SampledGaussian(0.3, 0.5, "add_remove"), 0.5),
    (SampledGaussian(2.5, 0.01, "add_remove"), 0.01),
    (SampledLaplace(1.0, 0.1, "add_remove"), 0.1),
    (SampledLaplace(3.0, 0.02, "add_remove"), 0.02),
]


def laws(event: Event) -> tuple[Any, Any, list[float]]:
    """Densities of the sampled mechanism with the row and without it, and where they bend."""
    shift = float(event.to_json().get("inner_mu", event.to_json().get("inner_epsilon")))
    if isinstance(event, SampledGaussian):
        one, reach = (lambda z: np.exp(-z * z / 2) / math.sqrt(2 * math.pi)), 16.0
    else:
        one, reach = (lambda z: np.exp(-abs(z)) / 2), 60.0
    rate = float(event.to_json()["rate"])
    return (lambda z: (1 - rate) * one(z) + rate * one(z - shift)), one, [-reach, 0.0, shift, shift + reach]


def densities(event: Event) -> tuple[Any, Any, list[mpf]]:
    """The same with 15 digits more."""
    shift = mpf(float(event.to_json().get("inner_mu", event.to_json().get("inner_epsilon"))))
    if isinstance(event, SampledGaussian):
        one, reach = (lambda z: mpmath.exp(-z * z / 2) / mpmath.sqrt(2 * mpmath.pi)), mpf(16)
    else:
        one, reach = (lambda z: mpmath.exp(-abs(z)) / 2), mpf(60)
    rate = mpf(float(event.to_json()["rate"]))
    return (lambda z: (1 - rate) * one(z) + rate * one(z - shift)), one, [-reach, mpf(0), shift, shift + reach]


def hockey(p: Any, q: Any, x: float, marks: list[float]) -> float:
    """By the trapezoid rule on 400,001 points: good to 1e-7."""
    z = np.linspace(marks[0], marks[-1], 400_001)
    return float(np.trapezoid(np.maximum(p(z) - math.exp(x) * q(z), 0), z))


@pytest.mark.parametrize(("event", "rate"), CASES, ids=str)
@pytest.mark.parametrize("x", [0.05, 0.4])
def test_both_directions_are_covered_and_one_is_met(event: Event, rate: float, x: float) -> None:
    with_row, without, marks = laws(event)
    values = event.profile(np.array([x, -x]))
    assert values is not None
    for sign, at in ((1, 0), (-1, 1)):
        removed = hockey(with_row, without, sign * x, marks)
        added = hockey(without, with_row, sign * x, marks)
        largest = max(removed, added)
        assert largest <= values[at] + 1e-6
        assert values[at] <= largest + 1e-6


@pytest.mark.parametrize(("event", "rate"), CASES, ids=str)
@pytest.mark.parametrize("order", [1.3, 2.0, 3.0, 6.5])
def test_renyi_divergences_of_both_directions(event: Event, rate: float, order: float) -> None:
    with_row, without, marks = densities(event)
    a = mpf(order)
    found = float(event.rdp(np.array([order]))[0])
    for p, q in ((with_row, without), (without, with_row)):
        moment = mpmath.quad(lambda z, p=p, q=q: p(z) ** a * q(z) ** (1 - a), marks)
        true = float(mpmath.log(moment) / (a - 1))
        assert true <= found * (1 + 1e-7)
    if order == int(order):
        first = mpmath.quad(lambda z: with_row(z) ** a * without(z) ** (1 - a), marks)
        assert found <= float(mpmath.log(first) / (a - 1)) * (1 + 1e-5)


def test_a_rate_of_one_is_the_mechanism_itself() -> None:
    for event, inner in (
        (SampledGaussian(0.7, 1.0, "add_remove"), Gaussian(0.7)),
        (SampledLaplace(0.7, 1.0, "add_remove"), Laplace(0.7)),
    ):
        assert epsilon(Loss.of(event, 5), 1e-6, "pld") == pytest.approx(
            epsilon(Loss.of(inner, 5), 1e-6, "pld"), rel=1e-4
        )


def test_a_sampled_laplace_is_amplified_pure_dp_at_least() -> None:
    event = SampledLaplace(1.0, 0.05, "add_remove")
    assert event.epsilon == pytest.approx(math.log1p(0.05 * math.expm1(1.0)), rel=1e-12)
    assert event.epsilon >= math.log1p(0.05 * math.expm1(1.0))
    assert (
        tightest_epsilon(Loss.of(event, 200), 1e-6)[0] <= tightest_epsilon(Loss.of(Pure(event.epsilon), 200), 1e-6)[0]
    )


@pytest.mark.parametrize("adjacency", ["replace_one", "", None, 3, "addremove"])
@pytest.mark.parametrize("kind", [SampledGaussian, SampledLaplace])
def test_only_the_proved_adjacency(kind: Any, adjacency: Any) -> None:
    with pytest.raises(LossError, match="add_remove"):
        kind(1.0, 0.1, adjacency)


@pytest.mark.parametrize("rate", [0.0, 1.1, -0.2, math.nan])
def test_rates(rate: float) -> None:
    with pytest.raises(LossError):
        SampledGaussian(1.0, rate, "add_remove")


def test_a_document_must_name_the_adjacency() -> None:
    loss = Loss.of(SampledGaussian(1.0, 0.1, "add_remove"), 3)
    assert booked_loss(loss.to_json()) == loss
    data = loss.to_json()
    del data["events"][0][0]["adjacency"]
    with pytest.raises(CertificateError, match="adjacency"):
        booked_loss(data)
    data["events"][0][0]["adjacency"] = "replace_one"
    with pytest.raises(CertificateError, match="add_remove"):
        booked_loss(data)


def test_too_small_a_rate_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: the amplified order without its factor q."""
    event = SampledGaussian(1.0, 0.1, "add_remove")
    honest = float(event.rdp(np.array([2.0]))[0])
    monkeypatch.setattr(sampled_events.Sampled, "_log_moment", lambda self, order: 0.01 * honest)
    with_row, without, marks = densities(event)
    moment = mpmath.quad(lambda z: with_row(z) ** 2 / without(z), marks)
    assert float(event.rdp(np.array([2.0]))[0]) < float(mpmath.log(moment))
