"""The practical mode of AAL21: released cells, mixtures fitted to them, and a private choice among these.

Rows reach kernel histograms and the scores of the choice; nothing else. What is proved of it is in
``docs/theory/aal21-practical.md``.
"""

from __future__ import annotations

import attrs

import dpframe.plugin as dp
from dpframe.plugin import Handle, Kind, PlanError, composite
from dpframe_plugins.classic.sizing import budget_rho

from .expected import MANY_ROWS, joint_cells
from .grids import LEVELS
from .selection import select
from .sizing import check_components

EDGES = 1023
MOST_COLUMNS = 10
THRESHOLD_DELTA = 0.25


@attrs.frozen
class Shares:
    """Shares of ρ: scales from pairs, published bins, counts of single columns, counts of cells, the choice."""

    sizes: float = 0.05
    bins: float = 0.15
    marginals: float = 0.1
    cells: float = 0.5
    choice: float = 0.2


SHARES = Shares()


def noise_variance(x: Handle, share: float) -> float:
    """About the variance that a count of this share of the budget will have: for sizing only."""
    target = x.tracer.target
    rho = budget_rho(target.budget) if target is not None else 0.0
    return 1.0 / max(share * rho, 1e-6)


def most_candidates(k: int) -> int:
    """How many mixtures are fitted at most."""
    return 2 * k + 4


def public_rows(x: Handle) -> int:
    """Number of rows of the whole private table, public under replace-one.

    Raises
    ------
    PlanError
        For anything else: AAL21's proofs cut rows by their index.
    """
    if x.edge.kind is not Kind.PRIVATE or x.edge.lineage:
        raise PlanError("needs the whole private table", fix="pass the program's own argument")
    n = next((i.n for i in x.tracer.inputs if i.name == x.ref.node), None)
    target = x.tracer.target
    if n is None or (target is not None and target.adjacency.name != "replace_one"):
        raise PlanError(
            "rows are paired and split by their index, which takes replace_one and a public number of rows",
            fix="--set adjacency=replace_one",
        )
    return int(n)


@composite("aal21.cells_of")
def cells_of(x: Handle, *, n: int, sds: tuple[float, ...] = (), share: float = 1.0, seed: int = 0) -> dict[str, Handle]:
    """Released cells that follow the rows, with noisy counts: ``edges`` and ``counts``.

    In several columns also ``marginals`` and ``fine``: counts of each column alone on finer cells, and their edges.

    Parameters
    ----------
    x : Handle
        Private rows, (n, d).
    n : int
        Public number of rows, for the size of the product grid.
    sds : sequence of float
        Standard deviations of every component, one a column, where they are known.
    share : float
        Share of ρ.
    seed : int
        Public seed of pairs and corners.

    Returns
    -------
    dict of Handle
        ``edges`` and ``counts`` of the cells; in several columns ``fine`` and ``marginals`` as well. All are released.

    Formal guarantees
    -----------------
    Kernel histograms of ℓ₂ sensitivity √2 (√(2m) for m at once), of which one spends δ on its threshold.
    """
    d = x.d
    total = SHARES.bins + SHARES.cells + (0.0 if sds else SHARES.sizes) + (SHARES.marginals if d > 1 else 0.0)
    unit = share / total
    if sds:
        grids = dp.post("aal21.known_grids", sds=list(sds), seed=seed, name="grids")
    else:
        distances = dp.dyadic_counts(dp.pairs(x, seed=seed))
        sizes = dp.release("sizes", dp.gaussian(share=SHARES.sizes * unit), distances)
        grids = dp.post("aal21.grids", sizes, seed=seed, name="grids")
    mechanism = dp.stable_histogram(share=SHARES.bins * unit, delta_fraction=THRESHOLD_DELTA)
    bins = dp.release("bins", mechanism, dp.column_cells(x, grids, levels=d * LEVELS))
    finer = 2 if d == 1 and n >= MANY_ROWS else 1
    edges = dp.post("aal21.edges", bins, grids, d=d, most=EDGES, finer=finer, name="edges")
    found: dict[str, Handle] = {}
    if d > 1:
        columns = dp.marginal_counts(x, edges)
        marginals = dp.release("marginals", dp.gaussian(share=SHARES.marginals * unit), columns)
        per_column = joint_cells(d, n, noise_variance(x, SHARES.cells * unit))
        found = {"marginals": marginals, "fine": edges}
        edges = dp.post("aal21.joint_edges", marginals, edges, cells=per_column, name="joint_edges")
    counts = dp.release("counts", dp.gaussian(share=SHARES.cells * unit), dp.product_counts(x, edges))
    return {"edges": edges, "counts": counts, **found}


@composite("aal21.practical")
def practical(
    x: Handle,
    *,
    k: int,
    sds: tuple[float, ...] = (),
    alpha: float = 0.1,
    share: float = 1.0,
    seed: int = 0,
    n: int | None = None,
) -> Handle:
    """A mixture of at most ``k`` axis-aligned Gaussians, with no bound on its parameters.

    Parameters
    ----------
    x : Handle
        The private table, or rows of it that a public map took elsewhere.
    k : int
        Number of components.
    sds : sequence of float
        Known standard deviations, one a column; none where they are to be found.
    alpha : float
        Total variation that is hoped for; the plan warns where the rows are too few for it.
    share : float
        Share of ρ.
    seed : int
        Public seed of pairs, corners and restarts.
    n : int, optional
        Public number of rows, where ``x`` does not say it.

    Returns
    -------
    Handle
        A mixture; weights may be 0. The run fails where no distance or bin stands out of the noise.

    Formal guarantees
    -----------------
    Replace-one. A composition of kernel mechanisms: ``share`` of ρ, and a quarter of δ for the threshold of the bins.
    """
    check_components(k)
    rows = public_rows(x) if n is None else n
    if x.d > MOST_COLUMNS:
        raise PlanError(
            f"mode=practical counts product cells of at most {MOST_COLUMNS} columns, not {x.d}",
            fix="name fewer columns, or use practical_gmm with a bound",
        )
    recipe = dp.recipe("aal21.cells_of", n=rows, sds=tuple(sds), share=(1.0 - SHARES.choice) * share, seed=seed)
    found = dp.apply("cells", recipe, x)
    fit = {"k": k, "sds": list(sds), "seed": seed, "rows": rows, "alpha": alpha}
    finer = [found["marginals"], found["fine"]] if x.d > 1 else []
    fitted = dp.post("aal21.fit", found["counts"], found["edges"], *finer, name="candidates", **fit)
    cells = found["edges"] if x.d == 1 else None
    most = most_candidates(k)
    return select("mixture", x, fitted, cells, share=SHARES.choice * share, n=rows, k=k, max_hypotheses=most, seed=seed)
