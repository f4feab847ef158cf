"""Counts that first mixtures are told from, as programs over kernel operations: of few directions, and of planes."""

from __future__ import annotations

import dpframe.plugin as dp
from dpframe.plugin import Handle

from . import dense, planes
from .plane_nodes import RESOLVED
from .recipe import SHARES
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
