"""The post-processing nodes of the classic Gaussian estimators: released values in, released values out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    PARAM,
    Above,
    AffineValue,
    Array,
    Ball,
    BallValue,
    Domain,
    Expected,
    ExpectedBall,
    Failed,
    Gaussian,
    GaussianValue,
    Post,
    Quality,
    Record,
    Slot,
    Symmetric,
    Vector,
    Whitening,
    WhiteningValue,
    positive,
    positive_definite,
    positive_whole,
    register,
    same,
    wants,
)
from dpframe_plugins.shared.records import wants_record

from . import moments, shape
from .checks import few_rows
from .search import moved_ball

ESTIMATE = "classic.estimate"
SEEN = 4.25
"""A sixth of the rows over the noise of a histogram's bin: the search aims at 4.5, and can't where rows are few."""
POOR = 0.5
"""Predicted error of a mean or covariance, in its own metric, above which a Gaussian is called poor."""


def slots(*names: str) -> tuple[Slot, ...]:
    """Released or public inputs."""
    return tuple(Slot(name, PARAM) for name in names)


@register("classic.start")
@attrs.frozen
class Start(Post):
    """A first estimate from a ball that holds nearly all rows."""

    slots: ClassVar[tuple[Slot, ...]] = slots("ball")

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants(inputs[0], Ball, self.name)
        return Record(ESTIMATE)

    def apply(self, *values: Any) -> Any:
        """Whiten by the ball's radius."""
        return moments.start(np.asarray(values[0].centre, dtype=np.float64), float(values[0].radius))


@register("classic.whitening")
@attrs.frozen
class WhiteningOf(Post):
    """The whitening map, clip radius and anchor of the next pass.

    Parameters
    ----------
    d : int
    share : float
        Of the next pass.
    anchored : bool
        Whether the pass is to see the mean and the number of rows too.
    wide : bool
        For a histogram of distances: a clip far out.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("estimate")
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    share: float = attrs.field(kw_only=True, validator=positive)
    anchored: bool = attrs.field(kw_only=True)
    wide: bool = attrs.field(default=False, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A whitening by one component."""
        wants_record(inputs[0], ESTIMATE, self.name)
        return Whitening(1, self.d)

    def apply(self, *values: Any) -> Any:
        """Invert the root."""
        estimate: moments.Estimate = values[0]
        clip, anchor = moments.clip_of(estimate, self.share, anchored=self.anchored)
        clip = shape.REACH * math.sqrt(self.d) if self.wide else clip
        inverse = np.asarray(np.linalg.inv(estimate.root).T, dtype=np.float64)
        scale = min(max(estimate.reach, 2.0**-890), 2.0**890)
        return WhiteningValue((AffineValue(estimate.mean, inverse, scale),), np.zeros(1), clip, anchor)


@register("classic.update")
@attrs.frozen
class Update(Post):
    """The next estimate from the released matrix of one pass.

    Parameters
    ----------
    share : float
        Of this pass.
    """

    slots: ClassVar[tuple[Slot, ...]] = (*slots("estimate", "grams", "whitening"), Slot("count", PARAM, optional=True))
    share: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants_record(inputs[0], ESTIMATE, self.name)
        same(wants(inputs[1], Symmetric, self.name).d, wants(inputs[2], Whitening, self.name).d + 1, self.name)
        return Record(ESTIMATE)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Undo the units of the statistic and the clip; an unreadable pass changes nothing."""
        estimate, grams, whitening = values[:3]
        clip, anchor = whitening.clip, whitening.anchor
        unit = clip**2 + anchor**2
        matrix = np.asarray(grams)[0] * unit
        sigma = noise[1] * unit
        if anchor > 0.0:
            rows, rows_noise = matrix[0, 0] / anchor**2, sigma / anchor**2
            total, total_noise = matrix[0, 1:] / anchor, sigma / math.sqrt(2.0) / anchor
        else:
            rows, rows_noise = float(values[3][0]), noise[3]
            total, total_noise = np.zeros(matrix.shape[0] - 1), 0.0
        if not rows > max(1.0, 3.0 * rows_noise):
            return estimate
        found = moments.unclipped(rows, total, matrix[1:, 1:], clip=clip, total_noise=total_noise, gram_noise=sigma)
        seen = moments.Seen(whitening.maps[0].shift, estimate.root, *found)
        return moments.advance(estimate, seen, rows, noise[1], self.share)


@register("classic.gaussian")
@attrs.frozen
class GaussianOf(Post):
    """The Gaussian of all passes together, or ⊥ when none could be read.

    A direction whose variance is below what the noise can resolve gets an upper bound for it. Where distances of rows
    in the frame of the last pass are released, the result is judged by them too.

    Parameters
    ----------
    d : int
    narrowest : float
        Ratio of smallest to largest variance that the passes were predicted to resolve, for the warning.
    """

    slots: ClassVar[tuple[Slot, ...]] = (*slots("estimate"), Slot("distances", PARAM, optional=True))
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    narrowest: float = attrs.field(kw_only=True, validator=positive)

    def warnings(self) -> list[str]:
        """What the plan says when n and the budget resolve next to nothing."""
        if self.d == 1 or self.narrowest <= 1e-2:
            return []
        least = f"a direction with less than about {self.narrowest:.2g} of the largest variance"
        return [f"{least} may get an upper bound only; more rows or a larger budget resolve more"]

    def output(self, *inputs: Domain) -> Domain:
        """A Gaussian."""
        wants_record(inputs[0], ESTIMATE, self.name)
        if len(inputs) > 1:
            same(wants(inputs[1], Array, self.name).shape[-1], shape.EDGES + 1, self.name)
        return Gaussian(self.d)

    def apply(self, *values: Any) -> Any:
        """Average the passes."""
        estimate: moments.Estimate = values[0]
        if not estimate.seen:
            return few_rows()
        with np.errstate(all="ignore"):
            mean, root = moments.combine(estimate.seen, estimate.root)
            covariance = moments.covariance_of(root)
        if not (np.isfinite(mean).all() and np.isfinite(covariance).all() and positive_definite(covariance)):
            return Failed(
                "the released moments do not determine a positive definite covariance in float64",
                "bring the columns to comparable units, leave out constant or redundant ones, or use a larger budget",
            )
        return GaussianValue(mean, covariance)

    def predicted_error(self, result: Any, rows: int, noise: Above) -> Expected | None:
        """The distance of the mean, of passes that are all whitened well."""
        grams = [found["sigma"] for statistic, found in noise if statistic == "weighted_grams"]
        if not grams:
            return None
        seen = all(rows / 6.0 >= SEEN * sigma for sigma in noise.of("distance_histogram"))
        error = moments.predicted_mean(self.d, rows, grams) if seen else math.inf
        return Expected(error, "distance of the mean, in standard deviations (root mean square)", "one Gaussian")

    def standard_errors(self, value: Any, rows: int, noise: Above) -> Mapping[str, Any] | None:
        """Of mean and covariance: of noise as for passes that are all whitened well, of sampling for Gaussian rows.

        Seen through its whitening the noise E of a covariance has s² on the diagonal and s²/2 off it; of L·E·Lᵀ that is
        s²(C_aa·C_bb + C_ab²)/2.
        """
        grams = [found["sigma"] for statistic, found in noise if statistic == "weighted_grams"]
        if not isinstance(value, GaussianValue) or not grams:
            return None
        variances = np.diagonal(value.covariance)
        noisy = max(moments.predicted_mean(self.d, rows, grams) ** 2 / self.d - 1.0 / rows, 0.0)
        sizes = np.sqrt(variances)
        spread = np.hypot(np.outer(sizes, sizes), value.covariance)
        mean = {"noise": np.sqrt(noisy * variances), "sampling": np.sqrt(variances / rows)}
        entry = moments.predicted_covariance(self.d, rows, grams)
        covariance = {"noise": entry * math.sqrt(0.5) * spread, "sampling": spread / math.sqrt(rows)}
        return {"mean": mean, "covariance": covariance}

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality:
        """Predicted errors of mean and covariance in the result's own metric; and whether rows are surely not Gaussian.

        What clips took off is not known then: it is never good, and poor where distances show that it is much.
        """
        errors = moments.errors_of(values[0], result.covariance)
        mean = math.hypot(errors.mean, errors.sampling_mean)
        covariance = math.hypot(errors.covariance, errors.sampling_covariance)
        why = f"if rows are Gaussian the mean is off by about {mean:.2g} deviations (noise {errors.mean:.2g}), the "
        why += f"covariance by about {covariance:.2g} of itself in its worst direction (noise {errors.covariance:.2g})"
        why += f"; poor above {POOR:g}"
        if not (mean <= POOR and covariance <= POOR):
            return Quality("poor", why + ": more rows, fewer columns or a larger budget make it better")
        found = self._shape(values, noise, result.covariance)
        if not found.is_other:
            return Quality("good", why)
        if found.wider > shape.WIDER:
            why = f"rows lie farther out than a Gaussian's: the covariance would be {found.wider:.2g} times as large, "
            return Quality("poor", why + "with all that passes clipped; private_moments assumes no law")
        why += f". But they surely are not: {100 * found.apart:.2g} % of them lie nearer to the mean or farther out, "
        return Quality("unchecked", why + "and what clips took off is not known; private_moments assumes no law")

    def _shape(self, values: tuple[Any, ...], noise: tuple[float, ...], covariance: Any) -> shape.Shape:
        """What released distances tell, the second moment over the result's own."""
        estimate: moments.Estimate = values[0]
        if len(values) < 2 or estimate.rows is None:
            return shape.Shape()
        counts = np.asarray(values[1], dtype=np.float64)[0]
        found = shape.shape(counts, noise[1], self.d, max(estimate.rows, 1.0))
        return attrs.evolve(found, wider=max(found.wider / moments.level(estimate.seen[-1].root, covariance), 1.0))


@register("classic.covariance")
@attrs.frozen
class CovarianceOf(Post):
    """The covariance of a Gaussian."""

    slots: ClassVar[tuple[Slot, ...]] = slots("gaussian")

    def output(self, *inputs: Domain) -> Domain:
        """A symmetric matrix."""
        return Symmetric(wants(inputs[0], Gaussian, self.name).d)

    def apply(self, *values: Any) -> Any:
        """Take it."""
        return values[0].covariance


@register("classic.promised")
@attrs.frozen
class Promised(Post):
    """The ball of radius ``bound`` about the origin, moved: what rows promised to lie in it can reach from a point."""

    slots: ClassVar[tuple[Slot, ...]] = slots("center")
    bound: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        return Ball(wants(inputs[0], Vector, self.name).d)

    def apply(self, *values: Any) -> Any:
        """Around the point, far enough to hold the promised ball."""
        center = np.asarray(values[0], dtype=np.float64)
        return BallValue(center, min(self.bound + float(np.linalg.norm(center)), 2.0**1000))


@register("classic.move_ball")
@attrs.frozen
class MoveBall(Post):
    """The next search ball: four times as wide, around the noisy mean of the rows clipped to this one."""

    slots: ClassVar[tuple[Slot, ...]] = slots("ball", "released")

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        ball = wants(inputs[0], Ball, self.name)
        same(ball.d + 1, wants(inputs[1], Vector, self.name).d, self.name)
        return ball

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Move and widen."""
        ball, released = values
        step = np.asarray(released[:-1]) / max(float(released[-1]), noise[1], 1.0)
        step = step / max(1.0, float(np.linalg.norm(step)))
        return BallValue(ball.centre + ball.radius * step, min(4.0 * ball.radius, 2.0**1000))

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall | None:
        """About the noisy mean."""
        return moved_ball(noise.balls[0], wants(result, Ball, self.name).d, rows, noise)
