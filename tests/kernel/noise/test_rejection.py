"""The tables behind every sampler: exact domination, sure quick decisions, float errors below the slack."""

from __future__ import annotations

from fractions import Fraction

import attrs
import numpy as np
import pytest
from scipy import special

from dpframe.kernel.noise import SeededSource
from dpframe.kernel.noise import rejection as module
from dpframe.kernel.noise.exact import SLACK, Bits, Uniform, exp_bounds
from dpframe.kernel.noise.rejection import SLOTS, V_BITS, draw_tail, envelope, point_strips, rounded_strips, sample
from tests.kernel.noise.goodness import ALARM, Scripted, integer_fit, laplace_mass, quantile_fit, rounded_mass

DIGITS = 120
TABLES = [
    (1, 1e-300, True),
    (1, 0.01, True),
    (1, 1.0, True),
    (1, 16.0, False),
    (1, np.nextafter(32.0, 0), False),
    (1, np.nextafter(32.0, 0), True),
    (2, 5e-324, True),
    (2, 0.3, True),
    (2, 3.7, True),
    (2, 16.0, False),
    (2, 22.6274, False),
    (2, np.nextafter(32.0, 0), False),
]


def value(table, y: int) -> tuple[Fraction, Fraction]:
    """Bounds of f at an integer."""
    low, high = exp_bounds(table.exact_exponent(Fraction(y)), DIGITS)
    return Fraction(low, 1 << DIGITS), Fraction(high, 1 << DIGITS)


@pytest.mark.parametrize(("power", "rho", "points"), TABLES)
def test_rejection_dominate_exactly(power, rho, points):
    table = envelope(power, float(rho), points=points)
    assert table.counts.sum() + 1 == SLOTS == len(table.strip)
    assert (np.bincount(table.strip, minlength=2 * table.reach + 1)[:-1] == table.counts).all()
    for j, count, quick in zip(range(-table.reach, table.reach), table.counts, table.quick, strict=False):
        ends = [abs(j)] if points else [abs(j), abs(j + 1)]
        assert table.scale * value(table, min(ends))[1] <= int(count)
        assert Fraction(int(quick), 1 << V_BITS) <= table.scale * value(table, max(ends))[0] / int(count)
    assert table.quick[-1] == 0


@pytest.mark.parametrize(("power", "rho", "points"), TABLES)
def test_the_tail_slot_dominates_exactly(power, rho, points):
    table = envelope(power, float(rho), points=points)
    for g in range(70):
        density = Fraction(1, table.block << (g + 2))
        bound = exp_bounds(table.exact_exponent(Fraction(table.reach + table.block * g)), 400)[1]
        assert table.scale * Fraction(bound, 1 << 400) <= density


@pytest.mark.parametrize(
    "strips",
    [
        rounded_strips(2.0**40, wide=False),
        rounded_strips(0.3, wide=False),
        rounded_strips(1.999 * 2.0**20, wide=False),
        point_strips(1, 2.0**40 * 1.7, wide=False),
        point_strips(1, 3.7, wide=False),
        point_strips(2, 2.0**59 * 1.7, wide=True),
        point_strips(2, 0.3, wide=False),
    ],
)
def test_float_ratios_are_within_a_sixteenth_of_the_slack(strips):
    """The bound 2^-40 of docs/theory/noise.md on S f(y) / n_j, against exact rationals at random points."""
    table, source = strips.envelope, SeededSource(8)
    u = source.words(600)
    j = (source.words(600) % np.uint64(2 * table.reach)).astype(np.int64) - table.reach
    ratios = table.scale * np.exp(-table.exponent(j + strips.fraction(u))) / table.counts[j + table.reach]
    for i in range(600):
        place = Fraction(int(u[i]), 1 << 64) if strips.rounded else Fraction(int(strips.head(u)[i]), 1 << strips.shift)
        low, high = exp_bounds(table.exact_exponent(int(j[i]) + place), DIGITS)
        factor = Fraction(table.scale, int(table.counts[j[i] + table.reach]) << DIGITS)
        assert factor * low - SLACK / 16 <= Fraction(ratios[i]) <= factor * high + SLACK / 16


def test_no_slack_decides_too_early():
    """Twin: a quick threshold that is too generous biases the sample, and the fit sees it."""
    n, good = 1_000_000, rounded_strips(10.0, wide=False)
    generous = attrs.evolve(good, envelope=attrs.evolve(good.envelope, quick=good.envelope.quick + (1 << 45)))
    assert integer_fit(sample(SeededSource(1), good, n), rounded_mass(10.0), 60) > ALARM
    assert integer_fit(sample(SeededSource(1), generous, n), rounded_mass(10.0), 60) < ALARM


def test_every_forced_draw_is_decided_exactly(monkeypatch):
    calls = []
    exact = module.below_exp
    monkeypatch.setattr(module, "below_exp", lambda *a: calls.append(1) or exact(*a))
    assert len(sample(SeededSource(1), rounded_strips(2.0**20, wide=False, slack=2.0), 500)) == 500
    assert len(calls) >= 500
    calls.clear()
    sample(SeededSource(1), rounded_strips(2.0**20, wide=False), 100_000)
    assert not calls  # expected 4e-6


def tail(strips, reach: float, count: int):
    """Draws beyond `reach` scales, from a tail that starts before the real one (scale 1 keeps it valid)."""
    start = round(reach * strips.envelope.rho)
    early = attrs.evolve(strips, envelope=attrs.evolve(strips.envelope, reach=start, scale=1))
    source, drawn = SeededSource(12), []
    while len(drawn) < count:
        z = draw_tail(source, early)
        if z is not None:
            drawn.append(z)
    return np.array(drawn), start << max(strips.shift, 0)


@pytest.mark.parametrize("slack", [SLACK, 2.0])
def test_gaussian_tail(slack):
    """Draws beyond 3 sigma follow the conditional distribution, out past 5 sigma."""
    sigma = 2.0**20
    drawn, start = tail(rounded_strips(sigma, wide=False, slack=slack), 3.0, 2500)
    edges = np.concatenate([-np.linspace(5, 3.02, 60)[1:], np.linspace(3.02, 5, 60)[:-1]]) * sigma

    def conditional(width):
        mass = special.ndtr(-3.0 / width)
        return lambda x: np.where(
            x < 0,
            special.ndtr(np.minimum(x / sigma, -3.0) / width) / (2 * mass),
            1 - special.ndtr(-np.maximum(x / sigma, 3.0) / width) / (2 * mass),
        )

    assert np.abs(drawn).min() >= start
    assert np.abs(drawn).max() > 4 * sigma
    assert quantile_fit(drawn, conditional(1.0), edges) > ALARM
    assert quantile_fit(drawn, conditional(1.2), edges) < ALARM


@pytest.mark.parametrize("slack", [SLACK, 2.0])
@pytest.mark.parametrize("scale", [10.0, 2.0**20])
def test_laplace_tail(slack, scale):
    drawn, start = tail(point_strips(1, scale, wide=False, slack=slack), 5.0, 2500)
    right, left = drawn[drawn >= 0] - start, -1 - start - drawn[drawn < 0]
    assert min(right.min(), left.min()) >= 0
    beyond = np.concatenate([right, -1 - left])  # geometric on either side
    q = np.exp(-1 / scale)

    def cdf(p):
        left_mass = p / (1 + p)  # the left side starts one further out
        return lambda x: np.where(
            x < 0,
            left_mass * p ** np.maximum(-1 - np.floor(x), 0),
            1 - (1 - left_mass) * p ** np.maximum(np.floor(x) + 1, 0),
        )

    positive = np.linspace(0.05, 4, 40) * scale
    edges = np.concatenate([-positive[::-1], positive]).round() + 0.5
    assert quantile_fit(beyond, cdf(q), edges) > ALARM
    assert quantile_fit(beyond, cdf(q**1.25), edges) < ALARM


def test_the_real_tail_is_entered_as_often_as_it_should():
    """4e4 proposals, kept with probability 2 S rho sqrt(2 pi) (1 - Phi(J / rho)): Poisson, |z| < 5.5."""
    strips = rounded_strips(2.0**20, wide=False)
    table, source = strips.envelope, SeededSource(3)
    tries = 40_000
    kept = sum(draw_tail(source, strips) is not None for _ in range(tries))
    mean = tries * 2 * table.scale * table.rho * (2 * np.pi) ** 0.5 * special.ndtr(-table.reach / table.rho)
    assert special.pdtr(kept, mean) > 5e-7
    assert special.pdtrc(kept - 1, mean) > 5e-7


def far_draw(gap: int) -> Scripted:
    """One proposal in the tail's slot: sign +, `gap` zeros and a one, then zeros for ever: always kept."""
    proposals = 1 + 8
    first = [2**64 - 1] + [0] * (proposals - 1)
    position = 1 + gap
    bits = [0] * (position // 64) + [1 << (63 - position % 64)]
    return Scripted(*first, *[0] * proposals, *bits)


@pytest.mark.parametrize(
    ("strips", "gap"),
    [(rounded_strips(2.0**55, wide=False), 260), (point_strips(1, 2.0**51, wide=False), 1030)],
)
def test_a_draw_beyond_int64_makes_python_ints(strips, gap):
    drawn = sample(far_draw(gap), strips, 1)
    assert drawn.dtype == object
    assert drawn[0] == (strips.envelope.reach + strips.envelope.block * gap) << strips.shift
    assert drawn[0] > 1 << 62
    assert sample(far_draw(3), strips, 1).dtype == np.int64


def test_a_far_draw_of_a_tiny_scale():
    """Below one lattice unit the strips are fractions of one, and only the tail can leave 0."""
    strips = rounded_strips(2.0**-50, wide=False)
    assert strips.shift == -54
    assert (sample(SeededSource(1), strips, 1000) == 0).all()
    assert strips.value(1 << 53, 0) == 1
    assert strips.value((1 << 53) - 1, 0) == 0
    assert strips.value(-(1 << 53) - 1, 0) == -1


@pytest.mark.parametrize("j", [-3, -1, 0, 2])
@pytest.mark.parametrize("digits", [64, 65, 128])
def test_the_bounds_of_a_point_known_in_part_are_those_of_its_interval(j, digits):
    strips = rounded_strips(3.7, wide=False)
    bits, u = Bits(SeededSource(3)), 0x9E3779B97F4A7C15
    place = Uniform(Bits(SeededSource(3)), u, 64)
    low, high = strips.exponent(bits, j, u)(digits)
    ends = [j + Fraction(place.to(digits) + step, 1 << digits) for step in (0, 1)]
    assert (low, high) == tuple(sorted(strips.envelope.exact_exponent(end) for end in ends))
    middle = j + Fraction(place.to(300), 1 << 300)
    assert low < strips.envelope.exact_exponent(middle) < high


@pytest.mark.parametrize("shift", [0, 1, 20, 56])
def test_rounding_is_floor_of_a_half_more(shift):
    strips = attrs.evolve(rounded_strips(2.0**20, wide=True), shift=shift)
    for j in (-3, -1, 0, 2):
        for u in (0, 1, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 0x9E3779B97F4A7C15):
            y = (j + Fraction(u, 1 << 64)) * 2**shift
            expected = (y + Fraction(1, 2)).__floor__()
            assert strips.value(j, strips.head(u)) == expected
            both = strips.values(np.array([j]), np.array([u], dtype=np.uint64))
            assert both[0] == expected
            if shift < 50:
                assert (
                    attrs.evolve(strips, wide=False).values(np.array([j]), np.array([u], dtype=np.uint64))[0]
                    == expected
                )


@pytest.mark.parametrize("scale", [0.3, 3.7])
def test_forced_and_quick_paths_draw_the_same_distribution(scale):
    for slack, n in ((SLACK, 200_000), (2.0, 10_000)):
        drawn = sample(SeededSource(6), point_strips(1, scale, wide=False, slack=slack), n)
        assert integer_fit(drawn, laplace_mass(scale), 60) > ALARM
        assert integer_fit(drawn, laplace_mass(1.2 * scale), 60) < ALARM
