"""Published test vectors of other accountants, ours beside them: never below the exact value, and how far above.

dp-accounting: its PLD accountant, which is installed and run; orders of the sampled Gaussian in
closed form. OpenDP: the measures of its own library, where that is installed. autodp: the analytic Gaussian mechanism.
prv-accountant: its example of many (0.01, 1e-7).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpframe.planning.discrete_events import DiscreteGaussian
from dpframe.planning.sampled_events import SampledGaussian, SampledLaplace
from dpframe.proof.losses import (
    Gaussian,
    Laplace,
    Loss,
    Pure,
    tightest_epsilon,
)
from tests.proof.losses.repeated import repeat

pytestmark = pytest.mark.slow

Row = tuple[str, Loss, float, float, float]
SAMPLED = "add_remove"


def pld(kind: str, size: float, times: int, delta: float, rate: float = 1.0, *, low: bool = False) -> float:
    """dp-accounting's PLD accountant at a fine interval, pessimistic or optimistic."""
    distribution = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    options: dict[str, Any] = {"value_discretization_interval": 1e-4, "pessimistic_estimate": not low}
    options |= {"sampling_prob": rate}
    if not low:
        options["use_connect_dots"] = True
    build = {"gaussian": distribution.from_gaussian_mechanism, "laplace": distribution.from_laplace_mechanism}[kind]
    if low:
        options["use_connect_dots"] = False
    return float(build(size, **options).self_compose(times).get_epsilon_for_delta(delta))


COMPOSED = [
    ("gaussian, 1 step", "gaussian", 1.0, 1, 1.0, 1e-6, 1e-4),
    ("gaussian, 100 steps", "gaussian", 20.0, 100, 1.0, 1e-6, 1e-3),
    ("laplace, 50 steps", "laplace", 20.0, 50, 1.0, 1e-6, 1e-3),
    ("sampled gaussian, 1 step", "gaussian", 1.0, 1, 0.1, 1e-5, 1e-3),
    ("sampled gaussian, 1000 steps", "gaussian", 1.0, 1000, 0.01, 1e-5, 0.3),
    ("sampled gaussian, 10000 steps", "gaussian", 1.1, 10_000, 256 / 60000, 1e-5, 0.3),
    ("sampled laplace, 100 steps", "laplace", 1.0, 100, 0.05, 1e-5, 0.3),
]


def ours(kind: str, scale: float, times: int, rate: float) -> Loss:
    if rate < 1:
        one: Any = SampledGaussian if kind == "gaussian" else SampledLaplace
        return Loss.of(one(1 / scale, rate, SAMPLED), times)
    return Loss.of(Gaussian(1 / scale) if kind == "gaussian" else Laplace(1 / scale), times)


@pytest.mark.parametrize(("name", "kind", "scale", "times", "rate", "delta", "above"), COMPOSED)
def test_beside_dp_accounting(
    name: str, kind: str, scale: float, times: int, rate: float, delta: float, above: float
) -> None:
    """Between its optimistic estimate and so much above its pessimistic one."""
    found, accountant = tightest_epsilon(ours(kind, scale, times, rate), delta)
    low, high = (pld(kind, scale, times, delta, rate, low=side) for side in (True, False))
    print(f"| {name} | {found:.5f} ({accountant}) | {low:.5f} | {high:.5f} | {100 * (found / high - 1):+.2f} % |")
    assert low * (1 - 1e-6) <= found <= high * (1 + above)


@pytest.mark.parametrize(
    ("noise_multiplier", "rate", "order", "expected"),
    [(1.0, 0.01, 2.0, math.log1p(1e-4 * math.expm1(1.0))), (2.0, 0.5, 2.0, math.log1p(0.25 * math.expm1(0.25)))],
)
def test_sampled_orders(noise_multiplier: float, rate: float, order: float, expected: float) -> None:
    """The order 2 of the sampled Gaussian in closed form (Mironov, Talwar and Zhang 2019)."""
    found = float(SampledGaussian(1 / noise_multiplier, rate, SAMPLED).rdp(np.array([order]))[0])
    assert expected * (1 - 1e-12) <= found <= expected * (1 + 1e-9)


def test_prv_accountant_on_many_small_failures() -> None:
    """(0.01, 1e-7) a hundred thousand times at a total of 0.01001: prv-accountant gives 16.51 in [16.41, 16.61]."""
    found = tightest_epsilon(repeat(Loss.of(Pure(0.01), delta=1e-7), 100_000), 0.01001)[0]
    print(f"| (0.01, 1e-7) × 1e5 | {found:.4f} | 16.41 | 16.61 | {100 * (found / 16.51 - 1):+.2f} % |")
    assert 16.41 <= found <= 16.61


def test_autodp_analytic_gaussian() -> None:
    """Balle and Wang's calibration, which autodp's tests use: σ = 1 at ε = 4.8866 has δ = 1e-6."""
    assert tightest_epsilon(Loss.of(Gaussian(1.0)), 1e-6)[0] == pytest.approx(4.88657, rel=2e-5)


@pytest.mark.parametrize(("scale", "times", "delta"), [(1.0, 1, 1e-6), (2.0, 10, 1e-2), (10.0, 30, 1e-6)])
def test_discrete_gaussian_beside_dp_accounting(scale: float, times: int, delta: float) -> None:
    """A sensitivity of 1 on the integers; theirs rounds its losses to a grid, either way."""
    distribution = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    bounds = [
        distribution.from_discrete_gaussian_mechanism(
            scale, value_discretization_interval=1e-4, pessimistic_estimate=side
        )
        .self_compose(times)
        .get_epsilon_for_delta(delta)
        for side in (False, True)
    ]
    found = tightest_epsilon(Loss.of(DiscreteGaussian(1, scale), times), delta)[0]
    print(f"| discrete gaussian {scale} × {times} | {found:.5f} | {bounds[0]:.5f} | {bounds[1]:.5f} |")
    assert bounds[0] * (1 - 1e-6) <= found <= bounds[1] * (1 + 1e-3)


def test_opendp_measures() -> None:
    """OpenDP's own maps: Laplace of scale 2 at sensitivity 1, and zCDP of the discrete Gaussian turned into (ε, δ)."""
    opendp = pytest.importorskip("opendp.prelude")
    opendp.enable_features("contrib")
    space = opendp.atom_domain(T=int), opendp.absolute_distance(T=int)
    laplace = opendp.m.make_laplace(*space, scale=2.0)
    assert tightest_epsilon(Loss.of(Laplace(0.5)), 1e-300)[0] <= laplace.map(1) * (1 + 1e-9)
    gaussian = opendp.m.make_gaussian(*space, scale=4.0)
    curve = opendp.c.make_zCDP_to_approxDP(gaussian).map(1)
    found = tightest_epsilon(Loss.of(DiscreteGaussian(1, 4.0)), 1e-6)[0]
    theirs = float(curve.epsilon(1e-6))
    print(f"| OpenDP discrete gaussian 4 | {found:.5f} | | {theirs:.5f} | {100 * (found / theirs - 1):+.2f} % |")
    assert found <= theirs
