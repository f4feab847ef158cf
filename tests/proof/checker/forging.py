"""Certificates of the example plans with results that belong to them, and what a rejection is."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from typing import Any

from dpframe.planning.certificate import certificate
from dpframe.proof.certificates import digest
from dpframe.proof.checker import Verdict, verify
from tests.planning.examples import plan_of

SPEC = b"name = 'a spec'\n"


@functools.cache
def release(case: str, status: str = "released") -> tuple[dict[str, Any], bytes]:
    """A certificate and the bytes of a result that belong together."""
    plan = plan_of(case)
    outputs = {name: [1.5] for name, _ in plan.graph.outputs} if status == "released" else {}
    result = {
        "schema_version": 1,
        "status": status,
        "simulated": False,
        "outputs": outputs,
        "loss": {k: v for k, v in plan.spent.items() if k != "delta" or v},
        "warnings": [],
    }
    content = json.dumps(result).encode()
    made = certificate(plan, spec_sha256=digest(SPEC), result_sha256=digest(content), simulated=False, status=status)
    return dict(made), content


def judge(case: str, changed: Any) -> Verdict:
    return verify(changed, spec=SPEC, result=release(case)[1])


def rejected(verdict: Verdict, reason: str = "") -> None:
    assert not verdict.verified
    assert verdict.reasons
    assert all(isinstance(r, str) and r for r in verdict.reasons)
    assert reason in " / ".join(verdict.reasons)


def steps(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All nodes of a certificate, those of bodies included."""

    def inside(graph: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for node in graph["nodes"]:
            yield node
            for body in node.get("bodies", {}).values():
                yield from inside(body)

    yield from inside(document["graph"])


def node(document: dict[str, Any], name: str) -> dict[str, Any]:
    return next(step for step in steps(document) if step["name"] == name)
