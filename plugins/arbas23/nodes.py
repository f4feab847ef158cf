"""Posts of the private mixture learner: ⊥ with advice, frames for the refinement, one component as a Gaussian."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    PARAM,
    Above,
    Ball,
    BallValue,
    Domain,
    Expected,
    Failed,
    Flag,
    Gaussian,
    GaussianValue,
    Mixture,
    PlanError,
    Post,
    Record,
    Slot,
    closeness,
    positive,
    positive_whole,
    register,
    same,
    separation,
    wants,
)
from dpframe_plugins.practical import records
from dpframe_plugins.practical.deconvolution import Starts

from .learnable import learnable
from .sizing import COARSE_NOISE, LIKELY

REACH = 4.0
LEAST_WEIGHT = 1e-3


def _nonnegative(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise PlanError(f"{attribute.name} must be a finite number of at least 0, not {value!r}")


@register("arbas23.no_agreement")
@attrs.frozen
class NoAgreement(Post):
    """⊥: the test did not pass. Its advice rests on the released test value and the plan alone.

    It also states the plan: what is predicted before the run, from n, k, d and the budget.

    Parameters
    ----------
    k, d : int
    rows, t : int
        Rows a block and blocks.
    r : float
        Agreeing blocks are within r.
    expected, needed : float
        Weight of agreeing blocks that is predicted, and noisy weight from which the test passes.
    chance : float
        Predicted probability that it passes.
    radius, noise : float
        Distance γ_avg that the mask is made for, and the η of its means that is predicted; 0 where the budget can't
        pay any mask.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("test", PARAM),)
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    rows: int = attrs.field(kw_only=True, validator=positive_whole)
    t: int = attrs.field(kw_only=True, validator=positive_whole)
    r: float = attrs.field(kw_only=True, validator=positive)
    expected: float = attrs.field(kw_only=True, validator=_nonnegative)
    needed: float = attrs.field(kw_only=True, validator=positive)
    chance: float = attrs.field(kw_only=True, validator=_nonnegative)
    radius: float = attrs.field(kw_only=True, validator=positive)
    noise: float = attrs.field(kw_only=True, validator=_nonnegative)

    def notes(self) -> list[str]:
        """What the plan states before it runs."""
        cut = f"{self.t} blocks of {self.rows} rows; two agree within {closeness(self.r):.3g} (r = {self.r:g})"
        if self.k > 1:
            cut += f", their components being more than {separation(self.r)[0]:.3g} deviations apart"
            cut += " (the prediction is for components that hardly overlap)"
        test = f"the test passes from a noisy weight of {self.needed:.4g}; {self.expected:.4g} is predicted"
        test += f", and a chance of {self.chance:.3g}"
        if not self.noise:
            return [cut, test]
        mean, covariance = (self.noise * math.sqrt(m) for m in (self.d, self.d + 1))
        mask = (
            f"the mask is for averages within {self.radius:.3g}; its noise is about {mean:.2g} in a mean and "
            f"{covariance:.2g} in a covariance, in deviations of the component itself"
        )
        return [cut, test, mask]

    def warnings(self) -> list[str]:
        """What the plan says before it runs."""
        if not self.noise:
            surely = f"the budget can't pay a mask for {self.t} blocks at any threshold, so the test can only fail"
            return [f"{surely}; use more blocks (a larger t), or a larger budget"]
        if self.chance >= LIKELY:
            return []
        rarely = f"the test is predicted to pass with a chance of {self.chance:.2g} only"
        why = (
            f"{self.t} blocks of {self.rows} rows agree to a weight of about {self.expected:.4g}, not {self.needed:.4g}"
        )
        return [f"{rarely}: {why}; use more rows or a larger budget, and leave t and r to the plan"]

    def expects_answer(self, rows: int, noise: Above) -> bool:
        """Whether the test is likely to pass, so that this node is not reached."""
        return self.noise > 0 and self.chance >= LIKELY

    def output(self, *inputs: Domain) -> Domain:
        """A mixture, which never comes."""
        wants(inputs[0], Flag, self.name)
        return Mixture(self.k, self.d)

    def apply(self, *values: Any) -> Any:
        """Say why, from the released number and the plan."""
        value = float(values[0].value)
        reason = (
            f"the {self.t} blocks do not agree: their released noisy weight is {value:.4g}, {self.needed:.4g} is needed"
        )
        if not self.noise:
            return Failed(reason, "use more blocks (a larger t) or a larger epsilon: no mask is affordable")
        if self.chance < LIKELY:
            return Failed(reason, "use more rows or a larger epsilon: the plan predicted this")
        unstable = (
            f"the learner is unstable on blocks of {self.rows} rows, or these are no {self.k} separated Gaussians"
        )
        return Failed(reason, f"use another k, another learner or more rows: {unstable}")


@register("arbas23.learnable")
@attrs.frozen
class Learnable(Post):
    """A mixture as it is; remarks on it when it is not α-statistically learnable (Def 7.2.1).

    Parameters
    ----------
    alpha : float
        Least weight of a component, and least total variation of two.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("mixture", PARAM),)
    alpha: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """Domain of the mixture, which is passed on."""
        return wants(inputs[0], Mixture, self.name)

    def apply(self, *values: Any) -> Any:
        """Pass it on."""
        return values[0]

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """Of a masked average of blocks: what sampling leaves of all rows, and the mask's noise."""
        mixture, etas = wants(result, Mixture, self.name), noise.of("mixture_mask", "eta_mean")
        if noise.of("weighted_grams") or not noise.of("populous_weight", "epsilon") or not rows:
            return None
        error = math.sqrt(mixture.d * (mixture.k / rows + etas[-1] ** 2)) if etas else math.inf
        what = "distance of a component's mean, in its standard deviations (root mean square)"
        return Expected(error, what, f"{mixture.k} Gaussians of equal weight and covariance I, ten deviations apart")

    def remarks(self, value: Any) -> list[str]:
        """Warnings of this released value."""
        return learnable(value.weights, value.means, value.covariances, self.alpha)


@register("arbas23.gaussian")
@attrs.frozen
class OneGaussian(Post):
    """The only component of a mixture of one."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("mixture", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """A Gaussian."""
        mixture = wants(inputs[0], Mixture, self.name)
        if mixture.k != 1:
            raise PlanError(f"a mixture of {mixture.k} components is no Gaussian", fix="use k=1")
        return Gaussian(mixture.d)

    def apply(self, *values: Any) -> Any:
        """Take it."""
        return GaussianValue(values[0].means[0], values[0].covariances[0])


@register("arbas23.frame")
@attrs.frozen
class Frame(Post):
    """The ball about a coarse mixture that holds nearly all of it."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("mixture", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        return Ball(wants(inputs[0], Mixture, self.name).d)

    def apply(self, *values: Any) -> Any:
        """Around the weighted mean, out to four deviations of the farthest component."""
        mixture = values[0]
        centre = mixture.weights @ mixture.means
        away = np.linalg.norm(mixture.means - centre, axis=1)
        widths = np.sqrt(np.linalg.eigvalsh(mixture.covariances)[:, -1] * len(centre) ** 0.5)
        return BallValue(centre, float(np.clip((away + REACH * widths).max(), 2.0**-400, 2.0**400)))


@register("arbas23.coarse")
@attrs.frozen
class Coarse(Post):
    """A coarse mixture in the units of its frame, as ``practical.refine`` takes it."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("mixture", PARAM), Slot("ball", PARAM))

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        same(wants(inputs[0], Mixture, self.name).d, wants(inputs[1], Ball, self.name).d, self.name)
        return Record("practical.starts")

    def expects_answer(self, rows: int, noise: Above) -> bool:
        """Whether the mask's noise is about what EM can be started from: twice as much is wrong in one run of six."""
        return all(eta <= 1.1 * COARSE_NOISE for eta in noise.of("mixture_mask", "eta_mean"))

    def apply(self, *values: Any) -> Any:
        """Shift and scale; a weight that noise made tiny is lifted."""
        mixture, ball = values
        weights = np.maximum(mixture.weights, LEAST_WEIGHT)
        scaled = mixture.covariances / ball.radius / ball.radius
        try:
            roots = np.linalg.cholesky(scaled)
        except np.linalg.LinAlgError:
            return Failed(
                "the masked covariances are singular in float64",
                "bring the columns to comparable units, or use more rows",
            )
        one = records.Mixture(weights / weights.sum(), (mixture.means - ball.centre) / ball.radius, roots)
        return Starts((one,))
