"""``scheffe_scores``: how far hypotheses are from the rows on the sets where one beats another; any dimension."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.errors import DomainError
from dpframe.kernel.exact import lattice
from dpframe.kernel.families.hypotheses import Hypotheses, MixtureNet, checked
from dpframe.kernel.operations import Batch, Exact, Statistic, wants
from dpframe.kernel.registry import register
from dpframe.proof.spaces import MOST_ROWS, Domain, Rows, positive_whole, up_to

Floats = np.ndarray[Any, np.dtype[np.float64]]
Singles = np.ndarray[Any, np.dtype[np.float32]]
Integers = np.ndarray[Any, np.dtype[np.int64]]
MOST = 4096
"""Every pair is a contest: more hypotheses than this take hours."""
ELEMENTS = 2**22
FARTHEST, LEAST_SHARE = -1e300, 1e-30
"""Densities below this share of the largest one at a row count as equal."""


def densities(values: Floats, hypotheses: Hypotheses | MixtureNet) -> Singles:
    """Density of each hypothesis at each row (hypotheses, rows), over the largest component's; the row alone decides.

    Element-wise steps in a fixed order only, so that a row has the same bits in every batch.
    """
    columns = np.ascontiguousarray(values.T)
    logs, z = np.zeros((len(hypotheses.means), len(values))), np.empty(len(values))
    with np.errstate(all="ignore"):
        for log, mean, variance in zip(logs, hypotheses.means, hypotheses.variances, strict=True):
            for column, m, rate in zip(columns, mean.tolist(), (1.0 / np.sqrt(variance)).tolist(), strict=True):
                np.subtract(column, m, out=z)
                np.multiply(z, rate, out=z)
                np.multiply(z, z, out=z)
                np.subtract(log, z, out=log)
            np.multiply(log, 0.5, out=log)
            np.subtract(log, float(np.log(variance).sum()) / 2, out=log)
    picks, weights = hypotheses.chunk(0, len(hypotheses))
    return mixed(logs, picks, weights)


def mixed(logs: Floats, picks: Integers, weights: Floats) -> Singles:
    """Densities of mixtures (M, rows) from the log-densities (L, rows) of their components, which are overwritten."""
    np.maximum(logs, FARTHEST, out=logs)
    np.subtract(logs, logs.max(axis=0), out=logs)
    shares = lattice.exp_det(logs)
    rows = logs.shape[1]
    out = np.zeros((len(picks), rows), dtype=np.float32)
    for j in range(len(picks)):
        total = np.zeros(rows)
        for pick, weight in zip(picks[j].tolist(), weights[j].tolist(), strict=True):
            total += weight * shares[pick]
        out[j] = np.where(total < LEAST_SHARE, 0.0, total)
    return out


def count_wins(dense: Singles, wins: Integers) -> None:
    """Add to wins[i, j], i < j, the number of rows with f_i > f_j."""
    for i in range(len(dense) - 1):
        row, upper = dense[i], dense[i + 1 :]
        wins[i, i + 1 :] += [np.count_nonzero(row > other) for other in upper]


def pieces(rows: int, hypotheses: int) -> list[slice]:
    """Cuts of a batch whose densities stay in the processor's cache."""
    size = min(max(ELEMENTS // max(hypotheses, 1), 2048), 65536)
    return [slice(a, min(a + size, rows)) for a in range(0, rows, size)]


@attrs.frozen
class Wins:
    """Rows with f_i > f_j for i < j; counts add."""

    wins: Integers
    claims: Integers
    hypotheses: Any

    def merge(self, other: Wins) -> None:
        """Add."""
        self.wins[...] += other.wins

    def scores(self) -> Exact:
        """−max over the other i of |claimed rows − rows| on the pair's set."""
        wins = np.triu(self.wins, 1)
        gaps = np.abs(self.claims - wins - wins.T)
        np.fill_diagonal(gaps, 0)
        return Exact(-gaps.max(axis=1, initial=0))


def no_wins(hypotheses: Any, masses: Any, n: int, what: str) -> Wins:
    """A fresh fold: what each of the hypotheses claims of its pairs' sets, in whole rows of n."""
    many = len(hypotheses)
    shares = np.asarray(masses, dtype=np.float64)
    if shares.ndim != 2 or min(shares.shape) < many:
        raise DomainError(f"{what}: masses of shape {shares.shape} for {many} hypotheses")
    with np.errstate(all="ignore"):
        claims = np.rint(np.clip(np.nan_to_num(shares[:many, :many]), 0.0, 1.0) * n).astype(np.int64)
    return Wins(np.zeros((many, many), dtype=np.int64), claims, hypotheses)


@register("scheffe_scores")
@attrs.frozen
class ScheffeScores(Statistic):
    """S(j) = −max_i |n·f_j(W_ij) − N(W_ij)| over the sets W_ij = {f_i > f_j}, one a pair, and N the rows in them.

    The selected f is within 3·OPT + 2·max|P_n(W) − P(W)| + (selection gap)/n of the truth, for any truth, plus twice
    the largest error of the released probabilities f_j(W_ij) (``docs/theory/selection.md``): unlike the contests of
    BKSW19 no α with OPT <= α need be known.

    Parameters
    ----------
    size : int
        Static bound on the number of hypotheses; the scores are as many as the released list has.
    n : int
        The public number of rows that f is scaled to; no guarantee rests on it.

    Inputs
    ------
    rows, hypotheses, masses
        ``masses`` (size, size) holds f_i(W_ij) at [i, j] and f_j(W_ij) at [j, i], for i < j.

    Formal guarantees
    -----------------
    Sensitivity: 1 under replace-one in ℓ∞, and max(r, a) under any edits (``scheffe_scores``): the masses enter as
    whole numbers of rows that depend on released values only, so their error is one of utility alone. Which side a
    row falls on depends on that row and released values only.

    References
    ----------
    Mahalanabis, Stefankovic, "Density Estimation in Linear Time", COLT 2008; Bun, Kamath, Steinke, Wu (2019).

    Examples
    --------
    >>> two = Hypotheses.of(np.ones((2, 1)), np.array([[[-2.0]], [[2.0]]]), np.ones((2, 1, 1)))  # N(−2, 1), N(2, 1)
    >>> masses = np.array([[0.0, 0.977], [0.023, 0.0]])  # of the half line where the first is denser
    >>> scores = ScheffeScores(size=2, n=100)
    >>> fold = scores.start(Rows(1), two, masses)
    >>> scores.update(fold, Batch(0, np.linspace(1.0, 3.0, 100)[:, None], np.ones(100, dtype=bool)), two, masses)
    >>> scores.value(fold).integers.tolist()  # the rows are the second's
    [-98, -2]
    """

    size: int = attrs.field(kw_only=True, validator=positive_whole)
    n: int = attrs.field(kw_only=True, validator=up_to(MOST_ROWS))

    def start(self, domain: Domain, *params: Any) -> Any:
        """No wins."""
        hypotheses = checked(params[0], wants(domain, Rows, self.name).d, self.size, self.name)
        return no_wins(hypotheses, params[1], self.n, self.name)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Compare the densities of all pairs at every row."""
        values = batch.values[batch.valid]
        for piece in pieces(len(values), len(fold.hypotheses)):
            count_wins(densities(values[piece], fold.hypotheses), fold.wins)

    def value(self, fold: Any) -> Exact:
        """The scores."""
        scores: Exact = fold.scores()
        return scores
