"""What plugins assert, seen from outside the checker: attacked before a run, recomputed after it on request.

The checker imports no plugin. Here one is loaded because a user named its folder, and what it says is compared with
what a certificate says, if it is the plugin of the certified digest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dpframe.errors import DpframeError, SpecError
from dpframe.kernel import registry
from dpframe.kernel.graphs import Typed
from dpframe.kernel.operations import Operation
from dpframe.kernel.own.base import find_own, owned
from dpframe.kernel.owned import digest_of
from dpframe.planning.records import RECORDS, has_record, keep_record
from dpframe.proof.checker.reading import Net, Step, read
from dpframe.proof.losses import loss_from_json
from dpframe.proof.spaces import Domain
from dpframe.runtime.gate import Admitted


def vet(admitted: Admitted) -> None:
    """Attack every operation of a plugin's own that a run uses, unless it is on record as having held.

    It is attacked with its own examples and with the parameters of the plan, and its files must be those it was loaded
    from.

    Raises
    ------
    SpecError
        Where one is refuted, or can't be attacked; nothing was read or spent.
    """
    found: dict[tuple[str, str], list[Any]] = {}
    for operation, domains in _own(admitted.graph):
        said, use = operation.parameters(), (operation, domains)
        uses = found.setdefault((said["of"], said["plugin"]), [])
        uses += [use] if use not in uses else []
    for (name, digest), used in found.items():
        if digest_of(find_own(name).folder) != digest:
            raise SpecError(f"the plugin of {name!r} was changed since it was loaded", fix="run again")
        if not has_record(name, digest):
            _attack(name, used)
            keep_record(name, digest)


def _own(graph: Typed) -> Iterator[tuple[Operation, tuple[Domain, ...]]]:
    """Own operations of a graph and its bodies, with their inputs."""
    for node in graph.nodes:
        if "of" in node.operation.parameters():
            yield node.operation, tuple(graph.edges[ref].domain for ref in node.inputs)
        for body in node.bodies.values():
            yield from _own(body)


def _attack(name: str, used: Sequence[Any]) -> None:
    try:
        from dpframe.testing.battery.attack_own import check_own
    except ImportError:
        raise SpecError(
            f"{name!r} is not on record as checked, and the attacks are not installed here",
            fix=f"run `dpframe check {name}` where they are, with {RECORDS} on a folder that both see",
        ) from None
    report = check_own(name, using=used)
    if not report.holds:
        first = report.failures[0]
        raise SpecError(
            f"{name!r} is refuted in {first.layer}: {first.message}",
            fix=f"see `dpframe check {name}`, and mend the plugin",
        )


# ------------------------------------------------------------------------------------- after a run


def recomputed(certificate: Mapping[str, Any], folders: Sequence[str]) -> tuple[list[str], list[str]]:
    """What speaks against the plugins' numbers in a verified certificate, and how each was looked at.

    Returns
    -------
    reasons, notes : list of str
        A number that the plugin of the certified digest does not give is a reason; a plugin not at hand is a note.
    """
    own = [(path, step) for path, step in _steps(read(certificate).net, ()) if "of" in step.parameters]
    reasons: list[str] = []
    notes: list[str] = []
    try:
        registry.import_folders(folders if own else ())
    except DpframeError as error:
        return [f"plugins: {error.message}"], notes
    for path, step in own:
        name, digest = str(step.parameters["of"]), str(step.parameters["plugin"])
        known = owned().get(name) if folders else None
        if known is None or known.digest != digest:
            if step.level == "asserted":
                why = "of another digest is loaded" if known is not None else f"{digest[:16]}... is not at hand"
                notes.append(f"node {path!r}: {name!r} is taken at its word; a plugin {why} (--plugins)")
            continue
        problem = _problem(step)
        if problem:
            reasons.append(f"node {path!r}: {problem}")
        elif step.level == "asserted":
            notes.append(f"node {path!r}: {name!r} recomputed by its plugin's theorem ({known.source})")
    return reasons, notes


def _steps(net: Net, path: tuple[str, ...]) -> Iterator[tuple[str, Step]]:
    for step in net.steps:
        yield "/".join((*path, step.name)), step
        for label, body in step.bodies:
            yield from _steps(body, (*path, step.name, label))


def _problem(step: Step) -> str:
    """What its plugin says otherwise than the certificate; empty where they agree."""
    try:
        operation: Any = registry.build(step.operation, step.parameters)
        for inputs, gives in step.claims or ():
            if operation.claims((), inputs) != gives:
                return "its plugin claims another distance than the certificate"
        priced = step.priced
        for metrics, loss in (*priced.met, priced.worst) if priced is not None else ():
            made = operation.loss(priced.calibration if priced is not None else {}, metrics, None)
            if not _alike(made.to_json(), loss_from_json(loss).to_json()):
                return "its plugin claims another loss than the certificate"
    except DpframeError as error:
        return f"its plugin refuses what the certificate holds: {error.message}"
    return ""


def _alike(a: Any, b: Any) -> bool:
    """Equal JSON values, numbers to a relative 1e-12."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_alike(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(_alike, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return a == b or abs(a - b) <= 1e-12 * max(abs(a), abs(b))
    return bool(a == b)
