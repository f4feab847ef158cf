"""A plan as numbers: a typed graph with noise at every mechanism and its total, before anything shows or runs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from dpframe.errors import PlanError, nearest
from dpframe.kernel.graphs import Typed
from dpframe.planning.dp_events import to_dp_event
from dpframe.planning.graph import Graph
from dpframe.planning.verdicts import Verdict, verdict
from dpframe.planning.views import check_delta, view
from dpframe.planning.weighing import Weighing, total_loss
from dpframe.proof.losses import ACCOUNTANTS, Loss, epsilon, tightest_epsilon
from dpframe.proof.spaces import Adjacency
from dpframe.proof.spaces.fixed import fixed
from dpframe.proof.typed import Edge, Path, Ref


@attrs.frozen(eq=False)
class Priced:
    """A graph with every edge typed, every mechanism calibrated, and its total proved within the budget.

    Attributes
    ----------
    graph, edges, adjacency, budget
        What was planned.
    typed : TypedGraph
        The graph with every edge and body inferred.
    calibrations : mapping
        Noise parameters of every mechanism, by path of node names.
    factor : float
        The common factor on all shares.
    loss : Loss
        The composed loss on neighbours.
    verdict : Verdict
        The tightest accountant, by name, and what it says is spent.
    delta_split : dict
        Where δ goes: each mechanism that has tails of its own, and ``conversion``.
    passes : int
        Passes over the data, where the graph has no loop.
    allow_asserted : bool
        Whether operations were allowed whose price is a plugin's word.
    columns : mapping
        By input, the names of the columns that were declared; a run takes these.
    """

    graph: Graph
    edges: Mapping[Ref, Edge] = attrs.field(converter=fixed)
    typed: Typed = attrs.field(repr=False)
    adjacency: Adjacency
    budget: Any
    weighings: Mapping[tuple[str, ...], Weighing] = attrs.field(converter=fixed)
    calibrations: Mapping[tuple[str, ...], dict[str, Any]] = attrs.field(converter=fixed)
    factor: float
    loss: Loss
    verdict: Verdict
    delta_split: Mapping[str, float] = attrs.field(converter=fixed)
    passes: Mapping[str, int] = attrs.field(converter=fixed)
    warnings: tuple[str, ...]
    allow_asserted: bool = False
    columns: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict, converter=fixed)

    @property
    def spent(self) -> dict[str, Any]:
        """Adjacency, accountant and the proved total: what a result file says under ``loss``."""
        relation = {"adjacency": self.adjacency.name, **self.adjacency.told}
        return {**relation, "accountant": self.verdict.accountant, **self.verdict.spent}

    def used(self, taken: Mapping[Path, Mapping[Path, bool]]) -> dict[str, Any]:
        """As :attr:`spent`, with the parts of divisions that a run made; no guarantee, see :attr:`RunResult.used`."""
        found = verdict(self.budget, total_loss(self.typed, self.adjacency, dict(self.calibrations), taken=taken))
        relation = {"adjacency": self.adjacency.name, **self.adjacency.told}
        return {**relation, "accountant": found.accountant, **found.spent}

    def epsilon(self, delta: float, *, accountant: str | None = None) -> float:
        """ε of the composed loss at this δ, under one accountant or the tightest.

        Infinite where δ is no larger than what mechanisms fail with themselves (:attr:`loss`'s own δ), and above the
        ε up to which all theorems of the plan are proved (150 for masks).

        Raises
        ------
        PlanError
            For a δ that is not from 0 to below 1, or an unknown accountant.
        """
        check_delta(delta)
        if accountant is None:
            return view(tightest_epsilon(self.loss, delta)[0], delta, self.theorems)
        if accountant not in ACCOUNTANTS:
            raise PlanError(f"unknown accountant {accountant!r}", fix=f"use one of {', '.join(ACCOUNTANTS)}")
        return view(epsilon(self.loss, delta, accountant), delta, self.theorems)

    @property
    def theorems(self) -> frozenset[str]:
        """Names of all theorems that the total rests on."""
        return frozenset(node.operation.theorem for _, node in self.typed.walk())

    def events(self) -> list[dict[str, Any]]:
        """The composed loss event by event, as JSON: enough for another accountant to recompute it."""
        return [{**event.to_json(), "times": times} for event, times in self.loss.events]

    def to_dp_event(self, *, without_delta: bool = False) -> Any:
        """The composed loss as an event of dp-accounting; see :func:`dpframe.planning.dp_events.to_dp_event`."""
        return to_dp_event(self.loss, without_delta=without_delta)

    def node_loss(self, path: Any) -> Loss:
        """Loss of one mechanism at its worst metrics.

        Parameters
        ----------
        path : str or tuple of str
            As in the ledger: ``mean``, or ``loop/body/mean`` for a mechanism inside a body.
        """
        path = tuple(path.split("/")) if isinstance(path, str) else path
        if not isinstance(path, tuple) or path not in self.weighings:
            known = {"/".join(p): p for p in self.weighings}
            shown = "/".join(map(str, path)) if isinstance(path, tuple) else repr(path)
            listed = ", ".join(known)
            raise PlanError(
                f"there is no mechanism {shown!r} in the plan; it has {listed}",
                fix=nearest(shown, known, "see plan.explain()", cutoff=0.0),
            )
        w = self.weighings[path]
        return w.site.mechanism.loss(self.calibrations[path], w.worst, w.site.domain)
