"""Public constants."""

from __future__ import annotations

import math
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.post_processing import Post
from dpframe.kernel.registry import register
from dpframe.kernel.shares import check_share
from dpframe.proof.spaces import Array, Ball, BallValue, Domain, Vector, columns, finite_number
from dpframe.proof.spaces.checks import plain, scalar, shown


def _numbers(what: str, given: Any) -> tuple[float, ...]:
    """A list of numbers that float64 holds, of NumPy's too."""
    found = plain(given)
    if not isinstance(found, (list, tuple)) or not found or not all(map(finite_number, found)):
        wrong = [shown(v) for v in found if not finite_number(v)] if isinstance(found, (list, tuple)) else []
        raise PlanError(
            f"{what} must be a list of finite numbers, not {f'one with {wrong[0]}' if wrong else shown(given)}",
            fix=f"give {what}=[0.0, ...]",
        )
    return tuple(found)


def _centre(given: Any) -> tuple[float, ...]:
    return _numbers("centre", given)


def _values(given: Any) -> tuple[float, ...]:
    return _numbers("values", given)


def _radius(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    check_share(attribute.name, value)


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

    Examples
    --------
    >>> ConstantBall(centre=[20.0, 170.0], radius=50.0).output()
    Ball(d=2)
    >>> ConstantBall(centre=[20.0, 170.0], radius=-1.0)
    Traceback (most recent call last):
    dpframe.errors.PlanError: radius must be positive and finite, not -1.0. Fix: give a number above 0
    """

    centre: tuple[float, ...] = attrs.field(converter=_centre, kw_only=True)
    radius: float = attrs.field(converter=scalar, kw_only=True, validator=_radius)

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

    Examples
    --------
    >>> BoundingBall(d=2, bound=100.0).apply()
    BallValue(centre=array([0., 0.]), radius=100.0)
    """

    d: int = attrs.field(kw_only=True, validator=columns)
    bound: float = attrs.field(converter=scalar, kw_only=True, validator=_radius)

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
    """A public array, given as nested numbers of the declared shape.

    Examples
    --------
    >>> Constant(values=[1.0, 0.0, 0.0, 1.0], shape=(2, 2)).apply().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    values: tuple[float, ...] = attrs.field(converter=_values, kw_only=True)
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
