"""A second start where the budget is ample: from cells in more directions than components span.

Centred means of k components span k - 1 directions, but which ones the leading variance tells only where components
lie farther apart than they are long. Of columns in deviations, as people's tables are given, none leads: the start
from k - 1 directions then settles in an optimum that more directions would have shown to be a poor one, and the other
way round. Both are tried, and a private likelihood chooses.
"""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import Domain, Failed, Post, Record, Slot, SparseCounts, positive_whole, register, wants, whole
from dpframe_plugins.shared.records import wants_record

from .deconvolution import APART, Starts
from .nodes import answering, first_of, slots
from .records import Mixture


def unlike(model: Mixture, other: Mixture) -> bool:
    """Whether some component lies `APART` of its deviations from every mean of the other: else passes find the same.

    Examples
    --------
    >>> near, far = (Mixture([0.5, 0.5], [[0.0], [m]], [[[1.0]], [[1.0]]]) for m in (4.0, 6.0))
    >>> unlike(near, near), unlike(near, far)
    (False, True)
    """
    gaps = model.means[:, None] - other.means[None]
    far = np.linalg.norm(np.einsum("iab,ijb->ija", np.linalg.inv(model.cholesky), gaps), axis=2).min(axis=1)
    return bool(far.max() > APART)


def together(first: Starts, more: Starts, most: int) -> Starts:
    """The best of both, then the others, each unlike those before it; with the cells of the first."""
    found: list[Mixture] = []
    for one in (first.candidates[0], *more.candidates[:1], *first.candidates[1:], *more.candidates[1:]):
        if all(unlike(one, known) for known in found):
            found.append(one)
    return attrs.evolve(first, candidates=tuple(found[:most]))


@register("practical.either_mixture")
@attrs.frozen
class EitherMixture(Post):
    """Mixtures of the cells released in two subspaces, as `practical.first_mixture` finds them in each.

    Parameters
    ----------
    k, most : int
        Components, and mixtures that are kept.
    seed : int
        Public.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("cells", "grids", "subspace", "more", "more_grids", "more_subspace")
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    most: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record, in frame units."""
        for shown, grids, space in (inputs[:3], inputs[3:]):
            wants(shown, SparseCounts, self.name)
            wants_record(grids, "grids", self.name)
            wants_record(space, "practical.subspace", self.name)
        return Record("practical.starts")

    @answering
    def apply(self, *values: Any) -> Any:
        """Fit in each; where one shows nothing the other has to do."""
        cells, grids, space, more_cells, more_grids, more_space = values
        first = first_of(cells, grids, space, self.k, self.seed)
        more = first_of(more_cells, more_grids, more_space, self.k, self.seed)
        if isinstance(more, Failed):
            return first
        return more if isinstance(first, Failed) else together(first, more, self.most)
