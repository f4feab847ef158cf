"""What ``dpframe verify`` does: nothing that it reads is trusted, and nobody who may write to it meanwhile."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dpframe.cli.commands import NOT_VERIFIED, OK
from dpframe.cli.saying import answer, complaint
from dpframe.cli.vetting import recomputed
from dpframe.errors import CertificateError, DpframeError, SpecError
from dpframe.front.advisories import Advisory, advisories
from dpframe.front.signing import public_key
from dpframe.kernel import registry
from dpframe.planning.explain import counted
from dpframe.proof.certificates import digest
from dpframe.proof.checker import Verdict
from dpframe.proof.checker import verify as recompute
from dpframe.proof.spaces.documents import parse_json, read_bytes
from dpframe.shown import harmless, total


def verify(arguments: Namespace) -> int:
    """Recompute a certificate's proof and its files' digests."""
    if arguments.replan and arguments.spec is None:
        raise SpecError("--replan plans the run's spec again", fix="give it with --spec")
    proof, verdict = _read(arguments)
    reasons, notes, key = list(verdict.reasons), list[str](), None
    if os.path.isfile(inside := os.path.join(arguments.certificate, "certificate.json")):  # False for any odd name
        reasons.append(f"it is the folder of a run: give {inside}")
    content = _content(proof)
    if content is not None and "graph" not in content:
        words = "it is no certificate, which a run writes as certificate.json"
        other = "outputs" in content or "started" in content  # their schemas are not a certificate's
        reasons = [words] if other else [words, *reasons]
    known = _advisories(content)
    try:
        key = None if arguments.key is None else public_key(arguments.key)
        if key is not None and (wrong := key.problem(arguments.certificate, proof)):
            reasons.append(wrong)
    except SpecError as error:
        reasons.append(f"--key: {error}")
    if verdict.verified:
        more, notes = recomputed(content or {}, arguments.plugins or ())
        reasons += more
    if arguments.strict and verdict.assertions:
        reasons.append(f"--strict: it holds given {counted(verdict.assertions)} only")
    if arguments.replan and verdict.verified:
        reasons += _replanned(content or {}, Path(arguments.spec), arguments.plugins or ())
    if arguments.json:
        found = {
            "verified": not reasons,
            "reasons": reasons,
            "status": content["status"] if content and not reasons else None,
            "loss": content["total"] if content and not reasons else None,
            "hypotheses": verdict.hypotheses,
            "assertions": verdict.assertions,
            "notes": notes,
            "advisories": [advisory.to_json() for advisory in known],
        }
        answer(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        notes += [f"warning: {advisory.words()}" for advisory in known]
        given = f": holds, given {counted(verdict.assertions)}" if verdict.assertions else ""
        also = ", and the spec plans to the same proof" if arguments.replan else ""
        signed = ", signed by this key" if key is not None else ""
        answer("not verified" if reasons else f"verified{also}{signed}{given}")
        if content and not reasons:
            answer(f"  {content['status']}: {total(content['total'])}")
        for line in (*reasons, *(f"if {hypothesis}" for hypothesis in verdict.hypotheses), *notes):
            answer(f"  {harmless(line, lines=False)}")
    return NOT_VERIFIED if reasons else OK


def _read(arguments: Namespace) -> tuple[bytes | None, Verdict]:
    """The bytes of the certificate and the verdict on them: what is said later is said of the same bytes."""
    spec, result = (None if path is None else Path(path) for path in (arguments.spec, arguments.result))
    try:
        proof = read_bytes(arguments.certificate)
    except CertificateError as error:
        there = "" if os.path.exists(arguments.certificate) else ": give the certificate.json that a run wrote"
        return None, Verdict(False, (f"certificate: {error.message}{there}",))
    return proof, recompute(proof, spec=spec, result=result)


def _content(proof: bytes | None) -> Mapping[str, Any] | None:
    """What a certificate holds; None where it can't be read."""
    try:
        content = None if proof is None else parse_json(proof)
    except DpframeError:
        return None
    return content if isinstance(content, dict) else None


def _advisories(content: Mapping[str, Any] | None) -> tuple[Advisory, ...]:
    """Everything published about the version that a certificate says it is from."""
    version = None if content is None else content.get("dpframe_version")
    return advisories(version) if isinstance(version, str) else ()


def _replanned(content: Mapping[str, Any], spec: Path, plugins: Sequence[str]) -> list[str]:
    """Why a certificate is not that of the spec, whose graph is planned again and compared; empty where it is."""
    from dpframe.front.specs import parse_spec
    from dpframe.planning.certificate import describes

    registry.import_folders(plugins)
    try:
        text = read_bytes(spec)
        if digest(text) != content["spec_sha256"]:
            return ["the spec was changed since it was compared"]
        planned = parse_spec(text.decode(errors="replace"), str(spec)).plan(allow_asserted=True)
    except DpframeError as error:
        return [f"the spec can't be planned again: {complaint(error)}"]
    return [] if describes(content, planned) else ["the spec plans to another graph or other numbers"]
