"""Posts of the private mixture learner: ⊥ with advice, frames for the refinement, one component as a Gaussian."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.operations import PARAM, Failed, Post, Slot, same, wants
from dpframe.registry import register
from dpframe.spaces import (
    Ball,
    BallValue,
    Domain,
    Flag,
    Gaussian,
    GaussianValue,
    Mixture,
    Record,
    positive,
    positive_whole,
)
from dpframe_plugins.practical import records

REACH = 4.0
LEAST_WEIGHT = 1e-3


@register("arbas23.no_agreement")
@attrs.frozen
class NoAgreement(Post):
    """⊥: the test did not pass. Its advice rests on the released test value and the plan alone.

    Parameters
    ----------
    k, d : int
    rows, t : int
        Rows a block and blocks.
    expected, needed : float
        Weight of agreeing blocks that was predicted, and at which the test surely passes.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("test", PARAM),)
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    rows: int = attrs.field(kw_only=True, validator=positive_whole)
    t: int = attrs.field(kw_only=True, validator=positive_whole)
    expected: float = attrs.field(kw_only=True, validator=positive)
    needed: float = attrs.field(kw_only=True, validator=positive)

    def warnings(self) -> list[str]:
        """What the plan says before it runs."""
        if self.expected >= self.needed:
            return []
        short = (
            f"{self.t} blocks of {self.rows} rows can't agree enough to pass the test surely (a weight of "
            f"{self.expected:.4g} is predicted, {self.needed:.4g} needed); use more rows or a larger budget"
        )
        return [short]

    def output(self, *inputs: Domain) -> Domain:
        """A mixture, which never comes."""
        wants(inputs[0], Flag, self.name)
        return Mixture(self.k, self.d)

    def apply(self, *values: Any) -> Any:
        """Say why, from the released number."""
        value = float(values[0].value)
        reason = (
            f"the {self.t} blocks do not agree: their released noisy weight is {value:.4g}, {self.needed:.4g} is needed"
        )
        if value < 0.3 * self.t:
            return Failed(reason, f"use another k than {self.k}, another learner, or blocks of more rows (a smaller t)")
        return Failed(reason, "use more rows or a larger epsilon")


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
        return Record("practical.mixture")

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
        return records.Mixture(weights / weights.sum(), (mixture.means - ball.centre) / ball.radius, roots)
