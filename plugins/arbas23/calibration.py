"""From an aim (α, β) and a price (ε, δ) to noise η, radius γ and blocks t: the thesis's way, and by T3's exact cost.

Both aim at masks within α of their input with probability 1 − β. Neither is trusted with privacy: what is spent is
charged by T3 and T4 whatever the calibration.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import attrs

from dpframe.plugin import SpecError, allowed_radius, truncated_laplace_bound

from . import constants

THESIS_EPSILON = math.log(2) / 3
"""Lemma 6.2.1 is stated below this ε."""
LEAST = 1e-9
"""Of α and β."""


@attrs.frozen
class Calibration:
    """Noise, radius and blocks.

    Attributes
    ----------
    name : str
    etas : tuple of float
        η of weights, means and covariances.
    gamma : float
        Two inputs of the mask may be this far apart.
    t : int
        Number of blocks.
    notes : tuple of str
        What it rests on.
    """

    name: str
    etas: tuple[float, float, float]
    gamma: float
    t: int
    notes: tuple[str, ...] = ()


def check_aim(alpha: float, beta: float) -> None:
    """Refuse an aim that float64 can't price: at an α of 1e-162 a noise's square is 0."""
    if not (LEAST <= alpha < math.inf and LEAST <= beta < 1):
        raise SpecError(
            f"alpha must be finite and at least {LEAST:g}, and beta in [{LEAST:g}, 1), not {alpha!r} and {beta!r}",
            fix="--set alpha=0.3 --set beta=0.1",
        )


def thesis(alpha: float, beta: float, epsilon: float, delta: float, k: int, d: int) -> Calibration:
    """Lemma 6.2.1 and Theorem 7.1.3, with fitted constants.

    η_W = α/√(2 + 2 ln(1/b)), η_MEAN = α/√(3(d + ln(1/b))), η_COV = α/(C1(√d + √ln(4/b))) with b = β/3k;
    γ = εα/(C2·√(k ln(2/δ))·√(d(d + ln(12k/β)))·ln(12k/δ)); t = max{5, ⌈(20/ε)·ln(1 + (e^ε − 1)/2δ)⌉}.

    Examples
    --------
    >>> made = thesis(0.3, 0.1, 0.2, 1e-6, 2, 2)
    >>> made.t, round(made.gamma, 5)
    (1162, 0.00085)
    """
    check_aim(alpha, beta)
    each, c1 = beta / (3 * k), constants.c1(d)
    etas = (
        alpha / math.sqrt(2 + 2 * math.log(1 / each)),
        alpha / math.sqrt(3 * (d + math.log(1 / each))),
        alpha / (c1 * (math.sqrt(d) + math.sqrt(math.log(4 / each)))),
    )
    used = min(epsilon, THESIS_EPSILON)
    spread = math.sqrt(k * math.log(2 / delta)) * math.sqrt(d * (d + math.log(12 * k / beta)))
    gamma = used * alpha / (constants.C2 * spread * math.log(12 * k / delta))
    notes = [
        f"the thesis's unnamed constants, fitted by simulation: C = C1 = {c1:.3g} at d = {d}, C2 = {constants.C2:.3g}"
    ]
    if used < epsilon:
        notes.append(f"its radius is stated for ε below ln(2)/3 and taken at {used:.3g}, not {epsilon:.3g}")
    return Calibration("thesis", etas, gamma, thesis_blocks(epsilon, delta), tuple(notes))


def exact(alpha: float, beta: float, epsilon: float, delta: float, k: int, d: int) -> Calibration:
    """T3: noise from the exact tails of the masks, the radius by bisection of their exact Rényi cost, T4's blocks.

    Each part of a component fails with probability at most β/3k: |g|, χ_d, and for the covariance ‖G + Gᵀ‖ = 2χ with
    d(d + 1)/2 degrees of freedom and ‖GGᵀ‖ <= χ² with d², so that ‖(I + ηG)(I + ηG)ᵀ − I‖ <= 2ηa + η²b
    <= α/(1 + α), which is α in the other direction.

    Examples
    --------
    >>> made = exact(0.3, 0.1, 0.5, 1e-6, 3, 2)
    >>> made.t, 2e-3 < made.gamma < 3e-3
    (206, True)
    """
    from scipy.special import chdtri, ndtri

    check_aim(alpha, beta)
    each = beta / (3 * k)
    aim = alpha / (1 + alpha)
    a = 2 * math.sqrt(float(chdtri(d * (d + 1) / 2, each / 2)))
    b = float(chdtri(d * d, each / 2))
    etas = (
        alpha / float(-ndtri(each / 2)),
        aim / math.sqrt(float(chdtri(d, each))),
        (math.sqrt(a * a + 4 * b * aim) - a) / (2 * b),
    )
    return Calibration("exact", etas, allowed_radius(etas, k, d, epsilon, delta), least_blocks(epsilon, delta))


def thesis_blocks(epsilon: float, delta: float) -> int:
    """Theorem 7.1.3: max{5, ⌈(20/ε)·ln(1 + (e^ε − 1)/2δ)⌉}, at which A <= 0.1: agreement of all passes 0.8 surely."""
    return max(5, math.ceil(truncated_laplace_bound(20.0, epsilon, delta)))


def least_blocks(epsilon: float, delta: float) -> int:
    """T4: the least t at which agreement of all blocks passes surely: 1 − (⌈t/2⌉ + ½)/t >= 2A(t)."""
    t = max(5, 2 * math.ceil(4 * truncated_laplace_bound(1.0, epsilon, delta)) - 3)
    while not 1 - ((t + 1) // 2 + 0.5) / t >= 2 * truncated_laplace_bound(2.0 / t, epsilon, delta):
        t += 1
    return t


CALIBRATIONS: dict[str, Callable[..., Calibration]] = {"exact": exact, "thesis": thesis}
