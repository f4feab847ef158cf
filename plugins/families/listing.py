"""Lists of Gaussians as parameters of families, and a chosen member of a family as a mixture of Gaussians."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Array,
    Domain,
    Failed,
    Gaussian,
    Handle,
    ListOf,
    Mixture,
    MixtureValue,
    PlanError,
    Post,
    Slot,
    Vector,
    find_family,
    positive_whole,
    register,
    same,
    wants,
)

from .gaussian import lower

FULL, DIAGONAL = "families.gaussian_full", "families.gaussian_diagonal"
ROUNDING = 1e-9
"""A correlation up to this is rounding."""


def as_parameters(found: Handle, family: str) -> Handle:
    """A released list as parameters of a family: one of Gaussians is turned into them, any other is left as it is."""
    gaussians = isinstance(found.domain, ListOf) and isinstance(found.domain.item, Gaussian)
    return dp.post("families.parameters", found, family=family, name="parameters") if gaussians else found


@register("families.parameters")
@attrs.frozen
class Parameters(Post):
    """Parameters of listed Gaussians, with their correlations or (independent columns) only where they have none.

    Parameters
    ----------
    family : {"families.gaussian_full", "families.gaussian_diagonal"}
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("listed", PARAM),)
    family: str = attrs.field(kw_only=True, validator=attrs.validators.in_((FULL, DIAGONAL)))

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(Parameters(family=family), (ListOf(Gaussian(d), 3),)) for family in (FULL, DIAGONAL) for d in (1, 2)]

    def output(self, *inputs: Domain) -> Domain:
        """Domain of as many parameter vectors as there are Gaussians."""
        given = wants(inputs[0], ListOf, self.name)
        return ListOf(
            Vector(int(find_family(self.family).size(wants(given.item, Gaussian, self.name).d))), given.max_length
        )

    def apply(self, *values: Any) -> Any:
        """Mean, and the root of the covariance; what has none is left out."""
        made = []
        for one in values[0]:
            covariance = np.asarray(one.covariance, dtype=np.float64)
            deviations = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
            if self.family == DIAGONAL:
                off = covariance - np.diag(np.diagonal(covariance))
                if (np.abs(off) > ROUNDING * np.outer(deviations, deviations)).any():
                    return Failed("the decoder lists components with correlated columns", f"use family={FULL!r}")
                theta = np.concatenate([one.mean, deviations])
            else:
                try:
                    root = np.linalg.cholesky(covariance)
                except np.linalg.LinAlgError:
                    continue
                theta = np.concatenate([one.mean, root[np.tril_indices(len(root))]])
            if np.isfinite(theta).all() and (deviations > 0).all():
                made.append(theta)
        return made or Failed("no listed component has a density", "use more rows or a larger epsilon")


@register("families.as_mixture")
@attrs.frozen
class AsMixture(Post):
    """A chosen mixture of Gaussians, from its rows of weight and parameters, as weights, means and covariances.

    Parameters
    ----------
    family : {"families.gaussian_full", "families.gaussian_diagonal"}
    d : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("chosen", PARAM),)
    family: str = attrs.field(kw_only=True, validator=attrs.validators.in_((FULL, DIAGONAL)))
    d: int = attrs.field(kw_only=True, validator=positive_whole)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(AsMixture(family=DIAGONAL, d=2), (Array((2, 5)),)), (AsMixture(family=FULL, d=2), (Array((2, 6)),))]

    def output(self, *inputs: Domain) -> Domain:
        """A mixture of as many components."""
        shape = wants(inputs[0], Array, self.name).shape
        if len(shape) != 2:
            raise PlanError(f"{self.name} takes a row a component, not shape {shape}", fix="give what was chosen")
        same(shape[1], 1 + int(find_family(self.family).size(self.d)), self.name)
        return Mixture(shape[0], self.d)

    def apply(self, *values: Any) -> Any:
        """Covariances from roots or deviations; weights that sum to 1."""
        rows = np.asarray(values[0], dtype=np.float64)
        weights, means, rest = np.maximum(rows[:, 0], 0.0), rows[:, 1 : 1 + self.d], rows[:, 1 + self.d :]
        roots = [np.diag(theta) if self.family == DIAGONAL else lower(theta, self.d) for theta in rest]
        with np.errstate(all="ignore"):
            covariances = np.array([root @ root.T for root in roots])
        if not weights.sum() > 0:
            return Failed("no mixture was selected", "use more rows or a larger epsilon")
        made = MixtureValue(weights / weights.sum(), means, covariances)
        try:
            Mixture(len(rows), self.d).check(made)
        except dp.DomainError as error:
            return Failed(f"the chosen members make no mixture: {error.message}", "use more rows or a larger epsilon")
        return made
