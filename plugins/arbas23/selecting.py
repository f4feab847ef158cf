"""The thesis's Algorithm 1: one block that agrees with most is selected and masked, no average taken.

``first`` uses T4's thresholds, T3's radius and the largest neighbourhoods; ``thesis`` is Algorithm 1 to the letter.
Both are charged by T4. The mask is made for the radius of the neighbourhoods themselves, about 1e-3, not for that
divided by the number of blocks, so each *block* needs as many rows as give that accuracy
(``docs/theory/populous.md``).
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    MOST_COMPONENTS,
    PARAM,
    ApproxDP,
    Budget,
    Domain,
    Failed,
    Flag,
    Handle,
    Mechanism,
    Mixture,
    PlanError,
    Post,
    Slot,
    SpecError,
    near_within,
    positive,
    positive_whole,
    register,
    root_rounding,
    truncated_laplace_bound,
    wants,
)

from .calibration import CALIBRATIONS, Calibration, least_blocks, thesis_blocks

BLOCKS = {"first": least_blocks, "thesis": thesis_blocks}
"""How many blocks a mode's test needs to pass surely where all agree: by the ε₁ and δ₁ of that test."""
MODES = tuple(BLOCKS)
TEST_EPSILON, TEST_DELTA = 0.5, {"first": 0.2, "thesis": 0.5}
THESIS_PASS, THESIS_SHARE, THESIS_Z = 0.8, 0.6, 1.5
MOST_ROWS = 10**18


@attrs.frozen
class Selection:
    """A plan's blocks, neighbourhoods and test.

    Attributes
    ----------
    t, rows : int
        Blocks, rows a block.
    nu : float
        Radius of a neighbourhood.
    majority : int
        A block qualifies when more blocks than this are near it.
    threshold, width : float
        The test passes from Q + noise >= threshold + width.
    epsilon, fraction : float
        ε₁ of the test, its fraction of δ.
    made : Calibration
    """

    t: int
    rows: int
    nu: float
    majority: int
    threshold: float
    width: float
    epsilon: float
    fraction: float
    made: Calibration

    @property
    def needed(self) -> float:
        """Noisy agreement from which the test passes."""
        return self.threshold + self.width


def select(
    n: int,
    d: int,
    k: int,
    *,
    mode: str,
    budget: Budget,
    alpha: float,
    beta: float,
    calibration: str | None = None,
    r: float | None = None,
    t: int | None = None,
) -> Selection:
    """Blocks and radius from n, k, d and the budget.

    Raises
    ------
    PlanError
        When the table is too small to form the blocks, the budget has no δ, or the radius is below what float64 tells
        apart.
    """
    if mode not in MODES:
        raise SpecError(f"mode must be averaged, first or thesis, not {mode!r}", fix="--set mode=averaged")
    if not isinstance(budget, ApproxDP) or budget.delta <= 0:
        raise PlanError("the closeness test needs an approximate budget with a delta", fix="use epsilon and delta")
    if k > MOST_COMPONENTS:
        raise PlanError(f"matches at most {MOST_COMPONENTS} components, not {k}", fix="use mode=averaged")
    fraction, epsilon = TEST_DELTA[mode], TEST_EPSILON * budget.epsilon
    make = CALIBRATIONS[calibration or ("thesis" if mode == "thesis" else "exact")]
    blocks = t if t is not None else BLOCKS[mode](epsilon, fraction * budget.delta)
    aim = alpha, beta
    if make is CALIBRATIONS["thesis"]:  # Theorem 7.1.3
        aim = alpha / (2 * THESIS_Z), beta / (2 * max(blocks, 1))
    made = make(*aim, budget.epsilon - epsilon, (1 - fraction) * budget.delta, k, d)
    made = attrs.evolve(made, gamma=r if r is not None else made.gamma, t=blocks)
    nu = near_within(made.gamma, d) if mode == "first" else made.gamma / (2 * THESIS_Z)
    if not 0 < nu < 1 or made.t < 5 or n // made.t < k * (d + 1) + 1:
        raise PlanError(
            f"{n} rows in {made.t} blocks within {made.gamma:.3g} can't be compared",
            fix=f"use at least {5 * (k * (d + 1) + 1)} rows, t of at least 5, and r between 1e-5 and 1",
        )
    return _tested(n, mode, nu, epsilon, fraction, budget.delta, made)


def _tested(
    n: int, mode: str, nu: float, epsilon: float, fraction: float, delta: float, made: Calibration
) -> Selection:
    t = made.t
    if mode == "thesis":
        majority, threshold = math.floor(THESIS_SHARE * t), THESIS_PASS
    else:
        majority = (t + 1) // 2
        threshold = (majority + 0.5) / t
    width = truncated_laplace_bound(2.0 / t, epsilon, fraction * delta)
    return Selection(t, n // t, nu, majority, threshold, width, epsilon, fraction, made)


def agreement(rows: float, k: int, d: int, nu: float) -> float:
    """Share of the pairs of blocks of an efficient learner that are near, to first order.

    With m rows a component ‖T‖² is 4/m times χ² with d(d + 1)/2 degrees of freedom, the squared mean distance 2/m times
    χ² with d, and a weight's difference has variance 2w(1 − w)/(km), w = 1/k.

    Examples
    --------
    >>> round(agreement(1e6, 1, 2, 0.01), 2), round(agreement(1e4, 1, 2, 0.01), 2)
    (1.0, 0.01)
    """
    from scipy.special import chdtr, ndtr

    m = rows / k
    one = float(chdtr(d * (d + 1) / 2, nu * nu * m / 4) * chdtr(d, nu * nu * m / 2))
    if k > 1:
        one *= 2 * float(ndtr(nu * math.sqrt(rows / (2 * (1 / k) * (1 - 1 / k))))) - 1
    return one**k


def rows_wanted(k: int, d: int, nu: float, share: float) -> float:
    """Rows a block for which that share of pairs is near."""
    low, high = 1.0, float(MOST_ROWS)
    while high / low > 1.01:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if agreement(middle, k, d, nu) >= share else (middle, high)
    return high


def selected(blocks: Handle, found: Selection, *, k: int, d: int, mode: str, share: float) -> Handle:
    """Test, selection and mask; ⊥ where the test fails.

    Parameters
    ----------
    blocks : Handle
        The learner's results.
    found : Selection
    k, d : int
    mode : {"first", "thesis"}
    share : float
        Share of ρ of the mask; ``thesis`` has the noise that its calibration gives.
    """
    shared: dict[str, Any] = {"k": k, "d": d, "nu": found.nu}
    value = dp.mixture_agreement(blocks, name="agreement", **shared)
    mechanism = dp.truncated_laplace_test(
        noise_multiplier=1.0 / found.epsilon, threshold=found.threshold, delta_fraction=found.fraction
    )
    test = dp.release("test", mechanism, value)
    chosen = dp.select_mixture(
        blocks, test, name="selected", majority=found.majority, test_threshold=found.threshold, **shared
    )

    def then(again: Handle, one: Handle) -> Handle:
        return dp.release("mask", _mask(found, k, d, mode, share), one)

    def otherwise(again: Handle, one: Handle) -> Handle:
        return dp.post("arbas23.no_selection", again, name="no_selection", **_told(found, k, d, mode))

    return dp.branch("mixture", test, then, otherwise, test, chosen)


def _mask(found: Selection, k: int, d: int, mode: str, share: float) -> Mechanism:
    """The mask with the calibration's noises, up to one common factor that the budget sets in mode ``first``."""
    radius = (1 + found.nu) ** 2 - 1
    radius += root_rounding(radius, d)
    parts = tuple(f * (radius / eta) ** 2 for f, eta in zip((0.5, 0.5, 0.125), found.made.etas, strict=True))
    if mode == "first":
        return dp.mixture_mask(share=share, spread=parts)
    rho = k * sum(parts[0 if k > 1 else 1 :])
    return dp.mixture_mask(noise_multiplier=math.sqrt(0.5 / rho), spread=parts)


def _told(found: Selection, k: int, d: int, mode: str) -> dict[str, Any]:
    return {
        "k": k,
        "d": d,
        "t": found.t,
        "rows": found.rows,
        "nu": found.nu,
        "needed": found.needed,
        "mode": mode,
        "etas": found.made.etas,
        "basis": found.made.notes,
    }


def _three(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    if not isinstance(value, tuple) or len(value) != 3 or not all(0 < float(v) < math.inf for v in value):
        raise PlanError(f"{attribute.name} must be three positive numbers, not {value!r}")


@register("arbas23.no_selection")
@attrs.frozen
class NoSelection(Post):
    """⊥: the blocks do not agree. Its advice rests on the released test value and the plan alone.

    It also states the plan: blocks, neighbourhoods, prediction and calibration.

    Parameters
    ----------
    k, d, t, rows : int
        Components, dimensions, blocks and rows a block.
    nu, needed : float
        Radius of a neighbourhood, noisy agreement from which the test passes.
    mode : {"first", "thesis"}
    etas : tuple of float
        η of weights, means and covariances that the calibration gives.
    basis : tuple of str
        What the calibration rests on.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("test", PARAM),)
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    t: int = attrs.field(kw_only=True, validator=positive_whole)
    rows: int = attrs.field(kw_only=True, validator=positive_whole)
    nu: float = attrs.field(kw_only=True, validator=positive)
    needed: float = attrs.field(kw_only=True, validator=positive)
    mode: str = attrs.field(kw_only=True, validator=attrs.validators.in_(MODES))
    etas: tuple[float, ...] = attrs.field(kw_only=True, validator=_three)
    basis: tuple[str, ...] = attrs.field(default=(), kw_only=True, converter=tuple)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        made = NoSelection(k=2, d=2, t=9, rows=50, nu=0.1, needed=0.7, mode="first", etas=(0.1, 0.1, 0.1))
        return [(made, (Flag(),))]

    @property
    def expected(self) -> float:
        """Predicted agreement."""
        return agreement(self.rows, self.k, self.d, self.nu)

    def notes(self) -> list[str]:
        """What the plan states before it runs."""
        noises = ", ".join(f"{eta:.3g}" for eta in self.etas)
        cut = f"{self.t} blocks of {self.rows} rows; two agree within {self.nu:.3g}"
        rule = "T4's thresholds" if self.mode == "first" else "Algorithm 1 to the letter"
        return [
            f"{cut}; one that most agree with is released, by {rule}",
            f"the test passes from a noisy agreement of {self.needed:.4g}; {self.expected:.3g} is predicted",
            f"the calibration's noises of weight, mean and covariance: {noises}",
            *self.basis,
        ]

    def warnings(self) -> list[str]:
        """Whether the predicted test would fail."""
        if self.needed > 1:
            return [f"{self.t} blocks are too few: their test can't pass; use a larger t or a larger budget"]
        if self.expected >= self.needed:
            return []
        wanted = self.t * rows_wanted(self.k, self.d, self.nu, (1 + self.needed) / 2)
        rarely = f"the test is predicted to fail: an agreement of {self.expected:.2g}, and {self.needed:.3g} is needed"
        return [f"{rarely}; mode {self.mode} takes about {wanted:.1e} rows here; use mode=averaged"]

    def output(self, *inputs: Domain) -> Domain:
        """A mixture, which never comes."""
        wants(inputs[0], Flag, self.name)
        return Mixture(self.k, self.d)

    def apply(self, *values: Any) -> Any:
        """Say why, from the released number and the plan."""
        value = float(np.clip(values[0].value, -9.0, 9.0))
        short = f"their released noisy agreement is {value:.4g}, {self.needed:.4g} is needed"
        reason = f"the {self.t} blocks do not agree: {short}"
        if self.expected >= self.needed:
            return Failed(
                reason, "use another k, another learner or more rows: the learner is unstable on these blocks"
            )
        return Failed(reason, "use mode=averaged or many more rows: the plan predicted this")
