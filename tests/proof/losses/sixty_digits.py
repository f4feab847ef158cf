"""Losses against 60 digits: events, and what says how far off they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import mpmath
import numpy as np
from mpmath import mpf

from dpframe.planning.deltas import delta
from dpframe.planning.discrete_events import DiscreteLaplace
from dpframe.proof.losses import (
    BoundedRange,
    Concentrated,
    Event,
    Gaussian,
    Laplace,
    Loss,
    Pure,
    Renyi,
    amplify,
    compose,
    epsilon,
    tightest_epsilon,
    worst,
)
from dpframe.proof.losses._numeric import U
from tests.proof.losses import exact
from tests.proof.losses.repeated import repeat

Case = tuple[str, float, mpf, float]
CLOSED = 1e-12
CURVE = 2e-7
LOOSE = 5e-3  # of the composer
TINY = 1e-290  # below it only "never below" is asked


def between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(math.exp(rng.uniform(math.log(low), math.log(high))))


def an_order(rng: np.random.Generator) -> float:
    return 1 + between(rng, 1e-6, 1e18 if rng.random() < 0.3 else 1e4)


def a_point(rng: np.random.Generator, eps: float) -> float:
    """Anywhere, and often close below epsilon, where the profile is tiny."""
    return eps * (1 - between(rng, 1e-13, 1)) if rng.random() < 0.5 else eps * rng.uniform(-1.2, 1.2)


def profile(event: Event, x: float) -> float:
    values = event.profile(np.array([x]))
    assert values is not None
    return float(values[0])


def rdp(event: Event, order: float) -> float:
    return float(event.rdp(np.array([order]))[0])


# ------------------------------------------------------------------------------- single events


def pure_cases(rng: np.random.Generator) -> Iterator[Case]:
    eps, order = between(rng, 1e-12, 700), an_order(rng)
    event, atoms = Pure(eps), exact.response(eps)
    x = a_point(rng, eps)
    yield f"{event} rdp {order}", rdp(event, order), exact.atoms_rdp(atoms, order), CURVE
    yield f"{event} rho", event.rho, exact.atoms_kl(atoms), CLOSED
    yield f"{event} mu", event.mu, exact.atoms_mu(atoms), CLOSED
    yield f"{event} profile {x}", profile(event, x), exact.atoms_profile(atoms, x), CLOSED


def laplace_cases(rng: np.random.Generator) -> Iterator[Case]:
    eps, order = between(rng, 1e-12, 700), an_order(rng)
    event, e, x = Laplace(eps), mpf(eps), a_point(rng, eps)
    yield f"{event} rdp {order}", rdp(event, order), exact.laplace_rdp(eps, order), CURVE
    yield f"{event} rho", event.rho, e - 1 + mpmath.exp(-e), 1e-10
    yield f"{event} mu", event.mu, 2 * exact.quantile(mpmath.exp(-e / 2) / 2), CLOSED
    yield f"{event} profile {x}", profile(event, x), exact.laplace_profile(eps, x), CLOSED


def range_cases(rng: np.random.Generator) -> Iterator[Case]:
    eps, order = between(rng, 1e-12, 700), an_order(rng)
    event, x = BoundedRange(eps), a_point(rng, eps)
    found = exact.range_supremum(eps, lambda atoms: exact.atoms_rdp(atoms, order))
    yield f"{event} rdp {order}", rdp(event, order), found, CURVE
    yield f"{event} rho", event.rho, exact.range_supremum(eps, exact.atoms_kl), 1e-9
    yield f"{event} mu", event.mu, exact.range_supremum(eps, exact.atoms_mu, 45), CLOSED
    supremum = exact.range_supremum(eps, lambda atoms: exact.atoms_profile(atoms, x)) if x > 0 else mpf(0)
    yield f"{event} profile {x}", profile(event, x), supremum, CLOSED if x > 0 else math.inf


def discrete_cases(rng: np.random.Generator) -> Iterator[Case]:
    shift = int(rng.choice([1, 2, 3, 4, 5, 8, 21]))
    event = DiscreteLaplace(shift, shift / between(rng, 1e-12, 690) if rng.random() < 0.5 else between(rng, 0.1, 1e6))
    order, atoms = an_order(rng), exact.discrete(shift, event.scale)
    x = a_point(rng, event.epsilon)
    yield f"{event} rdp {order}", rdp(event, order), exact.atoms_rdp(atoms, order), 1e-3
    yield f"{event} epsilon", event.epsilon, mpf(shift) / mpf(event.scale), CLOSED
    yield f"{event} rho", event.rho, exact.atoms_kl(atoms), 1e-10
    yield f"{event} mu", event.mu, exact.atoms_mu(atoms), CLOSED
    yield f"{event} profile {x}", profile(event, x), exact.atoms_profile(atoms, x), 2e-2


def gaussian_cases(rng: np.random.Generator) -> Iterator[Case]:
    mu, order = between(rng, 1e-12, 60), an_order(rng)
    x = min(mu * rng.uniform(0, 37) + mu * mu / 2 * float(rng.choice([0, 1])), 700.0)
    event, m = Gaussian(mu), mpf(mu)
    yield f"{event} rdp {order}", rdp(event, order), m * m / 2 * mpf(order), CLOSED
    yield f"{event} rho", event.rho, m * m / 2, CLOSED
    yield f"{event} profile {x}", profile(event, x), exact.gaussian_profile(mu, x), 5e-6
    rho = between(rng, 1e-24, 700)
    yield f"rho {rho} rdp", rdp(Concentrated(rho), order), mpf(rho) * mpf(order), CLOSED
    if order < 1e17:
        eps = between(rng, 1e-9, 30)
        known = tuple(1 + (order - 1) * np.array([0.25, 2.0, 8.0]))
        curve = Renyi(known, tuple(float(v) * (1 + 1e-14) for v in Pure(eps).rdp(np.array(known))))
        yield f"Renyi {eps} {order}", rdp(curve, order), exact.atoms_rdp(exact.response(eps), order), math.inf


# ------------------------------------------------------------------------------- compositions


def a_delta(rng: np.random.Generator) -> float:
    return between(rng, 1e-300, 0.5) if rng.random() < 0.6 else between(rng, 1e-12, 0.5)


def composed_cases(rng: np.random.Generator) -> Iterator[Case]:
    """Randomised response against binomial sums, Gaussians against their closed form."""
    times, target = int(between(rng, 1, 400)), a_delta(rng)
    eps = min(between(rng, 1e-12, 5), 690 / times)
    atoms, loss = exact.response(eps, times), Loss.of(Pure(eps), times)
    true = exact.crossing(lambda x: exact.atoms_profile(atoms, x), target, mpf(eps) * times)
    yield f"{loss} pld {target}", epsilon(loss, target, "pld"), true, LOOSE
    yield f"{loss} {target}", tightest_epsilon(loss, target)[0], true, LOOSE
    x = float(true) * rng.uniform(0.3, 0.99)
    yield f"{loss} delta({x})", delta(loss, x, "pld"), exact.atoms_profile(atoms, x), math.inf
    mu, times = between(rng, 1e-12, 30), int(between(rng, 1, 1e15))
    mu /= math.sqrt(times)
    total = mpmath.sqrt(times) * mpf(mu)
    true = exact.crossing(lambda x: exact.gaussian_profile(total, x), target, total * total / 2 + 40 * total)
    yield f"Gaussian({mu}) x {times} {target}", epsilon(Loss.of(Gaussian(mu), times), target, "gdp"), true, 1e-6


def lattice_cases(rng: np.random.Generator) -> Iterator[Case]:
    """Discrete Laplaces of one scale, of several shifts: losses are integers over the scale."""
    scale = between(rng, 0.3, 1e3)
    parts = [(int(rng.integers(1, 6)), int(rng.integers(1, 12))) for _ in range(2)]
    loss = compose(*[Loss.of(DiscreteLaplace(shift, scale), times) for shift, times in parts])
    total: dict[int, mpf] = {0: mpf(1)}
    for shift, times in parts:
        masses = [mass for _, mass in exact.discrete(shift, scale)]
        for _ in range(times):
            following: dict[int, mpf] = {}
            for at, weight in total.items():
                for k, mass in enumerate(masses):
                    following[at + shift - 2 * k] = following.get(at + shift - 2 * k, mpf(0)) + weight * mass
            total = following
    atoms = [(at / mpf(scale), mass) for at, mass in total.items()]
    target, top = a_delta(rng), max(total) / mpf(scale)
    true = exact.crossing(lambda x: exact.atoms_profile(atoms, x), target, top)
    yield f"{loss} pld {target}", epsilon(loss, target, "pld"), true, LOOSE
    x = float(true) * rng.uniform(0.3, 0.99)
    yield f"{loss} delta({x})", delta(loss, x, "pld"), exact.atoms_profile(atoms, x), math.inf


def mixed_cases(rng: np.random.Generator) -> Iterator[Case]:
    """One event after randomised responses: the mean of its profile at what their loss leaves."""
    times, target = int(between(rng, 1, 60)), a_delta(rng)
    eps, size = min(between(rng, 1e-6, 5), 300 / times), between(rng, 1e-6, 60)
    atoms = exact.response(eps, times)
    shift = int(rng.integers(1, 6))
    lattice = exact.discrete(shift, 7.0)
    gaussian = min(size, 12.0)
    after: list[tuple[Event, Callable[[mpf], mpf], mpf]] = [
        (Laplace(size), lambda x: exact.laplace_profile(size, x), mpf(size)),
        (BoundedRange(size), lambda x: exact.range_profile(size, x), mpf(size)),
        (Gaussian(gaussian), lambda x: exact.gaussian_profile(gaussian, x), mpf(gaussian * (gaussian / 2 + 40))),
        (
            DiscreteLaplace(shift, 7.0),
            lambda x: max(exact.atoms_profile(lattice, x), -mpmath.expm1(x)),
            mpf(shift) / 7,
        ),
    ]
    event, single, reach = after[int(rng.integers(len(after)))]
    loss = compose(Loss.of(event), Loss.of(Pure(eps), times))
    at = lambda x: mpmath.fsum(mass * single(x - at) for at, mass in atoms)  # noqa: E731
    true = exact.crossing(at, target, reach + mpf(eps) * times)
    yield f"{loss} pld {target}", epsilon(loss, target, "pld"), true, LOOSE
    x = float(true) * rng.uniform(0.3, 0.99)
    yield f"{loss} delta({x})", delta(loss, x, "pld"), at(mpf(x)), math.inf


def worst_cases(rng: np.random.Generator) -> Iterator[Case]:
    """Of randomised responses and of one Gaussian, together: the larger profile at every point."""
    times, target, mu = int(between(rng, 1, 30)), between(rng, 1e-12, 0.3), between(rng, 0.01, 5)
    eps = min(between(rng, 1e-6, 5), 300 / times)
    loss, atoms = worst(Loss.of(Pure(eps), times), Loss.of(Gaussian(mu))), exact.response(eps, times)
    high = mpf(eps) * times + mpf(mu) ** 2 / 2 + 40 * mpf(mu)
    true = exact.crossing(lambda x: max(exact.atoms_profile(atoms, x), exact.gaussian_profile(mu, x)), target, high)
    yield f"{loss} pld {target}", epsilon(loss, target, "pld"), true, LOOSE


def conversion_cases(rng: np.random.Generator) -> Iterator[Case]:
    """The best order, found here by another search; up to 1e15 ranges, whose own profile is not known exactly."""
    times, target = int(between(rng, 1, 1e15)), a_delta(rng)
    eps = min(between(rng, 1e-12, 30), 30 / math.sqrt(times))
    for event, atoms in (
        (Pure(eps), exact.response(eps)),
        (BoundedRange(eps), exact.two_points(mpf(eps) / 2, eps)),  # one of the laws: a lower bound
    ):
        curve = lambda a, atoms=atoms: times * exact.atoms_rdp(atoms, a)  # noqa: E731
        true = best_order(lambda a, curve=curve: exact.conversion_epsilon(curve, a, target))  # type: ignore[misc]
        slack = 1e-4 if isinstance(event, Pure) else math.inf
        yield f"{event} x {times} rdp {target}", epsilon(Loss.of(event, times), target, "rdp"), max(true, mpf(0)), slack
    rho = times * mpf(eps) ** 2
    true = best_order(lambda a: exact.conversion_epsilon(lambda b: rho * b, a, target))
    ours = epsilon(Loss.of(Concentrated(eps * eps * (1 + 4 * U)), times), target, "zcdp")
    yield f"rho {rho} zcdp {target}", ours, max(true, mpf(0)), 1e-4


def best_order(objective: Callable[[mpf], mpf]) -> mpf:
    """Smallest value over orders 1 + e^y: a grid, then golden sections around its best point."""
    at = lambda y: objective(1 + mpmath.exp(y))  # noqa: E731
    grid = [mpf(y) for y in range(-14, 44)]
    middle = min(grid, key=at)
    low, high = middle - 1, middle + 1
    for _ in range(25):
        one, two = low + (high - low) * 0.382, low + (high - low) * 0.618
        low, high = (low, two) if at(one) < at(two) else (one, high)
    return at((low + high) / 2)


def sampled_cases(rng: np.random.Generator) -> Iterator[Case]:
    eps, rate, own = between(rng, 1e-12, 700), between(rng, 1e-200, 1), between(rng, 1e-300, 0.5)
    loss = amplify(Loss.of(Pure(eps), delta=own), rate)
    yield f"amplify {eps} {rate}", loss.epsilon, mpmath.log1p(mpf(rate) * mpmath.expm1(eps)), 1e-9
    yield f"amplify {own} {rate}", loss.delta, mpf(rate) * mpf(own), CLOSED


def failing_cases(rng: np.random.Generator) -> Iterator[Case]:
    """The optimal composition of (epsilon, delta) mechanisms: Kairouz, Oh and Viswanath 2015, Theorem 3.3."""
    times, own = int(between(rng, 1, 300)), between(rng, 1e-300, 0.1)
    eps, target = min(between(rng, 1e-3, 3), 300 / times), between(rng, 1e-12, 0.5)
    one, atoms = Loss.of(Pure(eps), delta=own), exact.response(eps, times)
    loss, fails = repeat(one, times), -mpmath.expm1(times * mpmath.log1p(-mpf(own)))
    yield f"{loss} own", loss.delta, fails, 1e-13
    several = compose(*[one] * min(times, 9))
    yield f"{several} own", several.delta, -mpmath.expm1(min(times, 9) * mpmath.log1p(-mpf(own))), 1e-13
    if fails < 0.99 * target:
        left = (mpf(target) - fails) / (1 - fails)
        true = exact.crossing(lambda x: exact.atoms_profile(atoms, x), left, mpf(eps) * times)
        yield f"{loss} pld {target}", epsilon(loss, target, "pld"), true, LOOSE
        x = float(true) * rng.uniform(0.3, 0.99)
        at = fails + (1 - fails) * exact.atoms_profile(atoms, x)
        yield f"{loss} delta({x})", delta(loss, x, "pld"), at, LOOSE


GROUPS = {
    "pure": pure_cases,
    "laplace": laplace_cases,
    "range": range_cases,
    "discrete": discrete_cases,
    "gaussian": gaussian_cases,
    "composed": composed_cases,
    "lattice": lattice_cases,
    "mixed": mixed_cases,
    "worst": worst_cases,
    "conversion": conversion_cases,
    "failing": failing_cases,
    "sampled": sampled_cases,
}


def faults(group: str, count: int, seed: int) -> list[str]:
    """Views below the truth, or further above it than promised."""
    rng, found = np.random.default_rng(seed), []
    with mpmath.workdps(exact.DIGITS + 60):  # what the definitions cancel leaves 60 digits
        for _ in range(count):
            for what, ours, true, above in GROUPS[group](rng):
                low = mpf(ours) < true * (1 - mpf(10) ** -17)  # exact searches stop at 1e-18
                if low or (ours > TINY and mpf(ours) > true * (1 + mpf(above)) + mpf(TINY) and above < math.inf):
                    found.append(f"{what}: {ours!r} for {mpmath.nstr(true, 20)}")
    return found
