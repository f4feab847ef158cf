"""Released lists of mixtures to choose from: explicit ones, and all mixtures of listed components on a weight net.

A selection looks at hypotheses a chunk at a time, so a list that does not fit in memory can be chosen from.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Self

import attrs
import numpy as np

from dpframe.errors import DomainError, PlanError
from dpframe.proof.families.scores import HYPOTHESES
from dpframe.proof.spaces import Domain, Record

Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]
MOST = 2**52
"""More hypotheses than this have no index."""


def _indices(values: Any) -> Integers:
    return np.ascontiguousarray(values, dtype=np.int64)


def _table(values: Any) -> Floats:
    array = np.ascontiguousarray(values, dtype=np.float64)
    return array[:, None] if array.ndim == 1 else array


@attrs.frozen(eq=False)
class Hypotheses:
    """M mixtures of at most k listed axis-aligned Gaussians.

    Attributes
    ----------
    means, variances : array (L, d)
        The components, in the units of the table.
    picks : array (M, k) of int
        Which components each mixture is made of.
    weights : array (M, k)
        Their weights; a component of weight 0 pads.
    """

    means: Floats = attrs.field(converter=_table)
    variances: Floats = attrs.field(converter=_table)
    picks: Integers = attrs.field(converter=_indices)
    weights: Floats = attrs.field(converter=_table)

    @classmethod
    def of(cls, weights: Any, means: Any, variances: Any) -> Self:
        """From weights (M, k) and means and variances (M, k, d)."""
        w, mu, var = (np.asarray(v, dtype=np.float64) for v in (weights, means, variances))
        if w.ndim != 2 or mu.ndim != 3 or mu.shape[:2] != w.shape or var.shape != mu.shape:
            raise DomainError(f"mixtures have weights {w.shape}, means {mu.shape} and variances {var.shape}")
        many, k, d = mu.shape
        picks = np.arange(many * k, dtype=np.int64).reshape(many, k)
        return cls(mu.reshape(many * k, d), var.reshape(many * k, d), picks, w)

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def d(self) -> int:
        """Number of columns."""
        return int(self.means.shape[1])

    def chunk(self, start: int, stop: int) -> tuple[Integers, Floats]:
        """Components and weights of the hypotheses start..stop."""
        return self.picks[start:stop], self.weights[start:stop]


def net_size(components: int, k: int, steps: int) -> int:
    """Number of mixtures of at most k of the components with weights in steps of 1/steps, none twice.

    Σ_m C(L, m)·C(q − 1, m − 1) over m <= k: m different components, all with a positive weight.

    Examples
    --------
    >>> net_size(3, 2, 4)  # 3 alone, 3 pairs with weights 1/4, 2/4, 3/4
    12
    """
    most = min(k, components, steps)  # of more there is none
    return sum(math.comb(components, m) * math.comb(steps - 1, m - 1) for m in range(1, most + 1))


@attrs.frozen(eq=False)
class MixtureNet:
    """Every mixture of at most k listed components with weights in steps of 1/steps: enumerated, never stored.

    Hypothesis i is found from i: the number m of its components, which m of the L they are, and their weights,
    which are a composition of ``steps`` into m positive parts. So no mixture occurs twice, whatever the order of its
    components.

    Attributes
    ----------
    means, variances : array (L, d)
        The listed components, all different.
    k : int
    steps : int
        q: weights are whole multiples of 1/q.
    """

    means: Floats = attrs.field(converter=_table)
    variances: Floats = attrs.field(converter=_table)
    k: int = attrs.field()
    steps: int = attrs.field()

    def __len__(self) -> int:
        return net_size(len(self.means), self.k, self.steps)

    @property
    def d(self) -> int:
        """Number of columns."""
        return int(self.means.shape[1])

    def chunk(self, start: int, stop: int) -> tuple[Integers, Floats]:
        """Components and weights of the hypotheses start..stop."""
        total, listed = len(self), len(self.means)
        start, stop = max(0, start), min(stop, total)
        if total > MOST:
            raise DomainError(f"{total} mixtures are too many to number", fix="use fewer components or weights")
        index = np.arange(start, max(start, stop), dtype=np.int64)
        picks = np.zeros((len(index), self.k), dtype=np.int64)
        parts = np.zeros((len(index), self.k), dtype=np.int64)
        first = 0
        for m in range(1, self.k + 1):
            each = math.comb(self.steps - 1, m - 1)
            size = math.comb(listed, m) * each
            here = (index >= first) & (index < first + size)
            if here.any():
                which, how = np.divmod(index[here] - first, each)
                picks[here, :m] = subsets(which, listed, m)
                cuts = subsets(how, self.steps - 1, m - 1)[:, ::-1] + 1
                ends = np.zeros((len(how), m + 1), dtype=np.int64)
                ends[:, 1:m], ends[:, m] = cuts, self.steps
                parts[here, :m] = np.diff(ends, axis=1)
            first += size
        return picks, parts / self.steps


@functools.lru_cache(maxsize=32)
def _binomials(of: int, m: int) -> Integers:
    """C(c, m) for c = 0..of."""
    return np.array([math.comb(c, m) for c in range(of + 1)], dtype=np.int64)


def subsets(ranks: Integers, of: int, size: int) -> Integers:
    """The subsets of range(of) of that size with these ranks (colexicographic), largest element first: (len, size).

    Rank r of c₁ > c₂ > … is Σ C(c_i, size − i + 1).

    Examples
    --------
    >>> subsets(np.arange(3), 3, 2).tolist()
    [[1, 0], [2, 0], [2, 1]]
    """
    out = np.zeros((len(ranks), size), dtype=np.int64)
    left = ranks.astype(np.int64)
    for i in range(size):
        m = size - i
        table = _binomials(of, m)
        out[:, i] = np.searchsorted(table, left, side="right") - 1
        left = left - table[out[:, i]]
    return out


def listed(domain: Domain, what: str) -> None:
    """Refuse what is no released list of hypotheses."""
    if domain != Record(HYPOTHESES):
        raise PlanError(f"{what} takes hypotheses, not {domain}", fix=f"make a record {HYPOTHESES!r} of them")


def checked(value: Any, d: int, most: int, what: str) -> Hypotheses | MixtureNet:
    """A released list of hypotheses over d columns, or a :class:`DomainError`."""
    if not isinstance(value, (Hypotheses, MixtureNet)):
        raise DomainError(f"{what} takes Hypotheses or a MixtureNet, not {type(value).__name__}")
    if not 1 <= len(value) <= most:
        raise DomainError(f"{what}: {len(value)} hypotheses, planned for 1 to {most}", fix="raise max_hypotheses")
    shape = value.means.shape
    fine = len(shape) == 2 and shape[1] == d and value.variances.shape == shape and len(value.means) > 0
    if not fine or not (np.isfinite(value.means).all() and np.isfinite(value.variances).all()):
        raise DomainError(f"{what}: components have {d} finite means and variances each")
    if not (value.variances > 0).all():
        raise DomainError(f"{what}: variances are positive", fix="floor them")
    if isinstance(value, Hypotheses):
        _check_lists(value, what)
    return value


def _check_lists(value: Hypotheses, what: str) -> None:
    same = value.picks.shape == value.weights.shape and value.picks.ndim == 2
    if not same or not ((value.picks >= 0) & (value.picks < len(value.means))).all():
        raise DomainError(f"{what}: each hypothesis picks listed components, with a weight each")
    with np.errstate(all="ignore"):
        on_simplex = (value.weights >= 0).all() and np.allclose(value.weights.sum(axis=1), 1.0, rtol=0, atol=1e-9)
    if not on_simplex:
        raise DomainError(f"{what}: weights are >= 0 and sum to 1")
