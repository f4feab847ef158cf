"""Public constants of a certificate that no run would take: what it costs holds with any, and the checker asks not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dpframe.errors import DpframeError
from dpframe.kernel import registry
from dpframe.kernel.posts.public import PublicValue
from dpframe.kernel.posts.values import BoundingBall, Constant, ConstantBall
from dpframe.proof.checker.reading import Net, Step, read
from dpframe.proof.spaces import Domain

CONSTANTS = tuple(made.name for made in (PublicValue, ConstantBall, BoundingBall, Constant))
"""The kernel's posts without inputs."""


def steps(net: Net, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Step, tuple[Domain, ...]]]:
    """Every node of a certificate's graph and its bodies, with the domains of its inputs."""
    domains = {item.name: item.edge.domain for item in net.inputs} | {s.name: s.output.domain for s in net.steps}
    for step in net.steps:
        yield "/".join((*path, step.name)), step, tuple(domains[ref.node] for ref in step.inputs)
        for label, body in step.bodies:
            yield from steps(body, (*path, step.name, label))


def refused_constants(certificate: Mapping[str, Any]) -> list[str]:
    """Why a run would refuse the constants of a verified certificate, by node; none of what a run wrote."""
    return [f"node {path!r}: {why}" for path, step, _ in steps(read(certificate).net) if (why := _refused(step))]


def _refused(step: Step) -> str:
    try:
        if step.operation in CONSTANTS:
            registry.build(step.operation, step.parameters).output()
    except DpframeError as error:
        return error.message
    return ""
