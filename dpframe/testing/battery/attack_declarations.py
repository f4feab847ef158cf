"""Attacks on what an operation says of itself: registration, docstring, shapes, and how it is written and read."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from typing import Any

import attrs

from dpframe.errors import DpframeError, PlanError
from dpframe.kernel.graphs import BASES, check_operation
from dpframe.kernel.operations import Operation
from dpframe.kernel.post_processing import Post
from dpframe.kernel.registry import build, operations
from dpframe.proof.spaces import Domain, Kind
from dpframe.proof.theorems import DECLARATIONS, THEOREMS, citing
from dpframe.testing.battery.case import Case, private_domains, released_domains
from dpframe.testing.battery.lab import Crash, Lab, call

OWN_FIELDS = ("share", "noise_multiplier")
KERNEL_ONLY = ("control", "blocks", "operation")
DECLARED = ("output", "theorem_inputs", "parts", "declaration", "cited")
"""Methods that speak for the declaration: an operation on private values leaves them alone."""


def attack_registration(lab: Lab, cls: type[Operation], case: Case | None) -> None:
    """Name, kind, base class, theorem."""
    lab.ran("registration")
    name = cls.name or cls.__name__
    if operations().get(cls.name) is not cls:
        lab.fail("registration", f"{name!r} is not registered; decorate it with @dpframe.register(name)")
    bases = [k for k, base in BASES.items() if issubclass(cls, base)]
    if bases != [cls.kind] and cls.kind not in KERNEL_ONLY:
        lab.fail("registration", f"{name!r} calls itself a {cls.kind}, its base class says {bases}")
    if not issubclass(cls, Post):
        _attack_declaration(lab, cls)
    if not attrs.has(cls) or getattr(cls, "__setattr__", None) is object.__setattr__:
        lab.fail("registration", f"{name!r} is no frozen value; decorate it with @attrs.frozen")
    if case is not None and case.operation.kind not in KERNEL_ONLY:
        try:
            check_operation(case.operation, ())
        except DpframeError as error:
            lab.fail("registration", str(error))


def _attack_declaration(lab: Lab, cls: type[Operation]) -> None:
    """What touches private values is declared beside its theorem, and says nothing else of itself."""
    name, declared = cls.name or cls.__name__, DECLARATIONS.get(cls.name)
    if cls.theorem not in THEOREMS:
        lab.fail("registration", f"{name!r} cites the theorem {cls.theorem!r}, which does not exist")
    elif declared is None or declared.theorem != cls.theorem:
        lab.fail(
            "registration",
            f"{name!r} may not cite the theorem {cls.theorem!r}: only kernel operations touch private values; "
            "build it from them, or make it a post",
            may_cite=list(citing(cls.theorem)),
        )
    above = cls.__mro__[: cls.__mro__.index(_base(cls))]
    own = [method for method in DECLARED if any(method in vars(c) for c in above)]
    if own:
        lab.fail("registration", f"{name!r} defines {', '.join(own)}, which its declaration decides")


def _base(cls: type[Operation]) -> type[Operation]:
    return next(base for base in cls.__mro__ if base in BASES.values() or base is Operation)


def attack_docstring(lab: Lab, cls: type[Operation]) -> None:
    """A summary line, every parameter, the guarantee."""
    lab.ran("docstring")
    own = cls.__dict__.get("__doc__") or ""
    text = inspect.cleandoc(own)
    if not text.splitlines() or not text.splitlines()[0].strip() or own.startswith(f"{cls.__name__}("):
        lab.fail("docstring", "no summary: the first line says what it does")
        return
    if issubclass(cls, Post):
        return
    alike = cls.__mro__[: cls.__mro__.index(_base(cls))]
    text = "\n".join(inspect.cleandoc(c.__dict__.get("__doc__") or "") for c in alike)
    if "Formal guarantees" not in text:
        lab.fail("docstring", "no section 'Formal guarantees': adjacency or stability, sensitivity, loss, theorem")
    elif cls.theorem not in text and cls.kind not in KERNEL_ONLY:
        lab.fail("docstring", f"'Formal guarantees' does not name the theorem {cls.theorem!r}")


# ---------------------------------------------------------------------------------------------- shapes


def attack_shapes(lab: Lab, case: Case) -> None:
    """Other domains must be refused by a PlanError with a fix; what a post takes, it must be able to use."""
    lab.ran("shapes")
    operation = case.operation
    for words, domains in _wrong(case):
        try:
            operation.output(*domains)
        except PlanError as error:
            if not error.fix:
                lab.fail("shapes", f"the refusal names no fix: {error}", case=case.text, given=words)
        except DpframeError as error:
            lab.fail("shapes", f"refused by {type(error).__name__}, not PlanError: {error}", given=words)
        except Exception as error:  # noqa: BLE001  an operation may only raise errors of ours
            shown = f"{type(error).__name__}: {error}"
            lab.fail("shapes", f"output raised {shown}", case=case.text, given=words)


def _wrong(case: Case) -> Iterator[tuple[str, list[Domain]]]:
    """Each input in turn of every other kind, and with another number of columns."""
    for i, (slot, domain) in enumerate(zip(case.slots, case.domains, strict=True)):
        kind = private_domains if Kind.PRIVATE in slot.kinds else released_domains
        others = [other for d in (2, 7) for other in kind(d) if other != domain]
        for other in others:
            domains = [*case.domains[:i], other, *case.domains[i + 1 :]]
            yield f"{slot.name} = {other}", domains


def attack_theorem_inputs(lab: Lab, case: Case) -> None:
    """What the theorem is told holds the parameters, so that a certificate that gives them can be recomputed."""
    operation = case.operation
    if isinstance(operation, Post):
        return
    told, parameters = operation.theorem_inputs(*case.domains), operation.parameters()
    if any(told.get(k) != v for k, v in parameters.items()):
        lab.fail("registration", "the theorem is told other parameters than declared", told=told, declared=parameters)


# ------------------------------------------------------------------------------------------ round trips


def attack_roundtrip(lab: Lab, case: Case) -> None:
    """Parameters through JSON and back; then a plan through TOML, and its certificate through JSON."""
    lab.ran("roundtrip")
    operation = case.operation
    try:
        text = json.dumps(operation.parameters(), allow_nan=False)
        again = build(operation.name, {k: v for k, v in json.loads(text).items() if v is not None})
    except (DpframeError, TypeError, ValueError) as error:
        lab.fail("roundtrip", f"parameters can't be written and read: {error}", parameters=operation.parameters())
        return
    if again != operation or hash(again) != hash(operation):
        lab.fail("roundtrip", "another operation is read back", written=text, read=again.parameters())
        return
    from dpframe.testing.battery.planned import plan_of

    try:
        plan = plan_of(case)
    except DpframeError as error:
        lab.fail("roundtrip", f"a plan that uses it is refused: {error}", case=case.text)
        return
    if plan is None:
        lab.note("no small plan uses it, so its certificate was not made")
        return
    _written(lab, case, plan)


def _written(lab: Lab, case: Case, plan: Any) -> None:
    from dpframe.front.specs import dump, parse_spec
    from dpframe.planning.certificate import certificate
    from dpframe.planning.sealing import to_bytes
    from dpframe.proof.checker import verify

    try:
        text = call(lambda: dump(plan, name="case"))
        again = call(lambda: parse_spec(text).plan(allow_asserted=True))
        if dump(again, name="case") != text or again.spent != plan.spent:
            lab.fail("roundtrip", "its spec is read as another plan", case=case.text, spec=text)
        proof = call(
            lambda: certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
        )
        verdict = verify(to_bytes(proof))
    except Crash as error:
        lab.fail("roundtrip", f"a plan that uses it can't be written and read: {error}", case=case.text)
        return
    if not verdict.verified and plan.warnings:
        lab.note(f"its certificate is not verified: {'; '.join(verdict.reasons)}; {'; '.join(plan.warnings)}")
    elif not verdict.verified:
        lab.fail("roundtrip", f"its certificate is not verified: {'; '.join(verdict.reasons)}", case=case.text)
