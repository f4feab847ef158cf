"""Records that a plugin of some digest held when it was attacked: a run asks for one, `dpframe check` leaves one."""

from __future__ import annotations

import json
import os
from pathlib import Path

from dpframe.version import VERSION

RECORDS = "DPFRAME_CHECKED"
"""Environment variable: the folder of records that a plugin held when it was attacked."""


def records() -> Path:
    """Where records are kept: the user's cache, unless :data:`RECORDS` names another folder."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get(RECORDS) or Path(cache) / "dpframe" / "checked")


def _record(name: str, digest: str) -> Path:
    return records() / f"{digest}.{name.encode().hex()[:120]}.json"


def keep_record(name: str, digest: str) -> None:
    """Put on record that an operation held; where that can't be written it is attacked again the next time."""
    content = {"operation": name, "plugin": digest, "dpframe_version": VERSION, "holds": True}
    try:
        records().mkdir(parents=True, exist_ok=True)
        part = _record(name, digest).with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(content), encoding="utf-8")
        part.replace(_record(name, digest))
    except OSError:
        return


def has_record(name: str, digest: str) -> bool:
    """Whether an operation of the plugin of this digest is on record as having held."""
    try:
        content = json.loads(_record(name, digest).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and (content.get("operation"), content.get("plugin")) == (name, digest)
