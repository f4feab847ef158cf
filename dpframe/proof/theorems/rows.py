"""Stability of row operations and sensitivity of statistics, from edits."""

from __future__ import annotations

import math

from dpframe.errors import PlanError
from dpframe.proof.spaces import L1, L2, Counts, Edits, LInf, OneOf, OneSided, Symmetric, Vector
from dpframe.proof.theorems.base import Metrics, Params, by_larger, find, one_number, theorem, up, whole
from dpframe.proof.theorems.declaring import ROWS, Claims, Shape, Slot, declare, declare_statistic, free
from dpframe.proof.theorems.shaping import blocks, histograms, rows
from dpframe.proof.theorems.shaping.base import told, told_of


@theorem("row_map", "stability", "docs/theory/notation.md#row-maps")
def _row_map(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A map that treats every row alike keeps the edits: g(X) and g(X') differ in the images of the edited rows."""
    return (find(inputs[0], Edits),)


declare("clip_ball", "transform", "row_map", (ROWS, free("ball")), rows.clip("unit_ball"), parameters="bits")
declare("clip_box", "transform", "row_map", (ROWS, free("ball")), rows.clip("unit_box"), parameters="bits")
declare("affine", "transform", "row_map", (ROWS, free("map")), rows.affine)
declare("project", "transform", "row_map", (ROWS, free("subspace"), free("ball")), rows.project)
declare("select", "transform", "row_map", (ROWS,), rows.select, parameters="columns")
declare("rescale", "transform", "row_map", (ROWS, free("exponents")), rows.rescale)
declare("within", "transform", "row_map", (ROWS, free("ball")), rows.in_ball)


@theorem("asserted_row_map", "stability", "docs/theory/notation.md#row-maps", ("rowwise: asserted by the plugin",))
def _asserted_row_map(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """As row_map, for a plugin's own vectorised function: that it treats rows one by one is asserted."""
    return (find(inputs[0], Edits),)


declare(
    "row_map",
    "transform",
    "asserted_row_map",
    (ROWS, free("parameters", variadic=True)),
    rows.row_map,
    parameters="function p",
    names="function",
)


@theorem("pairs_by_index", "stability", "docs/theory/notation.md#fixed-split")
def _pairs_by_index(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Pairs, or single rows, cut from the original row index: each replaced row changes one of them at most.

    Under ``Edits(m, m)`` the indices are shared by both data sets, so at most m pairs change, and of single rows m.
    This assumes that the order of the rows does not depend on private values: a table sorted by one shifts its indices.
    Under add/remove, after a filter or after a matching no common index exists, and the rule refuses.
    """
    e = find(inputs[0], Edits)
    if not e.keeps_index:
        raise PlanError(
            f"what is gathered by index needs a public number of rows and their index, not {e}",
            fix="gather the table's own rows before any filter, or use secret_pairs under add_remove (for single rows, "
            "subsample)",
        )
    return (Edits(e.removed, e.added, indexed=False),)


declare("pairs", "gather", "pairs_by_index", (ROWS,), rows.table, parameters="max_pairs seed", public_n=True)
declare("sampled_rows", "gather", "pairs_by_index", (ROWS,), rows.table, parameters="rows seed", public_n=True)


@theorem("secret_matching", "stability", "docs/theory/notation.md#fixed-split")
def _secret_matching(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A secret uniformly random matching: one row added, removed or replaced is at most one pair replaced.

    Replaced: use one matching of the positions for both tables. Added (or removed): let m pairs be drawn
    from the larger table, and let it have the extra row x. If x is in no pair, the pairs are a uniform
    matching of the smaller table. If x is paired with a and some row z is in no pair, z uniform among those,
    the pair (z, a) in place of (x, a) gives one: at most (1, 1). If no row is left over, the smaller table
    has one pair less, and leaving out (x, a) gives a uniform matching of it: (0, 1) or (1, 0). Everything
    released from the pairs is a mixture over the coupling, and hockey-stick and Rényi divergences are
    jointly (quasi-)convex. The number of pairs is private and the pairs share no index.

    More edits: tables that are r removals and a additions apart are max(r, a) single edits apart, replacements first.
    Couplings of consecutive tables of such a chain have one law at the table they share, so they glue to one coupling
    of the ends, under which at most max(r, a) pairs are replaced (``docs/theory/units.md#pairs``).
    """
    e = find(inputs[0], Edits)
    most = max(e.removed, e.added)
    return (Edits(most, most, indexed=False),)


declare(
    "secret_pairs",
    "gather",
    "secret_matching",
    (ROWS,),
    rows.table,
    parameters="max_pairs",
    own_rows="private n",
    draws=True,
)


@theorem(
    "index_blocks",
    "stability",
    "docs/theory/notation.md#fixed-split",
    ("limits not binding: asserted", "learner: one random stream a block, no shared state"),
)
def _index_blocks(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A learner run on t blocks of the original row index: each replaced row changes one block's result.

    Of a part of the table a block holds those of its rows that are in the part. Under replace-one both edits carry one
    index of the table, so whatever the part sees of them, (1,1), (1,0) or (0,1), is in one block. That the rows are
    parts of the table itself, and not of pairs, is checked where they are declared (``own_rows="index"``).

    It is assumed that the order of the table's rows does not depend on private values: sorting by one shifts indices.

    Blocks hold whole groups of rows (``docs/theory/units.md``), so each replaced group changes one block's result.
    """
    e = find(inputs[0], Edits)
    if e.bare in (Edits(1, 0), Edits(0, 1)):
        return (OneOf(whole(params, "t"), 1),)
    if not e.keeps_index:
        raise PlanError(
            f"blocks by index need a public number of rows and their index, not {e}",
            fix="use replace_one, and cut blocks before any filter",
        )
    t = whole(params, "t")
    return (OneOf(t, min(t, e.groups)),)


declare(
    "block_learner",
    "blocks",
    "index_blocks",
    (ROWS,),
    blocks.block_results,
    parameters="learner t seed item size",
    names="learner",
    public_n=True,
    own_rows="index",
)


def root(e: Edits) -> float:
    """√(r² + a²): ‖U − V‖ for sums U, V of r and a unit vectors whose inner products are >= 0."""
    return float(max(e.removed, e.added)) if 0 in (e.removed, e.added) else up(math.hypot(e.removed, e.added))


@theorem("live_count", "sensitivity", "docs/theory/notation.md#sums")
def _live_count(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """The number of non-empty rows moves by at most max(r, a): each row counts 0 or 1."""
    return one_number(by_larger(inputs))


declare_statistic("count", "live_count", rows.counted)


@theorem("bounded_sum", "sensitivity", "docs/theory/notation.md#sums")
def _bounded_sum(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A sum of contributions of norm at most 1 moves by at most r + a in ℓ₂ (triangle inequality)."""
    return (L2(float(find(inputs[0], Edits).total)),)


declare_statistic("sum", "bounded_sum", rows.of_ball(Vector), parameters="bits", finish="sum_of_ball")


@theorem("sum_and_count", "sensitivity", "docs/theory/notation.md#sums")
def _sum_and_count(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σ(y, 1) over ‖y‖ <= 1 moves by at most 2·min(r, a) + √2·|r − a| in ℓ₂: under replace-one the count is free.

    Pair removed with added rows. Two valid rows: ‖(y − y', 0)‖ <= 2. One valid, one empty: ‖(y, 1)‖ <= √2. A row
    that is only removed or only added: √2.
    """
    e = find(inputs[0], Edits)
    return (L2(up(2.0 * min(e.removed, e.added) + up(math.sqrt(2.0)) * abs(e.removed - e.added))),)


declare_statistic(
    "mean", "sum_and_count", rows.of_ball(lambda d: Vector(d + 1)), parameters="bits", finish="mean_of_ball"
)


@theorem("box_sum", "sensitivity", "docs/theory/notation.md#sums")
def _box_sum(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A sum of rows of [−1, 1]^d moves by at most r + a a coordinate."""
    total, d = float(find(inputs[0], Edits).total), whole(params, "d")
    return (L1(up(d * total)), L2(up(up(math.sqrt(d)) * total)), LInf(total))


declare_statistic(
    "box_sum", "box_sum", rows.box_sum, parameters="bits", tells=rows.columns_of_box, finish="sum_of_ball"
)


@theorem("bounded_gram", "sensitivity", "docs/theory/notation.md#sums")
def _bounded_gram(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σ xxᵀ over ‖x‖ <= 1 moves by at most √(r² + a²) in Frobenius norm: ⟨xxᵀ, yyᵀ⟩ = ⟨x, y⟩² >= 0."""
    return (L2(root(find(inputs[0], Edits))),)


declare_statistic("gram", "bounded_gram", rows.of_ball(Symmetric), parameters="bits", finish="gram_of_ball")


@theorem("bounded_squares", "sensitivity", "docs/theory/corrections.md#c10")
def _bounded_squares(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σ‖x‖² over ‖x‖ <= 1 is one number, each row gives between 0 and 1: it moves by at most max(r, a)."""
    return one_number(by_larger(inputs))


declare_statistic(
    "square_sum", "bounded_squares", rows.of_ball(lambda d: Counts(1)), parameters="bits", finish="square_sum_of_ball"
)


@theorem("histograms", "sensitivity", "docs/theory/notation.md#sums")
def _histograms(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """M histograms of the same rows: one-hot vectors, so ℓ₁ m(r+a), ℓ₂ √(m(r²+a²)), m·max(r,a) one-sided bins."""
    e, m = find(inputs[0], Edits), whole(params, "histograms")
    worse = by_larger(inputs)
    l2 = up(math.sqrt(m * (e.removed**2 + e.added**2)))
    return (L1(float(m * e.total)), L2(l2), LInf(worse), OneSided(m * worse))


def histogram(name: str, takes: tuple[Slot, ...], shape: Shape, parameters: str, tells: Claims) -> None:
    """Declare a statistic that is one or more histograms of the same rows."""
    declare(name, "statistic", "histograms", takes, shape, parameters=parameters, tells=tells)


ONE, BY_LEVEL = told(histograms=1), told_of("histograms", "levels")
histogram("distance_histogram", (ROWS, free("ball")), histograms.distances, "edges ratio", ONE)
histogram("cells", (ROWS, free("grids")), histograms.cells, "levels", BY_LEVEL)
histogram("bin_counts", (ROWS,), histograms.in_column("edges", 1), "column edges", ONE)
histogram("value_counts", (ROWS,), histograms.in_column("values", 1), "column values", ONE)


MOST_DENOMINATOR = 2**20


@theorem("rank_scores", "sensitivity", "docs/theory/notation.md#lipschitz")
def _rank_scores(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Rank scores of the p/b quantile move by at most b·min(r, a) + max(p, b − p)·|r − a| in ℓ∞.

    The score is −max(0, Σt, Σu) with t(x) = b·[x < c] − p and u(x) = b·[x > c] − (b − p); an empty row gives 0.
    All t lie in [−p, b − p] and all u in [p − b, p], 0 among them. Pair removed with added rows: a pair moves either
    sum by at most b, a row without a partner by at most max(p, b − p); and a maximum moves by no more than
    the one of its terms that moves most.
    """
    e, p, b = find(inputs[0], Edits), whole(params, "numerator"), whole(params, "denominator")
    if not p < b <= MOST_DENOMINATOR:
        raise PlanError(
            f"a quantile p/b lies strictly between 0 and 1, and b is at most 2^20, not {p}/{b}",
            fix="use numerator=1, denominator=2",
        )
    return (LInf(float(b * min(e.removed, e.added) + max(p, b - p) * abs(e.removed - e.added))),)


declare_statistic(
    "rank_scores",
    "rank_scores",
    histograms.in_column("candidates", 0),
    parameters="candidates numerator denominator column",
)
