"""Every view of every event with 60 digits, from definitions that share no formula with the code.

A symmetric pair with finitely many losses is a list of atoms; Laplace is its best threshold; a bounded range is
the supremum over the two-point laws, found by a search over t; GDP parameters come from the vertices of trade-off
curves. Nothing here imports the package.
"""

from __future__ import annotations

from collections.abc import Callable

import mpmath
from mpmath import mpf

Atoms = list[tuple[mpf, mpf]]
DIGITS = 60


def tail(x: mpf) -> mpf:
    """Upper tail of the normal law."""
    return mpmath.erfc(x / mpmath.sqrt(2)) / 2


def quantile(p: mpf) -> mpf:
    """The ``x >= 0`` with ``tail(x) = p``, for ``p <= 1/2``, by Newton's method on the logarithm."""
    x = mpf(0) if p > mpf("0.4") else mpmath.sqrt(-2 * mpmath.log(2 * p))
    for _ in range(60):
        if not 0 < p <= mpf("0.5"):
            raise ValueError(mpmath.nstr(p))
        density = mpmath.exp(-x * x / 2) / mpmath.sqrt(2 * mpmath.pi)
        step = (mpmath.log(tail(x)) - mpmath.log(p)) * tail(x) / density
        x += step
        if abs(step) <= abs(x) * mpf(10) ** -50:
            break
    return x


# ------------------------------------------------------------------------------- atoms


def response(eps: float, times: int = 1) -> Atoms:
    """Losses and probabilities of ``times`` randomised responses: a binomial law."""
    e = mpf(eps)
    ratio, mass, atoms = mpmath.exp(-e), (1 + mpmath.exp(-e)) ** -times, []
    for k in range(times + 1):
        atoms.append(((times - 2 * k) * e, mass))
        mass *= ratio * (times - k) / (k + 1)
    return atoms


def discrete(shift: int, scale: float) -> Atoms:
    """Losses of ``P(k) ~ exp(-|k|/b)`` against its shift, gathered from the two tails inward."""
    b = mpf(scale)
    q = mpmath.exp(-1 / b)
    norm = (1 - q) / (1 + q)
    inner = [((shift - 2 * mpf(k)) / b, norm * q**k) for k in range(1, shift)]
    left = norm / (1 - q)  # all k <= 0 have the largest loss
    right = norm * q**shift / (1 - q)
    return [(shift / b, left), *inner, (-shift / b, right)] if shift else [(mpf(0), mpf(1))]


def atoms_profile(atoms: Atoms, x: float | mpf) -> mpf:
    e = mpf(x)
    return mpmath.fsum(mass * -mpmath.expm1(e - loss) for loss, mass in atoms if loss > e)


def atoms_rdp(atoms: Atoms, order: float | mpf) -> mpf:
    gap = mpf(order) - 1
    return mpmath.log(mpmath.fsum(mass * mpmath.exp(gap * loss) for loss, mass in atoms)) / gap


def atoms_kl(atoms: Atoms) -> mpf:
    return mpmath.fsum(mass * loss for loss, mass in atoms)


def atoms_mu(atoms: Atoms) -> mpf:
    """Largest ``quantile(alpha) + quantile(beta)`` over the vertices of the trade-off curve."""
    best = mpf(0)
    for cut in range(1, len(atoms)):
        alpha = mpmath.fsum(mass * mpmath.exp(-loss) for loss, mass in atoms[:cut])
        beta = mpmath.fsum(mass for _, mass in atoms[cut:])
        best = max(best, sum(quantile(p) if p <= 0.5 else -quantile(1 - p) for p in (alpha, beta)))
    return best


# ------------------------------------------------------------------------------- Laplace


def laplace_profile(eps: float, x: float | mpf) -> mpf:
    """The best threshold: noise at most ``(eps - x)/2``."""
    e, y = mpf(eps), mpf(x)
    if y >= e:
        return mpf(0)
    if y <= -e:
        return -mpmath.expm1(y)
    t = (e - y) / 2
    below = lambda v: mpmath.exp(v) / 2 if v < 0 else 1 - mpmath.exp(-v) / 2  # noqa: E731
    return below(t) - mpmath.exp(y) * below(t - e)


def laplace_rdp(eps: float, order: float) -> mpf:
    e, a = mpf(eps), mpf(order)
    return mpmath.log((a * mpmath.exp((a - 1) * e) + (a - 1) * mpmath.exp(-a * e)) / (2 * a - 1)) / (a - 1)


# ------------------------------------------------------------------------------- bounded range


def two_points(t: mpf, eps: float) -> Atoms:
    """Losses ``t`` and ``t - eps`` with the probabilities that make both laws sum to 1."""
    e = mpf(eps)
    norm = -mpmath.expm1(-e)
    return [(t, -mpmath.expm1(t - e) / norm), (t - e, mpmath.exp(-e) * mpmath.expm1(t) / norm)]


def range_supremum(eps: float, value: Callable[[Atoms], mpf], steps: int = 90) -> mpf:
    """Largest value over t by golden section: every function asked for has one maximum in t."""
    low, high = mpf(0), mpf(eps)
    golden = (mpmath.sqrt(5) - 1) / 2
    at = lambda t: value(two_points(t, eps))  # noqa: E731
    one, two = high - golden * (high - low), low + golden * (high - low)
    first, second = at(one), at(two)
    for _ in range(steps):
        if first > second:
            high, two, second = two, one, first
            one = high - golden * (high - low)
            first = at(one)
        else:
            low, one, first = one, two, second
            two = low + golden * (high - low)
            second = at(two)
    return max(first, second)


def range_profile(eps: float, x: mpf) -> mpf:
    """What the supremum is: at ``t = (x + eps)/2``, for ``|x| < eps``."""
    e = mpf(eps)
    if abs(x) >= e:
        return max(mpf(0), -mpmath.expm1(x))
    return atoms_profile(two_points((x + e) / 2, eps), x)


# ------------------------------------------------------------------------------- Gaussian and conversions


def gaussian_profile(mu: float | mpf, x: float | mpf) -> mpf:
    m, e = mpf(mu), mpf(x)
    return tail(e / m - m / 2) - mpmath.exp(e) * tail(e / m + m / 2)


def crossing(profile: Callable[[mpf], mpf], delta: float | mpf, high: mpf) -> mpf:
    """Smallest ``eps >= 0`` with ``profile(eps) <= delta``, by bisection below ``high``, to 1e-20 of it."""
    low, target = mpf(0), mpf(delta)
    if profile(low) <= target:
        return low
    for _ in range(70):
        middle = (low + high) / 2
        low, high = (middle, high) if profile(middle) > target else (low, middle)
    return low


def conversion_epsilon(curve: Callable[[mpf], mpf], order: float | mpf, delta: float) -> mpf:
    a = mpf(order)
    return curve(a) + mpmath.log((a - 1) / a) - (mpmath.log(mpf(delta)) + mpmath.log(a)) / (a - 1)
