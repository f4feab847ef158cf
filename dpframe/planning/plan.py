"""The plan: the checked, priced, immutable graph; the only thing that can be run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DataError, PlanError
from dpframe.kernel.expected import Expected
from dpframe.kernel.graphs import Typed
from dpframe.kernel.operations import Mechanism
from dpframe.kernel.post_processing import Quality
from dpframe.planning.certificate import certificate
from dpframe.planning.checks import check_asserted, check_own_rows, check_scopes, check_sources
from dpframe.planning.comparing import EPSILONS, Comparison, compare, curve
from dpframe.planning.drawing import brief, mermaid, networkx, notebook, picture
from dpframe.planning.explain import ledger, plan_json
from dpframe.planning.frames import unit_notes
from dpframe.planning.graph import Graph, check_outputs, infer, ordered
from dpframe.planning.lattices import check_noise, item_calibration, loops_around
from dpframe.planning.optimizing import better, wanted
from dpframe.planning.passes import passes_of
from dpframe.planning.predicting import predict
from dpframe.planning.priced import Priced
from dpframe.planning.results import RunResult, run_plan
from dpframe.planning.sealing import Certificate, to_bytes
from dpframe.planning.solver import solve
from dpframe.planning.summary import summary
from dpframe.planning.uncertainty import uncertainty
from dpframe.planning.weighing import Solution, each_alone
from dpframe.proof.losses import ApproxDP, Budget
from dpframe.proof.spaces import Adjacency
from dpframe.proof.spaces import adjacency as find_adjacency
from dpframe.proof.typed import Path

SCHEMA_VERSION = 1


@attrs.frozen(eq=False)
class Plan(Priced):
    """What may run: a priced graph that shows itself, predicts its errors, and reads tables through the gate.

    Attributes are those of :class:`dpframe.planning.priced.Priced`.
    """

    def __repr__(self) -> str:
        return brief(self)

    def _repr_html_(self) -> str:
        return notebook(self)

    def predict(self, rows: int | None = None) -> dict[str, Expected]:
        """The predicted error of every output for which a node has an error model; reads no data.

        Parameters
        ----------
        rows : int, optional
            Number of rows, where it is no part of the plan.

        Returns
        -------
        dict
            By output name: ``error``, ``what`` it is an error of, and the ``instance`` it is predicted for.
        """
        return predict(self, rows)

    def uncertainty(
        self, outputs: Mapping[str, Any], rows: float | None = None, judged: Mapping[Path, Quality] | None = None
    ) -> dict[str, Any]:
        """Standard errors of released outputs, ``noise`` and ``sampling`` apart, where they are known.

        With ``rows``, a number that was released, where the number of rows is private. A run's own ``uncertainty``
        knows what its nodes ``judged``, too: noise that released values made larger.
        """
        return uncertainty(self, outputs, rows, judged)

    def curve(self, epsilons: Sequence[float] = EPSILONS) -> dict[str, list[tuple[float, float]]]:
        """The privacy curve: δ at each ε by every accountant, and the least of them as ``tightest``."""
        return curve(self, epsilons)

    def compare(self, other: Plan, rows: int | None = None) -> Comparison:
        """Compare with another plan: totals, predicted errors, and the mechanisms whose noise differs."""
        if not isinstance(other, Plan):
            raise PlanError(f"a plan is compared with a plan, not a {type(other).__name__}", fix="give dp.plan(...)")
        return compare(self, other, rows)

    def explain(self, *, full: bool = False) -> str:
        """What each stage releases, with which noise, in which pass and for which part of the loss, as text.

        Parameters
        ----------
        full : bool
            The ledger instead, a line a node: edits, sensitivity, noise, loss, theorem, level. It is wide.

        Examples
        --------
        >>> import dpframe as dp
        >>> def count(x):
        ...     return dp.release("count", dp.laplace(share=1.0), dp.count(x))
        >>> plan = dp.plan(count, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(epsilon=1.0))
        >>> print(plan.explain())
        stage  releases  by       noise    pass  of loss
        ------------------------------------------------
               count     laplace  scale=1  1     100.0 %
        1 step spends nothing; every step: --full, or full=True
        <BLANKLINE>
        total: epsilon=1, delta=0 under add_remove, by basic; budget epsilon=1
        passes over the data: 1
        """
        return ledger(self) if full else summary(self)

    def to_networkx(self) -> Any:
        """The graph as a ``networkx.MultiDiGraph``, an edge for each reference; holds nothing but the plan.

        Nodes are called as in the ledger and have ``operation``, ``kind``, ``stage``, ``theorem``, ``level`` and, where
        they have one, ``share``, ``noise`` and ``pass``. Tables are nodes of kind ``input``. An edge has ``part``
        where it reads a part. The node of each output is in ``graph.graph["outputs"]``.

        Examples
        --------
        >>> import dpframe as dp
        >>> def count(x):
        ...     return dp.release("count", dp.laplace(share=1.0), dp.count(x))
        >>> plan = dp.plan(count, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(epsilon=1.0))
        >>> graph = plan.to_networkx()
        >>> list(graph.edges())
        [('x', 'count_1'), ('count_1', 'count')]
        >>> graph.nodes["count"]["kind"], graph.nodes["count"]["share"]
        ('mechanism', 1.0)
        """
        return networkx(self)

    def mermaid(self) -> str:
        """The graph as text for Mermaid, which Markdown pages and notebooks draw; every name in it is escaped.

        Nodes stand in boxes by stage, with share, noise and pass; what a branch or a loop holds has a box of its own.

        Examples
        --------
        >>> import dpframe as dp
        >>> def count(x):
        ...     return dp.release("count", dp.laplace(share=1.0), dp.count(x))
        >>> plan = dp.plan(count, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(epsilon=1.0))
        >>> print(plan.mermaid())
        flowchart TD
          n0[("x")]
          n1["count_1<br/>count<br/>pass 1"]
          n2{{"count<br/>laplace<br/>share 1<br/>scale=1..."}}
          n0 --> n1
          n1 --> n2
          n2 --> o0(["..."])
        """
        return mermaid(self)

    def svg(self, *, full: bool | None = None) -> str:
        """The graph as a picture, an ``<svg>`` element: stages framed, with noise, pass and part of the loss.

        Parameters
        ----------
        full : bool, optional
            Every step, or tables, mechanisms and outputs alone; by default the first for up to 40 steps.

        Examples
        --------
        >>> import dpframe as dp
        >>> def count(x):
        ...     return dp.release("count", dp.laplace(share=1.0), dp.count(x))
        >>> plan = dp.plan(count, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(epsilon=1.0))
        >>> plan.svg()[:4], "100.0 % of the loss" in plan.svg()
        ('<svg', True)
        """
        return picture(self, full=full)

    def to_json(self) -> dict[str, Any]:
        """What ``dpframe plan --json`` prints."""
        return plan_json(self)

    def document(self, *, simulated: bool) -> bytes:
        """The bytes of its certificate, for the gate to check."""
        return to_bytes(self._certificate(simulated=simulated))

    def _certificate(self, *, simulated: bool) -> Certificate:
        return certificate(self, spec_sha256=None, result_sha256=None, simulated=simulated, status="released")

    def item_noise(self, path: Path, share: Fraction) -> dict[str, Any]:
        """Noise parameters for one of 1/share items of the loops around a mechanism."""
        view, _ = loops_around(self.typed, path)
        return item_calibration(self.weighings[path], self.factor, self.budget, view, share)

    def run(
        self, *rows: Any, simulate: int | None = None, on: Any = None, progress: Any = None, **tables: Any
    ) -> RunResult:
        """Run the plan on tables, by input name; see :func:`dpframe.runtime.run.run_plan`.

        Parameters
        ----------
        *rows
            The table, without its name, of a plan that has one.
        simulate : int, optional
            Draw noise from this seed; the result is marked as simulated and can't be verified.
        on : distributed.Client or str, optional
            A Dask cluster, or its address, that takes the passes over tables in files (docs/runs.md).
        progress : callable, optional
            Called as ``progress(turn, percent)`` while rows are read: which pass, and how far, None where the number of
            rows is private. Without it a line shows the same on a terminal and in a notebook.
        **tables
            One for each private or public input: an array, a path, a folder or a glob, a data frame, a lazy one,
            ``dp.table(path, delimiter=...)``, a function that opens a reader.

        Returns
        -------
        dpframe.planning.results.RunResult
        """
        if progress is not None and not callable(progress):  # it would end a run that has spent
            raise PlanError(f"progress is no function, but {progress!r}", fix="leave it out, or give print")
        if rows:
            names = [item.name for item in self.graph.inputs]
            if len(rows) > 1 or len(names) > 1 or not tables.keys().isdisjoint(names):
                given = ", ".join(f"{name}=..." for name in names)
                raise DataError("tables must be passed by name", fix=f"plan.run({given})")
            tables = {names[0]: rows[0], **tables}
        return run_plan(self, tables, simulate=simulate, columns=self.columns or None, on=on, progress=progress)


def check_budget(budget: Any) -> None:
    """Refuse what is no budget: there is no default."""
    if not isinstance(budget, Budget):
        raise PlanError(
            f"budget must be a privacy budget, not a {type(budget).__name__}",
            fix="use dp.approx_dp(epsilon=..., delta=...), dp.pure_dp, dp.zcdp or dp.gdp",
        )


def make_plan(
    graph: Graph,
    *,
    adjacency: str | Adjacency | Any,
    budget: Any,
    warnings: Sequence[str] = (),
    allow_asserted: bool = False,
    columns: Mapping[str, tuple[str, ...]] | None = None,
    optimize: str | Sequence[str] | None = None,
) -> Plan:
    """Check and price a graph (all static checks of the design, in their order); reads no data.

    With ``optimize`` the shares are those that make the predicted error of the outputs so named least, where that is
    less than with the shares as given (:mod:`dpframe.planning.optimizing`).

    Raises
    ------
    PlanError
        When a check fails; the message names the node, the value and the fix.
    BudgetError
        When the total is above the budget.
    """
    check_budget(budget)
    relation = find_adjacency(adjacency)
    if not isinstance(allow_asserted, (bool, np.bool_)):  # a text that says no would be true
        raise PlanError(f"allow_asserted must be True or False, not {allow_asserted!r}", fix="leave it out")
    graph = ordered(graph)
    check_sources(graph, relation)
    typed = infer(graph)
    check_outputs(typed)
    check_own_rows(typed, relation)
    check_asserted(typed, allowed=allow_asserted)
    solution = solve(typed, relation, budget)
    check_scopes(typed, solution.verdict.spent)
    check_noise(typed, solution.weighings, solution, budget)
    plan = Plan(
        graph=graph,
        edges=typed.edges,
        typed=typed,
        adjacency=relation,
        budget=budget,
        weighings=solution.weighings,
        calibrations=solution.calibrations,
        factor=solution.factor,
        loss=solution.loss,
        verdict=solution.verdict,
        delta_split=_delta_split(typed, relation, solution, budget),
        passes=passes_of(typed),
        warnings=(*warnings, *_warnings(graph), *_unused(typed), *unit_notes(typed)),
        allow_asserted=bool(allow_asserted),
        columns=columns or {},
    )
    if optimize is None:
        return plan
    how: dict[str, Any] = {"warnings": warnings, "allow_asserted": allow_asserted, "columns": columns}
    asked = wanted(optimize, [name for name, _ in graph.outputs])
    best: Plan = better(plan, asked, lambda other: make_plan(other, adjacency=relation, budget=budget, **how))
    return best


def _delta_split(graph: Typed, relation: Adjacency, solution: Solution, budget: Budget) -> dict[str, float]:
    """Where the budget's δ goes; the entries sum to it.

    A mechanism's entry is what it adds to the composed δ by itself, over all the times it may run. Where a worst
    allocation takes one of several such mechanisms, they share what is composed in proportion.
    """
    spends: list[Path] = []
    for path, calibration in solution.calibrations.items():
        own = solution.weighings[path].site.mechanism.cited().claimed
        if own or calibration.get("delta") or any(calibration.get(f"delta_{k}") for k in ("replace", "remove", "add")):
            spends.append(path)
    losses = each_alone(graph, relation, solution.calibrations, spends)
    alone = {"/".join(path): loss.delta for path, loss in losses.items()}
    every = math.fsum(alone.values())
    split = {name: delta * min(1.0, solution.loss.delta / every) for name, delta in alone.items() if delta}
    if isinstance(budget, ApproxDP):
        split["conversion"] = max(0.0, budget.delta - math.fsum(split.values()))
    return split


def _unused(graph: Typed) -> list[str]:
    """Mechanisms that no output of the graph comes of, those of bodies by their path: what they cost buys nothing."""
    used, out = {ref.node for _, ref in graph.outputs}, list[str]()
    for node in reversed(graph.nodes):
        if node.name in used:
            used |= {ref.node for ref in node.inputs}
            out += [text for body in node.bodies.values() for text in _unused(body)]
        elif isinstance(node.operation, Mechanism):
            place = "/".join((*graph.path, node.name))
            out.append(
                f"node {place!r} spends a part of the loss, and no output comes of it: return it, or leave it out"
            )
    return out


def _warnings(graph: Graph) -> list[str]:
    """Check 10: assumptions of utility theorems that the declared parameters violate, as operations tell them."""
    out = []
    for node in graph.walk():
        out += [f"node {node.name!r}: {text}" for text in node.operation.warnings()]
    return out
