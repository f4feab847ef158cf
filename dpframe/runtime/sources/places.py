"""Where the files of a table are: on this machine, or wherever fsspec reaches."""

from __future__ import annotations

import errno
import glob
import gzip
import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

import attrs

from dpframe.errors import DataError

Fingerprint: TypeAlias = tuple[Any, ...]
"""What tells that a file or a folder is another: size and time stamp of a file in nanoseconds, of all files of a folder
with their names, or what a remote store says of an object."""

GONE: Fingerprint = (-1, -1)
WILD = "*?["


@attrs.frozen
class Disk:
    """The machine of this process.

    `is_file`, `is_folder`, `listed` (all that a folder holds), `matching` (all that a pattern matches), `open`, `stamp`
    (what tells that a file is another, ``GONE`` when it cannot be read) and `same` (what two names of one file have in
    common) are what any store offers.
    """

    def is_file(self, path: str) -> bool:
        """Whether there is such a file."""
        return _there(Path(path).is_file)

    def is_folder(self, path: str) -> bool:
        """Whether there is such a folder."""
        return _there(Path(path).is_dir)

    def listed(self, folder: str) -> list[str]:
        """All that a folder holds."""
        return [str(path) for path in Path(folder).iterdir()]

    def matching(self, pattern: str) -> list[str]:
        """All that a pattern matches; ``**`` goes down any number of folders."""
        return glob.glob(pattern, recursive=True)

    def open(self, path: str) -> BinaryIO:
        """A file for reading."""
        return Path(path).open("rb", buffering=0)

    def stamp(self, path: str) -> Fingerprint:
        """Size and time stamp."""
        try:
            status = Path(path).stat()
        except OSError:
            return GONE
        return (status.st_size, status.st_mtime_ns)

    def same(self, path: str) -> Any:
        """Device and number of the file."""
        status = Path(path).stat()
        return status.st_dev, status.st_ino


def _there(ask: Callable[[], bool]) -> bool:
    """What is too long for a path is nowhere."""
    try:
        return ask()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return False
        raise


@attrs.frozen
class Remote:
    """A file system of fsspec. What it raises may be anything."""

    system: Any

    def is_file(self, path: str) -> bool:
        """Whether there is such a file."""
        return bool(self.system.isfile(path))

    def is_folder(self, path: str) -> bool:
        """Whether there is such a folder."""
        return bool(self.system.isdir(path))

    def listed(self, folder: str) -> list[str]:
        """All that a folder holds."""
        self.system.invalidate_cache()
        return [str(path) for path in self.system.ls(folder, detail=False)]

    def matching(self, pattern: str) -> list[str]:
        """All that a pattern matches."""
        self.system.invalidate_cache()
        return [str(path) for path in self.system.glob(pattern)]

    def open(self, path: str) -> BinaryIO:
        """A file for reading."""
        return cast(BinaryIO, self.system.open(path, "rb"))

    def stamp(self, path: str) -> Fingerprint:
        """What the store says of the object."""
        try:
            self.system.invalidate_cache()
            return (str(self.system.ukey(path)),)
        except Exception:  # noqa: BLE001  a store raises what it likes
            return GONE

    def same(self, path: str) -> Any:
        """The name itself."""
        return path


Store: TypeAlias = Disk | Remote
"""Where files are."""


class _Unpacked(gzip.GzipFile):
    """A packed file, closed with what is in it."""

    def __init__(self, packed: BinaryIO) -> None:
        super().__init__(fileobj=packed, mode="rb")
        self._outer = packed

    def close(self) -> None:
        """Close both."""
        super().close()
        self._outer.close()


@attrs.frozen
class Place:
    """One file."""

    path: str
    store: Store = Disk()

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rstrip("/").rpartition("/")[2]

    @property
    def packed(self) -> bool:
        """Whether it is read through gzip."""
        return self.name.lower().endswith(".gz")

    @property
    def local(self) -> str | None:
        """A path that other libraries can open, as it is."""
        return self.path if isinstance(self.store, Disk) and not self.packed else None

    def open(self) -> BinaryIO:
        """The bytes; of a packed file those in it, checked by their sum when they end."""
        file = self.store.open(self.path)
        return cast(BinaryIO, _Unpacked(file)) if self.packed else file

    def stamp(self) -> Fingerprint:
        """What tells that the file is another."""
        return self.store.stamp(self.path)


def place_of(path: Path | Place) -> Place:
    """A place for a path on this machine."""
    return path if isinstance(path, Place) else Place(str(path))


def locate(path: str | os.PathLike[str]) -> tuple[Store, str]:
    """The store that a path names, and the path there.

    Raises
    ------
    DataError
        For a URL without fsspec, of an unknown kind, or one that would keep copies of the table elsewhere.
    """
    text = os.fspath(path)
    if not text or "\0" in text:
        raise DataError(f"{text!r} is no path", fix="give the path of a table")
    if "://" not in text:
        return Disk(), text
    kind = text.partition("://")[0]
    if "::" in text:
        raise DataError(f"{kind!r} chains stores, which may keep copies of the table", fix="give a plain URL")
    found: tuple[Any, str] | None = None
    try:
        core = importlib.import_module("fsspec.core")
        system, inside = core.url_to_fs(text)
        found = system, str(inside)
    except ImportError as error:
        raise DataError(
            f"paths that begin with {kind}:// need {error.name or 'fsspec'}",
            fix=f"pip install {error.name or 'fsspec'}, or copy the file to this machine",
        ) from None
    except Exception:  # noqa: BLE001  a store raises what it likes, with secrets of its own in the text
        found = None
    if found is None:
        raise DataError(f"the store of {kind}:// cannot be used", fix="check the URL, or copy the file to this machine")
    return Remote(found[0]), found[1]
