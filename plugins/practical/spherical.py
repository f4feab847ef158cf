"""Private EM passes of spherical components: their counts, sums and squared distances, and nothing of their shapes.

A pass with full covariances releases k·d² numbers and takes two products of n·d²·k; where its noise is as large as a
component's own covariance the shapes say nothing. These passes release k·(d + 2) numbers and take some operations an
entry of n·d·k.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
    Failed,
    Handle,
    Mixture,
    MixtureValue,
    PlanError,
    Post,
    Quality,
    Record,
    Slot,
    Whitening,
    WhiteningValue,
    positive_whole,
    register,
    wants,
)
from dpframe_plugins.classic.sizing import public_numbers
from dpframe_plugins.shared.records import wants_record

from .clipping import QUANTILES
from .finish import ULP
from .judging import HOPELESS, NOISES
from .local import LARGEST, SMALLEST
from .nodes import answering, map_scale, slots
from .records import Floats, as_floats
from .scheduling import predicted_noise
from .truncation import chi_quantile, response, undo_scale

PASSES = (0.2, 0.4, 0.4)
"""Shares of the passes. A start whose components are the right ones needs one to be near the fixed point."""
COUNTS, SQUARES = 0.03, 0.05
"""Of a pass; sums have the rest, whose noise has d coordinates."""
DROWNED = 1.0
"""Spectral noise in a component's covariance, in its own metric, from which on full ones are not worth a release."""
NOISY, MOVING = 0.6, 1.0
"""Poor above this much noise in a mean or a size, or where a component moved so far in the last pass (deviations)."""
TYPES = ("full", "spherical", "auto")
RECORD = "practical.spheres"


def drowns(x: Handle, components: int, share: float, last: float) -> bool:
    """Whether full covariances would be noise, from public numbers; where n is private it is not known, nor assumed.

    ``last`` is the part of the share that the largest pass with full covariances would have.
    """
    public = public_numbers(x, share)
    if not public.replaces or x.d == 1:
        return False
    return predicted_noise(public.rows, public.d, components, last * public.rho) > DROWNED


@attrs.frozen(eq=False)
class Spheres:
    """A released mixture of spherical Gaussians, in frame units; the noise of a mean or of a size in its deviations."""

    weights: Floats = attrs.field(converter=as_floats)
    means: Floats = attrs.field(converter=as_floats)
    deviations: Floats = attrs.field(converter=as_floats)
    noise: Floats = attrs.field(converter=as_floats, factory=lambda: np.zeros(0))


def mean_variances(d: int, clip: float, rows: float, std: float) -> tuple[float, float]:
    """Of a coordinate of a unit component's mean, by sampling and by noise ``std`` of a coordinate of its sum."""
    seen = response(d, clip)
    return seen.second / rows / seen.mean**2, (std / rows / seen.mean) ** 2


def clip_radius(d: int, rows: float, noise: float) -> float:
    """Of a few chi quantiles the one with the least error of a mean; ``noise`` of sums of rows in the unit ball."""

    def error(clip: float) -> float:
        return sum(mean_variances(d, clip, max(rows, 1.0), noise * clip))

    return min((chi_quantile(d, q) for q in QUANTILES), key=error)


def moved(after: Spheres, before: Spheres) -> float:
    """The farthest that a component moved, in its own deviations: its mean, or the logarithm of its variance."""
    shift = np.linalg.norm(after.means - before.means, axis=1) / after.deviations
    return float(np.maximum(shift, 2.0 * np.abs(np.log(after.deviations / before.deviations))).max())


def updated(
    model: Spheres, counts: Floats, sums: Floats, squares: Floats, clip: float, stds: tuple[float, float, float]
) -> Spheres:
    """The next mixture from noisy counts (k,), sums (k, d) and sums of squares (k,) of clipped whitened rows.

    A clip takes from squares and means what it takes from a Gaussian's (`truncation`); the noise in a squared mean is
    known and taken out. A component whose count is not three noise deviations above 0 stays where it is.
    """
    d = model.means.shape[1]
    least = max(1.0, 3.0 * stds[0])
    means, deviations, noise = model.means.copy(), model.deviations.copy(), np.full(len(counts), np.inf)
    for j in np.flatnonzero(counts >= least):
        scale = undo_scale(d, clip, squares[j] / (counts[j] * d))
        seen = response(d, clip / math.sqrt(scale))
        shift = sums[j] / (counts[j] * seen.mean)
        std = stds[1] / (counts[j] * seen.mean)
        length = float(np.linalg.norm(shift))
        shift *= min(1.0, clip / max(length, 1e-300))
        own = scale - max(min(length, clip) ** 2 / d - std**2, 0.0)
        factor = math.sqrt(min(max(own, SMALLEST), LARGEST))
        means[j] += model.deviations[j] * shift
        deviations[j] *= factor
        size = stds[2] / (counts[j] * d * max(seen.second, 1e-6) * scale)
        noise[j] = max(std * math.sqrt(d) / factor, size)
    weights = np.maximum(counts, least)
    return Spheres(weights / weights.sum(), means, deviations, noise)


@register("practical.spheres")
@attrs.frozen
class Start(Post):
    """The first of some released mixtures, its covariances by their mean eigenvalue."""

    slots: ClassVar[tuple[Slot, ...]] = slots("starts")

    def output(self, *inputs: Domain) -> Domain:
        """A record, in frame units."""
        wants_record(inputs[0], "practical.starts", self.name)
        return Record(RECORD)

    @answering
    def apply(self, *values: Any) -> Any:
        """Read it."""
        model = values[0].at(0, 1)
        sizes = np.sqrt((model.cholesky**2).sum(axis=(1, 2)) / model.means.shape[1])
        return Spheres(model.weights, model.means, sizes)


@register("practical.sphere_maps")
@attrs.frozen
class Maps(Post):
    """Maps of spherical components, for rows in the units of the table: multiples of I, and no anchor.

    ``planned_noise`` names the release of sums to come.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("spheres", "ball", "count")
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    planned_noise: str = attrs.field(kw_only=True)

    def told(self) -> tuple[str, ...]:
        """The release that is to come."""
        return (self.planned_noise,)

    def output(self, *inputs: Domain) -> Domain:
        """A whitening."""
        wants_record(inputs[0], RECORD, self.name)
        wants(inputs[2], Counts, self.name)
        return Whitening(self.k, wants(inputs[1], Ball, self.name).d)

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Shift, scale, log weight, and a clip that suits the noise of the pass to come."""
        model, ball, count = values
        d = len(ball.centre)
        factors = 1.0 / model.deviations / ball.radius
        if not np.isfinite(factors).all():
            raise OverflowError
        maps = tuple(
            AffineValue(ball.centre + ball.radius * mean, factor * np.eye(d), map_scale(ball))
            for mean, factor in zip(model.means, factors, strict=True)
        )
        logs = np.log(np.maximum(model.weights, 1e-300)) - d * np.log(model.deviations)
        clip = clip_radius(d, float(count[0]) / self.k, noise[-1])
        return WhiteningValue(maps, np.clip(logs - logs.max(), -1e6, 0.0), clip, 0.0)


@register("practical.sphere_update")
@attrs.frozen
class Update(Post):
    """The next mixture from the counts, sums and squares of one pass."""

    slots: ClassVar[tuple[Slot, ...]] = slots("spheres", "maps", "counts", "sums", "squares")

    def output(self, *inputs: Domain) -> Domain:
        """A record, in frame units."""
        wants_record(inputs[0], RECORD, self.name)
        wants(inputs[1], Whitening, self.name)
        wants(inputs[2], Counts, self.name)
        wants(inputs[3], Array, self.name)
        wants(inputs[4], Counts, self.name)
        return Record(RECORD)

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Undo the units of the statistics, then update."""
        model, maps, counts, sums, squares = values
        clip = maps.clip
        stds = (noise[2], noise[3] * clip, noise[4] * clip**2)
        seen = np.asarray(sums)[:, 1:] * clip, np.asarray(squares) * clip**2
        return updated(model, np.asarray(counts), *seen, clip, stds)


@register("practical.sphere_average")
@attrs.frozen
class Average(Post):
    """Weighted average of the last mixtures that differ by their noise alone, in the units of the table.

    Parameters
    ----------
    k : int
    shares : sequence of float
        Of the mixtures that may be averaged; one more comes first.
    may_drown : bool
        Whether noise alone is a released mixture with the verdict poor, and no failure.
    assumed : bool
        Whether spheres were chosen because full covariances would drown: then nothing says that they fit.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("ball", PARAM), Slot("spheres", PARAM, variadic=True))
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    shares: tuple[float, ...] = attrs.field(converter=tuple, kw_only=True)
    may_drown: bool = attrs.field(default=False, kw_only=True)
    assumed: bool = attrs.field(default=False, kw_only=True)

    def warnings(self) -> list[str]:
        """That shapes are not learned, where nobody asked for that."""
        if not self.assumed:
            return []
        said = "full covariances would be noise at this n, d, k and budget: components are released as spheres"
        return [
            said + "; more rows or a larger budget would show shapes, covariance_type=full releases them as they are"
        ]

    def output(self, *inputs: Domain) -> Domain:
        """A mixture."""
        if len(inputs) != len(self.shares) + 2:
            raise PlanError(f"{self.name} has {len(self.shares)} shares for {len(inputs) - 1} mixtures")
        for spheres in inputs[1:]:
            wants_record(spheres, RECORD, self.name)
        return Mixture(self.k, wants(inputs[0], Ball, self.name).d)

    @answering
    def apply(self, *values: Any) -> Any:
        """Average and undo the frame."""
        ball, *models = values
        least = float(models[-1].noise.min())
        if least > HOPELESS and not self.may_drown:
            return Failed(
                f"noise drowns the table: it is at least {least:.2g} of every component's deviation",
                "use more rows, fewer components or columns, or a larger epsilon",
            )
        last = min(settled(models), len(self.shares))
        share = np.array(self.shares[-last:]) / sum(self.shares[-last:])
        recent = models[-last:]
        weights = sum(s * m.weights for s, m in zip(share, recent, strict=True))
        means = ball.centre + ball.radius * sum(s * m.means for s, m in zip(share, recent, strict=True))
        spacing = max(ULP * float(np.abs(ball.centre).max()), 2.0**-500)  # below it a deviation can't be told from 0
        variances = (ball.radius * sum(s * m.deviations for s, m in zip(share, recent, strict=True))) ** 2 + spacing**2
        if not (np.isfinite(means).all() and np.isfinite(variances).all() and (variances > 0).all()):
            raise OverflowError
        return MixtureValue(weights / weights.sum(), means, variances[:, None, None] * np.eye(len(ball.centre)))

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality:
        """What noise and movement of the last passes say; of shapes they say nothing."""
        recent = values[1:][-len(self.shares) - 1 :]
        at = int(recent[-1].noise.argmax())
        most, away = float(recent[-1].noise[at]), moved(recent[-1], recent[-2])
        numbers = (
            f"the noise is {most:.2g} of the deviation of a component with weight {recent[-1].weights[at]:.2g} (poor "
            f"above {NOISY}), and a component moved by up to {away:.2g} of its deviations in the last passes (poor "
            f"above {MOVING:g})"
        )
        if most > NOISY or away > MOVING:
            return Quality("poor", numbers + ": more rows, fewer components or a larger budget make it better")
        if self.assumed:
            return Quality("unchecked", numbers + "; that components are spheres was assumed, not looked at")
        return Quality("good", numbers)

    def predicted_error(self, result: Any, rows: int, noise: Above) -> Expected:
        """The root mean square distance of a mean, where every component has found its rows."""
        sampling, noisy = predicted(result.d, rows / self.k, _sums(noise, len(self.shares)), self.shares)
        what = "distance of a component's mean, in its standard deviations (root mean square)"
        instance = f"{self.k} Gaussians of equal weight and covariance I, far apart"
        return Expected(math.sqrt(result.d * (sampling + noisy)), what, instance)

    def standard_errors(self, value: Any, rows: int, noise: Above) -> Mapping[str, Any] | None:
        """Of weights, means and variances, for components far apart; entries off the diagonal are 0 as they are."""
        if not isinstance(value, MixtureValue) or len(value.weights) != self.k:
            return None
        d, weights = np.shape(value.means)[1], np.asarray(value.weights)
        each, grams = np.maximum(weights * rows, 1.0), _sums(noise, len(self.shares))
        parts = np.array([predicted(d, n, grams, self.shares) for n in each])
        variances = np.asarray(value.covariances)[:, 0, 0]
        count = _combined(_sigmas(noise, "weighted_counts", len(self.shares)), self.shares)
        square = _combined(_sigmas(noise, "weighted_squares", len(self.shares)), self.shares)
        width = chi_quantile(d, QUANTILES[-1]) ** 2 / d
        eye = np.eye(d)
        return {
            "weights": {"noise": np.full(self.k, count / rows), "sampling": np.sqrt(weights * (1.0 - weights) / rows)},
            "means": {
                "noise": np.sqrt(variances * parts[:, 1])[:, None] * np.ones(d),
                "sampling": np.sqrt(variances * parts[:, 0])[:, None] * np.ones(d),
            },
            "covariances": {
                "noise": (variances * square * width / each)[:, None, None] * eye,
                "sampling": (variances * np.sqrt(2.0 / (each * d)))[:, None, None] * eye,
            },
        }


def _sigmas(noise: Above, statistic: str, count: int) -> list[float]:
    return [found["sigma"] for name, found in noise if name == statistic][-count:]


def _sums(noise: Above, count: int) -> list[float]:
    return _sigmas(noise, "weighted_sums", count)


def _combined(stds: Sequence[float], shares: Sequence[float]) -> float:
    """Noise of an average of independent ones by their shares."""
    return math.sqrt(sum((share / sum(shares) * std) ** 2 for std, share in zip(stds, shares, strict=True)))


def predicted(d: int, each: float, noise: Sequence[float], shares: Sequence[float]) -> tuple[float, float]:
    """Variances of a coordinate of a unit component's averaged mean: of sampling (the same rows) and of noise."""
    sampling, noisy, total = 0.0, 0.0, sum(shares)
    for sigma, share in zip(noise, shares, strict=True):
        clip = clip_radius(d, each, sigma)
        quiet, loud = mean_variances(d, clip, each, sigma * clip)
        sampling += share / total * math.sqrt(quiet)
        noisy += (share / total) ** 2 * loud
    return sampling**2, noisy


def settled(models: Sequence[Spheres]) -> int:
    """How many of the last passes' mixtures differ by their noise alone, and may be averaged: at least one."""
    count = 1
    for before in reversed(models[1:-1]):  # the first one is the start, whose noise is not known
        if moved(models[-1], before) > NOISES * float((models[-1].noise + before.noise).max()):
            break
        count += 1
    return count


def refine(
    x: Handle, ball: Handle, count: Handle, starts: Handle, *, k: int, share: float, may_drown: bool, assumed: bool
) -> Handle:
    """Passes from released starts, of which the first is taken; in the units of the rows."""
    model = dp.post("practical.spheres", starts, name="spheres")
    history = [model]
    for t, part in enumerate(PASSES):
        coming = ".".join((*x.tracer.scope, f"sums_{t}"))
        maps = dp.post("practical.sphere_maps", model, ball, count, k=k, planned_noise=coming, name=f"sphere_maps_{t}")
        seen = dp.whiten(x, maps)
        own = share * part
        counts = dp.release(f"counts_{t}", dp.gaussian(share=COUNTS * own), dp.weighted_counts(seen))
        sums = dp.release(f"sums_{t}", dp.gaussian(share=(1.0 - COUNTS - SQUARES) * own), dp.weighted_sums(seen))
        squares = dp.release(f"squares_{t}", dp.gaussian(share=SQUARES * own), dp.weighted_squares(seen))
        model = dp.post("practical.sphere_update", model, maps, counts, sums, squares, name=f"spheres_{t}")
        history.append(model)
    last = {"shares": list(PASSES[1:]), "may_drown": may_drown, "assumed": assumed}
    return dp.post("practical.sphere_average", ball, *history[1:], k=k, **last, name="mixture")
