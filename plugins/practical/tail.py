"""A tail for nothing: wide components for what lies far out, from a released mixture alone.

One row a thousand deviations out costs a Gaussian model half a million nats, and no budget tells where such rows lie.
A little weight on components that widen geometrically, from the mixture's own covariance until they reach the bound,
makes the density fall like a power of the distance instead.
"""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    PARAM,
    Domain,
    Mixture,
    MixtureValue,
    Post,
    Slot,
    positive,
    positive_definite,
    register,
    wants,
)

from .records import Floats, as_floats

WEIGHT = 0.02
"""Of the tail: it costs a row of the bulk -log(1 - 0.02) nats."""
COUNT = 8
"""Components of the tail: deviations 30 times apart from each other cover any bound within 2^34 deviations."""
DECAY = 0.5
"""A component's weight falls as this power of its width: far rows are rarer."""
WIDEST = 2.0**34
"""Deviations of the mixture that the widest component reaches at most."""


def widths(covariance: Floats, bound: float) -> Floats:
    """Widths of the tail's components, in deviations of the mixture: from 1 until all directions reach the bound.

    Examples
    --------
    >>> widths(np.eye(2), 128.0).round().tolist()
    [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]
    """
    narrowest = float(np.sqrt(max(np.linalg.eigvalsh(covariance)[0], 0.0)))
    reach = bound / narrowest if narrowest * WIDEST > bound else WIDEST
    return as_floats(max(reach, 1.0) ** np.linspace(0.0, 1.0, COUNT))


def with_tail(weights: Floats, means: Floats, covariances: Floats, bound: float) -> tuple[Floats, Floats, Floats]:
    """The mixture with `COUNT` wide components at its end, which share `WEIGHT`.

    ``(1 - w) model + w sum_i a_i N(m, c_i^2 S)``, m and S the model's own mean and covariance.
    """
    mean = weights @ means
    gaps = means - mean
    overall = np.einsum("k,kab->ab", weights, covariances) + (gaps * weights[:, None]).T @ gaps
    wide = widths(overall, bound)
    falling = wide**-DECAY
    return (
        np.concatenate([(1.0 - WEIGHT) * weights, WEIGHT * falling / falling.sum()]),
        np.concatenate([means, np.repeat(mean[None], COUNT, axis=0)]),
        np.concatenate([covariances, wide[:, None, None] ** 2 * overall]),
    )


@register("practical.tail")
@attrs.frozen
class Tail(Post):
    """A mixture with wide components for what lies far out, at its end.

    Parameters
    ----------
    bound : float
        ℓ₂ radius that rows lie in, in the units of the mixture.

    Notes
    -----
    *Formal guarantees.* A function of a released mixture: free.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("mixture", PARAM),)
    bound: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """A mixture of `COUNT` components more."""
        mixture = wants(inputs[0], Mixture, self.name)
        return Mixture(mixture.k + COUNT, mixture.d)

    def apply(self, *values: Any) -> Any:
        """Append; the mixture as it is, with empty components, where the tail leaves floating point."""
        (model,) = values
        with np.errstate(all="ignore"):
            weights, means, covariances = with_tail(model.weights, model.means, model.covariances, self.bound)
            fine = np.isfinite(covariances).all() and positive_definite(covariances)
        if not fine:
            weights[:-COUNT] = model.weights
            weights[-COUNT:] = 0.0
            covariances[-COUNT:] = model.covariances[0]
        return MixtureValue(weights, means, covariances)
