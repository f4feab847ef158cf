"""Folders for files that are kept for a while: what an attack leaves in one, the next does not find."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

_AT_IMPORT: dict[str, frozenset[str]] = {}
"""Folders that files of plugins were imported with, and what lay there then."""


def scratch() -> tempfile.TemporaryDirectory[str]:
    """Removed by the process that made it, since forks end without any cleaning up; never in one that is emptied."""
    home = os.path.dirname(next(iter(_AT_IMPORT))) if _AT_IMPORT else None
    return tempfile.TemporaryDirectory(prefix="dpframe-check-", dir=home, ignore_cleanup_errors=True)


@contextlib.contextmanager
def imported() -> Iterator[Callable[[], None]]:
    """A folder of its own for a file that is imported meanwhile, which keeps its name; to be told when that is done."""
    before = os.environ.get("TMPDIR"), tempfile.tempdir
    with scratch() as folder:
        os.environ["TMPDIR"], tempfile.tempdir = folder, None
        try:
            yield lambda: _AT_IMPORT.update({folder: frozenset(os.listdir(folder))})
        finally:
            _AT_IMPORT.pop(folder, None)
            os.environ.pop("TMPDIR")
            os.environ.update({} if before[0] is None else {"TMPDIR": before[0]})
            tempfile.tempdir = before[1]


def begin(folder: str) -> None:
    """A fork's own folder; those that files were imported with are as they were then."""
    os.environ["TMPDIR"], tempfile.tempdir = folder, None
    for known, there in _AT_IMPORT.items():
        for name in set(os.listdir(known)) - there:
            path = Path(known, name)
            with contextlib.suppress(OSError):
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
