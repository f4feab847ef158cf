"""``public_value``: a map, a Gaussian, a mixture, a subspace or a list of balls whose numbers are public."""

from __future__ import annotations

import json
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DomainError, PlanError
from dpframe.kernel.post_processing import Post
from dpframe.kernel.registry import register
from dpframe.proof.spaces import (
    AffineMap,
    AffineValue,
    Ball,
    BallValue,
    Domain,
    Gaussian,
    GaussianValue,
    ListOf,
    Mixture,
    MixtureValue,
    Subspace,
)


@attrs.frozen(eq=False)
class Basis:
    """What a subspace is written as: orthonormal columns ``basis`` (d, p)."""

    basis: Any


@attrs.frozen(eq=False)
class Balls:
    """What a list of balls is written as: ``centres`` (m, d) and ``radii`` (m,)."""

    centres: Any
    radii: Any


VALUES: dict[str, type[Any]] = {
    "affine_map": AffineValue,
    "gaussian": GaussianValue,
    "mixture": MixtureValue,
    "subspace": Basis,
    "balls": Balls,
}
_FIX = 'write fields as JSON: {"mean": [0.0], "covariance": [[1.0]]}'
_FIXES = {
    "subspace": "make its columns orthonormal: np.linalg.qr(basis)[0]",
    "balls": "give finite centres of one length, and positive radii",
}


def fields_text(value: Any) -> str:
    """The fields of a value as JSON text."""
    found = {a.name: np.asarray(getattr(value, a.name)).tolist() for a in attrs.fields(type(value))}
    return json.dumps(found, allow_nan=False)


@register("public_value")
@attrs.frozen
class PublicValue(Post):
    """A public affine map, Gaussian, mixture, subspace (``basis``) or list of balls (``centres``, ``radii``).

    Parameters
    ----------
    type : {"affine_map", "gaussian", "mixture", "subspace", "balls"}
        What it is.
    fields : str
        JSON text: an object of its fields, numbers and nested lists of them.

    Examples
    --------
    >>> PublicValue(type="gaussian", fields='{"mean": [0.0], "covariance": [[1.0]]}').output()
    Gaussian(d=1)
    """

    type: str = attrs.field(kw_only=True)
    fields: str = attrs.field(kw_only=True)

    @classmethod
    def examples(cls) -> list[tuple[PublicValue, tuple[Domain, ...]]]:
        """Cases for the battery."""
        values = (
            AffineValue(np.zeros(2), np.eye(2), 9.0),
            GaussianValue(np.zeros(2), np.eye(2)),
            MixtureValue(np.ones(1), np.zeros((1, 2)), np.eye(2)[None]),
            Basis(np.eye(3)[:, :2]),
            Balls(np.zeros((2, 3)), np.array([1.0, 2.0])),
        )
        return [(cls(type=kind, fields=fields_text(v)), ()) for kind, v in zip(VALUES, values, strict=True)]

    def output(self, *inputs: Domain) -> Domain:
        """The domain of the constant, which is checked to belong to it."""
        value = self.apply()
        domain: Domain
        if isinstance(value, AffineValue):
            domain = AffineMap(*_shape(value.matrix, 2))
        elif isinstance(value, GaussianValue):
            domain = Gaussian(*_shape(value.mean, 1))
        elif isinstance(value, list):
            domain = ListOf(Ball(value[0].centre.size), len(value))
        elif isinstance(value, np.ndarray):
            domain = Subspace(*_shape(value, 2))
        else:
            domain = Mixture(*_shape(value.means, 2))
        try:
            domain.check(value)
        except DomainError as error:
            raise PlanError(
                f"what is public is no {domain}: {error.message}", fix=_FIXES.get(self.type, _FIX)
            ) from None
        return domain

    def apply(self, *values: Any) -> Any:
        """The value."""
        try:
            given = json.loads(self.fields)
            made = VALUES[self.type](**{k: np.asarray(v, dtype=np.float64) for k, v in given.items()})
        except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
            raise PlanError(f"no public value of type {self.type!r} has the fields given", fix=_FIX) from None
        if isinstance(made, Balls):
            centres, radii = _shape(made.centres, 2), _shape(made.radii, 1)
            if not centres[0] or centres[0] != radii[0]:
                raise PlanError(f"{centres[0]} centres of balls and {radii[0]} radii", fix="give each centre a radius")
            return [BallValue(c, float(r)) for c, r in zip(made.centres, made.radii, strict=True)]
        if isinstance(made, AffineValue):
            return attrs.evolve(made, scale=float(made.scale))
        return made.basis if isinstance(made, Basis) else made


def _shape(array: Any, axes: int) -> tuple[int, ...]:
    shape: tuple[int, ...] = array.shape
    if len(shape) != axes:
        raise PlanError(f"a public value has an array of {len(shape)} axes where {axes} are needed", fix=_FIX)
    return shape
