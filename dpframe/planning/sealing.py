"""Certificates as files: plain JSON, read strictly, written whole, and bound to the files of a run.

Nothing here decides anything: the gate checks a certificate's bytes before a run, :mod:`dpframe.proof.checker` after.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dpframe.proof.families  # noqa: F401  up to which epsilon its theorems are proved
from dpframe.errors import CertificateError
from dpframe.planning.dp_events import to_dp_event
from dpframe.planning.views import view
from dpframe.proof.losses import loss_from_json, tightest_epsilon
from dpframe.proof.spaces.documents import parse_json, read_bytes
from dpframe.proof.theorems.base import THEOREMS
from dpframe.shown import cut, items, safe, total

STATUSES = ("released", "failed")


class Certificate(dict[str, Any]):
    """The JSON object, with a way to write it down."""

    def __repr__(self) -> str:
        """What it claims, in one line; nothing here is checked. ``dict(certificate)`` shows all of it."""
        ended = "simulated" if self.get("simulated") else cut(self.get("status"))
        return f"<Certificate, {ended}: {total(self.get('total'))}; for verify() to check>"

    def _repr_html_(self) -> str:
        digests = [f"{key}: {cut(self.get(key), 80)}" for key in ("spec_sha256", "result_sha256")]
        return f"<pre>{safe(repr(self))}</pre>{items(digests)}"

    def epsilon(self, delta: float) -> float:
        """ε at this δ of the loss that it claims, as :meth:`dpframe.planning.plan.Plan.epsilon` of its plan."""
        return view(tightest_epsilon(loss_from_json(self.get("loss")), delta)[0], delta, _cited(self.get("graph")))

    def to_dp_event(self, *, without_delta: bool = False) -> Any:
        """The loss that it claims as an event of dp-accounting; see :func:`dpframe.planning.dp_events.to_dp_event`."""
        return to_dp_event(loss_from_json(self.get("loss")), without_delta=without_delta)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as JSON; floats round-trip exactly."""
        save(self, path)


def _cited(content: Any) -> set[str]:
    """The theorems that any part of a certificate names."""
    if isinstance(content, list):
        return set().union(*map(_cited, content))
    if not isinstance(content, dict):
        return set()
    own = content.get("theorem")
    return set().union(*map(_cited, content.values()), {own} & THEOREMS.keys() if isinstance(own, str) else ())


def sealed(content: bytes, *, spec_sha256: str | None, result_sha256: str | None, status: str) -> Certificate:
    """The certificate that a run was started with, for the files and the status that it ended with.

    Raises
    ------
    CertificateError
        For an unknown status.
    """
    if status not in STATUSES:
        raise CertificateError(f"unknown status {status!r}", fix=f"use one of {', '.join(STATUSES)}")
    ends = {"status": status, "spec_sha256": spec_sha256, "result_sha256": result_sha256}
    return Certificate({**parse_json(content), **ends})


def to_bytes(content: Mapping[str, Any]) -> bytes:
    """The certificate as the bytes of its file."""
    try:
        return (json.dumps(content, indent=1, allow_nan=False, ensure_ascii=False) + "\n").encode()
    except (TypeError, ValueError) as error:
        raise CertificateError(f"a certificate holds JSON values only: {error}") from None


def save(content: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a certificate; an existing file is replaced only by the whole new one."""
    place = Path(path)
    partial = place.with_name(place.name + ".part")
    partial.write_bytes(to_bytes(content))
    partial.replace(place)


def load(path: str | os.PathLike[str]) -> Certificate:
    """Read a certificate strictly; what it claims is for :func:`dpframe.proof.checker.verify` to check.

    Raises
    ------
    CertificateError
        When the file can't be read or is no strict JSON object of bounded size and nesting.
    """
    content = parse_json(read_bytes(path))
    if not isinstance(content, dict):
        raise CertificateError("a certificate is a JSON object")
    return Certificate(content)
