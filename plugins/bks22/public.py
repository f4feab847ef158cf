"""What public rows say of the private ones: a frame in which these have about unit scale. Seen by posts only."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from dpframe.plugin import (
    PARAM,
    AffineMap,
    AffineValue,
    Domain,
    Failed,
    Gaussian,
    GaussianValue,
    PlanError,
    Post,
    Rows,
    Slot,
    SpecError,
    Symmetric,
    Vector,
    positive_definite,
    positive_whole,
    register,
    same,
    wants,
)

Floats = NDArray[np.float64]
FARTHEST = 2.0**400
REACH = 2.0**14
"""How far rows may lie from the public ones, in their largest deviations, before the map draws them nearer."""
SINGULAR = 1e-10
LEAST = 1e-100
"""Of β: its square is a number."""


def slots(*names: str) -> tuple[Slot, ...]:
    """Released or public inputs."""
    return tuple(Slot(name, PARAM) for name in names)


@attrs.frozen
class Frame:
    """What Algorithms 1 and 2 prove of private rows in the frame of d + 1 public ones, with probability 1 − β/2.

    Attributes
    ----------
    condition : float
        K: largest over least variance.
    radius : float
        R: distance of the mean from 0, where every variance is at least 1.

    References
    ----------
    BKS22 Lemma 3.4 with the 5 that its Algorithm 2 leaves out (docs/theory/corrections.md#u1), Lemma 3.13 for γ > 0.
    """

    lowest: float
    condition: float
    radius: float


def promised(d: int, beta: float, gamma: float) -> Frame:
    """What the lemmas promise of d columns; ``gamma`` is the total variation between public and private rows.

    Examples
    --------
    >>> promised(10, 0.05, 0.0).condition > 1e6
    True
    """
    if not LEAST <= beta < 1:
        raise SpecError(f"beta must be in [{LEAST:g}, 1), not {beta!r}", fix="use 0.05")
    if not 0 <= gamma < 1:
        raise SpecError(f"gamma must be in [0, 1), not {gamma!r}", fix="use 0.0 where both tables are alike")
    log = math.log(6.0 / beta)
    low = d / (4.0 * d + 4.0 * math.sqrt(2.0 * d * log) + 2.0 * log)
    high = 36.0 * d * d / beta**2
    far = math.sqrt(5.0 * log)
    if gamma:
        low, high = low * (1.0 - gamma) ** 4 / 4.0, 4.0 * high / (1.0 - gamma) ** 4
        far += math.sqrt(10.0 * gamma / (1.0 - gamma))
    return Frame(low, high / low, math.sqrt(high / low) * far)


def distinct(rows: Floats) -> Floats:
    """Public rows without repetitions: a copied row says nothing twice."""
    return np.unique(np.asarray(rows, dtype=np.float64), axis=0)


def in_reach(rows: Floats) -> bool:
    """Whether there are rows whose squares float64 holds."""
    return bool(len(rows)) and float(np.abs(rows).max()) < FARTHEST


@register("bks22.frame")
@attrs.frozen
class PublicFrame(Post):
    """x ↦ (x − μ̂)·Σ̂^(−1/2)/√L, from mean and covariance of all distinct public rows; at least d + 1 are needed.

    Parameters
    ----------
    low : float
        L, a lower bound of the variances that private rows have in this frame before it is divided by √L.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("public")
    low: float = attrs.field(kw_only=True, validator=attrs.validators.gt(0.0))

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(PublicFrame(low=0.1), (Rows(2),), (np.array([[0.0, 0.0], [1.0, 0.5], [0.0, 2.0], [5.0, 1.0]]),))]

    def output(self, *inputs: Domain) -> Domain:
        """A square map."""
        d = wants(inputs[0], Rows, self.name).d
        return AffineMap(d, d)

    def apply(self, *values: Any) -> Any:
        """Whiten what is scaled column by column, so that units don't matter."""
        rows = distinct(values[0])
        d = rows.shape[1]
        if len(rows) < d + 1:
            return Failed(
                f"{d} columns need at least {d + 1} distinct public rows, there are {len(rows)}",
                "give more public rows, or leave them out and use coinpress_gaussian",
            )
        found = whitening(rows)
        if found is None:
            return Failed("the public rows lie in a plane: their covariance is singular", "leave out redundant columns")
        centre, matrix, spread = found
        return AffineValue(centre, matrix / math.sqrt(self.low), REACH * spread)


def whitening(rows: Floats) -> tuple[Floats, Floats, float] | None:
    """Centre, the map's matrix (columns of the image), and the largest deviation of a column."""
    if not in_reach(rows):
        return None
    centre = rows.mean(axis=0)
    spreads = np.abs(rows - centre).max(axis=0)
    if not spreads.min() > 1 / FARTHEST:
        return None
    scaled = (rows - centre) / spreads
    variances, vectors = np.linalg.eigh(scaled.T @ scaled / (len(rows) - 1))
    if not variances.min() > SINGULAR * variances.max():
        return None
    return centre, (vectors / np.sqrt(variances)) / spreads[:, None], float(spreads.max())


@register("bks22.place")
@attrs.frozen
class PublicPlace(Post):
    """x ↦ (x − p)·Σ^(−1/2) for a known covariance Σ, p the mean of the distinct public rows; one row is enough."""

    slots: ClassVar[tuple[Slot, ...]] = slots("public", "covariance")

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(PublicPlace(), (Rows(2), Symmetric(2)), (np.array([[3.0, 1.0]]), np.array([[2.0, 0.5], [0.5, 1.0]])))]

    def output(self, *inputs: Domain) -> Domain:
        """A square map."""
        d = wants(inputs[0], Rows, self.name).d
        same(d, wants(inputs[1], Symmetric, self.name).d, self.name)
        return AffineMap(d, d)

    def apply(self, *values: Any) -> Any:
        """Invert the Cholesky root."""
        rows, covariance = distinct(values[0]), np.asarray(values[1], dtype=np.float64)
        if not len(rows):
            return Failed("there is no public row", "give one, or leave the table out and use coinpress_mean")
        if not in_reach(rows):
            return Failed("the public rows are too large for float64", "bring the columns to smaller units")
        centre = rows.mean(axis=0)
        if not positive_definite(covariance):
            return Failed("the covariance is singular in float64", "give a positive definite one")
        root = np.linalg.cholesky(covariance)
        return AffineValue(centre, np.linalg.inv(root).T, 2.0**30 * float(np.sqrt(np.diagonal(covariance)).max()))


@register("bks22.identity")
@attrs.frozen
class Identity(Post):
    """The identity matrix, where no covariance is given."""

    d: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A symmetric matrix."""
        return Symmetric(self.d)

    def apply(self, *values: Any) -> Any:
        """I."""
        return np.eye(self.d)


@register("bks22.back")
@attrs.frozen
class Back(Post):
    """What was learned in a frame, in the units of the table: a Gaussian, a mean or a covariance."""

    slots: ClassVar[tuple[Slot, ...]] = slots("learned", "map")

    def output(self, *inputs: Domain) -> Domain:
        """The domain of what was learned, which is mapped back."""
        map_ = wants(inputs[1], AffineMap, self.name)
        same(map_.d, map_.p, self.name)
        learned = inputs[0]
        if not isinstance(learned, (Gaussian, Vector, Symmetric)):
            raise PlanError(
                f"{self.name} takes a Gaussian, a vector or a symmetric matrix, not {learned}",
                fix="release one of them",
            )
        same(map_.d, learned.d, self.name)
        return learned

    def apply(self, *values: Any) -> Any:
        """Y = (x − c)·M, so x = c + y·M⁻¹."""
        learned, map_ = values
        back = np.linalg.inv(np.asarray(map_.matrix, dtype=np.float64))
        with np.errstate(all="ignore"):
            if isinstance(learned, GaussianValue):
                found: Any = GaussianValue(map_.shift + learned.mean @ back, _turned(learned.covariance, back))
                fine = np.isfinite(found.mean).all() and positive_definite(found.covariance)
            elif np.ndim(learned) == 1:
                found = map_.shift + np.asarray(learned) @ back
                fine = np.isfinite(found).all()
            else:
                found = _turned(np.asarray(learned), back)
                fine = np.isfinite(found).all()
        return found if fine else Failed("the result overflows float64", "bring the columns to comparable units")


def _turned(covariance: Floats, back: Floats) -> Floats:
    turned = back.T @ covariance @ back
    return 0.5 * (turned + turned.T)


@register("bks22.known")
@attrs.frozen
class WithCovariance(Post):
    """A Gaussian of the learned mean and the known covariance."""

    slots: ClassVar[tuple[Slot, ...]] = slots("mean", "covariance")

    def output(self, *inputs: Domain) -> Domain:
        """A Gaussian."""
        d = wants(inputs[0], Vector, self.name).d
        same(d, wants(inputs[1], Symmetric, self.name).d, self.name)
        return Gaussian(d)

    def apply(self, *values: Any) -> Any:
        """A Gaussian of both."""
        covariance = np.asarray(values[1], dtype=np.float64)
        if not positive_definite(covariance):
            return Failed("the covariance is singular in float64", "give a positive definite one")
        return GaussianValue(np.asarray(values[0], dtype=np.float64), covariance)
