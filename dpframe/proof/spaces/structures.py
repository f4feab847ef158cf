"""Domains of values with parts: balls, maps, mixtures, records, lists, results of blocks; any domain from JSON."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.errors import DomainError
from dpframe.proof.spaces import domains
from dpframe.proof.spaces.checks import columns, from_json, positive_whole
from dpframe.proof.spaces.domains import Domain, Symmetric, finite_array, positive_definite
from dpframe.proof.spaces.values import AffineValue, BallValue, GaussianValue, MixtureValue, WhiteningValue


@attrs.frozen
class Ball(Domain):
    """A ball in d dimensions: ``BallValue(centre, radius)``."""

    d: int = attrs.field(validator=positive_whole)
    type: ClassVar[str] = "ball"

    def check(self, value: Any) -> None:
        """Check centre shape, finiteness and a positive radius."""
        if not isinstance(value, BallValue):
            raise DomainError("a ball must be BallValue(centre, radius)")
        finite_array(value.centre, (self.d,), "a ball's centre")
        if not 0 < value.radius < math.inf:
            raise DomainError("a ball's radius must be positive and finite")


@attrs.frozen
class Subspace(Domain):
    """A d×p matrix with orthonormal columns."""

    d: int = attrs.field(validator=positive_whole)
    p: int = attrs.field(validator=positive_whole)
    type: ClassVar[str] = "subspace"

    def check(self, value: Any) -> None:
        """Check the shape and that columns are orthonormal to 1e-6."""
        basis = finite_array(value, (self.d, self.p), "a subspace basis")
        if not np.allclose(basis.T @ basis, np.eye(self.p), atol=1e-6):
            raise DomainError("a subspace basis must have orthonormal columns")


@attrs.frozen
class AffineMap(Domain):
    """``x ↦ (x − shift) @ matrix`` from ``d`` to ``p`` dimensions: ``AffineValue``."""

    d: int = attrs.field(validator=positive_whole)
    p: int = attrs.field(validator=positive_whole)
    type: ClassVar[str] = "affine_map"

    def check(self, value: Any) -> None:
        """Check shapes and finiteness."""
        if not isinstance(value, AffineValue):
            raise DomainError("an affine map must be AffineValue(shift, matrix, scale)")
        finite_array(value.shift, (self.d,), "an affine map's shift")
        finite_array(value.matrix, (self.d, self.p), "an affine map's matrix")
        if not 0 < value.scale < math.inf:
            raise DomainError("an affine map's scale must be positive and finite")


@attrs.frozen
class Whitening(Domain):
    """``k`` whitening maps of d-dimensional rows with log weights: ``WhiteningValue``."""

    k: int = attrs.field(validator=positive_whole)
    d: int = attrs.field(validator=positive_whole)
    type: ClassVar[str] = "whitening"

    def check(self, value: Any) -> None:
        """Check shapes and finiteness."""
        if not isinstance(value, WhiteningValue) or len(value.maps) != self.k:
            raise DomainError(f"a whitening must be WhiteningValue with {self.k} maps")
        for item in value.maps:
            AffineMap(self.d, self.d).check(item)
        finite_array(value.log_weights, (self.k,), "whitening log weights")
        if not (0 < value.clip < math.inf and 0 <= value.anchor < math.inf):
            raise DomainError("a whitening's clip must be positive and its anchor >= 0")


@attrs.frozen
class Gaussian(Domain):
    """A Gaussian in ``d`` dimensions: ``GaussianValue``."""

    d: int = attrs.field(validator=positive_whole)
    type: ClassVar[str] = "gaussian"

    def check(self, value: Any) -> None:
        """Check shapes, finiteness, symmetry and a positive definite covariance."""
        if not isinstance(value, GaussianValue):
            raise DomainError("a Gaussian must be GaussianValue(mean, covariance)")
        finite_array(value.mean, (self.d,), "a Gaussian's mean")
        Symmetric(self.d).check(value.covariance)
        if not positive_definite(value.covariance):
            raise DomainError("a Gaussian's covariance must be positive definite")


@attrs.frozen
class Mixture(Domain):
    """A mixture of ``k`` Gaussians in ``d`` dimensions: ``MixtureValue``."""

    k: int = attrs.field(validator=positive_whole)
    d: int = attrs.field(validator=positive_whole)
    type: ClassVar[str] = "mixture"

    def check(self, value: Any) -> None:
        """Check shapes, finiteness, weights on the simplex and positive definite covariances."""
        if not isinstance(value, MixtureValue):
            raise DomainError("a mixture must be MixtureValue(weights, means, covariances)")
        weights = finite_array(value.weights, (self.k,), "mixture weights")
        finite_array(value.means, (self.k, self.d), "mixture means")
        covariances = finite_array(value.covariances, (self.k, self.d, self.d), "mixture covariances")
        if weights.min() < 0 or abs(weights.sum() - 1) > 1e-9:
            raise DomainError("mixture weights must be >= 0 and sum to 1")
        if not positive_definite(covariances):
            raise DomainError("mixture covariances must be positive definite")


@attrs.frozen
class Record(Domain):
    """A released value of a named plugin type; its own class checks it. Never private."""

    name: str
    type: ClassVar[str] = "record"

    def check(self, value: Any) -> None:
        """Accept any released value: nothing downstream of a release can cost privacy."""


@attrs.frozen
class ListOf(Domain):
    """A list of at most ``max_length`` values of ``item``."""

    item: Domain
    max_length: int = attrs.field(validator=positive_whole)
    type: ClassVar[str] = "list_of"

    def check(self, value: Any) -> None:
        """Check the length and every item."""
        if not isinstance(value, (list, tuple)) or len(value) > self.max_length:
            raise DomainError(f"a list must have at most {self.max_length} items")
        for item in value:
            self.item.check(item)


@attrs.frozen
class Blocks(Domain):
    """Results of ``t`` index blocks, each a value of ``item`` or ⊥ (``None``)."""

    t: int = attrs.field(validator=positive_whole)
    item: Domain
    type: ClassVar[str] = "blocks"


@attrs.frozen
class Table(Domain):
    """All non-empty rows of ``d`` numbers as one private value, in an order that their values decide."""

    d: int = attrs.field(validator=columns)
    type: ClassVar[str] = "table"


_DOMAINS: dict[str, Any] = {
    kind.type: kind
    for kind in (*vars(domains).values(), *globals().values())
    if isinstance(kind, type) and issubclass(kind, Domain) and kind is not Domain
}
"""Every domain of these two modules, and no other."""


def domain_from_json(value: Any) -> Domain:
    """Read a domain back; unknown types and keys raise :class:`DomainError`."""
    result: Domain = from_json(value, _DOMAINS, "domain")
    return result
