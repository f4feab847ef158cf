"""Scores of released hypotheses by contests on rows: what they may be, and how far they move."""

from __future__ import annotations

from dpframe.errors import PlanError
from dpframe.proof.spaces import MOST_ROWS, Array, Counts, Domain, Edits, LInf, ListOf, Mixture, Record, Scores
from dpframe.proof.theorems.base import Metrics, Params, by_larger, find, theorem, whole
from dpframe.proof.theorems.declaring import Domains, declare_statistic, free
from dpframe.proof.theorems.shaping.base import alike, is_kind, room, shaped, table_rows

MOST_INTERVAL_CELLS = 4096
MOST_CONTESTANTS = 4096
"""Every pair is a contest: more hypotheses than this take hours."""
HYPOTHESES = "hypotheses"
FAMILY_MIXTURES = "family_mixtures"
"""Name of the record that holds a released list of hypotheses."""


def _hypotheses(domain: Domain) -> None:
    if domain != Record(HYPOTHESES):
        raise PlanError(f"takes hypotheses, not {domain}", fix=f"make a record {HYPOTHESES!r} of them")


def _scaled(params: Params) -> None:
    """Scores are whole numbers of at most 2^40 rows."""
    if whole(params, "n") > MOST_ROWS:
        raise PlanError(f"takes n up to 2^40, not {params['n']}: scores are exact", fix="use a smaller n")


def interval_scores(params: Params, inputs: Domains) -> Domain:
    """A score for each released hypothesis over one column with released edges."""
    alike(table_rows(inputs[0]).d, 1)
    shape = is_kind(inputs[1], Array).shape
    if len(shape) != 2 or shape[0] != 1 or shape[1] >= MOST_INTERVAL_CELLS:
        raise PlanError(f"takes edges of shape (1, m), m < {MOST_INTERVAL_CELLS}, not {shape}", fix="use wider cells")
    _hypotheses(inputs[2])
    if whole(params, "intervals") > MOST_INTERVAL_CELLS:
        raise PlanError(f"takes at most {MOST_INTERVAL_CELLS} intervals", fix="use two a component")
    _scaled(params)
    return Scores(whole(params, "size"))


def density_scores(params: Params, inputs: Domains) -> Domain:
    """A score for each released mixture of a family, from its contests."""
    if inputs[1] != Record(FAMILY_MIXTURES):
        raise PlanError(f"takes mixtures of a family, not {inputs[1]}", fix=f"make a record {FAMILY_MIXTURES!r}")
    if not isinstance(params.get("family"), str) or not params["family"]:
        raise PlanError(f"{params.get('family')!r} is no family", fix="register one under its own name")
    return _contests(params, inputs)


def scheffe_scores(params: Params, inputs: Domains) -> Domain:
    """A score for each released hypothesis, from its contests."""
    _hypotheses(inputs[1])
    return _contests(params, inputs)


def _contests(params: Params, inputs: Domains) -> Domain:
    table_rows(inputs[0])
    size = whole(params, "size")
    shaped(inputs[2], (size, size), "masses")
    if size > MOST_CONTESTANTS:
        raise PlanError(
            f"can't contest {size} hypotheses pair by pair",
            fix=f"choose among at most {MOST_CONTESTANTS} at once, coarse to fine",
        )
    _scaled(params)
    return Scores(size)


def contest(params: Params, inputs: Domains) -> Domain:
    """A score for each listed mixture, from its contests."""
    size, listed = whole(params, "size"), is_kind(inputs[1], ListOf)
    alike(table_rows(inputs[0]).d, is_kind(listed.item, Mixture).d)
    room(listed, size, "hypotheses")
    shaped(inputs[2], (size, size), "thresholds")
    _scaled(params)
    return Counts(size)


@theorem("contest_scores", "query", "Bun, Kamath, Steinke, Wu 2019; AAL21 §2.4")
def _contest_scores(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """S(j) = min_i Γ(j, i), each Γ a constant or a clipped row count: moves by at most max(r, a), n public."""
    e = find(inputs[0], Edits)
    if not e.keeps_index:
        raise PlanError(f"contest scores divide by a public number of rows, not {e}", fix="use replace_one")
    return (LInf(float(e.removed)),)


declare_statistic(
    "contest_scores", "contest_scores", contest, free("hypotheses"), free("thresholds"), parameters="size n"
)


@theorem("interval_scores", "sensitivity", "docs/theory/selection.md#sensitivity")
def _interval_scores(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """−⌈max_A c(A) − N(A)⌉, c(A) data-independent, N(A) the number of rows in A: moves by at most max(r, a) in ℓ∞.

    A row counts 0 or 1 in every set A, so r rows taken away and a rows put in move N(A) by at most m = max(r, a), for
    all A at once. A maximum moves by no more than the term of it that moves most, and |x − y| <= m for a whole m
    gives |⌈x⌉ − ⌈y⌉| <= m. No number of rows is divided by: the n in c(A) = n·f(A) is a declared constant.
    """
    return (LInf(by_larger(inputs)),)


declare_statistic(
    "interval_scores",
    "interval_scores",
    interval_scores,
    free("edges"),
    free("hypotheses"),
    parameters="size n intervals",
)


@theorem("scheffe_scores", "sensitivity", "Mahalanabis, Stefankovic 2008; docs/theory/selection.md#sensitivity")
def _scheffe_scores(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """−max_i |c_ji − N(W_ij)|, whole constants c and sets W of released values: moves by at most max(r, a) in ℓ∞.

    As for ``interval_scores``, with other sets: a row counts 0 or 1 in every W_ij = {f_i > f_j}.
    """
    return (LInf(by_larger(inputs)),)


declare_statistic(
    "scheffe_scores", "scheffe_scores", scheffe_scores, free("hypotheses"), free("masses"), parameters="size n"
)


@theorem(
    "density_scores",
    "sensitivity",
    "Mahalanabis, Stefankovic 2008; docs/theory/selection.md#registered-densities",
    ("rowwise: asserted by the plugin (a row's log-density is a function of that row and the parameters)",),
)
def _density_scores(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """As ``scheffe_scores``, with densities of a registered family: moves by at most max(r, a) in ℓ∞.

    A row counts 0 or 1 in every W_ij = {f_i > f_j}, whatever its computed densities are, if they depend on it alone.
    """
    return (LInf(by_larger(inputs)),)


declare_statistic(
    "density_scores",
    "density_scores",
    density_scores,
    free("hypotheses"),
    free("masses"),
    parameters="family size n",
    names="family",
)
