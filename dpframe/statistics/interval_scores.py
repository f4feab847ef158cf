"""``interval_scores``: how far hypotheses are from one column, over all unions of few intervals (papers.md T7)."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.errors import DomainError, PlanError
from dpframe.exact import folds
from dpframe.operations import PARAM, ROWS, Batch, Exact, Slot, Statistic, same, wants
from dpframe.registry import register
from dpframe.spaces import Array, Domain, Scores, positive_whole
from dpframe.statistics.hypotheses import Hypotheses, MixtureNet, checked, listed
from dpframe.transforms.partition import table_rows

Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]
MOST_CELLS = 4096
MOST_ROWS = 2**40
STEPS = 2.0**10
"""Masses are whole multiples of 1/STEPS of a row; all sums stay below 2^53."""
ELEMENTS, FEWEST = 2**21, 256
"""Numbers of one array, and hypotheses, of a block."""
THREADS = 2


def masses(hypotheses: Hypotheses | MixtureNet, span: slice, edges: Floats, n: int) -> Floats:
    """n·f(cell) of hypotheses as whole multiples of 1/STEPS, (cells, hypotheses): constants, they see no row.

    n·F is rounded at every edge, so that the masses of a hypothesis sum to n·STEPS exactly.
    """
    from scipy.special import erfc

    picks, weights = hypotheses.chunk(span.start, span.stop)
    used, place = np.unique(picks, return_inverse=True)
    place = place.reshape(picks.shape)
    sigma = np.sqrt(hypotheses.variances[used, 0])
    with np.errstate(all="ignore"):
        z = (hypotheses.means[used, :1] - edges) / (sigma[:, None] * math.sqrt(2.0))
        table = erfc(np.nan_to_num(z, nan=0.0), out=z)
    total = np.zeros((len(picks), len(edges)))
    for i in range(picks.shape[1]):
        part = table[place[:, i]]
        part *= weights[:, i, None]
        total += part
    total *= 0.5 * n * STEPS
    np.rint(total, out=total)
    out = np.empty((len(edges) + 1, len(picks)))
    out[:-1] = total.T
    out[-1] = n * STEPS
    np.subtract(out[1:], out[:-1].copy(), out=out[1:])
    return out


def most_excess(values: Floats, intervals: int) -> Floats:
    """The largest sum over unions of at most ``intervals`` runs of consecutive cells; 0 for none.

    One pass: ``inside[j]`` is the best sum whose last of j runs ends in this cell, ``best[j]`` the best so far with
    at most j runs. Every sum is a whole number below 2^53 in size, so float64 is exact.

    Parameters
    ----------
    values : array (cells, hypotheses)
    intervals : int

    Examples
    --------
    >>> most_excess(np.array([[2.0], [-1.0], [3.0], [-9.0], [4.0]]), 2)
    array([8.])
    """
    many = values.shape[1]
    inside, best = np.full((intervals, many), -np.inf), np.zeros((intervals + 1, many))
    before, after = best[:-1], best[1:]
    for value in values:
        np.maximum(inside, before, out=inside)
        np.add(inside, value, out=inside)
        np.maximum(after, inside, out=after)
    last: Floats = best[-1]
    return last


@attrs.frozen
class _Cells:
    """Rows a cell; counts add."""

    counts: folds.HistogramFold
    edges: Floats
    hypotheses: Hypotheses | MixtureNet

    def merge(self, other: _Cells) -> None:
        """Add."""
        self.counts.merge(other.counts)


@register("interval_scores")
@attrs.frozen
class IntervalScores(Statistic):
    """S(f) = −⌈max_A n·f(A) − N(A)⌉ over the unions A of at most ``intervals`` runs of released cells; one column.

    N(A) is the number of rows in A, and n·f(A) a multiple of 2^−10 that depends on released values only. A union of
    at most 2k runs holds every set {f > g} of two mixtures of k Gaussians, cell by cell, and its complement; so the
    selected f is within 3·OPT + 2·sup_A|P_n(A) − P(A)| + (selection gap)/n of the truth in total variation of cell
    masses, for any truth (``docs/theory/selection.md``). The absolute value of T7 is not lost: where {f > g} has
    fewer than 2k runs its complement has at most 2k, and one of the two has a positive difference.

    Parameters
    ----------
    size : int
        Static bound on the number of hypotheses; the scores are as many as the released list has.
    n : int
        The public number of rows that f is scaled to; no guarantee rests on it.
    intervals : int
        2k for mixtures of k components.

    Formal guarantees
    -----------------
    Sensitivity: 1 under replace-one in ℓ∞, and max(r, a) under any edits (``interval_scores``): n·f(A) is a
    constant, N(A) moves by at most that for every A at once, so the maximum does, and rounding to whole numbers
    keeps a whole bound. Cells and hypotheses are released or public values.

    References
    ----------
    papers.md T7; Devroye, Lugosi (2001); Bun, Kamath, Steinke, Wu (2019).
    """

    theorem: ClassVar[str] = "interval_scores"
    slots: ClassVar[tuple[Slot, ...]] = (ROWS, Slot("edges", PARAM), Slot("hypotheses", PARAM))
    size: int = attrs.field(kw_only=True, validator=positive_whole)
    n: int = attrs.field(kw_only=True, validator=positive_whole)
    intervals: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """One score a hypothesis."""
        same(table_rows(inputs[0], self.name).d, 1, self.name)
        shape = wants(inputs[1], Array, self.name).shape
        if len(shape) != 2 or shape[0] != 1 or shape[1] >= MOST_CELLS:
            raise PlanError(
                f"{self.name} takes edges of shape (1, m), m < {MOST_CELLS}, not {shape}", fix="use wider cells"
            )
        listed(inputs[2], self.name)
        if self.n > MOST_ROWS:
            raise PlanError(f"n = {self.n} rows exceed the range of exact scores", fix="use n below 2^40")
        return Scores(self.size)

    def start(self, domain: Domain, *params: Any) -> Any:
        """Empty cells."""
        edges = one_column(params[0])
        return _Cells(folds.HistogramFold(len(edges) + 1), edges, checked(params[1], 1, self.size, self.name))

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Cell of each row; empty rows fall in none."""
        cell = np.searchsorted(fold.edges, batch.values[:, 0], side="right")
        fold.counts.update(np.where(batch.live, cell, -1))

    def value(self, fold: Any) -> Exact:
        """The scores, a block of hypotheses at a time."""
        counts = np.asarray(fold.counts.value, dtype=np.float64)[:, None] * STEPS
        many, cells = len(fold.hypotheses), len(counts)
        scores = np.empty(many, dtype=np.int64)

        def block(span: slice) -> None:
            excess = masses(fold.hypotheses, span, fold.edges, self.n)
            excess -= counts
            scores[span] = -np.ceil(most_excess(excess, self.intervals) / STEPS).astype(np.int64)

        in_blocks(many, max(FEWEST, ELEMENTS // cells), block)
        return Exact(scores)


def in_blocks(many: int, size: int, block: Callable[[slice], None]) -> None:
    """Run over blocks of hypotheses, by threads; what is computed for one does not depend on the others."""
    spans = [slice(a, min(a + size, many)) for a in range(0, many, size)]
    if len(spans) == 1:
        block(spans[0])
        return
    with ThreadPoolExecutor(THREADS) as pool:
        for _ in pool.map(block, spans):
            pass


def one_column(value: Any) -> Floats:
    """Released edges of one column, sorted, each once: a repeated edge would bound an empty cell."""
    edges: Floats = np.unique(np.asarray(value, dtype=np.float64))
    if not np.isfinite(edges).all():
        raise DomainError("interval_scores takes finite edges", fix="drop the others")
    return edges
