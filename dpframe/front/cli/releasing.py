"""A run into a folder: refused before anything is written, or accounted whatever happens after.

Order of the files: ``attempt.json`` (the loss reserved) and ``spec.toml`` before the first private pass, then the
run, then ``certificate.json``, and the result last, by rename. A process that is killed half-way leaves the first
two and no result: its loss is spent all the same.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import importlib.metadata
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from dpframe.errors import SpecError
from dpframe.front.cli.results import SCHEMA_VERSION, document, spent, to_bytes
from dpframe.front.cli.vetting import vet
from dpframe.front.specs import Spec, tables_of
from dpframe.planning.plan import Plan
from dpframe.proof.certificates import digest, sealed
from dpframe.proof.certificates import to_bytes as certificate_bytes
from dpframe.runtime.gate import Admitted, admit
from dpframe.runtime.run import RunResult, ended, run_plan

FILES = ("attempt.json", "spec.toml", "certificate.json", "result.json", "simulated.json")


@attrs.frozen(eq=False)
class Release:
    """What a run left behind: its result and where its files are."""

    result: RunResult
    folder: Path

    @property
    def result_file(self) -> Path:
        """``result.json``, or ``simulated.json``."""
        return self.folder / result_name(simulated=self.result.simulated)


def result_name(*, simulated: bool) -> str:
    """A simulated result never has a release's name."""
    return "simulated.json" if simulated else "result.json"


def check_folder(folder: Path) -> None:
    """Refuse a folder that holds an earlier attempt, or is none."""
    try:
        usable = folder.is_dir() or not folder.exists()
        held = [name for name in FILES if (folder / name).exists()]
        str(folder).encode()
    except (OSError, ValueError):  # too long a name, no permission, a name that is no text
        usable, held = False, []
    if not usable or "\0" in str(folder):
        raise SpecError(f"{str(folder)!r} can't be used as a folder", fix="give another --out")
    if held:
        raise SpecError(f"{str(folder)!r} holds an earlier attempt ({held[0]})", fix="give another --out")


def release(
    spec: Spec,
    folder: Path,
    data: Any,
    *,
    public: Any = None,
    simulate: int | None = None,
    planned: Plan | None = None,
    debug: bool = False,
) -> Release:
    """Run a spec on tables and write the folder.

    Parameters
    ----------
    spec : Spec
        With all keys set; see :func:`dpframe.front.specs.prepare`.
    folder : Path
        Made if it is not there; must not hold an earlier attempt.
    data, public : path or table
    simulate : int, optional
        Seed of the noise; then this is no release.
    planned : Plan, optional
        The plan of this very spec, if it was made already.
    debug : bool
        Print the traceback of an error that ended the run to stderr; it may quote the table.

    Returns
    -------
    Release
        ``failed`` whatever went wrong after the loss was reserved, in finishing and writing too.

    Raises
    ------
    DpframeError
        Refused: nothing was spent and nothing written.
    """
    check_folder(folder)
    tables = tables_of(spec, data, public)
    plan = spec.plan() if planned is None else planned
    admitted = admit(plan, simulated=simulate is not None)
    vet(admitted)
    run = _Run(spec, admitted, folder, simulated=simulate is not None, debug=debug)
    result = run_plan(admitted, tables, simulate=simulate, columns=spec.columns, reserved=run.reserve, debug=debug)
    return run.finish(result)


@attrs.define(eq=False)
class _Run:
    """The files of one run."""

    spec: Spec
    admitted: Admitted
    folder: Path
    simulated: bool
    debug: bool = False
    spec_bytes: bytes = b""
    reserved: bool = False

    def __attrs_post_init__(self) -> None:
        try:
            self.spec_bytes = self.spec.written(self.admitted.plan).encode()
        except UnicodeEncodeError:
            raise SpecError(
                "a key of the spec holds what is no UTF-8", fix="save the table with UTF-8 names of columns"
            ) from None

    def reserve(self) -> None:
        """Put the loss on record. From here on it counts as spent."""
        content = to_bytes(self._attempt())
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _claim(self.folder / "attempt.json", content)
            self.reserved = True
            _sync_folder(self.folder)
            save(self.folder / "spec.toml", self.spec_bytes)
        except FileExistsError:
            self.reserved = False
            raise SpecError(f"{str(self.folder)!r} holds an earlier attempt", fix="give another --out") from None
        except OSError as error:
            self._withdraw()
            raise SpecError(
                f"can't write to {str(self.folder)!r}: {error.strerror}", fix="give another --out"
            ) from None

    def _withdraw(self) -> None:
        """Nothing was read yet: take the record back."""
        if self.reserved:
            with contextlib.suppress(OSError):
                (self.folder / "attempt.json").unlink()
        self.reserved = False

    def _attempt(self) -> Mapping[str, Any]:
        now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        return {
            "schema_version": SCHEMA_VERSION,
            "dpframe_version": importlib.metadata.version("dpframe"),
            "started": now,
            "spec": self.spec.name,
            "spec_sha256": digest(self.spec_bytes),
            "simulated": self.simulated,
            "loss": spent(self.admitted),
            "note": "The loss counts as spent from here on, whether a result follows or not.",
        }

    def finish(self, result: RunResult) -> Release:
        """Write the certificate, then the result; one that can't be written is a failed run."""
        try:
            self._write(result)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  a released value may have decided it, or a full disk
            result = ended(self.admitted, error, simulated=self.simulated, columns=result.columns, debug=self.debug)
            with contextlib.suppress(Exception):  # attempt.json stands, and the exit code
                self._write(result)
        return Release(result, self.folder)

    def _write(self, result: RunResult) -> None:
        content = to_bytes(document(result))
        proof = self._proof(content, result.status)
        save(self.folder / "certificate.json", proof)
        save(self.folder / result_name(simulated=self.simulated), content)

    def _proof(self, content: bytes, status: str) -> bytes:
        files = {"spec_sha256": digest(self.spec_bytes), "result_sha256": digest(content)}
        return certificate_bytes(sealed(self.admitted.checked.content, **files, status=status))


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
    _sync_folder(path.parent)


def _claim(path: Path, content: bytes) -> None:
    """Write a file whole, and only where there is none: of two runs into one folder one gets it.

    A hard link is both; a file system without them gets the file in two steps.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    with part.open("wb") as file:
        _write(file, content)
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:
        with path.open("xb") as file:
            _write(file, content)
    finally:
        part.unlink()


def _write(file: Any, content: bytes) -> None:
    file.write(content)
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a crash; not every file system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
