"""Mechanisms whose samples show more loss than is claimed: noise, thresholds and cuts that are too small.

A twin is samples on two worst neighbours and a claim; it is caught when a lower bound on ε, wrong with probability
at most 1e-6, exceeds the claim. Samples come from the kernel's own samplers with a seed.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.kernel.mechanisms.gaussian import GaussianMechanism
from dpframe.kernel.mechanisms.laplace import LaplaceMechanism
from dpframe.kernel.noise import SeededSource, categorical_exp, discrete_laplace, rounded_gaussian
from dpframe.kernel.operations import Exact
from dpframe.proof.losses import Gaussian, Loss, tightest_epsilon
from dpframe.proof.spaces import L1, L2, Counts, Symmetric, Vector
from dpframe.proof.theorems import truncated_laplace_bound
from dpframe.proof.theorems.mechanisms import histogram_threshold
from dpframe.testing.estimation import lower_bounds
from tests.mutants.base import table

Floats = npt.NDArray[np.float64]
SIZE = 100_000
DELTA = 0.01
ALPHA = 1e-6
STEP = Fraction(1, 2**20)


@attrs.frozen(eq=False)
class Claim:
    """Features of releases on two neighbours, and the (ε, δ) they are sold at."""

    first: Floats
    second: Floats
    epsilon: float
    delta: float = 0.0


def caught(make: Callable[[], Claim]) -> str:
    """What was found above the claim."""
    claim = make()
    (found,) = lower_bounds(claim.first, claim.second, (claim.delta,), alpha=ALPHA)
    if found.epsilon > claim.epsilon:
        return f"epsilon >= {found.epsilon:.3f} above {claim.epsilon:.3f} at delta {claim.delta:g}: {found.event}"
    return ""


def noise(name: str) -> SeededSource:
    return SeededSource(20_26).child(name)


def columns(*features: Any) -> Floats:
    return np.column_stack([np.asarray(f, dtype=np.float64) for f in features])


def gdp(mu: float, delta: float = DELTA) -> float:
    """ε of a μ-GDP claim."""
    return tightest_epsilon(Loss.of(Gaussian(mu)), delta)[0]


def normal(name: str, sigma: float, size: int = SIZE) -> Floats:
    """Rounded Gaussian noise in steps of 2^−20."""
    return np.asarray(rounded_gaussian(noise(name), sigma * 2.0**20, size), dtype=np.float64) * 2.0**-20


def lap(name: str, scale: float, size: int = SIZE) -> Floats:
    return np.asarray(discrete_laplace(noise(name), scale * 2.0**20, size), dtype=np.float64) * 2.0**-20


# ------------------------------------------------------------------------------------ noise too small


def gaussian(factor: float, sensitivity: float = 1.0, apart: float = 1.0) -> Claim:
    """1-GDP for an ℓ₂ bound of ``sensitivity``, on values ``apart``, with the noise times ``factor``."""
    mechanism = GaussianMechanism(share=1.0)
    calibration = mechanism.calibrate(0.5, 0.0, (L2(sensitivity),), Vector(1))
    calibration["sigma"] *= factor

    def sample(value: float) -> Floats:
        exact = Exact(np.array([round(value * 2**20)]), STEP)
        source = noise(f"gaussian {value}")
        return np.array(mechanism.release_many(exact, calibration, Vector(1), source, SIZE)).reshape(SIZE, 1)

    return Claim(sample(0.0), sample(apart), gdp(1.0), DELTA)


def laplace(factor: float) -> Claim:
    """1-DP for a count."""
    mechanism = LaplaceMechanism(share=1.0)
    calibration = mechanism.calibrate(0.5, 0.0, (L1(1.0),), Counts(1))
    calibration["scale"] *= factor

    def sample(value: int) -> Floats:
        source = noise(f"laplace {value}")
        return np.array(mechanism.release_many(Exact(np.array([value])), calibration, Counts(1), source, SIZE))

    return Claim(sample(0).reshape(-1, 1), sample(1).reshape(-1, 1), 1.0)


def symmetric(*, diagonal: float) -> Claim:
    """A Gram matrix whose diagonal moves by 1, with ``diagonal``·σ of noise there."""
    mechanism = GaussianMechanism(share=1.0)
    size = 50_000

    def sample(value: int) -> Floats:
        source = noise(f"symmetric {value} {diagonal}")
        stack = np.zeros((size, 2, 2), dtype=np.int64)
        stack[:, 0, 0] = value
        exact = Exact(stack * 2**20, STEP)
        released = np.asarray(mechanism.release(exact, {"sigma": diagonal}, Symmetric(2, size), source))
        return released[:, 0, :1]

    return Claim(sample(0), sample(1), gdp(1.0), DELTA)


def selection(factor: float) -> Claim:
    """The exponential mechanism at ε = 1 on 40 scores, of which one falls and the others rise."""

    def sample(scores: list[int]) -> Floats:
        draws = categorical_exp(noise(f"selection {scores}"), np.array(scores), 0.5 * factor, SIZE)
        return np.asarray(draws, dtype=np.float64).reshape(-1, 1)

    return Claim(sample([1] + 39 * [0]), sample([0] + 39 * [1]), 1.0)


def above_threshold(*, query_noise: bool) -> Claim:
    """SVT at ε = 1 on two queries; without noise on the queries one of them can't pass before the other."""

    def sample(scores: tuple[int, int]) -> Floats:
        name = f"svt {scores}"
        bar = np.asarray(discrete_laplace(noise(name), 2.0, SIZE))
        shape = np.asarray(discrete_laplace(noise(name + " queries"), 4.0, 2 * SIZE)).reshape(SIZE, 2)
        passing = np.array(scores) + (shape if query_noise else 0) >= bar[:, None]
        return np.where(passing.any(axis=1), passing.argmax(axis=1), -1.0).reshape(-1, 1)

    return Claim(sample((0, 1)), sample((1, 0)), 1.0)


# --------------------------------------------------------------------------- thresholds and cuts too low


def histogram(*, lower: float, claimed: float | None = DELTA, published: bool = False) -> Claim:
    """A bin of one row that one side lacks, noise Lap(2) and the exact threshold for δ, less ``lower``·b."""
    scale = 2.0
    tau = histogram_threshold("laplace", scale, 1, DELTA) - lower * scale
    noisy = 1 + np.asarray(discrete_laplace(noise("histogram"), scale, SIZE), dtype=np.float64)
    first = np.where((noisy > tau) | published, noisy, -np.inf)
    second = np.full(SIZE, -np.inf)
    return Claim(first.reshape(-1, 1), second.reshape(-1, 1), 1.0, claimed or 0.0)


def covered_histogram() -> Claim:
    """The δ of the threshold is claimed, with what a sample can add to it."""
    return histogram(lower=0.0)


def truncated(share: float) -> Claim:
    """Truncated Laplace at (1, δ) on a count, cut at ``share`` of its half-width."""
    width = math.ceil(share * truncated_laplace_bound(1.0, 1.0, DELTA))

    def sample(value: int) -> Floats:
        draws = np.asarray(discrete_laplace(noise(f"truncated {value}"), 1.0, 2 * SIZE))
        kept = draws[np.abs(draws) <= width][:SIZE]
        return (value + kept).astype(np.float64).reshape(-1, 1)

    return Claim(sample(0), sample(1), 1.0, DELTA)


# ------------------------------------------------------------------------------------ finite arithmetic


def lattice(*, of_the_data: bool) -> Claim:
    """A sum on a lattice as wide as its largest row: 2^−10 of it, which the released digits show."""

    def sample(largest: float) -> Floats:
        step = largest / 1024 if of_the_data else 1.0 / 1024
        noisy = np.rint((largest + normal(f"lattice {largest}", 1.0)) / step) * step
        return columns(noisy, np.mod(noisy * 1024, 1.0) == 0, np.mod(noisy * 512, 1.0) == 0)

    return Claim(sample(1.0), sample(2.0), gdp(1.0), DELTA)


def floating(*, exact: bool) -> Claim:
    """Mironov's attack: x − ln U in floats lies on a grid of its own for each x."""

    def sample(value: float) -> Floats:
        if exact:
            noisy = value + lap(f"floating {value}", 1.0)
        else:
            rng = np.random.default_rng(int(value) + 5)
            uniform = (rng.integers(1, 2**20, SIZE) / 2**20).astype(np.float64)
            noisy = value - rng.choice([-1.0, 1.0], SIZE) * np.log(uniform)
        return columns(noisy, reachable(noisy))

    return Claim(sample(0.0), sample(1.0), 1.0)


def reachable(noisy: Floats) -> npt.NDArray[np.bool_]:
    """Whether 0 ± ln U gives the very float, for some U on the generator's grid."""
    near = np.rint(np.exp(-np.abs(noisy)) * 2**20)
    grid = np.clip(near[:, None] + np.arange(-1, 2), 1, 2**20) / 2**20
    result: npt.NDArray[np.bool_] = (-np.log(grid) == np.abs(noisy)[:, None]).any(axis=1)
    return result


# ------------------------------------------------------------------------------------- noise used twice


def two_nodes(*, shared: bool) -> Claim:
    """Two counts of the same rows, one of which neighbours share: with one noise their difference is exact."""
    first = normal("node", 1.0)
    other = first if shared else normal("other node", 1.0)
    return Claim(
        columns(first, other, first - other),
        columns(first[::-1] + 1, other[::-1], first[::-1] + 1 - other[::-1]),
        gdp(1.0),
        DELTA,
    )


def two_runs(*, shared: bool) -> Claim:
    """A table released before and after a row came in, with the same seed or another."""
    size = 20_000
    one, two = (normal(f"run {i}", 1.0, size) for i in range(2))
    again = one if shared else two
    return Claim(columns(one, again, again - one), columns(one, again + 1, again + 1 - one), gdp(1.0), DELTA)


def secret_size(*, revealed: bool) -> Claim:
    """A Poisson sample of a table of one row, at rate p: with its size known the inner ε is the true one."""
    rate, size = 0.1, 2 * SIZE

    def sample(value: int) -> Floats:
        chosen = np.random.default_rng(value).random(size) < rate
        noisy = value * chosen + lap(f"sample {value}", 1.0, size)
        return np.where(chosen, noisy, -100.0).reshape(-1, 1) if revealed else noisy.reshape(-1, 1)

    return Claim(sample(0), sample(1), math.log1p(rate * math.expm1(1.0)))


def fixed_subset(*, public: bool) -> Claim:
    """A tenth of the rows, sold at the amplified price: a public subset is no secret."""
    rate, size = 0.1, 2 * SIZE

    def sample(value: int) -> Floats:
        chosen = True if public else np.random.default_rng(value).random(size) < rate
        return (value * chosen + lap(f"subset {value}", 1.0, size)).reshape(-1, 1)

    return Claim(sample(0), sample(1), math.log1p(rate * math.expm1(1.0)))


def of(function: Callable[..., Claim], *arguments: Any, **options: Any) -> Callable[[], Claim]:
    return functools.partial(function, *arguments, **options)


MUTANTS = table(
    "audit",
    ("half-gaussian", "half the Gaussian noise", "", of(gaussian, 0.5), of(gaussian, 1.0)),
    ("half-laplace", "half the Laplace noise", "", of(laplace, 0.5), of(laplace, 1.0)),
    ("two-thirds", "two thirds of the noise", "", of(gaussian, 2 / 3), of(gaussian, 1.0), "jax_privacy"),
    (
        "replace-one",
        "a sum's sensitivity without the factor 2 of replace-one",
        "",
        of(gaussian, 1.0, 1.0, 2.0),
        of(gaussian, 1.0, 2.0, 2.0),
    ),
    ("isometric", "σ/√2 on the diagonal too", "", of(symmetric, diagonal=0.5**0.5), of(symmetric, diagonal=1.0)),
    ("selection", "scores not halved in the exponent", "", of(selection, 2.0), of(selection, 1.0)),
    (
        "svt",
        "above-threshold without noise on the queries",
        "",
        of(above_threshold, query_noise=False),
        of(above_threshold, query_noise=True),
    ),
    ("threshold-ln2", "a threshold too low by b·ln 2", "", of(histogram, lower=math.log(2)), covered_histogram),
    (
        "threshold-none",
        "every occupied bin is published",
        "",
        of(histogram, lower=0.0, published=True),
        covered_histogram,
    ),
    ("delta-forgotten", "a histogram sold as pure", "", of(histogram, lower=0.0, claimed=None), covered_histogram),
    ("cut-short", "truncated Laplace cut at half its width", "", of(truncated, 0.5), of(truncated, 1.0)),
    (
        "data-lattice",
        "a lattice as coarse as the largest row",
        "",
        of(lattice, of_the_data=True),
        of(lattice, of_the_data=False),
    ),
    (
        "mironov",
        "Laplace noise by a logarithm of floats",
        "",
        of(floating, exact=False),
        of(floating, exact=True),
        "Mironov 2012",
    ),
    ("node-noise", "one noise for two nodes", "", of(two_nodes, shared=True), of(two_nodes, shared=False)),
    ("run-seed", "one seed for two runs", "", of(two_runs, shared=True), of(two_runs, shared=False)),
    (
        "sample-size",
        "the size of a secret sample is released",
        "",
        of(secret_size, revealed=True),
        of(secret_size, revealed=False),
        "T9",
    ),
    (
        "public-subset",
        "a public subset at the amplified price",
        "",
        of(fixed_subset, public=True),
        of(fixed_subset, public=False),
        "T9",
    ),
)
