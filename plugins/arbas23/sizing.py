"""How many blocks, and what the test asks for: from n, k, d and the budget alone."""

from __future__ import annotations

import math

import attrs

from dpframe.errors import PlanError
from dpframe.losses import ApproxDP, Budget
from dpframe.theorems import truncated_laplace_bound
from dpframe.theorems.populous import average_radius, closeness

RAMP = 0.45
TEST_EPSILON = 0.5
TEST_DELTA = 0.2
MOST_BLOCKS = 2000
AGREEING = 0.85
SAFETY = 1.02


@attrs.frozen
class Size:
    """A plan's blocks.

    Attributes
    ----------
    t, rows : int
        Number of blocks, rows a block.
    majority, ramp : int
        In blocks.
    threshold : float
        Least weight behind a passed test.
    epsilon : float
        Of the test.
    expected, needed : float
        Weight predicted, and weight at which the test surely passes.
    radius : float
        γ_avg that the mask is made for.
    """

    t: int
    rows: int
    majority: int
    ramp: int
    threshold: float
    epsilon: float
    expected: float
    needed: float
    radius: float


def rows_wanted(k: int, d: int, r: float) -> int:
    """Rows a block for which most pairs of blocks of an efficient learner agree within √(1 + r) − 1.

    E‖Σ̂₁ − Σ̂₂‖_F² = 2d(d + 1)/m for m rows of a component, with d(d + 1)/2 degrees of freedom.
    """
    nu = closeness(r)
    spread = 1 + 2 * math.sqrt(4 / (d * (d + 1)))
    return math.ceil(k * 2 * d * (d + 1) * spread / (nu * nu / (1 + nu)))


def sizes(n: int, d: int, k: int, *, r: float, budget: Budget, t: int | None = None) -> Size:
    """Blocks for a table.

    Raises
    ------
    PlanError
        When the table is too small to form the blocks, or the budget has no δ.
    """
    if not isinstance(budget, ApproxDP) or budget.delta <= 0:
        raise PlanError("the closeness test needs an approximate budget with a delta", fix="use epsilon and delta")
    epsilon, delta = TEST_EPSILON * budget.epsilon, TEST_DELTA * budget.delta
    allowed = allowed_weight(k, d, r, budget)
    wanted = t if t is not None else _blocks(n, d, k, r, allowed, epsilon, delta)
    if wanted < 4 or n // wanted < d + 2:
        raise PlanError(
            f"{n} rows are too few for {wanted} blocks of at least {d + 2} rows", fix="use more rows or a larger budget"
        )
    ramp = _ramp(wanted)
    width = truncated_laplace_bound(1 + wanted / ramp, epsilon, delta)
    expected = AGREEING * wanted
    threshold = float(min(max(math.floor(expected - 2 * width), math.ceil(allowed)), wanted - 1))
    radius = average_radius(wanted, ramp, threshold, r, d)
    rows = n // wanted
    majority = (wanted + 1) // 2
    return Size(wanted, rows, majority, ramp, threshold, epsilon, expected, threshold + 2 * width, radius)


def allowed_weight(k: int, d: int, r: float, budget: ApproxDP) -> float:
    """Weight behind a passed test at which the mask is affordable on half of ε.

    The shapes of the masks alone cost k(1 + d)γ²/4 zCDP, at most a quarter of ε²/(16·ln(1/δ)); T3 needs (a − 1)γ < 1
    at the orders that a budget of ε/2 asks for.
    """
    digits = math.log(1 / budget.delta)
    shape = math.sqrt((budget.epsilon / 2) ** 2 / (4 * digits) / (k * (1 + d)))
    gamma = min(shape, 0.5 * (budget.epsilon / 2) / digits)
    return (1 + 1 / RAMP) * r * (1 + r) / gamma


def _ramp(t: int) -> int:
    return min(max(1, math.floor(RAMP * t)), t - (t + 1) // 2)


def _blocks(n: int, d: int, k: int, r: float, allowed: float, epsilon: float, delta: float) -> int:
    """As many as have the rows they want, but no fewer than the test and the mask need."""
    width = truncated_laplace_bound(1 + 1 / RAMP, epsilon, delta)
    least = math.ceil(SAFETY * (allowed + 2 * width) / AGREEING)
    return max(least, min(MOST_BLOCKS, n // rows_wanted(k, d, r)))
