"""What a certificate proves, as one frozen value read from its bytes: what a run executes, whoever planned it.

Nothing in it is shared with the plan that the certificate was made from, so no change of that plan reaches it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import attrs

from dpframe.errors import CertificateError
from dpframe.proof.checker.comparing import widest
from dpframe.proof.checker.edges import Typed, positive_noise
from dpframe.proof.checker.pricing import Pricing, loss_at
from dpframe.proof.checker.reading import Document
from dpframe.proof.losses import Loss
from dpframe.proof.spaces import Adjacency
from dpframe.proof.spaces.fixed import fixed
from dpframe.proof.theorems import THEOREMS, Metrics, in_view
from dpframe.proof.typed import Path, Ref, TypedGraph, TypedNode


@attrs.frozen
class Listed:
    """An operation as a certificate names it. Its parameters are kept as JSON text, which nobody can write to."""

    name: str
    kind: str
    theorem: str
    text: str
    named: str = "{}"

    def parameters(self) -> dict[str, Any]:
        """The operation's declared parameters as JSON values."""
        found: dict[str, Any] = json.loads(self.text)
        return found

    def plugins(self) -> dict[str, str | None]:
        """For each parameter that names something of a plugin, the digest of that plugin."""
        found: dict[str, str | None] = json.loads(self.named)
        return found


@attrs.frozen(eq=False)
class Noise:
    """What is proved of a mechanism: its noise parameters, and its loss under every metric it can meet.

    Attributes
    ----------
    calibration : mapping
        The noise parameters; inside a loop those of a single item.
    met : tuple of Metrics
        All that neighbours can meet at its input, and last the worst of each kind.
    view : str or None
        The view in which the loop around shares its total; None outside loops.
    """

    theorem: str
    theorem_inputs: str
    calibration: Mapping[str, Any] = attrs.field(converter=fixed)
    met: tuple[Metrics, ...]
    view: str | None = None

    def loss(self, metrics: Metrics, calibration: Mapping[str, Any] | None = None) -> Loss:
        """The mechanism's loss by its theorem, at these noise parameters or at the certified ones.

        Raises
        ------
        CertificateError
            For noise parameters of other names than the proved ones, or such as are not positive and finite.
        """
        if THEOREMS[self.theorem].claimed:
            raise CertificateError("its loss is asserted, and no theorem here gives it")
        noise = self.calibration if calibration is None else calibration
        if noise.keys() != self.calibration.keys():
            raise CertificateError(f"its noise parameters are {', '.join(self.calibration)}")
        if not all(map(positive_noise, noise.values())):
            raise CertificateError("its noise parameters must be positive and finite")
        return loss_at(self.theorem, json.loads(self.theorem_inputs), noise, metrics)

    def costs(self, calibration: Mapping[str, Any] | None = None) -> tuple[tuple[float, float], ...]:
        """What a release inside a loop counts as, under each metric: in the loop's view, and in δ."""
        if self.view is None:
            raise CertificateError("is in no loop")
        return tuple(in_view(self.loss(metrics, calibration), self.view) for metrics in self.met)


@attrs.frozen(eq=False)
class Checked:
    """A certificate that was accepted, and everything in it that a run needs.

    Attributes
    ----------
    content : bytes
        The certificate itself.
    graph : TypedGraph
        Its graph, every edge and body as the checker inferred it.
    noise : mapping
        What is proved of each mechanism, by path.
    loss : Loss
        What its nodes compose to, as the checker recomputed it.
    total : mapping
        Adjacency, accountant and what is spent at most.
    hypotheses : tuple
        Node, theorem and text of each assumption that the proof rests on.
    """

    content: bytes = attrs.field(repr=False)
    graph: TypedGraph[Listed]
    adjacency: Adjacency
    noise: Mapping[Path, Noise] = attrs.field(converter=fixed)
    loss: Loss
    total: Mapping[str, Any] = attrs.field(converter=fixed)
    hypotheses: tuple[tuple[str, str, str], ...]
    warnings: tuple[str, ...]
    simulated: bool

    @property
    def asserted(self) -> tuple[tuple[Path, TypedNode[Listed]], ...]:
        """Nodes whose loss or sensitivity is a plugin's word."""
        return tuple((path, node) for path, node in self.graph.walk() if THEOREMS[node.operation.theorem].asserted)


def as_checked(content: bytes, document: Document, typed: Typed, pricing: Pricing, loss: Loss) -> Checked:
    """Put together what a run needs of a certificate whose every part was checked."""
    noise: dict[Path, Noise] = {}
    graph = _graph(typed, pricing, None, noise)
    return Checked(
        content,
        graph,
        typed.adjacency,
        noise,
        loss,
        document.total,
        document.hypotheses,
        document.warnings,
        document.simulated,
    )


def _graph(typed: Typed, pricing: Pricing, view: str | None, noise: dict[Path, Noise]) -> TypedGraph[Listed]:
    inputs = tuple(
        attrs.evolve(item, kind=edge.kind, domain=edge.domain)
        for item, edge in ((item, typed.edges[item.name]) for item in typed.net.inputs)
    )
    edges = {Ref(item.name): typed.edges[item.name] for item in inputs}
    nodes = []
    for step in typed.net.steps:
        if step.priced is not None:
            path = (*typed.path, step.name)
            met = pricing.met[path]
            theorem_inputs = json.dumps(step.theorem_inputs)
            noise[path] = Noise(step.theorem, theorem_inputs, step.priced.calibration, (*met, widest(met)), view)
        inside = str(step.parameters["view"]) if step.theorem == "for_each" else view
        bodies = {label: _graph(typed.bodies[step.name, label], pricing, inside, noise) for label, _ in step.bodies}
        words = (json.dumps(step.parameters), json.dumps(dict(step.plugins)))
        listed = Listed(step.operation, step.kind, step.theorem, *words)
        node = TypedNode(step.name, listed, step.inputs, typed.edges[step.name], step.parts, bodies)
        nodes.append(node)
        edges.update(node.edges())
    return TypedGraph(typed.path, inputs, tuple(nodes), typed.net.outputs, edges)
