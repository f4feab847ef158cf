"""AAL21 Algorithm 1 for any list decoder: two parts by index, list, all mixtures of it, a choice on the other part."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import MOST_CONTESTANTS as MOST
from dpframe.plugin import (
    PARAM,
    ApproxDP,
    Array,
    Domain,
    Failed,
    Gaussian,
    Handle,
    Kind,
    ListOf,
    PlanError,
    Post,
    Slot,
    SpecError,
    Target,
    composite,
    gaussian_epsilon,
    net_size,
    part_sizes,
    positive_whole,
    register,
    wants,
)
from dpframe_plugins.families.asking import MOST_HYPOTHESES
from dpframe_plugins.families.listing import DIAGONAL
from dpframe_plugins.families.reduction import chosen as by_family

from .cells import EDGES, FINEST, hidden, lattice_edges
from .selection import KNOBS, longest_list, select, too_many
from .sizing import check_accuracy, selecting_rows

MAX_HYPOTHESES = 3_000_000
DELTA_FRACTION = 0.5


def net_steps(k: int, alpha: float) -> int:
    """Steps of the weight net: ⌈18(k − 1)/α⌉, the fewest for which every weight vector is within α/18k in ℓ∞.

    Rounding to multiples of 1/q by largest remainders errs by at most (k − 1)/(kq) (``docs/theory/selection.md``).

    Examples
    --------
    >>> net_steps(2, 1.0), net_steps(3, 0.5), net_steps(1, 0.1)
    (18, 72, 1)
    """
    return max(1, math.ceil(18 * (k - 1) / alpha * (1 - 1e-12)))


def public_rows(x: Handle) -> int:
    """The public number of rows of the whole private table, or of a map of it."""
    private = [i for i in x.tracer.inputs if i.kind is Kind.PRIVATE]
    if x.edge.kind is not Kind.PRIVATE or x.edge.lineage or len(private) != 1:
        raise PlanError("needs the whole private table", fix="pass the program's own argument")
    if private[0].n is None:
        raise PlanError("parts are cut by the row index, which needs a public number of rows", fix="use replace_one")
    return int(private[0].n)


def selection_share(share: float, target: Target | None) -> float:
    """Share of ρ of a selection on rows of its own, beside Gaussian noise of this share on the others.

    Each part has the whole budget. (ε, δ) buys less Gaussian ρ than the ε²/8 of a selection that is ε-DP, so the
    selection takes that much more; what the planner solves stays one factor for both. Only utility rests on it.
    """
    budget = target.budget if target is not None else None
    if not isinstance(budget, ApproxDP) or budget.delta <= 0:
        return share
    low, high = 1e-9, 1e3
    for _ in range(80):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if gaussian_epsilon(middle, budget.delta) < budget.epsilon else (low, middle)
    return share * max(1.0, 0.97 * budget.epsilon**2 / 8 / (low * low / 2))


@register("aal21.list_edges")
@attrs.frozen
class ListEdges(Post):
    """Edges of cells that follow the listed components of one column: multiples of a power of two near each.

    A component's cells are no wider than its deviation over 32, or over the largest smaller power of two for
    which all fit in 4096 cells; the last edge is repeated as padding.

    Parameters
    ----------
    most : int
        Edges.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("listed", PARAM),)
    most: int = attrs.field(default=EDGES, kw_only=True, validator=positive_whole)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(ListEdges(most=most), (ListOf(Gaussian(1), 3),)) for most in (EDGES, 40)]

    def output(self, *inputs: Domain) -> Domain:
        """Edges of one column."""
        item = wants(wants(inputs[0], ListOf, self.name).item, Gaussian, self.name)
        if item.d != 1:
            raise PlanError(f"{self.name} takes components of one column, not {item.d}", fix="leave the cells out")
        return Array((1, self.most))

    def apply(self, *values: Any) -> Any:
        """Nested lattices, so that components of one scale share their edges."""
        if not values[0]:
            return Failed("the released list is empty", "use more rows or a larger epsilon")
        parts = np.unique([[float(g.mean[0]), math.sqrt(float(g.covariance[0, 0]))] for g in values[0]], axis=0)
        edges = lattice_edges(parts, self.most)
        return np.concatenate([edges, np.full(self.most - len(edges), edges[-1])])[None]


FEW: dict[str, Any] = {"decoder": "aal21.known_decoder", "k": 1, "alpha": 1.0, "parameters": {"sds": (1.0,)}}
"""What `dpframe check` calls the reduction with."""


def _reduced(x: Handle) -> Handle:
    return mixture_from_list_decoder(x, **FEW)


@composite("aal21.select", examples=_reduced)
def choose_by_rows(
    rows: Handle, candidates: Handle, *cells: Handle, share: float, n: int, k: int, max_hypotheses: int, seed: int = 0
) -> Handle:
    """:func:`~dpframe_plugins.aal21.selection.select` as a step that a program can name.

    Returns
    -------
    Handle
        A released mixture of ``k`` components, the chosen one; weights may be 0.
    """
    return select("mixture", rows, candidates, *cells, share=share, n=n, k=k, max_hypotheses=max_hypotheses, seed=seed)


@composite("aal21.mixture_from_list_decoder", examples=FEW)
def mixture_from_list_decoder(
    x: Handle,
    *,
    decoder: str,
    k: int,
    alpha: float,
    beta: float = 0.1,
    parameters: Mapping[str, Any] | None = None,
    selector: str = "aal21.select",
    max_hypotheses: int = MAX_HYPOTHESES,
    share: float = 1.0,
    seed: int = 0,
    n: int | None = None,
    decoding: int = 0,
    most: int = 0,
    family: str = "",
) -> Handle:
    """AAL21 Algorithm 1: a mixture of at most k of the components that any private list decoder finds.

    The table is cut in two by the original row index, n₁ : n₂ as the theorems ask for (halves where n₁ is not known),
    so each part has the whole budget. The first is decoded with α/18, β/2k and γ = 1 − α/18k; K is every mixture of at
    most k listed components with weights in steps of 1/⌈18(k − 1)/α⌉; one is selected on the second. Where the true
    distribution is a mixture of k components of the decoder's class and both parts are large enough, the result is
    within α in total variation with probability 1 − β (Theorem 3.2); at α = 1 that says nothing.

    Parameters
    ----------
    x : Handle
        The whole private table, or a map of it.
    decoder : str
        Registered composite: rows to a released list of at most a static number of Gaussians. Without ``family`` they
        are axis-aligned: a list with correlated columns ends in ``failed``.
    k : int
    alpha : float
        In (0, 1].
    beta : float
        Probability of missing α.
    parameters : mapping, optional
        Further parameters of the decoder.
    selector : str
        Registered composite: rows, hypotheses and (in one column) cells to one mixture.
    max_hypotheses : int
        A plan for which |K| may be larger is refused.
    share : float
        Of ρ, of the decoder; the selection on the other part takes what the budget allows it beside this.
    seed : int
        Public seed of the parts.
    n : int, optional
        Public number of rows, where ``x`` does not say it.
    decoding : int
        n₁, rows that the decoder's theorem asks for; 0 where it is not known. The plan's notes say it.
    most : int
        More different components than this are ⊥; 0 for as many as the decoder may list.
    family : {"", "families.gaussian_diagonal", "families.gaussian_full"}
        Where given, the choice is that of ``families.mixture`` by this family's densities: with ``gaussian_full``
        correlations are kept. In several columns more than 4,096 hypotheses, up to 2^20, are chosen among so by
        themselves (docs/theory/selection.md, Very many hypotheses).

    Returns
    -------
    Handle
        A released mixture of ``k`` components, some of weight 0 perhaps, in the units of the table.

    Formal guarantees
    -----------------
    Replace-one with public n only. Parts by index: a replaced row is in one of them, so the loss is the larger of the
    decoder's and the selection's, not their sum (Lemma 3.1 and Algorithm 1 use half of the budget each).
    """
    check_accuracy(k, alpha, beta)
    if most < 0:
        raise SpecError(f"most must be a whole number of at least 0, not {most!r}", fix="leave most out")
    size = max_hypotheses if x.d == 1 else min(max_hypotheses, MOST)
    steps = net_steps(k, alpha)
    likely = min(net_size(most, k, steps), size) if most else size
    hides = hidden(FINEST) if x.d == 1 else 0.0
    needs = {"decoding": decoding, "selecting": selecting_rows(likely, alpha, beta, x.tracer.target, share, hides)}
    weights = (decoding, needs["selecting"]) if decoding else ()
    first, second = dp.split(x, count=2, seed=seed, weights=weights, name="parts")
    rows, rest = (max(1, part) for part in part_sizes(public_rows(x) if n is None else n, 2, weights))
    asked = {"alpha": alpha / 18, "gamma": 1 - alpha / (18 * k), "rows": rows}
    own = {"share": share, "delta_fraction": DELTA_FRACTION, "seed": seed, **dict(parameters or {})}
    found = dp.apply("decoder", dp.recipe(decoder, **asked, **own), first)
    longest = longest_list(found.domain, most)
    worst = net_size(longest, k, steps)
    if not family and x.d > 1 and worst > MOST:
        family = DIAGONAL
    if family:
        limit = min(max_hypotheses, MOST_HYPOTHESES)
        if worst > limit:
            several = f"; in several columns {MOST_HYPOTHESES} at most" if limit == MOST_HYPOTHESES else ""
            raise PlanError(too_many(worst, limit, f"up to {longest} listed components give") + several, fix=KNOBS)
        part = share if worst > MOST else selection_share(share, x.tracer.target)
        picked = by_family(second, found, family=family, k=k, steps=steps, size=worst, n=rest, share=part, seed=seed)
        return dp.post("families.as_mixture", picked, family=family, d=x.d, name="selected")
    needs |= {"rows": rows, "rest": rest}
    net = dp.post("aal21.net", found, k=k, steps=steps, size=size, most=most, alpha=alpha, name="hypotheses", **needs)
    cells = [dp.post("aal21.list_edges", found, name="edges")] if x.d == 1 else []
    chosen = {"n": rest, "k": k, "max_hypotheses": size, "seed": seed}
    step = dp.recipe(selector, share=selection_share(share, x.tracer.target), **chosen)
    return dp.apply("selected", step, second, net, *cells)  # type: ignore[no-any-return]
