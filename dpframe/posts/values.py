"""Constants, and released sums put back into the units of the table."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.errors import DomainError, PlanError
from dpframe.operations import PARAM, Post, Slot, same, wants
from dpframe.registry import register
from dpframe.spaces import Array, Ball, BallValue, Domain, Vector, columns, finite_number, positive


def _numbers(instance: object, attribute: attrs.Attribute[Any], value: tuple[Any, ...]) -> None:
    """Attrs validator: numbers that float64 holds."""
    if not all(map(finite_number, value)):
        raise DomainError(f"{attribute.name} must be finite numbers", fix="leave out what is missing or infinite")


@register("ball")
@attrs.frozen
class ConstantBall(Post):
    """A public ball.

    Parameters
    ----------
    centre : sequence of float
        In the units of the table.
    radius : float
        Positive.
    """

    centre: tuple[float, ...] = attrs.field(converter=tuple, kw_only=True, validator=_numbers)
    radius: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """A ball, checked."""
        domain = Ball(len(self.centre))
        domain.check(self.apply())
        return domain

    def apply(self, *values: Any) -> Any:
        """The ball."""
        return BallValue(np.array(self.centre, dtype=np.float64), float(self.radius))


@register("bounding_ball")
@attrs.frozen
class BoundingBall(Post):
    """The ball of radius ``bound`` around 0 that the table is promised to lie in.

    Parameters
    ----------
    d : int
    bound : float
        ℓ₂ radius, positive.
    """

    d: int = attrs.field(kw_only=True, validator=columns)
    bound: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """A ball, checked."""
        domain = Ball(self.d)
        domain.check(self.apply())
        return domain

    def apply(self, *values: Any) -> Any:
        """The ball."""
        return BallValue(np.zeros(self.d), float(self.bound))


@register("constant")
@attrs.frozen
class Constant(Post):
    """A public array, given as nested numbers of the declared shape."""

    values: tuple[float, ...] = attrs.field(converter=tuple, kw_only=True, validator=_numbers)
    shape: tuple[int, ...] = attrs.field(converter=tuple, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """An array, checked."""
        domain: Domain = Vector(self.shape[0]) if len(self.shape) == 1 else Array(self.shape)
        if len(self.values) != math.prod(self.shape):
            raise PlanError(f"{len(self.values)} values for shape {self.shape}", fix="give as many as the shape holds")
        domain.check(self.apply())
        return domain

    def apply(self, *values: Any) -> Any:
        """The array."""
        return np.array(self.values, dtype=np.float64).reshape(self.shape)


@register("mean_of_ball")
@attrs.frozen
class MeanOfBall(Post):
    """``p + r·sum/count`` from a released (sum, count) of rows clipped to the ball (p, r), kept inside the ball."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("released", PARAM), Slot("ball", PARAM))

    def output(self, *inputs: Domain) -> Domain:
        """A vector in the units of the table."""
        ball = wants(inputs[1], Ball, "mean_of_ball")
        same(wants(inputs[0], Vector, "mean_of_ball").d, ball.d + 1, "mean_of_ball")
        return Vector(ball.d)

    def apply(self, *values: Any) -> Any:
        """The mean."""
        released, ball = values
        step = np.asarray(released[:-1]) / max(float(released[-1]), 1.0)
        with np.errstate(over="ignore", invalid="ignore"):
            size = float(np.linalg.norm(step))
            if size == math.inf:
                step = step / np.abs(step).max()
                size = float(np.linalg.norm(step))
            mean = ball.centre + ball.radius * step / max(1.0, size)
        if np.isfinite(mean).all():
            return mean
        half = ball.centre * 0.5 + ball.radius * (step / max(1.0, size)) * 0.5
        most = float(np.finfo(np.float64).max)
        return np.clip(half, -most / 2, most / 2) * 2.0
