"""A known covariance: its file's digest, where the rows are, the whitening map, and the way back."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    AffineMap,
    AffineValue,
    Array,
    Domain,
    Failed,
    Handle,
    Mixture,
    MixtureValue,
    PlanError,
    Post,
    Slot,
    SparseCounts,
    SpecError,
    Symmetric,
    positive_definite,
    register,
    same,
    wants,
)

from .grids import LEVELS
from .nodes import known_sds, near_bins, no_rows, slots, too_far

REACH = 64.0
FARTHEST = 2.0**400


def read_covariance(value: Sequence[Sequence[float]], d: int) -> tuple[float, ...]:
    """Entries of a d×d covariance, row by row.

    Raises
    ------
    SpecError
        Unless it is symmetric and positive definite, with variances between 1e-120 and 1e120.
    """
    try:
        matrix = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise SpecError("covariance must be a matrix of numbers", fix="save a (d, d) array as .npy") from None
    if matrix.shape != (d, d):
        raise SpecError(f"covariance has the shape {matrix.shape}, and the table {d} columns", fix="make them agree")
    diagonal = np.diagonal(matrix)
    good = np.isfinite(matrix).all() and np.array_equal(matrix, matrix.T) and diagonal.min() > 1 / FARTHEST
    if not good or diagonal.max() > FARTHEST or not positive_definite(matrix):
        raise SpecError("covariance must be symmetric and positive definite", fix="give the covariance, not its root")
    return tuple(matrix.ravel().tolist())


def digest(values: Sequence[float]) -> str:
    """SHA-256 of the matrix as little-endian float64, row by row: what ``covariance.astype('<f8').tobytes()`` gives.

    Examples
    --------
    >>> digest([1.0])[:16]
    '6c3c396ed6b5c36d'
    """
    return hashlib.sha256(np.asarray(values, dtype="<f8").tobytes()).hexdigest()


@register("aal21.covariance")
@attrs.frozen
class Covariance(Post):
    """A public covariance matrix.

    Parameters
    ----------
    values : sequence of float
        d² entries, row by row.
    sha256 : str
        Their digest, as :func:`digest` gives it: in the certificate, to be compared with the file's.
    """

    values: tuple[float, ...] = attrs.field(converter=known_sds, kw_only=True)
    sha256: str = attrs.field(kw_only=True)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        values = (2.0, 1.0, 1.0, 3.0)
        return [(Covariance(values=values, sha256=digest(values)), ())]

    def output(self, *inputs: Domain) -> Domain:
        """A symmetric matrix, checked."""
        d = math.isqrt(len(self.values))
        if d < 1 or d * d != len(self.values):
            raise PlanError(f"{len(self.values)} entries make no square matrix", fix="give d*d of them")
        if self.sha256 != digest(self.values):
            raise PlanError("the covariance is not the one whose digest is given", fix="give both from one file")
        return Symmetric(d)

    def apply(self, *values: Any) -> Any:
        """The matrix."""
        d = math.isqrt(len(self.values))
        return np.array(self.values, dtype=np.float64).reshape(d, d)


@register("aal21.whitening")
@attrs.frozen
class WhiteningOf(Post):
    """x ↦ (x − centre)·L^(−T), L the Cholesky root of the known covariance: components become N(·, I).

    The centre is in the middle of the published bins, and the map's scale reaches `REACH` deviations beyond them.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("covariance", "bins", "grids")

    def output(self, *inputs: Domain) -> Domain:
        """An affine map."""
        d = wants(inputs[0], Symmetric, self.name).d
        same(wants(inputs[1], SparseCounts, self.name).levels, wants(inputs[2], Array, self.name).shape[0], self.name)
        return AffineMap(d, d)

    def apply(self, *values: Any) -> Any:
        """Span the coarsest published bins of every column; ⊥ where a column has none."""
        covariance, released, grids = values
        d = len(covariance)
        low, high = np.full(d, math.inf), np.full(d, -math.inf)
        for level, (column, offset, size) in zip(released, np.asarray(grids), strict=False):
            if size > 0.0 and len(level.ids) and 0 <= column < d:
                j, (near, beyond) = int(column), near_bins(level)
                if beyond > sum(near.values()) and not np.isfinite(low[j]):
                    return too_far()
                low[j] = min([low[j], *(offset + size * float(i) for i in near)])
                high[j] = max([high[j], *(offset + size * float(i + 1) for i in near)])
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            return no_rows()
        with np.errstate(all="ignore"):
            deviations = np.sqrt(np.diagonal(covariance))
            centre = low / 2 + high / 2
            scale = float((high / 2 - low / 2 + REACH * deviations).max())
        try:
            matrix = np.linalg.inv(np.linalg.cholesky(covariance)).T
        except np.linalg.LinAlgError:
            return Failed("the covariance is singular in float64", "leave out redundant columns")
        if not (np.isfinite(matrix).all() and 1 / FARTHEST < scale < FARTHEST):
            return Failed("the rows lie too far apart for the covariance", "bring the columns to comparable units")
        return AffineValue(centre, np.ascontiguousarray(matrix), scale)


@register("aal21.coloured")
@attrs.frozen
class Coloured(Post):
    """A mixture of whitened rows in the units of the table; every component has the known covariance."""

    slots: ClassVar[tuple[Slot, ...]] = slots("mixture", "covariance", "map")

    def output(self, *inputs: Domain) -> Domain:
        """A mixture."""
        mixture = wants(inputs[0], Mixture, self.name)
        same(wants(inputs[1], Symmetric, self.name).d, mixture.d, self.name)
        same(wants(inputs[2], AffineMap, self.name).p, mixture.d, self.name)
        return mixture

    def apply(self, *values: Any) -> Any:
        """Undo the map."""
        mixture, covariance, whitening = values
        try:
            with np.errstate(all="ignore"):
                means = np.linalg.solve(whitening.matrix.T, mixture.means.T).T + whitening.shift
        except np.linalg.LinAlgError:
            means = np.full_like(mixture.means, math.nan)
        if not (np.isfinite(means).all() and positive_definite(covariance)):
            return Failed("the mixture has no form in float64", "bring the columns to comparable units")
        covariances = np.repeat(np.asarray(covariance)[None], len(means), axis=0)
        return MixtureValue(mixture.weights, means, covariances)


@attrs.frozen
class Whitened:
    """Rows whose components are N(·, I), the covariance and the map."""

    rows: Handle
    covariance: Handle
    map: Handle

    def undo(self, mixture: Handle) -> Handle:
        """The mixture in the units of the table."""
        return dp.post("aal21.coloured", mixture, self.covariance, self.map, name="coloured")


def whiten(x: Handle, values: tuple[float, ...], *, share: float, delta_fraction: float, seed: int) -> Whitened:
    """Find where the rows are, at the known scale of each column, and whiten them about that place.

    One stable histogram of d columns at three scales each (T1): ``share`` of ρ and ``delta_fraction`` of δ.
    """
    d = x.d
    covariance = dp.post("aal21.covariance", values=list(values), sha256=digest(values), name="covariance")
    sds = [math.sqrt(values[j * d + j]) for j in range(d)]
    grids = dp.post("aal21.known_grids", sds=sds, seed=seed, name="place_grids")
    mechanism = dp.stable_histogram(share=share, delta_fraction=delta_fraction)
    bins = dp.release("place", mechanism, dp.column_cells(x, grids, levels=d * LEVELS))
    map_ = dp.post("aal21.whitening", covariance, bins, grids, name="whitening")
    return Whitened(dp.affine(x, map_, name="whitened"), covariance, map_)
