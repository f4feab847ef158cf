"""What plugins assert, seen from outside the checker: attacked before a run, recomputed after it on request.

The checker imports no plugin. Here one is loaded because a user named its folder, and what it says is compared with
what a certificate says, if it is the plugin of the certified digest.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from dpframe.cli.trying import try_out
from dpframe.errors import DpframeError, SpecError
from dpframe.front.constants import refused_constants
from dpframe.front.constants import steps as steps_of
from dpframe.kernel import registry
from dpframe.kernel.graphs import KINDS, Typed, named
from dpframe.kernel.operations import Operation
from dpframe.kernel.origins import SHIPPED, Origin, changed
from dpframe.kernel.own.base import find_own, owned
from dpframe.kernel.owned import Own
from dpframe.planning.records import RECORDS, has_record, keep_record
from dpframe.proof.checker.reading import Step, read
from dpframe.proof.losses import loss_from_json
from dpframe.proof.spaces import Domain
from dpframe.runtime.gate import Admitted

MOST_SHOWN = 200
"""Characters of a counterexample's parameters and inputs in a refusal."""
OTHER = "whose folder holds other files, of another digest,"


def vet(admitted: Admitted) -> None:
    """Attack every plugin operation that a run rests on, unless it is on record as having held.

    An operation is attacked with its own examples and with the parameters of the plan, and is on record with these: a
    claim may hold for one number and not for another. A semimetric, a mask, a family, a learner or a row function is as
    ``dpframe check`` does. Files must be those that were loaded. What ships with dpframe is attacked by its tests. On
    record or not, functions of rows are tried with the parameters of the plan.

    Raises
    ------
    SpecError
        Where one is refuted, can't be attacked, or answers no row; nothing was read or spent.
    """
    try_out(admitted.graph)
    found: dict[tuple[str, str], list[Any]] = {}
    for operation, domains in _own(admitted.graph):
        said, use = operation.parameters(), (operation, domains)
        uses = found.setdefault((said["of"], said["plugin"]), [])
        uses += [use] if use not in uses else []
    for (name, digest), used in found.items():
        known = find_own(name)
        _check_files(name, known.origin)
        told = [(_recorded(known, use[0]), use) for use in used]
        if new := [use for record, use in told if not has_record(record, digest)]:
            _attack(name, functools.partial(_check_own, name, new))
            for record in (name, *(record for record, _ in told)):
                keep_record(record, digest)
    for (kind, name), origin in _named(admitted.graph).items():
        _check_files(name, origin)
        if not shipped(kind, name) and not has_record(f"{kind} {name}", origin.digest):
            _attack(name, functools.partial(_check_registered, kind, name))


def _recorded(known: Own, operation: Any) -> str:
    """Under what it is on record: its name, and its parameters where they are not those of its examples."""
    told = dict(operation.keywords)
    with contextlib.suppress(DpframeError):  # examples need not say all parameters
        extra = {"share": 1.0} if known.kind == "mechanism" else {}
        if told == dict(cast(Any, registry.build(known.name, {**known.examples, **extra})).keywords):
            return known.name
    return f"{known.name} {hashlib.sha256(json.dumps(told, sort_keys=True, default=repr).encode()).hexdigest()[:16]}"


def _check_files(name: str, origin: Origin) -> None:
    if changed(origin):
        raise SpecError(f"the plugin of {name!r} was changed since it was loaded", fix="run again")


def shipped(kind: str, name: str) -> bool:
    """Whether an operation comes with dpframe."""
    return registry.registered(kind, name).__module__.partition(".")[0] in SHIPPED


def _named(graph: Typed) -> dict[tuple[str, str], Origin]:
    """What the nodes of a graph and its bodies name of plugins, with where it comes from."""
    found: dict[tuple[str, str], Origin] = {}
    for _, node in graph.walk():
        for key, (kind, origin) in named(node.operation).items():
            found[kind, str(getattr(node.operation, key))] = origin
    return found


def _own(graph: Typed) -> Iterator[tuple[Operation, tuple[Domain, ...]]]:
    """Own operations of a graph and its bodies, with their inputs."""
    for node in graph.nodes:
        if "of" in node.operation.parameters():
            yield node.operation, tuple(graph.edges[ref].domain for ref in node.inputs)
        for body in node.bodies.values():
            yield from _own(body)


def _check_own(name: str, used: Sequence[Any]) -> Any:
    from dpframe.testing.battery.attack_own import check_own

    return check_own(name, using=used)


def _check_registered(kind: str, name: str) -> Any:
    from dpframe.testing.battery.attacks import check_registered

    return check_registered(kind, name)


def _attack(name: str, attack: Callable[[], Any]) -> None:
    sys.stderr.write(f"dpframe: checking {name!r} as `dpframe check` does, once for these files and parameters\n")
    try:
        report = attack()
    except ImportError:
        raise SpecError(
            f"{name!r} is not on record as checked, and the attacks are not installed here",
            fix=f"run `dpframe check {name}` where they are, with {RECORDS} on a folder that both see",
        ) from None
    if not report.holds:
        first = report.failures[0]
        raise SpecError(
            f"{name!r} is refuted in {first.layer}{_with(first.counterexample)}: {first.message}",
            fix=f"see `dpframe check {name}`, and mend the plugin",
        )


def _with(counterexample: Mapping[str, Any]) -> str:
    """The parameters that a counterexample was found with: those that were varied, or all, and the inputs."""
    if varied := counterexample.get("varied"):
        return f", with {varied} (a claim must hold for all parameters that it takes)"
    case = str(counterexample.get("case", ""))
    return f", as {case if len(case) <= MOST_SHOWN else case[:MOST_SHOWN] + '...'}" if case else ""


# ------------------------------------------------------------------------------------- after a run


def recomputed(certificate: Mapping[str, Any], folders: Sequence[str]) -> tuple[list[str], list[str]]:
    """What speaks against the plugins' numbers in a verified certificate, and how each was looked at.

    Returns
    -------
    reasons, notes : list of str
        A number that the plugin of the certified digest does not give is a reason, and so is a public constant of the
        kernel's that no run would take; a plugin not at hand is a note.
    """
    steps = list(steps_of(read(certificate).net))
    own = [(path, step) for path, step, _ in steps if "of" in step.parameters]
    naming = [(path, step, domains) for path, step, domains in steps if step.plugins]
    reasons = refused_constants(certificate)
    reasons += [f"plugins: there is no folder {folder!r}" for folder in folders if not os.path.isdir(folder)]
    notes: list[str] = []
    try:
        registry.import_folders(folders if own or naming else ())
        loaded = owned() if folders and own else {}  # reads what is installed, too: one that is there twice is refused
    except DpframeError as error:
        return [f"plugins: {error.message}"], notes
    for path, step in own:
        name, digest = str(step.parameters["of"]), str(step.parameters["plugin"])
        known = loaded.get(name)
        if known is None or known.digest != digest:
            if step.level == "asserted":
                why = f"{OTHER} is loaded" if known is not None else f"{digest[:16]}... is not at hand"
                notes.append(f"node {path!r}: {name!r} is taken at its word; a plugin {why} (--plugins)")
            continue
        problem = _problem(step)
        if problem:
            reasons.append(f"node {path!r}: {problem}")
        elif step.level == "asserted":
            notes.append(f"node {path!r}: {name!r} recomputed by its plugin's theorem ({known.source})")
    for path, step, domains in naming:
        far = [f"{step.parameters[key]!r}, {why}" for key, why in _others(step, folders)]
        asserted = step.level == "asserted"
        if far:
            notes += [f"node {path!r}: taken at its word: {'; '.join(far)} (--plugins)"] if asserted else []
            continue
        problem = _problem(step, domains)
        if problem:
            reasons.append(f"node {path!r}: {problem}")
        elif asserted:
            said = " and ".join(repr(step.parameters[key]) for key in step.plugins)
            notes.append(f"node {path!r}: recomputed by what its plugin says of {said}")
    return reasons, notes


def _others(step: Step, folders: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The parameters whose plugin, of the certified digest, is not at hand, and why."""
    for key, digest in step.plugins.items():
        if not folders:
            yield key, f"of the plugin {str(digest)[:16]}..."
            continue
        try:
            origin = registry.origin(KINDS.get(key, key), str(step.parameters[key]))
        except DpframeError:
            yield key, f"of the plugin {str(digest)[:16]}..., which is not at hand"
            continue
        if (origin.digest or None) != digest:
            yield key, f"of the plugin {str(digest)[:16]}..., and one {OTHER} is loaded"


def _problem(step: Step, domains: Sequence[Domain] = ()) -> str:
    """Where a plugin and the certificate disagree, in words; empty where they agree."""
    try:
        operation: Any = registry.build(step.operation, step.parameters)
        if step.plugins:
            operation.admit(*domains)
            if step.priced is not None:
                operation.confirm(step.priced.calibration)
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
