"""Whether a ledger holds together: its total within the budget, every entry as its own run's certificate says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dpframe.errors import DpframeError
from dpframe.front.ledger.state import Entry, State
from dpframe.front.ledger.store import Ledger
from dpframe.proof.checker import verify
from dpframe.proof.losses import Loss, loss_from_json
from dpframe.proof.spaces import adjacency_from_json
from dpframe.proof.spaces.documents import parse_json, read_bytes

LIMIT = 16 * 2**20
ROUNDED = 1e-9
"""Relative agreement asked of a certificate's loss, as the checker asks it."""


def check_ledger(ledger: Ledger) -> tuple[list[str], int]:
    """What speaks against a ledger, and for how many entries a certificate was found.

    Raises
    ------
    LedgerError
        When it can't be read.
    """
    state = ledger.read()
    reasons = [] if state.filter.fits(state.charges) else ["the charges of all entries are above the limits"]
    found = 0
    for entry in state.entries:
        proof = _proof(entry)
        found += proof is not None
        reasons += [f"entry {entry.id}: {why}" for why in (*_charged(entry, state), *_certified(entry, proof, state))]
    return reasons, found


def _charged(entry: Entry, state: State) -> Iterator[str]:
    try:
        if wrong := state.strange(entry.events):
            yield f"its events are proved under {wrong} of rows alone"
        if len(state.entries) == 1 and entry.charge == state.filter.whole(entry.loss):
            return
        charge = state.filter.charge(entry.events, at=float(entry.loss.get("delta", 0.0)))
    except (DpframeError, ValueError, TypeError, AttributeError):
        yield "its events can't be read, or have no bound in the ledger's view"
        return
    if charge.amount > entry.charge.amount * (1 + ROUNDED) or charge.delta > entry.charge.delta * (1 + ROUNDED):
        yield f"its events cost {charge}, and {entry.charge} is booked"


def _proof(entry: Entry) -> Path | None:
    """The certificate of the entry's own run, where it can be found: the attempt beside it holds the entry's key."""
    if entry.out is None:
        return None
    folder = Path(entry.out)
    attempt = _read(folder / "attempt.json")
    own = isinstance(attempt, dict) and attempt.get("ledger_entry") == entry.key
    return folder / "certificate.json" if own and (folder / "certificate.json").exists() else None


def _certified(entry: Entry, proof: Path | None, state: State) -> Iterator[str]:
    if proof is None or entry.simulated:
        return
    result = proof.parent / "result.json"
    cut_short = entry.status == "reserved" and not result.exists()  # killed between the two files
    verdict = verify(proof, spec=proof.parent / "spec.toml", result=None if cut_short else result)
    yield from verdict.reasons
    content = _read(proof)
    if not verdict.verified or not isinstance(content, dict):
        return
    if state.adjacency is None or not state.adjacency.covers(adjacency_from_json(content["adjacency"])):
        yield "its certificate is for another adjacency"
    if entry.status not in ("reserved", content["status"]):
        yield f"it is {entry.status}, and its certificate says {content['status']}"
    if not _alike(loss_from_json(content["loss"]), entry.events):
        yield "its certificate proves another loss than was booked"


def _alike(a: Loss, b: Loss) -> bool:
    from dpframe.proof.checker.comparing import close

    return close(a, b, ROUNDED)


def _read(path: Path) -> Any:
    try:
        return parse_json(read_bytes(path, limit=LIMIT))
    except (DpframeError, OSError, ValueError, json.JSONDecodeError):
        return None
