"""Number, mean and covariance of all rows or of each class, in the units of the table, with the noise of each."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Above,
    AffineValue,
    Array,
    Ball,
    Counts,
    Domain,
    Expected,
    ExpectedBall,
    Failed,
    Handle,
    Post,
    Quality,
    Slot,
    Symmetric,
    Vector,
    Whitening,
    WhiteningValue,
    composite,
    positive,
    register,
    same,
    wants,
)
from dpframe.plugin import powers_of_two as powers
from dpframe_plugins.classic.checks import bounded, few_rows

from .frame import BEYOND, Frame, beyond, find_frame, held

PARTS = ("count", "mean", "covariance", "mean_noise", "covariance_noise")
GAUSSIAN = "Gaussian rows of covariance I, in a bound ten times too large"
POOR = 0.5
"""The noise of a variance over it, above which it is hidden; where it is not, a mean's is far below the deviation."""
ANCHORS = {1: 1.0, 2: 0.6}
"""The constant coordinate beside a row of the unit ball: 1 gives the least noise of a mean, 0.6 favours squares."""


@composite("tabular.moments")
def moments(
    x: Handle, *, bound: float, power: int = 2, tight: bool = False, seed: int = 0, share: float = 1.0
) -> dict[str, Handle]:
    """Number, mean and covariance of the rows, from a generous bound: of any distribution, columns in any units.

    Parameters
    ----------
    x : Handle
        The private table.
    bound : float
        ℓ₂ radius around 0 that rows are promised to lie in; generous is fine.
    power : {1, 2}
        1 favours the mean, 2 the covariance.
    tight : bool
        The bound is about as small as it can be: no budget is spent on finding where rows lie.
    seed : int
        Public seed of the pairs of rows that tell the columns' units.
    share : float
        Share of ρ.

    Returns
    -------
    dict of Handle
        ``count`` (1,), ``mean`` (d,), ``covariance`` (d, d); ``mean_noise`` (d,) and ``covariance_noise`` (d, d) are
        the standard deviations of the noise in them.

    Formal guarantees
    -----------------
    Noisy histograms find the frame; then one Gaussian release of ``weighted_grams`` of clipped rows of norm at most 1:
    √2 in Frobenius norm under replace-one, 1 under add/remove. All else is post-processing.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("m", dp.recipe("tabular.moments", bound=1e6), x)["mean"]
    >>> dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.zcdp(0.5)).verdict.holds
    True
    """
    if power not in ANCHORS:
        raise dp.SpecError(f"power must be 1 or 2, not {power!r}", fix="give power=1 for a mean")
    x = bounded(x, bound=bound)
    frame = find_frame(x, bound=bound, share=share, tight=tight, power=power, seed=seed, tails=True)
    return moments_of(frame.rows, frame, share=frame.share, anchor=ANCHORS[power], judged=power)


def moments_of(
    rows: Handle,
    frame: Frame,
    *,
    share: float,
    anchor: float = 0.6,
    drop: int = 0,
    lenient: bool = False,
    judged: int = 0,
    name: str = "gram",
) -> dict[str, Handle]:
    """The moments of rows of a frame, or of a part of them; the last ``drop`` columns are taken for 0.

    ``judged`` says what they are judged by: the mean (1), the covariance too (2), or nothing, where they are a step.
    """
    maps = dp.post("tabular.map", frame.ball, anchor=anchor, drop=drop, name=f"{name}.map")
    gram = dp.release(name, dp.gaussian(share=share), dp.weighted_grams(dp.whiten(rows, maps)), frame=True)
    stem = "" if name == "gram" else f"{name}."
    far = (frame.distances,) if judged and frame.distances is not None else ()
    inputs = (gram, frame.ball, frame.units, *far)
    how = {"anchor": anchor, "lenient": lenient, "bound": frame.bound, "judged": judged}
    return {what: dp.post("tabular.moment", *inputs, what=what, name=stem + what, **how) for what in PARTS}


@register("tabular.map")
@attrs.frozen
class FrameMap(Post):
    """The frame of a ball as a map: ``x ↦ (x − p)/r``, clipped to 1, beside a constant.

    Parameters
    ----------
    anchor : float
        The constant.
    drop : int
        Number of columns at the end that are mapped to 0.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("ball", PARAM),)
    anchor: float = attrs.field(kw_only=True, validator=positive)
    drop: int = attrs.field(default=0, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A whitening by one component."""
        return Whitening(1, wants(inputs[0], Ball, self.name).d)

    def apply(self, *values: Any) -> Any:
        """Divide by the radius."""
        ball = values[0]
        if not 2.0**-500 < ball.radius < 2.0**511:
            return Failed("the ball's radius is out of range", "bring the columns to other units")
        matrix = np.eye(len(ball.centre)) / ball.radius
        matrix[len(matrix) - self.drop :] = 0.0
        return WhiteningValue((AffineValue(ball.centre, matrix, 1024.0 * ball.radius),), np.zeros(1), 1.0, self.anchor)


@register("tabular.moment")
@attrs.frozen
class TableMoment(Post):
    """One of the moments that the released matrix holds, in the units of the table.

    Parameters
    ----------
    anchor : float
        The constant coordinate.
    what : {"count", "mean", "covariance", "mean_noise", "covariance_noise"}
    lenient : bool
        Whether too few rows have the frame's centre and width, in place of a failure.
    bound : float, optional
        ℓ₂ radius around 0 that rows are promised to lie in: no mean is released beyond it.
    judged : {0, 1, 2}
        By what the moments together are judged: nothing, the mean, the covariance too.
    """

    slots: ClassVar[tuple[Slot, ...]] = (
        *(Slot(name, PARAM) for name in ("gram", "ball", "units")),
        Slot("distances", PARAM, variadic=True),
    )
    anchor: float = attrs.field(kw_only=True, validator=positive)
    what: str = attrs.field(kw_only=True, validator=attrs.validators.in_(PARTS))
    lenient: bool = attrs.field(default=False, kw_only=True)
    bound: float | None = attrs.field(default=None, kw_only=True, validator=attrs.validators.optional(positive))
    judged: int = attrs.field(default=0, kw_only=True, validator=attrs.validators.in_((0, *ANCHORS)))

    def output(self, *inputs: Domain) -> Domain:
        """A count, a vector or a matrix."""
        d = wants(inputs[1], Ball, self.name).d
        same(wants(inputs[0], Symmetric, self.name).d, d + 1, self.name)
        same(wants(inputs[2], Vector, self.name).d, d, self.name)
        if self.what == "count":
            return Counts(1)
        if self.what == "covariance_noise":
            return Array((d, d))
        return Symmetric(d) if self.what == "covariance" else Vector(d)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Read it off, and undo the frame and the units."""
        ball, d = values[1], len(values[1].centre)
        unit, a = 1.0 + self.anchor**2, self.anchor
        matrix = np.asarray(values[0], dtype=np.float64).reshape(d + 1, d + 1) * unit
        std = noise[0] * unit
        count = float(matrix[0, 0]) / a**2
        if self.what == "count":
            return np.array([count])
        if not count > max(2.0, 3.0 * std / a**2):
            if not self.lenient:
                return few_rows()
            matrix, count, std = np.eye(d + 1) * (np.arange(d + 1) > 0), 1.0, 1.0
        with np.errstate(all="ignore"):
            found = self._read(matrix, count, std, ball, 1.0 / powers(values[2]))
        if not np.isfinite(found).all():
            return Failed("a moment overflows float64 in the units of the table", "bring the columns to other units")
        return found

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality | None:
        """Poor by noise, one verdict for all parts; never good, since what the clip took off is not looked at."""
        if not self.judged:
            return None
        both, own, level = (np.asarray(attrs.evolve(self, what=w).apply_noisy(values, noise)) for w in PARTS[2:])
        variances, hidden = np.diagonal(both), np.diagonal(both) * POOR <= np.diagonal(level)
        named = ", ".join(map(str, np.flatnonzero(hidden)[:10])) + ", ..." * int(hidden.sum() > 10)
        blurred = f"the noise is more than {POOR:g} of the variance of columns {named} (counted from 0)"
        if 2 * hidden.sum() > hidden.size or (self.judged > 1 and hidden.any()):
            better = "more rows, fewer columns or a larger budget make it better, unless they hardly vary"
            return Quality("poor", f"{blurred}: {better}")
        if len(values) > 3 and (far := beyond(np.asarray(values[3], dtype=np.float64), noise[3])):
            part = min(far / max(float(np.sum(values[3])), far), 1.0)
            why = (
                f"some {far:.3g} rows ({part:.2g} of all) lie beyond {BEYOND:g} times the radius that holds nearly all"
            )
            return Quality("poor", f"{why}; of these next to nothing counts: look for cells that stand for no number")
        off = float(np.max(own[~hidden] / np.sqrt(variances[~hidden])))
        why = f"the noise of a mean is at most {off:.2g} of its column's deviation"
        if hidden.any():
            why = f"{blurred}: how many deviations their means are off is not known. Elsewhere {why}"
        return Quality("unchecked", f"{why}; what clipping far rows took off is not looked at")

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """Of Gaussian rows: sampling, and the noise of the frame that is expected to hold them."""
        ball, std = noise.balls[1], noise.stds[0] * (1.0 + self.anchor**2)
        if not rows or not std or "noise" in self.what:
            return None
        seen = rows > 8.0 * std / self.anchor**2
        if self.what == "count":
            error = std / self.anchor**2 if seen else math.inf  # without a mean the run fails
            return Expected(error, "distance of the number of rows (root mean square)", "any table", most=math.inf)
        if ball is None:
            return None
        d = wants(noise.domains[1], Ball, self.name).d
        wide = ball.radius if seen else math.inf
        if self.what == "mean":
            error = math.sqrt(d) * math.hypot(1.0 / math.sqrt(rows), wide * std / (math.sqrt(2.0) * self.anchor * rows))
            return Expected(error, "distance of the mean, in standard deviations (root mean square)", GAUSSIAN)
        error = math.sqrt(d * (d + 1)) * math.hypot(1.0 / math.sqrt(rows), wide**2 * std / (math.sqrt(2.0) * rows))
        return Expected(error, "Frobenius distance of the covariance, in variances (root mean square)", GAUSSIAN)

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall | None:
        """The frame that it is read in."""
        return noise.balls[1]

    def _read(self, matrix: Any, count: float, std: float, ball: Any, factors: Any) -> Any:
        """From ``a²N``, ``aΣz`` and ``Σzzᵀ`` of the frame."""
        r, d = float(ball.radius), len(factors)
        wide = r * factors
        if self.what == "mean_noise":
            return wide * std / (math.sqrt(2.0) * self.anchor * count)
        if self.what == "covariance_noise":
            return np.outer(wide, wide) * (std / count) * (1.0 + (math.sqrt(2.0) - 1.0) * np.eye(d)) / math.sqrt(2.0)
        mean = matrix[0, 1:] / (self.anchor * count)
        mean = mean / max(1.0, math.hypot(*mean))
        if self.what == "mean":
            return held(np.asarray(ball.centre) * factors + wide * mean, self.bound)
        spread, vectors = np.linalg.eigh(matrix[1:, 1:] / count - np.outer(mean, mean))
        covariance = (vectors * np.maximum(spread, 0.0)) @ vectors.T
        covariance = 0.5 * (covariance + covariance.T) * np.outer(wide, wide)
        return 0.5 * (covariance + covariance.T)
