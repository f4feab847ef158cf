"""A spec that can be planned: the values of its keys, its graph, and how it is written once it ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from dpframe.front.specs.budgets import as_budget
from dpframe.front.specs.building import build_graph
from dpframe.front.specs.document import Document
from dpframe.front.specs.dumping import dump
from dpframe.planning.graph import Graph

if TYPE_CHECKING:
    from dpframe.planning.plan import Plan


@attrs.frozen
class Spec(Document):
    """A spec and the values its keys have so far. Immutable: :meth:`set` gives another one.

    Attributes are those of :class:`~dpframe.front.specs.document.Document`.
    """

    def graph(self) -> Graph:
        """The typed graph; every composite is expanded."""
        return build_graph(self)

    def plan(self, *, allow_asserted: bool = False) -> Plan:
        """Check and price it; reads no data.

        Parameters
        ----------
        allow_asserted : bool
            Whether operations may be used whose price is a plugin's word.

        Raises
        ------
        SpecError, PlanError, BudgetError
        """
        from dpframe.planning.plan import make_plan

        graph = self.graph()  # says first what is missing
        names = {} if self.columns is None else {table.name: self.columns for table in self.tables}
        return make_plan(
            graph,
            adjacency=self.relation,
            budget=as_budget(self.budget),
            allow_asserted=allow_asserted,
            columns=names,
            optimize=self.optimize,
        )

    def written(self, plan: Plan) -> str:
        """The spec as run: this spec's names with the plan's graph, every value resolved."""
        settings = {**self.settings, **self.resolved()}
        return dump(plan, name=self.name, title=self.title, source=self.source, columns=self.columns, settings=settings)
