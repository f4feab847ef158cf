"""``public_value``: a map, a Gaussian or a mixture whose numbers are public."""

from __future__ import annotations

import json
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.post_processing import Post
from dpframe.kernel.registry import register
from dpframe.proof.spaces import AffineMap, AffineValue, Domain, Gaussian, GaussianValue, Mixture, MixtureValue

VALUES: dict[str, type[Any]] = {"affine_map": AffineValue, "gaussian": GaussianValue, "mixture": MixtureValue}
_FIX = 'write fields as JSON: {"mean": [0.0], "covariance": [[1.0]]}'


def fields_text(value: Any) -> str:
    """The fields of a value as JSON text."""
    found = {a.name: np.asarray(getattr(value, a.name)).tolist() for a in attrs.fields(type(value))}
    return json.dumps(found, allow_nan=False)


@register("public_value")
@attrs.frozen
class PublicValue(Post):
    """A public affine map, Gaussian or mixture.

    Parameters
    ----------
    type : {"affine_map", "gaussian", "mixture"}
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
        )
        return [(cls(type=kind, fields=fields_text(v)), ()) for kind, v in zip(VALUES, values, strict=True)]

    def output(self, *inputs: Domain) -> Domain:
        """Its domain, and the value checked against it."""
        value = self.apply()
        domain: Domain
        if isinstance(value, AffineValue):
            domain = AffineMap(*_shape(value.matrix, 2))
        elif isinstance(value, GaussianValue):
            domain = Gaussian(*_shape(value.mean, 1))
        else:
            domain = Mixture(*_shape(value.means, 2))
        domain.check(value)
        return domain

    def apply(self, *values: Any) -> Any:
        """The value."""
        try:
            given = json.loads(self.fields)
            made = VALUES[self.type](**{k: np.asarray(v, dtype=np.float64) for k, v in given.items()})
        except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
            raise PlanError(f"no public value of type {self.type!r} has the fields given", fix=_FIX) from None
        return attrs.evolve(made, scale=float(made.scale)) if isinstance(made, AffineValue) else made


def _shape(array: Any, axes: int) -> tuple[int, ...]:
    shape: tuple[int, ...] = array.shape
    if len(shape) != axes:
        raise PlanError(f"a public value has an array of {len(shape)} axes where {axes} are needed", fix=_FIX)
    return shape
