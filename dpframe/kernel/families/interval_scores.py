"""``interval_scores``: how far hypotheses are from one column, over all unions of few intervals (T7)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DomainError
from dpframe.kernel.exact import folds
from dpframe.kernel.families.hypotheses import Hypotheses, MixtureNet, checked
from dpframe.kernel.operations import Batch, Exact, Statistic
from dpframe.kernel.registry import register
from dpframe.proof.spaces import MOST_ROWS, Domain, positive_whole, up_to

Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]
MOST_CELLS = 4096
STEPS = 2.0**10
"""Masses are whole multiples of 1/STEPS of a row; all sums stay below 2^53."""
BLOCK, TILE = 1024, 2**15
"""Hypotheses of a block, and numbers worked on at once: they stay in the processor's cache."""
THREADS = 2
REACH, ENTRIES = 8.0, 2**14


@functools.cache
def _normal() -> tuple[Floats, Floats]:
    """Φ on a grid of [−8, 8], and its differences."""
    from scipy.special import ndtr

    values: Floats = ndtr(np.linspace(-REACH, REACH, ENTRIES + 1))
    return values, np.append(np.diff(values), 0.0)


def normal_cdf(z: Floats) -> Floats:
    """Φ(z) to 3e-8, from a table, in place: four times as fast as the error function.

    Examples
    --------
    >>> normal_cdf(np.array([-np.inf, 0.0, 9.0])).round(12).tolist()
    [0.0, 0.5, 1.0]
    """
    values, steps = _normal()
    np.multiply(z, ENTRIES / (2 * REACH), out=z)
    np.add(z, ENTRIES / 2, out=z)
    np.clip(z, 0.0, ENTRIES, out=z)
    place = z.astype(np.int64)
    np.subtract(z, place, out=z)
    part = np.take(steps, place, mode="clip")
    np.multiply(z, part, out=z)
    np.take(values, place, out=part, mode="clip")
    return np.add(z, part, out=z)


def masses(hypotheses: Hypotheses | MixtureNet, span: slice, edges: Floats, n: int) -> Iterator[Floats]:
    """n·f(cell) of hypotheses as whole multiples of 1/STEPS, (cells, hypotheses), some cells at a time.

    Constants: they see no row. n·F is rounded at every edge, so that a hypothesis has n·STEPS in all, exactly.
    """
    picks, weights = hypotheses.chunk(span.start, span.stop)
    used, place = np.unique(picks, return_inverse=True)
    place = np.ascontiguousarray(place.reshape(picks.shape).T)
    scaled = np.ascontiguousarray(weights.T) * (n * STEPS)
    means, rates = hypotheses.means[used, 0], 1.0 / np.sqrt(hypotheses.variances[used, 0])
    before = np.zeros((1, len(picks)))
    size = max(1, TILE // max(len(picks), len(used)))
    for start in range(0, len(edges), size):
        with np.errstate(over="ignore"):
            z = edges[start : start + size, None] - means
            np.multiply(z, rates, out=z)
            table = normal_cdf(z)
        total = np.zeros((len(table), len(picks)))
        for which, weight in zip(place, scaled, strict=True):
            part = np.take(table, which, axis=1)
            part *= weight
            total += part
        np.rint(total, out=total)
        yield np.diff(total, axis=0, prepend=before)
        before = total[-1:]
    yield n * STEPS - before


class Excess:
    """The largest sum over unions of at most ``intervals`` runs of consecutive cells, for many hypotheses at once.

    One pass: ``inside[j]`` is the best sum whose last of j + 1 runs ends in this cell, ``best[j]`` the best so far with
    at most j runs. Every sum is a whole number below 2^53 in size, so float64 is exact.

    Parameters
    ----------
    intervals, hypotheses : int

    Examples
    --------
    >>> found = Excess(2, 1)
    >>> for value in (2.0, -1.0, 3.0, -9.0, 4.0):
    ...     found.step(np.array([value]))
    >>> found.most
    array([8.])
    """

    __slots__ = ("_best", "_inside")

    def __init__(self, intervals: int, hypotheses: int) -> None:
        self._inside, self._best = np.zeros((intervals, hypotheses)), np.zeros((intervals + 1, hypotheses))

    def step(self, values: Floats) -> None:
        """Go on to the next cell, given its value for each hypothesis."""
        inside, best = self._inside, self._best
        np.maximum(inside, best[:-1], out=inside)
        np.add(inside, values, out=inside)
        np.maximum(best[1:], inside, out=best[1:])

    @property
    def most(self) -> Floats:
        """The largest sum; 0 for no run."""
        found: Floats = self._best[-1]
        return found


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
    docs/theory/corrections.md#t7; Devroye, Lugosi (2001); Bun, Kamath, Steinke, Wu (2019).

    Examples
    --------
    >>> from dpframe.proof.spaces import Rows
    >>> two = Hypotheses.of(np.ones((2, 1)), np.array([[[-2.0]], [[2.0]]]), np.ones((2, 1, 1)))  # N(−2, 1), N(2, 1)
    >>> scores, edges = IntervalScores(size=2, n=100, intervals=2), np.array([-1.0, 0.0, 1.0])
    >>> fold = scores.start(Rows(1), edges, two)
    >>> scores.update(fold, Batch(0, np.linspace(1.0, 3.0, 100)[:, None], np.ones(100, dtype=bool)), edges, two)
    >>> scores.value(fold).integers.tolist()  # rows that are too many or too few in the worst union of cells
    [-100, -16]
    """

    size: int = attrs.field(kw_only=True, validator=positive_whole)
    n: int = attrs.field(kw_only=True, validator=up_to(MOST_ROWS))
    intervals: int = attrs.field(kw_only=True, validator=positive_whole)

    def start(self, domain: Domain, *params: Any) -> Any:
        """Empty cells."""
        edges = one_column(params[0])
        return _Cells(folds.HistogramFold(len(edges) + 1), edges, checked(params[1], 1, self.size, self.name))

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Cell of each row; empty rows fall in none."""
        cell = np.searchsorted(fold.edges, batch.values[:, 0], side="right")
        fold.counts.update(np.where(batch.valid, cell, -1))

    def value(self, fold: Any) -> Exact:
        """The scores, a block of hypotheses at a time."""
        counts = np.asarray(fold.counts.value, dtype=np.float64) * STEPS
        many = len(fold.hypotheses)
        scores = np.empty(many, dtype=np.int64)

        def block(span: slice) -> None:
            excess, cells = Excess(min(self.intervals, len(counts)), span.stop - span.start), iter(counts)
            for tile in masses(fold.hypotheses, span, fold.edges, self.n):
                for mass in tile:
                    excess.step(np.subtract(mass, next(cells), out=mass))
            scores[span] = -np.ceil(excess.most / STEPS).astype(np.int64)

        in_blocks(many, BLOCK, block)
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
