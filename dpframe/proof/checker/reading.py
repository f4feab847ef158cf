"""From parsed JSON to typed values: every key known, every value of its type, nothing interpreted yet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs

from dpframe.errors import CertificateError
from dpframe.proof.certificates import SCHEMA_VERSION
from dpframe.proof.readers import (
    Reader,
    anything,
    built,
    by_name,
    flag,
    listed,
    mapping,
    nullable,
    number,
    one_of,
    pair,
    record,
    several,
    short,
    text,
    whole,
)
from dpframe.proof.spaces import Domain, Kind, Metric, domain_from_json, metric_from_json
from dpframe.proof.theorems.base import LEVELS, PROVED
from dpframe.proof.typed import Edge, Input, Ref

MAX_BODIES = 12
MOST_LISTED_NOISE = 1024
"""Numbers in one noise parameter that is a list: a Rényi curve is one."""
KINDS = tuple(kind.value for kind in Kind)
DIGEST = re.compile(r"[0-9a-f]{64}")


@attrs.frozen(eq=False)
class Priced:
    """What the certificate says of a mechanism: its noise parameters, and its loss under each tuple of metrics."""

    calibration: Mapping[str, Any]
    met: tuple[tuple[tuple[Metric, ...], Any], ...]
    worst: tuple[tuple[Metric, ...], Any]


Claim = tuple[tuple[tuple[Metric, ...], ...], tuple[Metric, ...]]
"""Metrics of the private inputs, and what a plugin says of the output there."""


@attrs.frozen(eq=False)
class Step:
    """A node of a graph, as the certificate lists it."""

    name: str
    operation: str
    kind: str
    theorem: str
    hypotheses: tuple[str, ...]
    parameters: Mapping[str, Any]
    inputs: tuple[Ref, ...]
    output: Edge
    priced: Priced | None
    bodies: tuple[tuple[str, Net], ...]
    theorem_inputs: Mapping[str, Any] | None = None
    parts: int | None = None
    level: str = PROVED
    claims: tuple[Claim, ...] | None = None
    plugins: Mapping[str, str | None] = attrs.Factory(dict)


@attrs.frozen(eq=False)
class Net:
    """A graph, as the certificate lists it."""

    inputs: tuple[Input, ...]
    steps: tuple[Step, ...]
    outputs: tuple[tuple[str, Ref], ...]


@attrs.frozen(eq=False)
class Document:
    """A certificate whose parts are well formed; nothing about them is checked."""

    status: str
    simulated: bool
    digests: Mapping[str, str | None]
    adjacency: Any
    budget: Any
    total: Mapping[str, Any]
    accountants: Mapping[str, float]
    delta_split: Mapping[str, float]
    loss: Any
    hypotheses: tuple[tuple[str, str, str], ...]
    warnings: tuple[str, ...]
    net: Net


OLDER = {
    1: "dpframe 0.1.0, which verifies it; 0.1.0 has known faults, in what it released and in verify itself: "
    "read its advisories, which `dpframe verify` names, before you rely on it, or run again"
}


def read(data: Any) -> Document:
    """Read a parsed certificate.

    Raises
    ------
    CertificateError
        Naming the first key that is missing, unknown or of a wrong type.
    """
    _schema(data)
    fields = record(data, "the certificate", TOP)
    for key in ("schema_version", "dpframe_version", "statement"):
        del fields[key]
    if fields.pop("signed") is not False:
        raise CertificateError("signed must be false: a signature is beside a certificate, never in it")
    digests = {name: fields.pop(name) for name in ("spec_sha256", "result_sha256")}
    return Document(digests=digests, net=fields.pop("graph"), **fields)


def _schema(data: Any) -> None:
    """Refuse another schema by name, before its keys are found to be others."""
    version = data.get("schema_version", SCHEMA_VERSION) if isinstance(data, Mapping) else SCHEMA_VERSION
    if type(version) is int and version in OLDER:
        raise CertificateError(
            f"schema_version {version} is that of {OLDER[version]}; this version verifies schema {SCHEMA_VERSION} only"
        )
    if type(version) is not int or version != SCHEMA_VERSION:
        raise CertificateError(f"schema_version {short(version)} is unknown; this version verifies {SCHEMA_VERSION}")


# --------------------------------------------------------------------------------------- the graph


def _net(data: Any, where: str, depth: int = 0) -> Net:
    if depth > MAX_BODIES:
        raise CertificateError(f"bodies are nested more than {MAX_BODIES} deep")
    nodes = several(lambda node, _: _step(node, depth))
    fields = record(data, where, {"inputs": several(_input), "nodes": nodes, "outputs": several(pair(text, _ref))})
    return Net(fields["inputs"], fields["nodes"], fields["outputs"])


def _input(data: Any, where: str) -> Input:
    return Input(**record(data, where, {"name": text, "kind": _of_kind, "domain": _domain, "n": nullable(whole)}))


def _step(data: Any, depth: int) -> Step:
    name = text(data.get("name") if isinstance(data, dict) else None, "a node's name")
    bodies = by_name(lambda body, what: _net(body, what, depth + 1))
    fields = record(data, f"node {name!r}", _NODE, {**_NODE_MAY, "bodies": bodies})
    labelled = tuple(fields.pop("bodies", {}).items())
    return Step(priced=fields.pop("mechanism", None), bodies=labelled, **fields)


def _claim(data: Any, what: str) -> Claim:
    fields = record(data, what, {"inputs": several(several(_metric)), "gives": several(_metric)})
    return fields["inputs"], fields["gives"]


def _edge(data: Any, what: str) -> Edge:
    lineage = several(pair(text, whole))
    return Edge(
        **record(data, what, {"kind": _of_kind, "domain": _domain, "lineage": lineage, "given": nullable(text)})
    )


def _of_kind(data: Any, what: str) -> Kind:
    return Kind(one_of(data, what, KINDS))


def _ref(data: Any, what: str) -> Ref:
    items = listed(data, what)
    if len(items) not in (1, 2):
        raise CertificateError(f"{what}: a reference must be [node] or [node, part]")
    return Ref(text(items[0], what), whole(items[1], what) if len(items) == 2 else None)


def _priced(data: Any, what: str) -> Priced:
    return Priced(**record(data, what, {"calibration": by_name(_noise), "met": several(_loss_at), "worst": _loss_at}))


def _loss_at(data: Any, what: str) -> tuple[tuple[Metric, ...], Any]:
    fields = record(data, what, {"metrics": several(_metric), "loss": anything})
    return fields["metrics"], fields["loss"]


def _domain(data: Any, what: str) -> Domain:
    return built(what, lambda: domain_from_json(_typed(data, what)))


def _metric(data: Any, what: str) -> Metric:
    fields = {k: float("inf") if v == "inf" else v for k, v in _typed(data, what).items()}
    return built(what, lambda: metric_from_json(fields))


def _typed(data: Any, what: str) -> dict[str, Any]:
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise CertificateError(f"{what} must be an object with a type")
    return data


def _hypothesis(data: Any, what: str) -> tuple[str, str, str]:
    fields = record(data, what, dict.fromkeys(("node", "theorem", "hypothesis"), text))
    return fields["node"], fields["theorem"], fields["hypothesis"]


def _noise(value: Any, name: str) -> Any:
    """A noise parameter: a number, or a short list of them."""
    if not isinstance(value, list):
        return number(value, name)
    if not 1 <= len(value) <= MOST_LISTED_NOISE:
        raise CertificateError(f"{name} must be 1 to {MOST_LISTED_NOISE} numbers")
    return tuple(number(x, name) for x in value)


def _digest(data: Any, what: str) -> str:
    if not DIGEST.fullmatch(text(data, what)):
        raise CertificateError(f"{what} must be 64 lower-case hexadecimal digits")
    return str(data)


TOP: dict[str, Reader[Any]] = {
    **dict.fromkeys(("schema_version", "signed", "adjacency", "budget", "loss"), anything),
    **dict.fromkeys(("dpframe_version", "statement"), text),
    "status": lambda data, what: one_of(data, what, ("released", "failed")),
    "simulated": flag,
    **dict.fromkeys(("spec_sha256", "result_sha256"), nullable(_digest)),
    "total": mapping,
    **dict.fromkeys(("accountants", "delta_split"), by_name(number)),
    "hypotheses": several(_hypothesis),
    "warnings": several(text),
    "graph": _net,
}
_NODE: dict[str, Reader[Any]] = {
    **dict.fromkeys(("name", "operation", "kind", "theorem"), text),
    "hypotheses": several(text),
    "parameters": mapping,
    "inputs": several(_ref),
    "output": _edge,
}
_NODE_MAY: dict[str, Reader[Any]] = {
    "theorem_inputs": mapping,
    "parts": whole,
    "mechanism": nullable(_priced),
    "level": lambda data, what: one_of(data, what, LEVELS[1:]),
    "claims": several(_claim),
    "plugins": by_name(nullable(_digest)),
}
