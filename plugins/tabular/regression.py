"""Linear regression in two steps: moments tell features and residuals apart, whose moments are then released again.

The noise of the first step is that of the target's spread. Of features whitened and residuals scaled by what the first
step released, the second step's noise is that of the residuals' spread.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Above,
    AffineMap,
    AffineValue,
    Ball,
    BallValue,
    Domain,
    Expected,
    ExpectedBall,
    Failed,
    Handle,
    PlanError,
    Post,
    Quality,
    Slot,
    Vector,
    composite,
    register,
    wants,
)
from dpframe_plugins.classic.checks import bounded

from .frame import Frame, find_frame, find_radius
from .moments import moments_of

FIRST, RADIUS = 0.35, 0.05
"""Parts of the share that is left by the frame: of the first moments, and of the whitened rows' radius."""
READINGS = ("coefficients", "noise", "sampling")
ANCHOR = 0.6
POOR = 0.5
"""Deviations of the target by which noise may move a prediction before the result is poor."""
CLEAR = 3.0
"""Deviations of its noise that the target's variance must show."""
INSTANCE = "features N(0, I), and a target that is one of them plus as much noise"
SHRUNK = 0.25
"""Of the noise's largest spectral norm, the variance that slopes are shrunk at: a direction's own noise is smaller."""
COST = 0.1
"""Of the target's variance, what slopes that are shrunk may leave unexplained before the result is poor."""
Floats = NDArray[np.float64]


@composite("tabular.regression")
def regression(x: Handle, *, bound: float, tight: bool = False, seed: int = 0, share: float = 1.0) -> dict[str, Handle]:
    """Least squares of the last column by the others, from a generous bound.

    Parameters
    ----------
    x : Handle
        The private table: features, and last the target.
    bound : float
        ℓ₂ radius around 0 that rows are promised to lie in, targets included; generous is fine.
    tight : bool
        The bound is about as small as it can be: no budget is spent on finding where rows lie.
    seed : int
        Public seed of the pairs of rows that tell the columns' units.
    share : float
        Share of ρ.

    Returns
    -------
    dict of Handle
        ``coefficients`` (d,), the intercept first; ``noise`` and ``sampling`` (d,), their standard errors to first
        order, the latter for homoscedastic errors.

    Formal guarantees
    -----------------
    Two Gaussian releases of ``weighted_grams`` of clipped rows of norm at most 1, the second of rows through a released
    affine map, and a histogram of their distances. All else is post-processing.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("r", dp.recipe("tabular.regression", bound=1e6), x)["coefficients"]
    >>> dp.plan(example, x=dp.rows(d=3), adjacency=dp.ADD_REMOVE, budget=dp.zcdp(0.5)).verdict.holds
    True
    """
    if x.d < 2:
        raise PlanError("the table needs a column besides the target", fix="give features, and last the target")
    x = bounded(x, bound=bound)
    frame = find_frame(x, bound=bound, share=share, tight=tight, power=2, seed=seed)
    first = moments_of(frame.rows, frame, share=FIRST * frame.share)
    told = (first["mean"], first["covariance"], first["covariance_noise"])
    seen = dp.affine(x, dp.post("tabular.residuals", *told, name="residuals"))
    left = (1.0 - FIRST - RADIUS) * frame.share
    unit = dp.post("tabular.unit", first["mean"], name="unit")
    ball, _ = find_radius(seen, unit, share=RADIUS * frame.share, left=left, power=2, name="residual_reach")
    second = moments_of(seen, Frame(seen, dp.constant([0.0] * x.d), ball, left), share=left, name="second")
    parts = (*told, second["count"], second["mean"], second["covariance"], second["covariance_noise"])
    return {what: dp.post("tabular.regress", *parts, what=what, name=what) for what in READINGS}


@attrs.frozen(eq=False)
class Line:
    """A line, and the units of its whitened features and residuals: what the first moments say."""

    mean: Floats
    beta: Floats
    white: Floats
    spread: float

    @classmethod
    def of(cls, mean: Any, covariance: Any, noise: Any) -> Line:
        """Least squares in correlations; what does not stand out of the noise is kept at its size."""
        both, level = np.asarray(covariance, dtype=np.float64), np.asarray(noise, dtype=np.float64)
        sizes = np.sqrt(np.maximum(np.diagonal(both), np.diagonal(level)))
        sizes = np.where(sizes > 0, sizes, 1.0)
        scaled, level = both / np.outer(sizes, sizes), level / np.outer(sizes, sizes)
        values, vectors = np.linalg.eigh(scaled[:-1, :-1])
        floor = max(SHRUNK * float(np.linalg.norm(level[:-1, :-1], 2)), 1e-9)
        values = np.maximum(values, floor)
        slope = (vectors / values) @ vectors.T @ scaled[:-1, -1]
        direction = np.append(slope, -1.0)
        error = float(np.sqrt(direction**2 @ level**2 @ direction**2))
        residual = max(float(direction @ scaled @ direction), error, 1e-12)
        white = (vectors / np.sqrt(values)) / sizes[:-1, None]
        return cls(
            np.asarray(mean, dtype=np.float64),
            slope * sizes[-1] / sizes[:-1],
            white,
            float(np.sqrt(residual)) * float(sizes[-1]),
        )

    def matrix(self) -> Floats:
        """Of the map of rows (x, y), less the mean, to whitened features and scaled residuals."""
        d = len(self.beta)
        found = np.zeros((d + 1, d + 1))
        found[:d, :d] = self.white
        found[:d, d], found[d, d] = -self.beta / self.spread, 1.0 / self.spread
        return found


@register("tabular.residuals")
@attrs.frozen
class Residuals(Post):
    """The map of features with their target to whitened features and scaled residuals."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("mean", PARAM), Slot("covariance", PARAM), Slot("noise", PARAM))

    def output(self, *inputs: Domain) -> Domain:
        """A map."""
        d = wants(inputs[0], Vector, self.name).d
        return AffineMap(d, d)

    def apply(self, *values: Any) -> Any:
        """From the first moments; rows beyond 1024 deviations of the widest column saturate."""
        with np.errstate(all="ignore"):
            line = Line.of(*values)
            matrix, wide = line.matrix(), 1024.0 * float(np.sqrt(np.diagonal(values[1]).max()))
        if not (np.isfinite(matrix).all() and 2.0**-500 < wide < 2.0**521):
            return Failed("the columns' spreads leave floating point", "bring the columns to other units")
        return AffineValue(line.mean, matrix, wide)


@register("tabular.unit")
@attrs.frozen
class Unit(Post):
    """A ball around 0 that holds most rows of unit variance, as many columns as a vector has."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("mean", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        return Ball(wants(inputs[0], Vector, self.name).d)

    def apply(self, *values: Any) -> Any:
        """Twice the root of the number of columns."""
        return BallValue(np.zeros(len(values[0])), 2.0 * len(values[0]) ** 0.5)

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall:
        """The predicted ball."""
        return ExpectedBall(2.0 * wants(result, Ball, self.name).d ** 0.5, 0.0)


@register("tabular.regress")
@attrs.frozen
class Regress(Post):
    """Coefficients, the intercept first, or their standard errors.

    Parameters
    ----------
    what : {"coefficients", "noise", "sampling"}
    """

    slots: ClassVar[tuple[Slot, ...]] = (
        *(Slot(name, PARAM) for name in ("mean", "covariance", "noise")),
        *(Slot(f"second_{name}", PARAM) for name in ("count", "mean", "covariance", "noise")),
    )
    what: str = attrs.field(kw_only=True, validator=attrs.validators.in_(READINGS))

    def output(self, *inputs: Domain) -> Domain:
        """Domain of one number for each column."""
        return Vector(wants(inputs[0], Vector, self.name).d)

    def apply(self, *values: Any) -> Any:
        """Regress the residuals on the whitened features, and add the line."""
        try:
            with np.errstate(all="ignore"):
                found = self._found(values)
        except (np.linalg.LinAlgError, OverflowError):
            found = np.full(1, np.nan)
        return found if np.isfinite(found).all() else Failed("a coefficient leaves floating point", "rescale columns")

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality | None:
        """Poor by noise; never good: that a line fits, and what clips took off, is not looked at."""
        if self.what != "coefficients":
            return None
        variance, blurred = (float(np.asarray(value)[-1, -1]) for value in values[1:3])
        better = "more rows, fewer columns or a larger budget make it better"
        if variance <= CLEAR * blurred:
            return Quality("poor", f"the target's variance does not stand out of the noise: {better}")
        both, level = values[5:]
        moved = float(np.trace(_noise(*_second(both, level), level)))
        off = Line.of(*values[:3]).spread * math.sqrt(max(moved, 0.0) / variance)
        why = f"noise moves a prediction by {off:.2g} of the target's deviation (root mean square)"
        if not off <= POOR:
            return Quality("poor", f"{why}, poor above {POOR:g}: {better}")
        lost = Line.of(*values[:3]).spread ** 2 * _missing(both, level)[1] / variance
        drowned = int((np.linalg.eigvalsh(np.asarray(both)[:-1, :-1]) <= 2.0 * _floor(level)).sum())
        if drowned:
            why += f"; directions of the features in which slopes are shrunk, since it hides them: {drowned}"
        if not lost <= COST:
            cost = f"shrinking them may cost {lost:.2g} of the target's variance"
            return Quality("poor", f"{why}; {cost}, poor above {COST:g}: {better}")
        return Quality("unchecked", f"{why}; what clipping far rows took off is not looked at")

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """Of the second step, whose rows are whitened: sampling, and noise in the frame that they are expected in."""
        ball, d = noise.balls[5], wants(result, Vector, self.name).d
        std = (noise.of("weighted_grams") or [0.0])[-1] * (1.0 + ANCHOR**2) / math.sqrt(2.0)
        if ball is None or not rows:
            return None
        slope, start = ball.radius**2 * std / rows, ball.radius * std / ANCHOR / rows
        parts = {"noise": math.sqrt((d - 1) * slope**2 + start**2), "sampling": math.sqrt(d / rows)}
        if self.what in parts:  # what is released is this part's size
            what = (
                f"distance of the coefficients by {self.what} alone, in deviations of the residuals (root mean square)"
            )
            return Expected(parts[self.what], what, INSTANCE, most=math.inf)
        what = "distance of the coefficients, in deviations of the residuals (root mean square)"
        return Expected(math.hypot(*parts.values()), what, INSTANCE)

    def _found(self, values: tuple[Any, ...]) -> Floats:
        line, (count, mean, both, level) = Line.of(*values[:3]), values[3:]
        inverse, delta = _second(both, level)
        beta = line.beta + line.spread * line.white @ delta
        direction = np.append(delta, -1.0)
        residual = max(float(direction @ both @ direction), 0.0)
        if self.what == "coefficients":
            offset = line.spread * float(mean[-1] - mean[:-1] @ delta)
            intercept = line.mean[-1] - line.mean[:-1] @ beta + offset
            return np.concatenate([[intercept], beta])
        rows = max(float(np.asarray(count)[0]), 1.0)
        within = inverse * residual / rows
        if self.what == "noise":
            within = _noise(inverse, delta, level) + _missing(both, level)[0]
        steps = line.spread * line.white
        cov = steps @ within @ steps.T
        at_zero = line.mean[:-1] @ cov @ line.mean[:-1]
        if self.what == "sampling":
            at_zero += line.spread**2 * residual / rows
        return np.asarray(np.sqrt(np.maximum(np.concatenate([[at_zero], np.diagonal(cov)]), 0.0)))


def _second(both: Any, level: Any) -> tuple[Floats, Floats]:
    """The inverse of whitened features' moments, shrunk where they drown, and the slopes of residuals by it."""
    spread, vectors = np.linalg.eigh(np.asarray(both)[:-1, :-1])
    inverse = (vectors * (spread / (spread**2 + _floor(level) ** 2))) @ vectors.T
    return inverse, inverse @ np.asarray(both)[:-1, -1]


def _floor(level: Any) -> float:
    """What a variance of whitened features must exceed to stand out of the noise."""
    return max(SHRUNK * float(np.linalg.norm(np.asarray(level)[:-1, :-1], 2)), 1e-9)


def _missing(both: Any, level: Any) -> tuple[Floats, float]:
    """Covariance of the slopes by what shrinking may have taken off, and the residuals' variance that it may cost.

    Of a direction that shows variance s, whose covariance with the residuals is c, slopes are c·s/(s² + f²), not c/s.
    Where f or the noise exceeds s, s is taken for that; c for as much as it shows and its noise.
    """
    spread, vectors = np.linalg.eigh(np.asarray(both)[:-1, :-1])
    floor, noise = _floor(level), float(np.median(np.asarray(level)[:-1, -1]))
    shown = np.abs(vectors.T @ np.asarray(both)[:-1, -1]) + noise
    left = 1.0 - np.maximum(spread, 0.0) ** 2 / (spread**2 + floor**2)
    off = shown * left / np.maximum(spread, floor)
    cost = float((off**2 * np.maximum(spread, floor)).sum())
    return np.asarray((vectors * off**2) @ vectors.T), cost


def _noise(inverse: Floats, delta: Floats, level: Any) -> Floats:
    """Covariance of these slopes by noise, to first order."""
    return np.asarray(inverse @ np.diag((np.asarray(level)[:-1] ** 2) @ np.append(delta, -1.0) ** 2) @ inverse)
