"""Gaussians with any covariance, listed privately: blocks of rows name members of a cover, those of many are released.

The cover is finer where a law is narrower, in every direction (``docs/theory/selection.md``, A cover of all Gaussians),
so correlations, condition numbers and distances cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Domain,
    Failed,
    Handle,
    Kind,
    ListOf,
    PlanError,
    Post,
    Slot,
    SparseCounts,
    Vector,
    composite,
    learner,
    positive_whole,
    register,
    wants,
)
from dpframe_plugins.learners.em import MOST_COMPONENTS, fit

from .cover import DELTA
from .gaussian import columns, lower

STEPS = (0.25, 0.5, 1.0)
"""Of the covers that are named at once, fine ones first: in deviations of the law itself."""
BLOCKS, ROWS = 1000, 120
"""Most blocks if none are given, and rows a component that each should have."""


def numbers(d: int) -> int:
    """How many whole numbers name a member: which cover, then one a parameter."""
    return 1 + d + d * (d + 1) // 2


def named(mean: Any, root: Any, which: int) -> Any:
    """The member of a cover that is near N(mean, root·rootᵀ): levels of deviations, then slopes, then the place.

    Examples
    --------
    >>> named(np.array([3.0, 0.0]), np.array([[2.0, 0.0], [1.9, 0.6]]), 0)
    array([  0.,   3.,  -2.,  12.,   6., -18.])
    """
    d, step = len(mean), STEPS[which]
    levels = np.rint(np.log(np.diagonal(root)) / np.log1p(step))
    made, slopes = np.zeros((d, d)), []
    for i in range(d):
        scale = (1 + step) ** levels[i]
        slope = made[:i, :i].T @ np.linalg.solve(root[:i, :i].T, root[i, :i]) / scale
        slopes += np.rint(slope / step).tolist()
        made[i, :i], made[i, i] = np.rint(slope / step) * step * scale, scale
    place = np.rint(np.linalg.solve(made, mean) / step)
    return np.concatenate([[which], levels, slopes, place]) + 0.0


def member(names: Any, d: int) -> Any:
    """Parameters of a named member: mean, then the lower triangle of its root.

    Examples
    --------
    >>> member([0, 3, -2, 12, 6, -19], 2).round(2)
    array([ 2.93, -0.16,  1.95,  1.92,  0.64])
    """
    names = np.asarray(names, dtype=np.float64)
    step = STEPS[min(max(int(names[0]), 0), len(STEPS) - 1)]
    scales, root = (1 + step) ** names[1 : 1 + d], np.zeros((d, d))
    root[np.tril_indices(d, -1)] = names[1 + d : len(names) - d] * step
    root = scales[:, None] * (root + np.eye(d))
    return np.concatenate([root @ (names[len(names) - d :] * step), root[np.tril_indices(d)]])


def names_of(weights: Any, means: Any, covariances: Any) -> Any:
    """All names of all components, (components·covers, numbers); a component of no weight has none."""
    if not (weights > 0).all():
        raise ValueError("a component has no weight")
    roots = [np.linalg.cholesky(covariance) for covariance in covariances]
    return np.array([named(m, r, v) for m, r in zip(means, roots, strict=True) for v in range(len(STEPS))])


def _naming(k: int) -> Callable[..., Any]:
    def names(rows: Any, generator: Any) -> Any:
        return (names_of(*fit(rows, k, generator)),)

    names.__doc__ = f"Members of the covers of all Gaussians near the {k} components that EM finds."
    return names


for _k in range(1, MOST_COMPONENTS + 1):
    learner(f"families.gaussian_names_{_k}")(_naming(_k))


@composite("families.gaussian_decoder", examples={"most": 4, "rows": 600})
def gaussian_decoder(
    x: Handle,
    *,
    k: int,
    most: int,
    rows: int,
    share: float = 1.0,
    seed: int = 0,
    t: int = 0,
    names: str = "",
    **unused: Any,
) -> Handle:
    """Gaussians of any covariance that enough blocks of rows find: correlations stay as they are.

    Each of t blocks names k members of three covers of all Gaussians, of steps 1/4, 1/2 and 1 in a law's own
    deviations. A name that many blocks give is released; a component that blocks agree on is listed by the finest cover
    in which they do.

    Parameters
    ----------
    x : Handle
        The private table, or a part by the row index.
    k : int
        Components that a block looks for, at most 8.
    most : int
        Most members on the list.
    rows : int
        About how many rows there are.
    share : float
        Of ρ.
    seed : int
        Public seed of the blocks.
    t : int
        Blocks; as many as have 120 rows a component, at most 1000, if 0.
    names : str
        Registered learner: a block to (3·k, numbers) names, in each cover; EM if not given.
    **unused
        What ``families.mixture`` tells every decoder.

    Returns
    -------
    Handle
        A released list of at most ``most`` Gaussians with full covariances, in the units of the table; empty where
        blocks agree on none.

    Formal guarantees
    -----------------
    Replace-one with public n, and a budget with δ. A row is in one block, which enters at most 3k cells
    (``block_cells``); one stable histogram is released. The certificate lists that learners share no state. Utility:
    docs/theory/selection.md, Theorem 7.
    """
    d, v = x.d, len(STEPS)
    if not names and not 1 <= k <= MOST_COMPONENTS:
        raise PlanError(f"EM looks for at most {MOST_COMPONENTS} components, not {k}", fix="give names=, a learner")
    if x.edge.kind is not Kind.PRIVATE:
        raise PlanError("takes private rows", fix="pass the program's own argument, or a part of it")
    size, p = t or min(BLOCKS, max(1, rows // (ROWS * k))), numbers(d)
    found = names or f"families.gaussian_names_{k}"
    blocks = dp.block_learner(x, learner=found, t=size, item="points", size=[v * k, p], seed=seed, name="blocks")
    grids = dp.post("families.unit_grid", p=p, name="grid")
    cells = dp.block_cells(blocks, grids, k=v * k, d=p, levels=1, name="named")
    released = dp.release("names", dp.stable_histogram(share=share, delta_fraction=DELTA), cells)
    return dp.post("families.gaussian_list", released, d=d, most=most, name="listed")


@register("families.gaussian_list")
@attrs.frozen
class GaussianList(Post):
    """Parameters of the released names: of each cover in turn the one that most blocks give, then the next.

    Parameters
    ----------
    d, most : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("names", PARAM),)
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    most: int = attrs.field(kw_only=True, validator=positive_whole)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(GaussianList(d=d, most=4), (SparseCounts(numbers(d), 1, 6),)) for d in (1, 2)]

    def output(self, *inputs: Domain) -> Domain:
        """At most so many members of ``families.gaussian_full``."""
        if wants(inputs[0], SparseCounts, self.name).p != numbers(self.d):
            raise PlanError(
                f"{self.name} takes cells of {numbers(self.d)} numbers at d={self.d}, not {inputs[0]}",
                fix="give d as the blocks have it",
            )
        return ListOf(Vector(numbers(self.d) - 1), self.most)

    def apply(self, *values: Any) -> Any:
        """The members with finite parameters, the best of each cover first."""
        table = values[0][0]
        names, counts = np.asarray(table.ids, dtype=np.float64), np.asarray(table.counts, dtype=np.float64)
        ranked: list[tuple[int, float, Any]] = []
        for cover in range(len(STEPS)):
            mine = np.flatnonzero(names[:, 0] == cover)
            best = mine[np.argsort(-counts[mine], kind="stable")]
            ranked += [(rank, cover, names[i]) for rank, i in enumerate(best)]
        with np.errstate(all="ignore"):
            made = [member(name, self.d) for _, _, name in sorted(ranked, key=lambda entry: entry[:2])]
        kept = [theta for theta in made if is_member(theta)]
        return kept[: self.most] or Failed(
            "no Gaussian is named by enough blocks", "use more rows, fewer components or a larger epsilon"
        )


def is_member(theta: Any) -> bool:
    """Whether its density is a number: finite parameters, and deviations that can be divided by."""
    d = columns(theta)
    return bool(np.isfinite(theta).all() and (np.abs(np.diagonal(lower(theta[d:], d))) > 1e-150).all())


@register("families.gaussian_full_members")
@attrs.frozen
class FullMembers(Post):
    """Parameters of named members of the covers of all Gaussians, for ``families.select_from_cover``."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("named", PARAM),)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(FullMembers(), (ListOf(Vector(numbers(d)), 3),)) for d in (1, 2)]

    def output(self, *inputs: Domain) -> Domain:
        """Domain of the parameters: the number that names the cover is left out."""
        listed = wants(inputs[0], ListOf, self.name)
        p = wants(listed.item, Vector, self.name).d - 1
        if numbers(columns(np.zeros(p))) != p + 1:
            raise PlanError(f"no Gaussian has {p} parameters", fix="give names of the covers of all Gaussians")
        return ListOf(Vector(p), listed.max_length)

    def apply(self, *values: Any) -> Any:
        """The members whose parameters are in range."""
        with np.errstate(all="ignore"):
            made = [member(name, columns(np.zeros(len(name) - 1))) for name in values[0]]
        kept = [theta for theta in made if is_member(theta)]
        return kept or Failed("no proposed member has parameters in range", "scale the rows")


@learner("families.gaussian_full_cover")
def gaussian_full_cover(rows: Any, generator: Any) -> Any:
    """The member of the cover of step 1/2 of all Gaussians that is nearest to mean and covariance of a block."""
    _, means, covariances = fit(rows, 1, generator)
    return (named(means[0], np.linalg.cholesky(covariances[0]), 1)[None],)
