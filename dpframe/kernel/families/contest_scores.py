"""``contest_scores``: pairwise contests of released hypotheses, as scores for a selection."""

from __future__ import annotations

import math
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DomainError
from dpframe.kernel.exact import lattice
from dpframe.kernel.families.scheffe_scores import pieces
from dpframe.kernel.operations import Batch, Exact, Statistic
from dpframe.kernel.registry import register
from dpframe.proof.spaces import MOST_LISTED, MOST_ROWS, Domain, MixtureValue, up_to

Floats = np.ndarray[Any, np.dtype[np.float64]]
FARTHEST = -1e300


def log_density(values: Floats, mixture: MixtureValue) -> Floats:
    """Log density of each row up to a constant, by element-wise steps: the same bits in every batch."""
    m, d = values.shape
    logs = np.empty((m, len(mixture.weights)))
    for j, (weight, mean, covariance) in enumerate(
        zip(mixture.weights, mixture.means, mixture.covariances, strict=True)
    ):
        root = np.linalg.cholesky(covariance)
        z = np.empty((m, d))
        with np.errstate(all="ignore"):
            for i in range(d):
                rest = values[:, i] - mean[i]
                for col in range(i):
                    rest = rest - root[i, col] * z[:, col]
                z[:, i] = rest / root[i, i]
            scale = math.log(weight) if weight > 0 else -math.inf
            logs[:, j] = scale - lattice.squared_norms(z) / 2 - float(np.log(np.diagonal(root)).sum())
    logs = np.fmax(np.nan_to_num(logs, nan=FARTHEST), FARTHEST)
    top = logs.max(axis=1)
    total = np.zeros(m)
    for j in range(logs.shape[1]):
        total = total + lattice.exp_det(logs[:, j] - top)
    result: Floats = top + lattice.log_det(total)
    return result


@attrs.frozen
class _Wins:
    """How many rows lie in {f_j > f_i}, for all pairs; counts add."""

    wins: np.ndarray[Any, np.dtype[np.int64]]
    bars: Floats

    def merge(self, other: _Wins) -> None:
        """Add."""
        self.wins[...] += other.wins


@register("contest_scores")
@attrs.frozen
class ContestScores(Statistic):
    """S(j) = min_i Γ(j, i): how surely hypothesis j is not beaten by any other, in rows.

    Γ(j, i) = n where the released threshold τ_ji is negative (the two are too close to tell), else
    max(0, #{rows with f_j > f_i} − ⌈n·τ_ji⌉). A single hypothesis scores n; hypotheses beyond the list −n.

    Parameters
    ----------
    size : int
        Static bound on the number of hypotheses.
    n : int
        The public number of rows that the thresholds refer to; it scales the scores and no guarantee rests on it.

    Formal guarantees
    -----------------
    Sensitivity: 1 under replace-one in ℓ∞ (``contest_scores``): a minimum of constants and clipped counts. Which
    side a row falls on depends on that row and released values only. Scores are whole numbers.

    References
    ----------
    Bun, Kamath, Steinke, Wu (2019); AAL21 §2.4.

    Examples
    --------
    >>> from dpframe.proof.spaces import Rows
    >>> two = [MixtureValue(np.ones(1), np.array([[at]]), np.ones((1, 1, 1))) for at in (-2.0, 2.0)]
    >>> scores, bars = ContestScores(size=3, n=100), np.full((3, 3), 0.5)
    >>> fold = scores.start(Rows(1), two, bars)
    >>> scores.update(fold, Batch(0, np.linspace(1.0, 3.0, 100)[:, None], np.ones(100, dtype=bool)), two, bars)
    >>> scores.value(fold).integers.tolist()  # the rows are the second's; there is no third
    [0, 50, -100]
    """

    size: int = attrs.field(kw_only=True, validator=up_to(MOST_LISTED))
    n: int = attrs.field(kw_only=True, validator=up_to(MOST_ROWS))

    def start(self, domain: Domain, *params: Any) -> Any:
        """No wins. A mixture without a density is refused here: later it would tell whether any row is there."""
        for mixture in params[0]:
            try:
                log_density(np.zeros((1, len(mixture.means[0]))), mixture)
            except np.linalg.LinAlgError:
                raise DomainError("a covariance is not positive definite in float64", fix="change the units") from None
        return _Wins(np.zeros((len(params[0]),) * 2, dtype=np.int64), np.asarray(params[1], dtype=np.float64))

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Compare the densities of all hypotheses at every row."""
        hypotheses: list[MixtureValue] = list(params[0])
        values = batch.values[batch.valid]
        for piece in pieces(len(values), len(hypotheses)):
            logs = np.array([log_density(values[piece], mixture) for mixture in hypotheses])
            for j, mine in enumerate(logs[:-1]):
                fold.wins[j, j + 1 :] += [np.count_nonzero(mine > other) for other in logs[j + 1 :]]
                fold.wins[j + 1 :, j] += [np.count_nonzero(other > mine) for other in logs[j + 1 :]]

    def value(self, fold: Any) -> Exact:
        """The scores."""
        count = len(fold.wins)
        bars = fold.bars[:count, :count]
        needed = np.ceil(np.clip(bars, 0.0, 1.0) * self.n).astype(np.int64)
        contests = np.where(bars < 0, self.n, np.maximum(0, fold.wins - needed))
        np.fill_diagonal(contests, self.n)
        scores = np.full(self.size, -self.n, dtype=np.int64)
        scores[:count] = contests.min(axis=1, initial=self.n)
        return Exact(scores)
