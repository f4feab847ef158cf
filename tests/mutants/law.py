"""Releases with a wrong law: a real mechanism, or what it calls, replaced; refuted exactly, by enumeration."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import pytest

from dpframe.kernel.exact.integers import add, to_floats
from dpframe.kernel.mechanisms import additive, gaussian, selection
from dpframe.kernel.mechanisms.above_threshold import AboveThreshold
from dpframe.kernel.mechanisms.additive import Additive
from dpframe.kernel.mechanisms.laplace import LaplaceMechanism
from dpframe.kernel.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, Selection
from dpframe.kernel.mechanisms.stable_histogram import ReleasedCells, StableHistogram
from dpframe.kernel.mechanisms.truncated_laplace_gate import TruncatedLaplaceTest
from dpframe.kernel.operations import Exact
from dpframe.kernel.registry import operations
from dpframe.proof.spaces import Outcome
from dpframe.proof.theorems import histogram_threshold
from dpframe.testing.battery.attack_law import attack_law
from dpframe.testing.battery.cases import cases_of
from dpframe.testing.battery.lab import Lab
from tests.mutants.base import table

DOCS = "documentation alone"
"""Written from docs/ before the code was looked at."""
Patch = tuple[Any, str, Any]


def judged(name: str, *patches: Patch) -> str:
    """What the layer says of a mechanism with these attributes replaced."""
    operation = cases_of(operations()[name])[0].operation
    lab = Lab(np.random.default_rng(0), 8, 1.0, math.inf)
    with pytest.MonkeyPatch.context() as patch:
        for owner, attribute, twin in patches:
            patch.setattr(owner, attribute, twin)
        attack_law(lab, operation)  # type: ignore[arg-type]
    return "; ".join(f"{f.layer}: {f.message}" for f in lab.failures)


sound = functools.cache(judged)


def caught(make: Callable[[], str]) -> str:
    """Its words."""
    return make()


# ---------------------------------------------------------------------------------------- additive


def floored(scale: float, step: Fraction) -> float:
    return float(max(1, math.floor(Fraction(scale) / step)))


def to_six_digits(scale: float, step: Fraction) -> float:
    return round(float(Fraction(scale) / step), 6)


def nearest(scale: float, step: Fraction) -> float:
    return math.nextafter(float(Fraction(scale) / step), 0.0)


def redrawn_when_far(self: Any, source: Any, scale: float, size: int) -> Any:
    from dpframe.kernel.noise import discrete_laplace

    noise = discrete_laplace(source, scale, size)
    while np.abs(noise).max(initial=0) > 12 * scale:
        noise = discrete_laplace(source, scale, size)
    return noise


def redrawn_when_negative(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
    scale = additive.lattice_scale(calibration[self.scaled_by], exact.step)
    for _ in range(3):
        total = add(exact.integers, self.noise(np.shape(exact.integers), scale, domain, source))
        if (total >= 0).all():
            break
    return total


def float_sum(values: Any, noise: Any) -> Any:
    """Addition in float64: above 2^53 neighbours are two steps apart, or none."""
    total = np.asarray(values, dtype=np.float64) + np.asarray(noise, dtype=np.float64)
    return np.array([int(v) for v in total.ravel()], dtype=object).reshape(total.shape)


def clamped_sum(values: Any, noise: Any) -> Any:
    """A correct twin: large values and sums are clamped, which brings no neighbours further apart."""
    return np.clip(add(np.clip(values, -(2**60), 2**60), noise), -(2**60), 2**60)


def to_even(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
    even = Exact(np.asarray(exact.integers) // 2 * 2, exact.step)
    return to_floats(self.noisy(even, calibration, domain, source), exact.step)


def one_draw_for_all(self: Any, shape: tuple[int, ...], scale: float, domain: Any, source: Any) -> Any:
    return np.broadcast_to(np.asarray(self.draw(source, scale, 1)), shape)


def halves_twice(self: Any, shape: tuple[int, ...], scale: float, domain: Any, source: Any) -> Any:
    """Half of the entries are drawn, the other half has them with the other sign."""
    count = math.prod(shape)
    drawn = np.asarray(self.draw(source, scale, (count + 1) // 2))
    return np.concatenate([drawn, -drawn])[:count].reshape(shape)


def memoised() -> Any:
    kept: dict[Any, Any] = {}

    def noise(self: Any, shape: tuple[int, ...], scale: float, domain: Any, source: Any) -> Any:
        key = (shape, scale)
        if key not in kept:
            kept[key] = np.asarray(self.draw(source, scale, math.prod(shape))).reshape(shape)
        return kept[key]

    return noise


def none_on_zero(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
    """Entries that are 0 stay so: nobody is there."""
    total = additive_noisy(self, exact, calibration, domain, source)
    return np.where(np.asarray(exact.integers) == 0, 0, total)


def less_for_the_large(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
    large = np.abs(np.asarray(exact.integers)).max(initial=0) > 10**6
    told = {k: v / 2 if large else v for k, v in calibration.items()}
    return additive_noisy(self, exact, told, domain, source)


def private_if_simulated(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
    total = additive_noisy(self, exact, calibration, domain, source)
    return total if source.simulated else np.asarray(exact.integers)


def words_of_the_source(self: Any, source: Any, scale: float, size: int) -> Any:
    uniform = (source.words(size) >> np.uint64(11)) * 2.0**-53 - 0.5
    return np.rint(-scale * np.sign(uniform) * np.log1p(-2 * np.abs(uniform))).astype(np.int64)


def held_at_zero(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
    """A correct twin: negative sums are held at 0 after the noise."""
    return np.maximum(additive_noisy(self, exact, calibration, domain, source), 0)


def more_noise(scale: float, step: Fraction) -> float:
    """A correct twin: a scale rounded up to a tenth."""
    return math.ceil(10 * Fraction(scale) / step) / 10 * (1 + 1e-12)


additive_noisy = Additive.noisy
lattice_scale = additive.lattice_scale
symmetric_noise = gaussian.symmetric_noise


def off_diagonal_halved(shape: tuple[int, ...], sigma: float, draw: Any) -> Any:
    return symmetric_noise(shape, sigma, lambda s, size: draw(s if s == sigma else s * math.sqrt(0.5), size))


def diagonal_free(shape: tuple[int, ...], sigma: float, draw: Any) -> Any:
    noise = symmetric_noise(shape, sigma, draw)
    return noise * (1 - np.eye(shape[-1], dtype=np.int64))


# ------------------------------------------------------------------------------------- histograms


def histogram(
    *,
    at_least: bool = False,
    power: float = 1.0,
    shared: bool = False,
    by_exact: bool = False,
    one_threshold: bool = False,
    by_count: bool = False,
    occupied: bool = False,
    cheap_bins: bool = False,
) -> Any:
    """``StableHistogram.release`` with one thing wrong."""

    def release(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
        from dpframe.kernel.noise import discrete_laplace, rounded_gaussian

        levels = exact.integers
        m = max(1, sum(len(c) > 0 for _, c in levels) if occupied else len(levels))
        told = 1 if one_threshold else m
        threshold = histogram_threshold(self.noise, calibration["scale"], told, calibration["delta"])
        gaussian_noise = self.noise == "gaussian"
        scale = self.drawn_at(calibration, 1) * float(m) ** (power * (0.5 if gaussian_noise else 1.0)) * (1 + 1e-12)
        draw = rounded_gaussian if gaussian_noise else discrete_laplace
        out, first = [], None
        for ids, counts in levels:
            noise = draw(source, scale, len(counts)) if first is None or not shared else first[: len(counts)]
            first = noise
            if cheap_bins:
                noise = np.where(counts > 2, noise, 0)
            noisy = add(counts, noise)
            compared = counts if by_exact else noisy
            keep = compared >= threshold if at_least else compared > threshold
            chosen = np.flatnonzero(keep)
            if by_count:
                chosen = chosen[np.argsort(-counts[chosen], kind="stable")]
            out.append(ReleasedCells(ids[chosen], to_floats(noisy[chosen], exact.step), threshold, 0.0))
        return tuple(out)

    return release


# -------------------------------------------------------------------------------------- cut noise


def cut(*, width_less: int = 0, bar_less: int = 0, clipped: bool = False, above: bool = False) -> Any:
    """``TruncatedLaplaceTest.release`` with one thing wrong."""

    def release(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
        from dpframe.kernel.noise import discrete_laplace

        scale = lattice_scale(self.scale(calibration, domain), exact.step)
        full = math.ceil(lattice_scale(calibration["half_width"], exact.step))
        width = full - width_less
        noise = int(discrete_laplace(source, scale, 1)[0])
        while (noise > width or (noise < -width and not above)) and not clipped:
            noise = int(discrete_laplace(source, scale, 1)[0])
        if clipped:
            noise = max(-width, min(width, noise))
        bar = math.ceil(Fraction(self.threshold) / exact.step) + full - bar_less
        total = int(np.ravel(exact.integers)[0]) + noise
        return Outcome(passed=total >= bar, value=float(to_floats([total], exact.step)[0]))

    return release


# ---------------------------------------------------------------------------------------- sequences


def sequence(
    *, bar: float = 2.0, queries: float = 4.0, one: bool = False, first_exact: bool = False, later_exact: bool = False
) -> Any:
    """``AboveThreshold.release`` with one thing wrong."""

    def release(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
        from dpframe.kernel.noise import discrete_laplace

        scale = lattice_scale(math.nextafter(1.0 / calibration["rate"], math.inf), exact.step)
        scores = np.asarray(exact.integers).ravel()
        line = math.ceil(Fraction(self.threshold) / exact.step) + int(discrete_laplace(source, bar * scale, 1)[0])
        noise = discrete_laplace(source, queries * scale, 1 if one else scores.size)
        noise = np.broadcast_to(noise, scores.shape).copy()
        if first_exact:
            noise[0] = 0
        if later_exact:
            noise[1:] = 0
        passing = add(scores, noise) >= line
        return int(np.argmax(passing)) if passing.any() else None

    return release


# --------------------------------------------------------------------------------------- selections


def doubled_scores(self: Any, exact: Exact, calibration: Any, domain: Any, source: Any) -> Any:
    doubled = attrs.evolve(exact, integers=2 * np.asarray(exact.integers))
    return selection_release(self, doubled, calibration, domain, source)


def rounded_rate(rate: float, step: Fraction) -> float:
    return math.nextafter(float(Fraction(rate) * step), math.inf)


def first_head(self: Any, source: Any, scores: Any, rate: float, times: int) -> Any:
    """Permute-and-flip without the permutation: the first head in the order of the candidates."""
    from dpframe.kernel.noise import bernoulli_exp

    gaps = np.array([(int(max(scores)) - int(s)) * rate for s in scores])
    return [int(np.flatnonzero(bernoulli_exp(source, gaps))[0]) for _ in range(times)]


def best_of_two(self: Any, source: Any, scores: Any, rate: float, times: int) -> Any:
    """Two draws, the better of them."""
    from dpframe.kernel.noise import categorical_exp

    return [max((int(i) for i in categorical_exp(source, scores, rate, size=2)), key=lambda i: scores[i])]


selection_release = Selection.release

L, G, D, H = "laplace", "gaussian", "discrete_gaussian", "stable_histogram"
T, A, E, P = "truncated_laplace_test", "above_threshold", "exponential_mechanism", "permute_and_flip"


def of(cls: Any, release: Any) -> Patch:
    """A release in place of a class's own."""
    return cls, "release", release


ROWS: list[tuple[Any, ...]] = [
    ("scale-floored", "a scale rounded to whole steps", L, (additive, "lattice_scale", floored), DOCS),
    ("scale-digits", "a scale rounded to six digits", L, (additive, "lattice_scale", to_six_digits)),
    ("scale-ulp", "a scale one float below the certified", G, (additive, "lattice_scale", nearest)),
    ("far-redrawn", "noise beyond 12 scales is drawn again", L, (LaplaceMechanism, "draw", redrawn_when_far), DOCS),
    ("negative-redrawn", "negative sums are drawn again", L, (Additive, "noisy", redrawn_when_negative), DOCS),
    ("sum-floats", "noise is added in float64", L, (additive, "add", float_sum), DOCS),
    ("to-even", "values are rounded to even steps before noise", L, (Additive, "release", to_even), DOCS),
    ("one-draw", "all entries share one draw", L, (Additive, "noise", one_draw_for_all), DOCS),
    ("antithetic", "half of the noise is the other half's negative", D, (Additive, "noise", halves_twice)),
    ("memoised", "noise is kept by shape and scale", L, lambda: (Additive, "noise", memoised()), DOCS),
    ("zeros-bare", "entries that are 0 get no noise", L, (Additive, "noisy", none_on_zero)),
    ("large-cheap", "large values get half the noise", L, (Additive, "noisy", less_for_the_large)),
    ("secure-bare", "no noise with the secure source", L, (Additive, "noisy", private_if_simulated)),
    ("own-words", "float noise from the words", L, (LaplaceMechanism, "draw", words_of_the_source)),
    ("off-diagonal", "half the variance off the diagonal", G, (gaussian, "symmetric_noise", off_diagonal_halved), DOCS),
    ("diagonal", "no noise on the diagonal", G, (gaussian, "symmetric_noise", diagonal_free)),
    ("tau-at-least", "bins at the threshold are published", H, of(StableHistogram, histogram(at_least=True)), DOCS),
    ("m-power", "noise grows with the fourth root of m", H, of(StableHistogram, histogram(power=0.5)), DOCS),
    ("m-none", "noise of one histogram for all", H, of(StableHistogram, histogram(power=0.0)), DOCS),
    ("tau-of-one", "the threshold of one histogram", H, of(StableHistogram, histogram(one_threshold=True))),
    ("histograms-shared", "histograms share their noise", H, of(StableHistogram, histogram(shared=True)), DOCS),
    ("bins-exact", "the exact count decides", H, of(StableHistogram, histogram(by_exact=True))),
    ("bins-by-count", "bins in the order of counts", H, of(StableHistogram, histogram(by_count=True))),
    ("bins-occupied", "empty histograms are not counted", H, of(StableHistogram, histogram(occupied=True))),
    ("bins-cheap", "no noise on small counts", H, of(StableHistogram, histogram(cheap_bins=True))),
    ("cut-early", "noise cut one step early", T, of(TruncatedLaplaceTest, cut(width_less=1)), DOCS),
    ("bar-low", "a test that passes a step below", T, of(TruncatedLaplaceTest, cut(bar_less=1)), DOCS),
    ("cut-clipped", "noise clipped in place of drawn again", T, of(TruncatedLaplaceTest, cut(clipped=True))),
    ("bar-bare", "a bare threshold", A, of(AboveThreshold, sequence(bar=0.0)), DOCS),
    ("queries-cheap", "noise on queries as on the threshold", A, of(AboveThreshold, sequence(queries=2.0))),
    ("queries-shared", "queries share one noise", A, of(AboveThreshold, sequence(one=True))),
    ("later-exact", "later queries are compared exactly", A, of(AboveThreshold, sequence(later_exact=True))),
    ("scores-doubled", "scores are scaled twice", E, (Selection, "release", doubled_scores), DOCS),
    ("rate-rounded", "a rate rounded up", P, (selection, "lattice_rate", rounded_rate)),
    ("no-permutation", "the first head in order", P, (PermuteAndFlip, "draw", first_head), DOCS),
    ("best-of-two", "the better of two draws", E, (ExponentialMechanism, "draw", best_of_two)),
]  # fmt: skip
"""Name, fault, mechanism, patch or what makes it, source."""


def broken(name: str, patch: Any) -> Callable[[], str]:
    return lambda: judged(name, patch() if callable(patch) else patch)


def twin(name: str) -> Callable[[], str]:
    return functools.partial(sound, name)


MUTANTS = table(
    "law",
    *((name, fault, "law: ", broken(op, patch), twin(op), *rest) for name, fault, op, patch, *rest in ROWS),
)

CORRECT: list[tuple[str, str, Patch]] = [
    ("held at 0 after the noise", L, (Additive, "noisy", held_at_zero)),
    ("large sums are clamped", L, (additive, "add", clamped_sum)),
    ("a scale rounded up", L, (additive, "lattice_scale", more_noise)),
    ("a scale rounded up", G, (additive, "lattice_scale", more_noise)),
    ("histograms written again", H, (StableHistogram, "release", histogram())),
    ("a cut above and not below", T, (TruncatedLaplaceTest, "release", cut(above=True))),
    ("the cut written again", T, (TruncatedLaplaceTest, "release", cut())),
    (
        "the first query has the noise of the threshold alone",
        A,
        (AboveThreshold, "release", sequence(first_exact=True)),
    ),
    ("the sequence written again", A, (AboveThreshold, "release", sequence())),
]
"""Correct twins that are written in another way: none may be refuted."""
