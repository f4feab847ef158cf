"""Writing files so that a crash at any moment leaves each of them whole or absent."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import Any


def save(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: a hidden part, on disk, then renamed."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            _write(file, content)
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def claim(path: Path, content: bytes) -> None:
    """Write a file whole, and only where there is none: of two runs into one folder one gets it.

    A hard link is both; a file system without them gets the file in two steps. No other writer has the same part, in
    whatever thread or machine that shares the folder: once it is linked, it is the file.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        with part.open("xb") as file:
            _write(file, content)
        try:
            os.link(part, path)
        except FileExistsError:
            raise
        except OSError:
            _claim_in_place(path, content)
    finally:
        part.unlink(missing_ok=True)


def _claim_in_place(path: Path, content: bytes) -> None:
    """Write a file as :func:`claim` does, on a file system without links; a half-written file is removed."""
    with path.open("xb") as file:
        try:
            _write(file, content)
        except OSError:
            path.unlink()
            raise


def _write(file: Any, content: bytes) -> None:
    file.write(content)
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make a rename survive a crash; not every file system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
