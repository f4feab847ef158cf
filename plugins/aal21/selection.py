"""Private hypothesis selection: one of a released list of mixtures, near the best of them for any truth."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    HYPOTHESES,
    PARAM,
    Above,
    Array,
    Domain,
    Expected,
    Failed,
    Gaussian,
    Handle,
    Hypotheses,
    Index,
    ListOf,
    Mixture,
    MixtureNet,
    MixtureValue,
    PlanError,
    Post,
    Record,
    Slot,
    densities,
    net_size,
    positive_whole,
    register,
    wants,
    whole,
)
from dpframe.plugin import listed_hypotheses as listed
from dpframe_plugins.shared.records import wants_record

from .cells import EDGES, FINEST, hidden, lattice
from .expected import predicted

CANDIDATES = "aal21.candidates"
POINTS, FEWEST, MOST_POINTS = 2**20, 512, 2**16
"""Public points of the Monte Carlo integration: in all, least and most a component."""
ROUNDED = 1e-9
"""A correlation up to this is rounding: to drop it moves a component by less than d·1e-9 in total variation."""
KNOBS = "use a larger alpha, a smaller k or fewer columns d, or raise max_hypotheses"


def too_many(count: int, most: int, what: str = "the released list gives") -> str:
    """Why a selection does not start."""
    shown = f"{count}" if count < 10**9 else f"{count:.3g}" if count < 10**300 else "more than 1e300"
    return f"{what} |K| = {shown} hypotheses, max_hypotheses is {most}"


@register("aal21.hypotheses")
@attrs.frozen
class ListedHypotheses(Post):
    """Candidates with weights (M, k), means and variances (M, k, d) as hypotheses.

    Parameters
    ----------
    size : int
        Most hypotheses; a longer list is ⊥.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("candidates", PARAM),)
    size: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record of hypotheses."""
        wants_record(inputs[0], CANDIDATES, self.name)
        return Record(HYPOTHESES)

    def apply(self, *values: Any) -> Any:
        """Number their components."""
        found = values[0]
        if len(found.weights) == 0:
            return Failed("there is no candidate to choose", "use more rows or a larger epsilon")
        if len(found.weights) > self.size:
            return Failed(too_many(len(found.weights), self.size), KNOBS)
        return Hypotheses.of(found.weights, found.means, found.variances)


def correlated(covariance: Any) -> bool:
    """Whether a covariance is not that of an axis-aligned Gaussian, beyond rounding.

    Examples
    --------
    >>> correlated(np.diag([1e-9, 1e9])), correlated([[1.0, 0.95], [0.95, 1.0]])
    (False, True)
    """
    matrix = np.asarray(covariance, dtype=np.float64)
    scale = np.sqrt(np.diagonal(matrix))
    rest = np.abs(matrix / scale[:, None] / scale)
    np.fill_diagonal(rest, 0.0)
    return bool(rest.max() > ROUNDED)


def longest_list(given: Domain, most: int = 0) -> int:
    """How many different components there may be."""
    longest = given.max_length if isinstance(given, ListOf) else 1
    return min(longest, most) if most else longest


@register("aal21.net")
@attrs.frozen
class Net(Post):
    """All mixtures of at most k of the listed Gaussians with weights in steps of 1/steps: the K of AAL21 Alg 1.

    Each mixture occurs once, whatever the order of its components, and none is stored. Their densities are products
    over the columns: a released list with a correlated component is ⊥, never taken for its diagonal.

    Parameters
    ----------
    k, steps : int
    size : int
        Most hypotheses; more are ⊥.
    most : int
        Most different components; more are ⊥. 0: as many as the decoder may list.
    rows, rest, decoding, selecting : int
        Of the two parts; what the theorems ask for to decode and to select (0: not known). For the plan's notes only.
    alpha : float
        Total variation that is promised (0: none). For the plan's warnings only.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("listed", PARAM),)
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    steps: int = attrs.field(kw_only=True, validator=positive_whole)
    size: int = attrs.field(kw_only=True, validator=positive_whole)
    most: int = attrs.field(default=0, kw_only=True, validator=whole)
    rows: int = attrs.field(default=0, kw_only=True, validator=whole)
    rest: int = attrs.field(default=0, kw_only=True, validator=whole)
    alpha: float = attrs.field(default=0.0, kw_only=True)
    decoding: int = attrs.field(default=0, kw_only=True, validator=whole)
    selecting: int = attrs.field(default=0, kw_only=True, validator=whole)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(Net(k=2, steps=3, size=60), (ListOf(Gaussian(d), 3),)) for d in (1, 2)]

    def notes(self) -> list[str]:
        """How many rows the theorems ask for, and how many there are."""
        asked = [f"n1 = {self.decoding} rows to decode"] if self.decoding else []
        asked += [f"n2 = {self.selecting} rows to select among the most hypotheses"] if self.selecting else []
        parts = f"the parts have {self.rows} and {self.rest}"
        return [f"AAL21 asks for {' and '.join(asked)} (fitted constants); {parts}"] if asked else []

    def warnings(self) -> list[str]:
        """Where a part has fewer rows than its theorem asks for, and where the theorem says nothing."""
        found = []
        if self.alpha >= 1.0:
            found = [f"alpha = {self.alpha:g} promises nothing: no total variation is above 1 (use 0.7)"]
        if self.rows >= self.decoding and self.rest >= self.selecting:
            return found
        return found + [f"{note}: the list may miss components, or another mixture be chosen" for note in self.notes()]

    def output(self, *inputs: Domain) -> Domain:
        """A record of hypotheses; refuses a list that may give too many."""
        given = wants(inputs[0], ListOf, self.name)
        wants(given.item, Gaussian, self.name)
        longest = longest_list(given, self.most)
        worst = net_size(longest, self.k, self.steps)
        if worst > self.size:
            raise PlanError(too_many(worst, self.size, f"up to {longest} listed components give"), fix=KNOBS)
        return Record(HYPOTHESES)

    def apply(self, *values: Any) -> Any:
        """List the components once each."""
        if not values[0]:
            return Failed("the released list is empty", "use more rows or a larger epsilon")
        if any(correlated(g.covariance) for g in values[0]):
            return Failed(
                "the decoder lists components with correlated columns, and hypotheses are products of their columns",
                'choose with their correlations: family="families.gaussian_full"',
            )
        parts = np.array([[g.mean, np.diagonal(g.covariance)] for g in values[0]], dtype=np.float64)
        parts = np.unique(parts, axis=0)
        if self.most and len(parts) > self.most:
            return Failed(
                f"{len(parts)} components are listed, a mixture of {self.k} gives at most {self.most}",
                "use a larger k: the rows are spread too widely",
            )
        if net_size(len(parts), self.k, self.steps) > self.size:
            return Failed(too_many(net_size(len(parts), self.k, self.steps), self.size), KNOBS)
        return MixtureNet(parts[:, 0], parts[:, 1], self.k, self.steps)

    def remarks(self, value: Any) -> list[str]:
        """How many there are, before one is selected; and where the cells of one column are too wide for them."""
        listed = len(value.means)
        said = [f"selecting among |K| = {len(value)} mixtures of {listed} listed components with {self.steps} steps"]
        if value.d == 1:
            _, finest = lattice(np.concatenate([value.means, np.sqrt(value.variances)], axis=1), EDGES)
            if finest < FINEST:
                said.append(
                    f"the components lie in too many places for fine cells: up to {hidden(finest):.2g} more error"
                )
        return said


@register("aal21.masses")
@attrs.frozen
class PairMasses(Post):
    """f_i(W_ij) at [i, j] and f_j(W_ij) at [j, i], i < j, W_ij = {f_i > f_j}: by public points, seeded.

    Their error is one of utility alone (``scheffe_scores``).

    Parameters
    ----------
    size : int
        Most hypotheses.
    d : int
    seed : int
        Public seed of the points.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("hypotheses", PARAM),)
    size: int = attrs.field(kw_only=True, validator=positive_whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """Two numbers a pair."""
        listed(inputs[0], self.name)
        return Array((self.size, self.size))

    def apply(self, *values: Any) -> Any:
        """Integrate each component over all its pairs' sets."""
        out = np.zeros((self.size, self.size))
        many = min(len(values[0]), self.size)
        out[:many, :many] = pair_masses(values[0], self.seed)[:many, :many]
        return out


def pair_masses(hypotheses: Hypotheses | MixtureNet, seed: int) -> Any:
    """The matrix of :class:`PairMasses`, by a shifted lattice of points for each component."""
    picks, weights = hypotheses.chunk(0, len(hypotheses))
    used = np.unique(picks[weights > 0])
    cube = spread(int(np.clip(POINTS // len(used), FEWEST, MOST_POINTS)), hypotheses.d, seed)
    out = np.zeros((len(hypotheses),) * 2)
    for c in used.tolist():
        with np.errstate(all="ignore"):
            points = np.nan_to_num(hypotheses.means[c] + np.sqrt(hypotheses.variances[c]) * cube)
        dense = densities(points, hypotheses)
        for i in np.flatnonzero(((picks == c) & (weights > 0)).any(axis=1)).tolist():
            weight = float(weights[i][picks[i] == c].sum())
            wins = [np.count_nonzero(dense[max(i, j)] < dense[min(i, j)]) for j in range(len(dense))]
            out[i] += weight * np.array(wins) / len(points)
    return out


def spread(count: int, d: int, seed: int) -> Any:
    """Normal points (count, d), evenly spread: a shifted Kronecker sequence of the golden ratio in d dimensions."""
    from scipy.special import ndtri

    ratio = 2.0
    for _ in range(64):
        ratio = (1.0 + ratio) ** (1.0 / (d + 1))
    steps = ratio ** -np.arange(1.0, d + 1)
    shift = np.random.default_rng(seed).random(d)
    cube = (shift + np.arange(1, count + 1)[:, None] * steps) % 1.0
    least = 0.125 / count
    return ndtri(np.clip(cube, least, 1 - least))


@register("aal21.choose")
@attrs.frozen
class Choose(Post):
    """The selected hypothesis as a mixture of k components; those of weight 0 repeat the first one.

    Parameters
    ----------
    k, d : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("hypotheses", PARAM), Slot("index", PARAM))
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A mixture."""
        listed(inputs[0], self.name)
        wants(inputs[1], Index, self.name)
        return Mixture(self.k, self.d)

    def apply(self, *values: Any) -> Any:
        """Look it up."""
        hypotheses, index = values
        if index is None or not 0 <= index < len(hypotheses):
            return Failed("no hypothesis was selected", "use more rows or a larger epsilon")
        return mixture_of(hypotheses, int(index), self.k)

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """Of the best of the candidates, which were fitted to cells."""
        return predicted(self.k, self.d, rows, noise)


def mixture_of(hypotheses: Hypotheses | MixtureNet, index: int, k: int) -> MixtureValue:
    """A hypothesis as a mixture of k components; those of weight 0 repeat the heaviest."""
    picks, parts = (part[0] for part in hypotheses.chunk(index, index + 1))
    heaviest = int(picks[int(np.argmax(parts))])
    weights, which = np.zeros(k), np.full(k, heaviest)
    count = min(k, len(picks))
    weights[:count] = parts[:count]
    which[:count] = np.where(parts[:count] > 0, picks[:count], heaviest)
    covariances = np.array([np.diag(v) for v in hypotheses.variances[which]])
    return MixtureValue(weights / weights.sum(), hypotheses.means[which], covariances)


def select(
    name: str,
    rows: Handle,
    candidates: Handle,
    cells: Handle | None = None,
    *,
    share: float,
    n: int,
    k: int,
    max_hypotheses: int,
    seed: int = 0,
) -> Handle:
    """Choose one of the released candidates by the rows and release it, as node ``name``.

    In one column with cells, by unions of at most 2k intervals (``interval_scores``); else by the sets where one
    candidate beats another (``scheffe_scores``). Both are agnostic: 3·OPT for any truth.

    Parameters
    ----------
    name : str
        Node of the chosen mixture.
    rows : Handle
        Private rows, of all ``d`` columns.
    candidates : Handle
        Released: a record with ``weights`` (M, k), ``means`` and ``variances`` (M, k, d), or hypotheses.
    cells : Handle, optional
        Released edges of shape (1, m), m < 4096.
    share : float
        Of ρ.
    n : int
        Public number of these rows: scales the candidates, and no guarantee rests on it.
    k : int
        Most components of a candidate.
    max_hypotheses : int
        Static bound on the number of candidates.
    seed : int
        Public seed of the integration.

    Formal guarantees
    -----------------
    Scores of sensitivity 1 in ℓ∞ (``interval_scores``, ``scheffe_scores``) and one draw of the exponential mechanism.
    """
    if candidates.domain != Record(HYPOTHESES):
        candidates = dp.post("aal21.hypotheses", candidates, size=max_hypotheses, name=f"{name}_hypotheses")
    if cells is not None and rows.d == 1:
        scores = dp.interval_scores(
            rows, cells, candidates, size=max_hypotheses, n=n, intervals=2 * k, name=f"{name}_scores"
        )
    else:
        masses = dp.post("aal21.masses", candidates, size=max_hypotheses, d=rows.d, seed=seed, name=f"{name}_masses")
        scores = dp.scheffe_scores(rows, candidates, masses, size=max_hypotheses, n=n, name=f"{name}_scores")
    index = dp.release(f"{name}_index", dp.exponential_mechanism(share=share), scores)
    return dp.post("aal21.choose", candidates, index, k=k, d=rows.d, name=name)
