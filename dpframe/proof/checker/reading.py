"""From parsed JSON to typed values: every key known, every value of its type, nothing interpreted yet."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import attrs

from dpframe.errors import CertificateError, DpframeError
from dpframe.proof.certificates import SCHEMA_VERSION
from dpframe.proof.spaces import Domain, Kind, Metric, domain_from_json, metric_from_json
from dpframe.proof.theorems.base import LEVELS, PROVED
from dpframe.proof.typed import Edge, Input, Ref

T = TypeVar("T")
MAX_BODIES = 12
MOST_LISTED_NOISE = 1024
"""Numbers in one noise parameter that is a list: a Rényi curve is one."""
KINDS = tuple(kind.value for kind in Kind)
DIGEST = re.compile(r"[0-9a-f]{64}")


@attrs.frozen(eq=False)
class Priced:
    """What is said of a mechanism: noise parameters, and its loss under each metric; all as read."""

    calibration: Mapping[str, Any]
    met: tuple[tuple[tuple[Metric, ...], Any], ...]
    worst: tuple[tuple[Metric, ...], Any]


Claim = tuple[tuple[tuple[Metric, ...], ...], tuple[Metric, ...]]
"""Metrics of the private inputs, and what a plugin says of the output there."""


@attrs.frozen(eq=False)
class Step:
    """A node."""

    name: str
    operation: str
    kind: str
    theorem: str
    hypotheses: tuple[str, ...]
    parameters: Mapping[str, Any]
    theorem_inputs: Mapping[str, Any] | None
    inputs: tuple[Ref, ...]
    output: Edge
    parts: int | None
    priced: Priced | None
    bodies: tuple[tuple[str, Net], ...]
    level: str = PROVED
    claims: tuple[Claim, ...] | None = None
    plugins: Mapping[str, str | None] = attrs.Factory(dict)


@attrs.frozen(eq=False)
class Net:
    """A graph."""

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
TOP = (
    "schema_version dpframe_version statement signed status simulated spec_sha256 result_sha256 adjacency budget "
    "total accountants delta_split loss hypotheses warnings graph"
).split()


def read(data: Any) -> Document:
    """Read a parsed certificate.

    Raises
    ------
    CertificateError
        Naming the first key that is missing, unknown or of a wrong type.
    """
    _schema(data)
    top = keys(data, "the certificate", TOP)
    for key in ("dpframe_version", "statement"):
        text(top[key], key)
    if top["signed"] is not False:
        raise CertificateError("signed must be false: a signature is beside a certificate, never in it")
    return Document(
        status=one_of(top["status"], "status", ("released", "failed")),
        simulated=flag(top["simulated"], "simulated"),
        digests={name: _digest(top[name], name) for name in ("spec_sha256", "result_sha256")},
        adjacency=top["adjacency"],
        budget=top["budget"],
        total=mapping(top["total"], "total"),
        accountants=_numbers(top["accountants"], "accountants"),
        delta_split=_numbers(top["delta_split"], "delta_split"),
        loss=top["loss"],
        hypotheses=tuple(_hypothesis(item) for item in listed(top["hypotheses"], "hypotheses")),
        warnings=tuple(text(item, "a warning") for item in listed(top["warnings"], "warnings")),
        net=_net(top["graph"], "the graph", 0),
    )


def _schema(data: Any) -> None:
    """Refuse another schema by name, before its keys are found to be others."""
    version = data.get("schema_version", SCHEMA_VERSION) if isinstance(data, Mapping) else SCHEMA_VERSION
    if type(version) is int and version in OLDER:
        raise CertificateError(
            f"schema_version {version} is that of {OLDER[version]}; this version verifies schema {SCHEMA_VERSION} only"
        )
    if type(version) is not int or version != SCHEMA_VERSION:
        raise CertificateError(f"schema_version {_short(version)} is unknown; this version verifies {SCHEMA_VERSION}")


# --------------------------------------------------------------------------------------- the graph


def _net(data: Any, where: str, depth: int) -> Net:
    if depth > MAX_BODIES:
        raise CertificateError(f"bodies are nested more than {MAX_BODIES} deep")
    fields = keys(data, where, ("inputs", "nodes", "outputs"))
    outputs = []
    for item in listed(fields["outputs"], f"outputs of {where}"):
        pair = listed(item, f"an output of {where}")
        if len(pair) != 2:
            raise CertificateError(f"an output of {where} is no [name, reference] pair")
        outputs.append((text(pair[0], "an output's name"), _ref(pair[1])))
    return Net(
        tuple(_input(item, where) for item in listed(fields["inputs"], f"inputs of {where}")),
        tuple(_step(item, depth) for item in listed(fields["nodes"], f"nodes of {where}")),
        tuple(outputs),
    )


def _input(data: Any, where: str) -> Input:
    fields = keys(data, f"an input of {where}", ("name", "kind", "domain", "n"))
    name = text(fields["name"], "an input's name")
    n = None if fields["n"] is None else whole(fields["n"], f"n of input {name!r}")
    kind = Kind(one_of(fields["kind"], f"kind of input {name!r}", KINDS))
    return Input(name, kind, _domain(fields["domain"]), n)


def _step(data: Any, depth: int) -> Step:
    name = text(data.get("name") if isinstance(data, dict) else None, "a node's name")
    may = ("theorem_inputs", "parts", "mechanism", "bodies", "level", "claims", "plugins")
    optional = [key for key in may if key in data]
    required = "name operation kind theorem hypotheses parameters inputs output".split()
    where = f"node {name!r}"
    fields = keys(data, where, (*required, *optional))
    words = {key: text(fields[key], f"{key} of {where}") for key in ("operation", "kind", "theorem")}
    bodies = mapping(fields.get("bodies", {}), f"bodies of {where}")
    priced = fields.get("mechanism")
    return Step(
        name=name,
        **words,
        hypotheses=tuple(text(h, f"a hypothesis of {where}") for h in listed(fields["hypotheses"], "hypotheses")),
        parameters=mapping(fields["parameters"], f"parameters of {where}"),
        theorem_inputs=mapping(fields["theorem_inputs"], f"theorem inputs of {where}")
        if "theorem_inputs" in fields
        else None,
        inputs=tuple(_ref(item) for item in listed(fields["inputs"], f"inputs of {where}")),
        output=_edge(fields["output"], where),
        parts=whole(fields["parts"], f"parts of {where}") if "parts" in fields else None,
        priced=None if priced is None else _priced(priced, where),
        bodies=tuple((label, _net(body, f"body {label!r} of {where}", depth + 1)) for label, body in bodies.items()),
        level=one_of(fields["level"], f"level of {where}", LEVELS[1:]) if "level" in fields else PROVED,
        claims=_claims(fields["claims"], where) if "claims" in fields else None,
        plugins={
            key: _digest(value, f"{key!r} of the plugins of {where}")
            for key, value in mapping(fields.get("plugins", {}), f"plugins of {where}").items()
        },
    )


def _claims(data: Any, where: str) -> tuple[Claim, ...]:
    what = f"claims of {where}"
    read = [keys(item, what, ("inputs", "gives")) for item in listed(data, what)]
    return tuple(
        (
            tuple(tuple(_metric(m) for m in listed(at, what)) for at in listed(item["inputs"], what)),
            tuple(_metric(m) for m in listed(item["gives"], what)),
        )
        for item in read
    )


def _edge(data: Any, where: str) -> Edge:
    fields = keys(data, f"output of {where}", ("kind", "domain", "lineage", "given"))
    lineage = []
    for item in listed(fields["lineage"], f"lineage of {where}"):
        pair = listed(item, f"lineage of {where}")
        if len(pair) != 2:
            raise CertificateError(f"lineage of {where} is no list of [node, part] pairs")
        lineage.append((text(pair[0], "a lineage"), whole(pair[1], "a lineage")))
    given = None if fields["given"] is None else text(fields["given"], f"given of {where}")
    kind = Kind(one_of(fields["kind"], f"kind of the output of {where}", KINDS))
    return Edge(kind, _domain(fields["domain"]), tuple(lineage), given)


def _ref(data: Any) -> Ref:
    items = listed(data, "a reference")
    if len(items) not in (1, 2):
        raise CertificateError("a reference must be [node] or [node, part]")
    return Ref(text(items[0], "a reference"), whole(items[1], "a part") if len(items) == 2 else None)


def _priced(data: Any, where: str) -> Priced:
    fields = keys(data, f"mechanism of {where}", ("calibration", "met", "worst"))
    return Priced(
        _noise(fields["calibration"], f"calibration of {where}"),
        tuple(_loss_at(item, where) for item in listed(fields["met"], f"metrics met by {where}")),
        _loss_at(fields["worst"], where),
    )


def _loss_at(data: Any, where: str) -> tuple[tuple[Metric, ...], Any]:
    fields = keys(data, f"a loss of {where}", ("metrics", "loss"))
    return tuple(_metric(m) for m in listed(fields["metrics"], f"metrics of {where}")), fields["loss"]


def _domain(data: Any) -> Domain:
    return built("a domain", lambda: domain_from_json(_typed(data, "a domain")))


def _metric(data: Any) -> Metric:
    fields = {k: float("inf") if v == "inf" else v for k, v in _typed(data, "a metric").items()}
    if fields["type"] == "edits":
        fields.setdefault("indexed", True)
    return built("a metric", lambda: metric_from_json(fields))


def _typed(data: Any, what: str) -> dict[str, Any]:
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise CertificateError(f"{what} must be an object with a type")
    return data


def _hypothesis(data: Any) -> tuple[str, str, str]:
    fields = keys(data, "a hypothesis", ("node", "theorem", "hypothesis"))
    return (
        text(fields["node"], "a hypothesis"),
        text(fields["theorem"], "a hypothesis"),
        text(fields["hypothesis"], "a hypothesis"),
    )


# ------------------------------------------------------------------------------------ small readers


def built(what: str, make: Callable[[], T]) -> T:
    """Build a value; whatever its constructor refuses becomes a :class:`CertificateError`."""
    try:
        return make()
    except CertificateError:
        raise
    except (DpframeError, TypeError, ValueError, OverflowError) as error:
        raise CertificateError(f"{what} is malformed: {error}") from None


def _kind(kind: type[T], words: str) -> Callable[[Any, str], T]:
    """A reader of one kind of JSON values, in these words."""

    def read(data: Any, what: str) -> T:
        if not isinstance(data, kind):
            raise CertificateError(f"{what} must be {words}, not {_short(data)}")
        return data

    return read


mapping: Callable[[Any, str], dict[str, Any]] = _kind(dict, "an object")
listed: Callable[[Any, str], list[Any]] = _kind(list, "a list")
text, flag = _kind(str, "a string"), _kind(bool, "true or false")


def keys(data: Any, what: str, names: Any) -> dict[str, Any]:
    """An object with exactly these keys."""
    found = mapping(data, what)
    missing, unknown = [n for n in names if n not in found], [k for k in found if k not in names]
    if missing or unknown:
        raise CertificateError(
            f"{what} {'lacks' if missing else 'has an unknown key'} {_short((missing + unknown)[0])}"
        )
    return found


def whole(data: Any, what: str) -> int:
    """A whole number of at least 0."""
    if isinstance(data, bool) or not isinstance(data, int) or data < 0:
        raise CertificateError(f"{what} must be a whole number >= 0, not {_short(data)}")
    return data


def number(data: Any, what: str) -> float:
    """A number of at least 0."""
    if isinstance(data, bool) or not isinstance(data, (int, float)) or not data >= 0:
        raise CertificateError(f"{what} must be a number >= 0, not {_short(data)}")
    return float(data)


def one_of(data: Any, what: str, allowed: tuple[str, ...]) -> str:
    """One of a few words."""
    if not isinstance(data, str) or data not in allowed:
        raise CertificateError(f"{what} must be one of {', '.join(allowed)}, not {_short(data)}")
    return data


def _numbers(data: Any, what: str) -> dict[str, float]:
    return {key: number(value, f"{key!r} of {what}") for key, value in mapping(data, what).items()}


def _noise(data: Any, what: str) -> dict[str, Any]:
    """Noise parameters: numbers, or short lists of them."""

    def read(value: Any, name: str) -> Any:
        if not isinstance(value, list):
            return number(value, name)
        if not 1 <= len(value) <= MOST_LISTED_NOISE:
            raise CertificateError(f"{name} must be 1 to {MOST_LISTED_NOISE} numbers")
        return tuple(number(x, name) for x in value)

    return {key: read(value, f"{key!r} of {what}") for key, value in mapping(data, what).items()}


def _digest(data: Any, what: str) -> str | None:
    if data is not None and not DIGEST.fullmatch(text(data, what)):
        raise CertificateError(f"{what} must be 64 lower-case hexadecimal digits")
    return None if data is None else str(data)


def _short(data: Any) -> str:
    shown = repr(data) if isinstance(data, (str, int, float, bool, type(None))) else f"a {type(data).__name__}"
    return shown if len(shown) <= 40 else shown[:37] + "..."
