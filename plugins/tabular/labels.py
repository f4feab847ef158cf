"""Which labels a table has: those that more rows carry than noise explains, by a stable histogram."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import Domain, Grids, Handle, Post, Record, Slot, composite, positive_whole, register

DELTA = 0.5


@composite("tabular.labels")
def labels(x: Handle, *, share: float = 1.0) -> Handle:
    """The rows of whole numbers that are frequent, with noisy counts; rare ones are never named.

    Parameters
    ----------
    x : Handle
        The private table, of whole numbers below 2^40 in size.
    share : float
        Share of ρ.

    Returns
    -------
    Handle
        Published cells: ``ids`` are the rows of numbers.

    Formal guarantees
    -----------------
    One ``stable_histogram`` of ``cells`` of size 1; half of the budget's δ is for labels that one row alone has.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("labels", dp.recipe("tabular.labels"), x)
    >>> budget = dp.approx_dp(1.0, 1e-6)
    >>> dp.plan(example, x=dp.rows(d=1), adjacency=dp.ADD_REMOVE, budget=budget).verdict.holds
    True
    """
    grid = dp.post("tabular.label_grid", d=x.d, name="grid")
    return dp.release("found", dp.stable_histogram(share=share, delta_fraction=DELTA), dp.cells(x, grid, levels=1))


@register("tabular.label_grid")
@attrs.frozen
class LabelGrid(Post):
    """A cell around each whole number.

    Parameters
    ----------
    d : int
        Number of columns.
    """

    slots: ClassVar[tuple[Slot, ...]] = ()
    d: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        return Record("grids")

    def apply(self, *values: Any) -> Any:
        """Half to either side."""
        return Grids(np.full(self.d, -0.5), np.ones(1))
