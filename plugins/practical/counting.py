"""Counts that first mixtures are told from, as programs over kernel operations: of few directions, and of planes."""

from __future__ import annotations

import dpframe.plugin as dp
from dpframe.plugin import Handle

from . import dense, planes
from .plane_nodes import RESOLVED
from .recipe import SHARES
from .scales import MAX_LEVELS
from .scheduling import counts_show


def turned(x: Handle, ball: Handle, count: Handle, space: Handle, *, share: float, mutes: bool) -> Handle:
    """The subspace with the directions that leading variances miss; read beside the pairs, which see those."""
    standard = dp.post("practical.standard", ball, space, name="standard")
    inside = dp.clip(dp.affine(x, standard), dp.ball(centre=[0.0] * x.d, radius=1.0))
    signs = dp.release("signs", dp.gaussian(share=SHARES.signs * share), dp.gram(inside), frame=True)
    return dp.post("practical.turned", space, count, signs, mutes=mutes, name="turned")


def of_counts(rank: int) -> float:
    """Share of each of the histograms in so many directions."""
    return (SHARES.pairs + SHARES.cells) / len(dense.SIDES[rank])


def counted(
    x: Handle, ball: Handle, count: Handle, space: Handle, *, rank: int, k: int, share: float, seed: int
) -> Handle:
    """A first mixture of few directions, from the counts of all cells of some grids over the located ball."""
    framed = dp.affine(x, dp.post("practical.projection", ball, space, rank=rank, name="row_map"))
    sides = dense.SIDES[rank]
    counts = []
    for side in sides:
        cells = dp.product_counts(framed, dp.constant(dense.edges(rank, side), name=f"edges_{side}"))
        counts.append(dp.release(f"counts_{side}", dp.gaussian(share=of_counts(rank) * share), cells))
    return dp.post("practical.counted_mixture", space, count, *counts, k=k, seed=seed, name="first")


def nested(
    x: Handle,
    ball: Handle,
    space: Handle,
    seen: list[Handle],
    *,
    rank: int,
    share: float,
    delta: float,
    seed: int,
    scarce: bool = False,
    name: str = "",
) -> list[Handle]:
    """The cells of nested grids in a subspace, released by a stable histogram, with the grids and the subspace.

    Parameters
    ----------
    x, ball, space : Handle
    seen : list of Handle
        What grids are made from: the distances of pairs and, where it was turned, the subspace.
    rank : int
    share, delta : float
        Of ρ and of δ.
    seed : int
        Public: the grids' corner.
    scarce : bool
        Whether a level less is made.
    name : str
        What names of nodes begin with.
    """
    told = {"scarce": True} if scarce else {}
    grids = dp.post("practical.grids", *seen, rank=rank, seed=seed, **told, name=f"{name}grids")
    projected = dp.affine(x, dp.post("practical.projection", ball, space, rank=rank, name=f"{name}row_map"))
    mechanism = dp.stable_histogram(share=share, delta_fraction=delta)
    return [dp.release(f"{name}cells", mechanism, dp.cells(projected, grids, levels=MAX_LEVELS)), grids, space]


def planar(
    x: Handle, ball: Handle, count: Handle, space: Handle, *, rank: int, k: int, each: float, seed: int, name: str
) -> Handle:
    """A first mixture of many directions, from the counts of all cells of planes over the located ball.

    ``each`` is the share of a plane's counts.
    """
    side = planes.FINE if counts_show(x, k, each, RESOLVED) else planes.SIDE
    inner = dp.constant(planes.edges(side), name="plane_edges")
    counts = []
    for i in range(planes.planes_for(rank)):
        seen = dp.post("practical.plane_map", ball, space, rank=rank, plane=i, seed=seed, name=f"plane_map_{i}")
        cells = dp.product_counts(dp.affine(x, seen), inner)
        counts.append(dp.release(f"plane_{i}", dp.gaussian(share=each), cells))
    return dp.post("practical.planar_mixture", space, count, *counts, k=k, seed=seed, name=name)
