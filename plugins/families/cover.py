"""One member of an infinite family with a locally small cover: blocks propose cover members, other rows choose.

Bun, Kamath, Steinke, Wu (2019); Aden-Ali, Ashtiani, Kamath (2021). Proof and limits: ``docs/theory/selection.md``.
"""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Domain,
    Failed,
    Grids,
    Handle,
    Kind,
    ListOf,
    PlanError,
    Post,
    Record,
    Slot,
    SparseCounts,
    Vector,
    composite,
    learner,
    positive_whole,
    register,
    wants,
)
from dpframe_plugins.families.reduction import chosen, room

STEP = 0.25
"""Of the shipped cover: standard deviations are powers of 1 + STEP, means multiples of STEP of them."""
DELTA = 0.5
"""The share of δ that the threshold of the released cells takes."""


@composite("families.select_from_cover")
def select_from_cover(
    x: Handle,
    *,
    family: str = "families.gaussian_diagonal",
    proposer: str = "families.gaussian_cover",
    members: str = "families.gaussian_members",
    numbers: int = 0,
    t: int = 0,
    most: int = 64,
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A member of an infinite cover that is about as near to the rows as any, where few members are near any law.

    Half of the rows, by their index, are cut into blocks. A learner proposes one cover member for each block, and what
    many blocks propose is released; the other half chooses among these by their Scheffé scores. With m members of
    the cover near any one law (a *locally small* cover), t blocks of a few times m·log(1/δ)/ε are enough, however many
    members there are in all. Mixtures have no such cover (AAL21, Proposition B.6): list them instead.

    Parameters
    ----------
    x : Handle
        The whole private table.
    family : str
        Registered name.
    proposer : str
        Registered learner: rows to one vector of whole numbers, which name a cover member.
    members : str
        Registered operation: a released list of such vectors to a list of parameter vectors of the family.
    numbers : int
        How many whole numbers name a member; twice the columns if 0.
    t : int
        Blocks; one of 100 rows each if 0.
    most : int
        Most members that the choice is among; those of most blocks are kept.
    share : float
        Of ρ, for each of the two halves: they hold different rows.
    seed : int
        Public seed of the halves, the blocks and the integration.

    Returns
    -------
    Handle
        A released array of one row: the weight 1 and the member's parameters in the family.

    Formal guarantees
    -----------------
    Replace-one with public n, and a budget with δ. A row is in one half, and there in one block, which proposes one
    member: a stable histogram of block counts (``block_cells``), or a choice by scores of sensitivity 1. The
    certificate lists the hypotheses: learners share no state, the log-density treats rows one by one.
    """
    n = next((i.n for i in x.tracer.inputs if i.kind is Kind.PRIVATE), None)
    if n is None:
        raise PlanError("parts are cut by the row index, which needs a public number of rows", fix="use replace_one")
    first, second = dp.split(x, count=2, seed=seed, name="halves")
    p, blocks_of = numbers or 2 * x.d, t or max(1, int(n) // 200)
    blocks = dp.block_learner(
        first, learner=proposer, t=blocks_of, item="points", size=[1, p], seed=seed, name="blocks"
    )
    grids = dp.post("families.unit_grid", p=p, name="grid")
    cells = dp.block_cells(blocks, grids, k=1, d=p, levels=1, name="proposed")
    found = dp.release("cells", dp.stable_histogram(share=share, delta_fraction=DELTA), cells)
    named = dp.post("families.proposed", found, p=p, most=most, name="named")
    listed = dp.post(members, named, name="members")
    size = room(most, 1, 1, most)
    rest = max(1, int(n) // 2)
    return chosen(second, listed, family=family, k=1, steps=1, size=size, n=rest, share=share, seed=seed)


@register("families.unit_grid")
@attrs.frozen
class UnitGrid(Post):
    """Cells of side 1 around the whole numbers.

    Parameters
    ----------
    p : int
    """

    slots: ClassVar[tuple[Slot, ...]] = ()
    p: int = attrs.field(kw_only=True, validator=positive_whole)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(UnitGrid(p=2), ())]

    def output(self, *inputs: Domain) -> Domain:
        """Grids."""
        return Record("grids")

    def apply(self, *values: Any) -> Any:
        """A grid of one level."""
        return Grids(np.full(self.p, -0.5), np.ones(1))


@register("families.proposed")
@attrs.frozen
class Proposed(Post):
    """The released cells as vectors of whole numbers, those of most blocks first.

    Parameters
    ----------
    p, most : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("cells", PARAM),)
    p: int = attrs.field(kw_only=True, validator=positive_whole)
    most: int = attrs.field(kw_only=True, validator=positive_whole)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(Proposed(p=2, most=4), (SparseCounts(2, 1),))]

    def output(self, *inputs: Domain) -> Domain:
        """At most so many."""
        if wants(inputs[0], SparseCounts, self.name).p != self.p:
            raise PlanError(f"takes cells of {self.p} numbers, not {inputs[0]}", fix="give p as the blocks have it")
        return ListOf(Vector(self.p), self.most)

    def apply(self, *values: Any) -> Any:
        """Order them."""
        table = values[0][0]
        cells, counts = np.asarray(table.ids, dtype=np.float64), np.asarray(table.counts, dtype=np.float64)
        if not len(cells):
            return Failed("no cover member is proposed by enough blocks", "use more blocks or a larger epsilon")
        return [cells[i] for i in np.argsort(-counts, kind="stable")[: self.most]]


@learner("families.gaussian_cover")
def gaussian_cover(rows: Any, generator: Any) -> Any:
    """The member of the cover of independent Gaussian columns that is nearest to mean and deviation of a block."""
    scale = np.maximum(rows.std(axis=0), 1e-300)
    level = np.rint(np.log(scale) / np.log1p(STEP))
    return (np.concatenate([level, np.rint(rows.mean(axis=0) / (STEP * (1 + STEP) ** level))])[None],)


@register("families.gaussian_members")
@attrs.frozen
class GaussianMembers(Post):
    """Parameters (means, deviations) of cover members: (1 + 1/4)^i, and j/4 of that."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("named", PARAM),)

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(GaussianMembers(), (ListOf(Vector(2), 3),))]

    def output(self, *inputs: Domain) -> Domain:
        """Domain of the members: each has as many parameters as numbers name it."""
        listed = wants(inputs[0], ListOf, self.name)
        if wants(listed.item, Vector, self.name).d % 2:
            raise PlanError("a member is named by two numbers a column", fix="give numbers")
        return listed

    def apply(self, *values: Any) -> Any:
        """The members whose parameters are finite."""
        made = []
        for named in values[0]:
            level, place = np.split(np.asarray(named, dtype=np.float64), 2)
            with np.errstate(all="ignore"):
                scale = (1 + STEP) ** level
                theta = np.concatenate([place * STEP * scale, scale])
            if np.isfinite(theta).all() and (scale > 0).all():
                made.append(theta)
        return made or Failed("no proposed member has parameters in range", "scale the rows")
