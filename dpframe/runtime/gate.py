"""The gate: no row is read unless the checker accepts the plan's certificate, and what it accepted is what runs.

A plan is a proposal. Its certificate is written, the bytes are checked, and graph, bodies, domains and noise of the
run are those of the checked value; operations are built anew from their certified names and parameters. Front ends,
tracer, planner and solver are search that nobody has to trust (``docs/theory/certificates.md``).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

import attrs

from dpframe.errors import CertificateError, DpframeError
from dpframe.kernel.graphs import Planned, Typed, check_operation, plugins
from dpframe.kernel.operations import Operation
from dpframe.kernel.registry import build
from dpframe.proof.certificates import plain
from dpframe.proof.checker import Checked, Listed, check
from dpframe.proof.spaces import Domain
from dpframe.proof.typed import Path, TypedGraph, TypedNode

REFUSED = "nothing was read or spent. Report this: the plan and its proof disagree"


class Proposal(Protocol):
    """What asks to run, a :class:`dpframe.planning.plan.Plan` as a rule; nothing here trusts it."""

    @property
    def allow_asserted(self) -> bool:
        """Whether the user accepts losses and sensitivities that plugins assert."""

    def document(self, *, simulated: bool) -> bytes:
        """The bytes of its certificate."""

    def item_noise(self, path: Path, share: Fraction) -> Mapping[str, Any]:
        """Noise parameters for one of 1/share items of the loops around a mechanism."""


@attrs.frozen(eq=False)
class Admitted:
    """What may run: the accepted certificate, and its graph with operations that can run.

    Attributes
    ----------
    checked : Checked
        The accepted certificate: noise, adjacency, total.
    graph : TypedGraph
        Its graph, with operations that can run.
    plan : Proposal
        Where it came from: asked for the noise of a loop's items only, and that is checked against the certificate.
    """

    checked: Checked
    graph: Typed
    plan: Proposal = attrs.field(repr=False)

    @property
    def spent(self) -> dict[str, Any]:
        """Adjacency, accountant and the proved total."""
        return dict(self.checked.total)

    def proposed(self, path: Path, share: Fraction) -> dict[str, Any]:
        """The planner's noise parameters for one of 1/share items of the loops around a mechanism."""
        return dict(self.plan.item_noise(path, share))


def admit(plan: Proposal | Admitted, *, simulated: bool) -> Admitted:
    """Make the certificate of a plan, have it checked, and build what it says.

    Raises
    ------
    CertificateError
        When it is not accepted; no row was read.

    Notes
    -----
    *Formal guarantees.* What is returned depends on the certificate's bytes alone, but for the items' noise, which
    :class:`~dpframe.runtime.guard.Guard` checks at each release. So if the checker accepts, a run has the
    certificate's total under its adjacency if its hypotheses hold, whatever made the plan.
    """
    if isinstance(plan, Admitted):
        if plan.checked.simulated != simulated:
            raise CertificateError(
                "a plan admitted for a simulated run can't be run with secure noise, nor the other way round"
            )
        return plan
    try:
        checked = check(plan.document(simulated=simulated))
        if checked.asserted and plan.allow_asserted is not True:
            raise CertificateError(
                f"node {checked.asserted[0][1].name!r} is asserted, and the plan does not allow that"
            )
        return Admitted(checked, _built(checked.graph), plan)
    except DpframeError as error:
        raise CertificateError(f"the plan is not run: {error.message}", fix=REFUSED) from None
    except Exception as error:  # noqa: BLE001  whatever a changed plan breaks, it is not run
        raise CertificateError(f"the plan is not run: no certificate ({type(error).__name__})", fix=REFUSED) from None


def _built(graph: TypedGraph[Listed]) -> Typed:
    nodes = tuple(_node(node, tuple(graph.edges[ref].domain for ref in node.inputs)) for node in graph.nodes)
    return TypedGraph(graph.path, graph.inputs, nodes, graph.outputs, graph.edges)


def _node(node: TypedNode[Listed], inputs: tuple[Domain, ...]) -> Planned:
    """Build what runs of a node. What a plugin asserts of it is asked here, since the checker imports no plugin."""
    try:
        operation = _operation(node.operation, tuple(node.bodies))
        operation.admit(*inputs)
    except DpframeError as error:
        raise CertificateError(f"node {node.name!r} can't be built from its certificate: {error.message}") from None
    bodies = {label: _built(body) for label, body in node.bodies.items()}
    return TypedNode(node.name, operation, node.inputs, node.output, node.parts, bodies)


def _operation(listed: Listed, bodies: tuple[str, ...]) -> Operation:
    """What is registered under the certified name, with the certified parameters and nothing else."""
    made = build(listed.name, listed.parameters())
    check_operation(made, bodies)
    if (made.kind, made.theorem) != (listed.kind, listed.theorem) or plain(made.parameters()) != listed.parameters():
        raise CertificateError(f"{listed.name!r} is built with other parameters than the certified ones")
    if plugins(made) != listed.plugins():
        raise CertificateError(f"{listed.name!r} names something of a plugin of another digest than the certified one")
    return made
