"""Mixtures that blocks gave: which can be used, which are near one another, which components belong together.

Every answer about two blocks is a function of these two alone, bit for bit: all arrays have the shape that t, k and
d give, a block that can't be used being filled in, so nothing depends on what the other blocks hold. Distances are
bounded above with their rounding errors; proofs are in ``docs/theory/averaged-populous.md``.
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.proof.families.populous import closeness, separation

Floats = np.ndarray[Any, np.dtype[np.float64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]
RESIDUAL = 2.0**-22
MARGIN = 2.0**-20
MOST_WHITE = 2.0**24
MOST_OFFSET = 2.0**30
RANGE = 2.0**200
CHUNK = 256
PARTS = ("weights", "means", "covariances", "scales", "white", "norms", "residuals")


@attrs.frozen(eq=False)
class Blocked:
    """Components of t blocks, flat: ``weights`` (tk,), ``means`` (tk, d), ``covariances`` and whitenings (tk, d, d).

    ``scales`` (tk, d) are powers of two that bring each variance near 1; a whitening V is W·diag(scale) with
    V Σ Vᵀ = I up to ``residuals`` (tk,), at most 2^−22; ``norms`` (tk,) is ‖W‖_F². ``valid`` (t,) says which blocks
    can be used.
    """

    k: int
    weights: Floats
    means: Floats
    covariances: Floats
    scales: Floats
    white: Floats
    norms: Floats
    residuals: Floats
    valid: Flags

    @property
    def t(self) -> int:
        """Number of blocks."""
        return len(self.valid)


def read_blocks(results: list[Any], k: int, d: int, r: float | None) -> Blocked:
    """Check each block by itself: shapes, range, conditioning, and components that are separated for ``r`` if given."""
    t = len(results)
    out = Blocked(
        k,
        np.zeros((t, k)),
        np.zeros((t, k, d)),
        np.tile(np.eye(d), (t, k, 1, 1)),
        np.ones((t, k, d)),
        np.tile(np.eye(d), (t, k, 1, 1)),
        np.full((t, k), float(d)),
        np.zeros((t, k)),
        np.zeros(t, dtype=np.bool_),
    )
    with np.errstate(all="ignore"):
        for i, result in enumerate(results):
            parts = _usable(result, k, d, r)
            if parts is not None:
                out.weights[i], out.means[i], out.covariances[i] = parts[:3]
                out.scales[i], out.white[i], out.norms[i], out.residuals[i] = parts[3:]
                out.valid[i] = True
    flat = {name: getattr(out, name).reshape(t * k, *getattr(out, name).shape[2:]) for name in PARTS}
    return attrs.evolve(out, **flat)


def _usable(result: Any, k: int, d: int, r: float | None) -> tuple[Any, ...] | None:
    if not isinstance(result, (tuple, list)) or len(result) != 3:
        return None
    try:
        weights, means, covariances = (np.array(part, dtype=np.float64) for part in result)
    except (TypeError, ValueError):
        return None
    if weights.shape != (k,) or means.shape != (k, d) or covariances.shape != (k, d, d):
        return None
    covariances = (covariances + np.swapaxes(covariances, 1, 2)) / 2
    if not all(np.isfinite(a).all() for a in (weights, means, covariances)):
        return None
    if weights.min() < 0 or weights.max() > 1 or np.abs(means).max() > RANGE:
        return None
    certified = [_whitening(c) for c in covariances]
    if any(c is None for c in certified):
        return None
    scales, white, norms, residuals = (np.array([c[j] for c in certified if c is not None]) for j in range(4))
    offsets = np.sqrt(norms) * np.abs(means * scales).max(axis=1)
    apart = r is None or (_certain(norms, residuals, d, r) and _separated(means, covariances, scales, white, norms, r))
    if offsets.max() > MOST_OFFSET or not apart:
        return None
    return weights, means, covariances, scales, white, norms, residuals


def _certain(norms: Floats, residuals: Floats, d: int, r: float) -> bool:
    """Whether rounding can't decide which components are partners: it moves J by at most r²(1 + J)/8."""
    return bool(_rounding(d) * norms.max() <= r * r / (128 * d) and residuals.max() <= r * r / (64 * d))


def _rounding(d: int) -> float:
    """Relative error of the computed tr(WᵀW·C), to ‖W‖_F²·tr(C)."""
    return 8 * (d * d + d + 8) * 2.0**-53


def _whitening(covariance: Floats) -> tuple[Floats, Floats, float, float] | None:
    """Scale, whitening, ‖W‖_F² and a bound on ‖W C Wᵀ − I‖ of a covariance; None unless that is at most 2^−22."""
    d = len(covariance)
    variances = np.diagonal(covariance)
    if variances.min() < 1 / RANGE or variances.max() > RANGE:
        return None
    scale = np.exp2(-np.round(np.log2(variances) / 2))
    unit = covariance * scale[:, None] * scale
    try:
        w = np.linalg.inv(np.linalg.cholesky(unit))
    except np.linalg.LinAlgError:
        return None
    norm = float((w * w).sum())
    if not norm <= MOST_WHITE:
        return None
    residual = float(np.sqrt(((w @ unit @ w.T - np.eye(d)) ** 2).sum()))
    residual += 8 * (d + 4) * 2.0**-53 * norm * float(np.trace(unit))
    return (scale, w * scale, norm, residual) if residual <= RESIDUAL * (1 - MARGIN) else None


def _separated(means: Floats, covariances: Floats, scales: Floats, white: Floats, norms: Floats, r: float) -> bool:
    far_means, far = separation(r)
    k, d = means.shape
    for a in range(k):
        for b in range(a):
            if not any(
                _apart(means[i] - means[j], covariances[j], white[i], scales[i], norms[i], d, far_means, far)
                for i, j in ((a, b), (b, a))
            ):
                return False
    return True


def _apart(
    step: Floats, other: Floats, white: Floats, scale: Floats, norm: float, d: int, far_means: float, far: float
) -> bool:
    """Whether another component is certainly far in this one's metric: its mean, or its covariance."""
    if float(np.sqrt(((white @ step) ** 2).sum())) * (1 - MARGIN) > far_means:
        return True
    error = 8 * (d + 4) * 2.0**-53 * norm * float((np.diagonal(other) * scale**2).sum())
    seen = float(np.sqrt(((white @ other @ white.T - np.eye(d)) ** 2).sum()))
    return seen * (1 - MARGIN) - error - MARGIN * d > far


# ---------------------------------------------------------------------------------- all pairs


def near_blocks(blocks: Blocked, r: float) -> Flags:
    """(t, t): whether two live blocks are certainly within ν = √(1 + r) − 1 under one matching of their components.

    Components of a live block are separated, so each has at most one near component in another block: a perfect
    matching is one hit in every row and every column.
    """
    t, k = blocks.t, blocks.k
    nu = closeness(r)
    hits = _near_weights(blocks, nu)
    near = _near_means(blocks, nu * (1 - MARGIN))
    hits &= near
    hits &= near.T
    del near
    _keep_near_covariances(hits, blocks, nu * nu / (1 + nu) * (1 - MARGIN))
    matched = hits if k == 1 else _one_each(hits.reshape(t, k, t, k))
    matched &= blocks.valid[:, None]
    matched &= blocks.valid[None, :]
    return matched


def _one_each(hits: Flags) -> Flags:
    """(t, t): whether every row and every column of the (k, k) between two blocks has one hit."""
    t = len(hits)
    out = np.empty((t, t), dtype=np.bool_)
    for i in range(t):
        rows, columns = (hits[i].sum(axis=axis, dtype=np.int32) for axis in (2, 0))
        out[i] = (rows == 1).all(axis=0) & (columns == 1).all(axis=1)
    return out


def pair_bytes(t: int, k: int, d: int) -> int:
    """About the most memory that :func:`near_blocks` and what it reads take: (tk)² flags twice, slices, matrices.

    Examples
    --------
    >>> pair_bytes(2000, 2, 2) // 2**20
    78
    """
    m = t * k
    return 2 * m * m + 8 * m * (6 * min(CHUNK, m) + 10 * d * d)


def matched_blocks(blocks: Blocked, nu: float) -> Flags:
    """(t, t): whether two live blocks are certainly within ``nu`` under some matching of their components.

    Components need not be separated. The first a components of one block are matched into every set of a components
    of the other, one a after the other: a perfect matching is found where there is one.
    """
    t, k = blocks.t, blocks.k
    hits = _near_weights(blocks, nu)
    means, shapes = _near_means(blocks, nu * (1 - MARGIN)), _near_shapes(blocks, nu)
    hits &= means & means.T & shapes & shapes.T
    matched = perfect_matchings(np.ascontiguousarray(hits.reshape(t, k, t, k).transpose(1, 3, 0, 2)))
    return matched & blocks.valid[:, None] & blocks.valid[None, :]


def perfect_matchings(hits: Flags) -> Flags:
    """Of hits (k, k, t, t): whether the first k can be matched to the second k, each pair a hit, for every (t, t).

    Examples
    --------
    >>> hits = np.array([[True, True], [True, False]])
    >>> bool(perfect_matchings(hits[:, :, None, None])[0, 0])
    True
    >>> bool(perfect_matchings(np.array([[True, True], [False, False]])[:, :, None, None])[0, 0])
    False
    """
    k = len(hits)
    reached: dict[int, Flags] = {0: np.ones(hits.shape[2:], dtype=np.bool_)}
    for row in hits:
        longer: dict[int, Flags] = {}
        for taken, flags in reached.items():
            for b in range(k):
                if not taken >> b & 1:
                    new = flags & row[b]
                    longer[taken | 1 << b] = longer[taken | 1 << b] | new if taken | 1 << b in longer else new
        reached = longer
    return reached[(1 << k) - 1]


def _near_weights(blocks: Blocked, nu: float) -> Flags:
    if blocks.k == 1:
        return np.ones((blocks.t, blocks.t), dtype=np.bool_)
    m = len(blocks.weights)
    near = np.empty((m, m), dtype=np.bool_)
    for i in range(m):
        near[i] = np.abs(blocks.weights[i] - blocks.weights) <= nu * (1 - MARGIN)
    return near


def _near_means(blocks: Blocked, bound: float) -> Flags:
    """[i, j]: whether mean j is within the bound of mean i in i's own metric."""
    m = len(blocks.means)
    near = np.zeros((m, m), dtype=np.bool_)
    with np.errstate(all="ignore"):
        for i in range(m):
            seen = (blocks.means - blocks.means[i]) @ blocks.white[i].T
            near[i] = (seen * seen).sum(axis=1) <= bound * bound
    return near


def traces(blocks: Blocked, rows: slice) -> tuple[Floats, Floats]:
    """J = tr(Σ_i⁻¹Σ_j) + tr(Σ_j⁻¹Σ_i) − 2d for i in ``rows``, all j, computed and bounded above.

    Σ⁻¹ is at most VᵀV/(1 − residual). The rounding of the sum itself is below 2^−48 of it.
    """
    m, d = blocks.means.shape
    inverse = (np.swapaxes(blocks.white, 1, 2) @ blocks.white).reshape(m, d * d)
    flat = blocks.covariances.reshape(m, d * d)
    squares = blocks.scales**2 * blocks.norms[:, None]
    variances = np.ascontiguousarray(np.diagonal(blocks.covariances, axis1=1, axis2=2))
    both = inverse[rows] @ flat.T + flat[rows] @ inverse.T
    errors = squares[rows] @ variances.T + variances[rows] @ squares.T
    slack = 1.02 * (blocks.residuals[rows, None] + blocks.residuals) + 2.0**-48
    above = (both + _rounding(d) * errors) * (1 + slack) - 2 * d
    return both - 2 * d, above


def _keep_near_covariances(hits: Flags, blocks: Blocked, bound: float) -> None:
    """Keep whose J is certainly at most the bound: ‖t‖ <= √(λJ), λ <= 1 + J/2 + √(J + J²/4), so both ways within ν."""
    with np.errstate(all="ignore"):
        for start in range(0, len(hits), CHUNK):
            rows = slice(start, start + CHUNK)
            hits[rows] &= traces(blocks, rows)[1] <= bound


def _near_shapes(blocks: Blocked, bound: float) -> Flags:
    """[i, j]: whether ‖V_i(Σ_j − Σ_i)V_iᵀ‖ is certainly at most the bound, however small that is.

    The difference comes first, so all rounding is relative to it; twice its bound is added. V_iΣ_iV_iᵀ is I up to
    2^−22, which the margin contains. Matrices are written as their upper halves.
    """
    m, d = blocks.means.shape
    row, column = np.triu_indices(d)
    double = np.where(row == column, 1.0, 2.0)
    halves = np.ascontiguousarray(blocks.covariances[:, row, column])
    near = np.zeros((m, m), dtype=np.bool_)
    with np.errstate(all="ignore"):
        for i in range(m):
            v, scale = blocks.white[i], blocks.scales[i]
            straight = v[row][:, row] * v[column][:, column]
            turn = (straight + v[row][:, column] * v[column][:, row]) * double / 2
            step = halves - halves[i]
            seen = step @ turn.T
            error = 8 * (d * d + d + 8) * 2.0**-53 * blocks.norms[i]
            error = error * np.sqrt((step * step) @ (double * (scale[row] * scale[column]) ** 2))
            near[i] = (np.sqrt((seen * seen) @ double) + error) * (1 + MARGIN) <= bound
    return near


def matching(blocks: Blocked, i: int, j: int, r: float) -> list[int]:
    """For blocks of positive weight: component of block ``i`` that belongs to each component of block ``j``.

    The true partner is within r, all others beyond: thresholds between the two are far from both, so rounding
    can't decide.
    """
    k = blocks.k
    both = [*range(j * k, j * k + k), *range(i * k, i * k + k)]
    part = attrs.evolve(blocks, valid=blocks.valid[[j, i]], **{name: getattr(blocks, name)[both] for name in PARTS})
    means = _near_means(part, 1.5 * r)
    hits = (means & means.T)[:k, k:] & (traces(part, slice(0, 2 * k))[0] <= 1.5 * r * r)[:k, k:]
    return [int(np.argmax(row)) for row in hits]
