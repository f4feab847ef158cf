"""Scores learned on a part of the samples: boosted trees for the log likelihood ratio of two sets of outcomes.

Nothing here carries a guarantee: whatever score comes out, the events it defines are counted on other samples
(:mod:`dpframe.testing.estimation`). Outcomes are rows of numbers; a value that stands for no number (nan, ±infinity)
or that occurs often is told apart from its neighbours.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.uint8]


BINS = 64
TREES, DEPTH = 40, 3
RATE = 0.4
LEAST = 200
"""Samples in a leaf, at least: below it a ratio says nothing."""
STEPS = 4
"""Of Newton's method."""
ROWS = 300_000
"""At most this many samples of both sides together grow the trees, and so many of each side fit a curve."""
WIDEST = 64
"""Rows of more numbers are not searched for structure."""
MOST_VALUES = 5000
CURVED = 120_000
"""Samples of a side that fit a curve, at most."""
TAIL = 0.1
"""The part of the samples, at either end of a curve, on which it is fitted once more."""


@attrs.frozen(eq=False)
class Rows:
    """Outcomes, and what is derived from them, each column computed once."""

    x: Floats
    _made: dict[str, Floats] = attrs.field(factory=dict, init=False)

    def __len__(self) -> int:
        return len(self.x)

    @property
    def structured(self) -> tuple[str, ...]:
        """The names of the derived columns that rows of this width have."""
        return tuple(DERIVED) if 1 < self.x.shape[1] <= WIDEST else ()

    def derived(self, name: str) -> Floats:
        """One derived column."""
        if name not in self._made:
            self._made[name] = np.asarray(DERIVED[name](self.x), dtype=np.float64)
        return self._made[name]

    def __getitem__(self, part: Any) -> Rows:
        made = Rows(self.x[part])
        made._made.update({name: column[part] for name, column in self._made.items()})
        return made


Score = Callable[[Rows], Floats]


def _whole_row(x: Floats) -> Floats:
    """One number for each pattern of values."""
    marks, missing = np.sqrt(np.arange(2.0, 2 * x.shape[1] + 2)), np.isnan(x)
    clipped = np.clip(np.where(missing, 0.0, x), -1e9, 1e9)
    result: Floats = clipped @ marks[::2] + missing @ marks[1::2]
    return result


def _low(x: Floats) -> Floats:
    return np.where(np.isnan(x), np.inf, x)


def _high(x: Floats) -> Floats:
    return np.where(np.isnan(x), -np.inf, x)


def _last(x: Floats) -> Floats:
    """The last number of each row, where a run that stops early is nan from there on."""
    place = x.shape[1] - 1 - np.argmax(~np.isnan(x[:, ::-1]), axis=1)
    result: Floats = x[np.arange(len(x)), place]
    return np.where(np.isnan(result), -np.inf, result)


DERIVED: dict[str, Callable[[Floats], Any]] = {
    "whole row": _whole_row,
    "sum": lambda x: np.where(np.isfinite(x), x, 0.0).sum(axis=1),
    "smallest": lambda x: _low(x).min(axis=1),
    "largest": lambda x: _high(x).max(axis=1),
    "place of the smallest": lambda x: _low(x).argmin(axis=1),
    "place of the largest": lambda x: _high(x).argmax(axis=1),
    "number of smallest": lambda x: (x == _low(x).min(axis=1)[:, None]).sum(axis=1),
    "number of largest": lambda x: (x == _high(x).max(axis=1)[:, None]).sum(axis=1),
    "number of missing": lambda x: np.isnan(x).sum(axis=1),
    "last number": _last,
}
"""What structured events are made of, from one row of several numbers."""


LEVELS = np.concatenate([[0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.05, 0.08], np.arange(0.12, 0.9, 0.08)])
"""Quantiles at which rectangles are cut; those near 1 are the mirror image."""


def rectangles(
    first: Rows, second: Rows, value: Callable[[Floats, Floats], Floats], most: int = 3
) -> list[tuple[str, Score]]:
    """Corners of the plane of two derived columns with the largest values of (hits on first, hits on second)."""
    cuts, codes = {}, {}
    for name in first.structured[1:]:
        p, q = first.derived(name), second.derived(name)
        levels = np.concatenate([LEVELS, 1 - LEVELS])
        cuts[name] = np.unique(np.quantile(np.concatenate([p, q]), levels, method="nearest"))
        codes[name] = np.searchsorted(cuts[name], p), np.searchsorted(cuts[name], q)  # code <= i iff x <= cut i
    found: list[tuple[float, str, Score]] = []
    for one, two in itertools.combinations(cuts, 2):
        shape = len(cuts[one]) + 1, len(cuts[two]) + 1
        counts = [
            np.bincount(codes[one][side] * shape[1] + codes[two][side], minlength=shape[0] * shape[1]).reshape(shape)
            for side in (0, 1)
        ]
        for up, right in itertools.product((False, True), repeat=2):
            sums = [_corner(count, up=up, right=right) for count in counts]
            values = value(*sums)
            i, j = np.unravel_index(int(np.argmax(values)), values.shape)
            inside = _inside(one, float(cuts[one][i]), up), _inside(two, float(cuts[two][j]), right)
            label = (
                f"{one} {'>' if up else '<='} {cuts[one][i]:.4g} and {two} {'>' if right else '<='} {cuts[two][j]:.4g}"
            )
            found.append((float(values[i, j]), label, lambda x, inside=inside: inside[0](x) * inside[1](x)))  # type: ignore[misc]
    found.sort(key=lambda item: -item[0])
    return [(label, score) for _, label, score in found[:most]]


def _corner(count: npt.NDArray[np.int64], *, up: bool, right: bool) -> Floats:
    """How many lie at or below each cut, or above it, in both directions."""
    for axis, above in ((0, up), (1, right)):
        below = np.take(count.cumsum(axis=axis), range(count.shape[axis] - 1), axis=axis)
        count = count.sum(axis=axis, keepdims=True) - below if above else below
    return count.astype(np.float64)


def _inside(name: str, cut: float, above: bool) -> Score:
    def score(x: Rows) -> Floats:
        column = x.derived(name)
        return ((column > cut) if above else (column <= cut)).astype(np.float64)

    return score


def table_ratio(p: Floats, q: Floats) -> Callable[[Floats], Floats] | None:
    """Log ratio of the frequencies of every single value, where there are few values."""
    values, counts = np.unique(np.concatenate([p, q]), return_counts=True)
    if len(values) > min(MOST_VALUES, len(p) // 10) or np.isnan(values).any():
        return None
    on_p = np.bincount(np.searchsorted(values, p), minlength=len(values))
    ratio = np.log((on_p + 0.5) / len(p)) - np.log((counts - on_p + 0.5) / len(q))

    def score(x: Floats) -> Floats:
        at = np.minimum(np.searchsorted(values, x), len(values) - 1)
        result: Floats = np.where(values[at] == x, ratio[at], 0.0)
        return result

    return score


@attrs.frozen(eq=False)
class Binning:
    """Quantile bins of every column, frequent values in bins of their own, nan in the last one."""

    edges: tuple[Floats, ...]

    @classmethod
    def of(cls, x: Floats) -> Binning:
        """Edges from a sample."""
        edges = []
        for column in x.T:
            known = column[~np.isnan(column)]
            if not len(known):
                edges.append(np.zeros(1))
                continue
            cuts = np.quantile(known, np.linspace(0, 1, BINS - 1), method="nearest")
            values, counts = np.unique(cuts, return_counts=True)
            often = values[counts > 1]
            edges.append(np.unique(np.concatenate([values, np.nextafter(often, np.inf)]))[: 2 * BINS])
        return cls(tuple(edges))

    def codes(self, x: Floats, only: frozenset[int] | None = None) -> Codes:
        """Bin of every entry, column by column: shape (columns, rows); 0 in columns that are not asked for."""
        out = np.zeros((x.shape[1], len(x)), dtype=np.uint8)
        for i, edges in enumerate(self.edges):
            if only is not None and i not in only:
                continue
            found = np.searchsorted(edges, x[:, i], side="right")
            out[i] = np.where(np.isnan(x[:, i]), len(edges) + 1, found)
        return out


@attrs.frozen(eq=False)
class Tree:
    """Splits of a full tree level by level, and the value of every leaf."""

    columns: tuple[npt.NDArray[np.int64], ...]
    cuts: tuple[npt.NDArray[np.int64], ...]
    values: Floats

    def leaves(self, codes: Codes) -> npt.NDArray[np.int64]:
        """Leaf of every row."""
        at, rows = np.zeros(codes.shape[1], dtype=np.int64), np.arange(codes.shape[1])
        for columns, cuts in zip(self.columns, self.cuts, strict=True):
            at = 2 * at + (codes[columns[at], rows] > cuts[at])
        return at


def learn(first: Rows, second: Rows) -> Score:
    """A score that grows with the likelihood ratio of ``first`` to ``second``, by logistic boosting on bins."""
    keep = ROWS // 2
    x = np.concatenate([_columns(first[:keep]), _columns(second[:keep])])
    label = np.repeat([1.0, 0.0], [min(keep, len(first)), min(keep, len(second))])
    binning = Binning.of(x[:: max(1, len(x) // 100_000)])
    codes = binning.codes(x)
    useful = [i for i in range(len(codes)) if codes[i].min() < codes[i].max()]
    if not useful:
        return lambda rows: np.zeros(len(rows))
    held = np.arange(len(label)) % 5 == 0
    score, trees, best, kept = np.zeros(len(label)), [], -np.inf, 0
    for _ in range(TREES):
        chance = 1 / (1 + np.exp(-score))
        tree = _grow(codes, useful, label - chance, chance * (1 - chance), held)
        trees.append(tree)
        score += tree.values[tree.leaves(codes)]
        margin = np.where(label[held] > 0, score[held], -score[held])
        gain = -float(np.logaddexp(0, -margin).mean())
        if gain > best:
            best, kept = gain, len(trees)
        elif len(trees) > kept + 6:
            break
    chosen = trees[:kept]
    needed = frozenset(int(i) for tree in chosen for columns in tree.columns for i in columns)

    def apply(rows: Rows) -> Floats:
        out = np.zeros(len(rows))
        for start in range(0, len(rows), 250_000):
            piece = binning.codes(_columns(rows[start : start + 250_000]), needed)
            for tree in chosen:
                out[start : start + 250_000] += tree.values[tree.leaves(piece)]
        return out

    return apply


def smooth(first: Rows, second: Rows) -> list[tuple[str, Score]]:
    """The log likelihood ratio as a quadratic of what rows have in common, and a line of their entries.

    Logistic regression: few numbers are fitted, so rare outcomes are told as well as the frequent ones around them.
    What is told apart best lies at the ends, so the curve is fitted once more on each end alone.
    """
    first, second = first[:CURVED], second[:CURVED]
    whole = _curve(first, second)
    sides = whole(first), whole(second)
    found: list[tuple[str, Score]] = [("curve", whole)]
    for sign, name in ((1, "curve at its upper end"), (-1, "curve at its lower end")):
        cut = float(np.quantile(np.concatenate([sign * side for side in sides]), 1 - TAIL))
        inside = [sign * side >= cut for side in sides]
        if min(int(held.sum()) for held in inside) < LEAST:
            continue
        found.append((name, _refined(whole, _curve(first[inside[0]], second[inside[1]]), sign, cut)))
    return found


def _refined(whole: Score, end: Score, sign: int, cut: float) -> Score:
    """The whole curve below the cut, above it the one that was fitted there."""

    def score(x: Rows) -> Floats:
        out = sign * whole(x)
        inside = out >= cut
        out[inside] = cut + 100.0 + end(x[inside])
        result: Floats = sign * out
        return result

    return score


def _curve(first: Rows, second: Rows) -> Score:
    scale = _Scale.of(first, second)
    parts = [(scale.terms(rows), label) for rows, label in ((first, 1.0), (second, 0.0))]
    weights = np.zeros(parts[0][0].shape[1])
    for _ in range(STEPS):
        slope, curve = -weights, np.eye(len(weights))
        for terms, label in parts:
            chance = 1 / (1 + np.exp(-np.clip(terms @ weights, -30, 30)))
            slope = slope + terms.T @ (label - chance)
            curve += (terms * (chance * (1 - chance))[:, None]).T @ terms
        weights = weights + np.linalg.solve(curve, slope)

    def apply(rows: Rows) -> Floats:
        out = np.zeros(len(rows))
        for start in range(0, len(rows), 50_000):
            out[start : start + 50_000] = scale.terms(rows[start : start + 50_000]) @ weights
        return out

    return apply


@attrs.frozen(eq=False)
class _Scale:
    """Columns in standard deviations from their mean: entries, and what is derived from them."""

    entries: tuple[Floats, Floats]
    common: tuple[Floats, Floats]

    @classmethod
    def of(cls, first: Rows, second: Rows) -> _Scale:
        """Of a sample."""
        raw, more = (np.concatenate(both) for both in zip(_finite(first), _finite(second), strict=True))
        return cls((raw.mean(axis=0), raw.std(axis=0)), (more.mean(axis=0), more.std(axis=0)))

    def terms(self, x: Rows) -> Floats:
        """1, the entries, what is derived, and its products two by two."""
        raw, more = (_standard(v, *at) for v, at in zip(_finite(x), (self.entries, self.common), strict=True))
        width = raw.shape[1]
        one, two = np.triu_indices(more.shape[1])
        out = np.empty((len(x), 1 + width + more.shape[1] + len(one)))
        out[:, 0], out[:, 1 : 1 + width], out[:, 1 + width : 1 + width + more.shape[1]] = 1.0, raw, more
        for at, (i, j) in enumerate(zip(one, two, strict=True), start=1 + width + more.shape[1]):
            np.multiply(more[:, i], more[:, j], out=out[:, at])
        return out


def _finite(x: Rows) -> tuple[Floats, Floats]:
    columns = [x.derived(name) for name in x.structured[1:]] or [x.x[:, 0]]
    more = np.stack(columns, axis=1)
    return np.where(np.isfinite(x.x), x.x, 0.0), np.where(np.isfinite(more), more, 0.0)


def _standard(values: Floats, mean: Floats, spread: Floats) -> Floats:
    result: Floats = np.clip((values - mean) / np.where(spread > 0, spread, 1.0), -5, 5) * (spread > 0)
    return result


def _columns(rows: Rows) -> Floats:
    """What trees split on: outcomes, what is derived from them, and steps from one to the next."""
    x = rows.x
    with np.errstate(all="ignore"):
        steps = np.diff(x, axis=1) if x.shape[1] <= WIDEST else np.zeros((len(x), 0))
    more = [rows.derived(name)[:, None] for name in rows.structured[1:]]
    return np.concatenate([x, *more, steps], axis=1)


def _grow(codes: Codes, useful: list[int], residual: Floats, weight: Floats, held: npt.NDArray[np.bool_]) -> Tree:
    """One tree on the rows that are not held out, by the largest gain at every node."""
    rows = ~held
    inside, residual, weight = codes[:, rows], residual[rows], weight[rows]
    at, columns, cuts = np.zeros(int(rows.sum()), dtype=np.int64), [], []
    for level in range(DEPTH):
        nodes = 2**level
        best = np.full(nodes, -1.0)
        column, cut = np.full(nodes, useful[0]), np.full(nodes, 255)
        for i in useful:
            place = at * 256 + inside[i]
            sums = np.stack([np.bincount(place, w, nodes * 256).reshape(nodes, 256) for w in (residual, weight)])
            count = np.bincount(place, minlength=nodes * 256).reshape(nodes, 256).cumsum(axis=1)
            left = sums.cumsum(axis=2)
            right = left[:, :, -1:] - left
            gain = left[0] ** 2 / (left[1] + 1.0) + right[0] ** 2 / (right[1] + 1.0)
            gain -= (left[0] + right[0]) ** 2 / (left[1] + right[1] + 1.0)
            gain[(count < LEAST) | (count[:, -1:] - count < LEAST)] = -1.0
            top = gain.argmax(axis=1)
            found = gain[np.arange(nodes), top]
            better = found > best
            best, column, cut = np.where(better, found, best), np.where(better, i, column), np.where(better, top, cut)
        cut = np.where(best <= 0, 255, cut)
        columns.append(column)
        cuts.append(cut)
        at = 2 * at + (inside[column[at], np.arange(len(at))] > cut[at])
    size = 2**DEPTH
    values = RATE * np.bincount(at, residual, size) / (np.bincount(at, weight, size) + 1.0)
    return Tree(tuple(columns), tuple(cuts), values)
