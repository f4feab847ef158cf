"""A run into a folder: refused before anything is written, or accounted whatever happens after.

Order of the files: ``attempt.json`` (the loss reserved) and ``spec.toml`` before the first private pass, then the
run, then ``certificate.json`` (and its signature), and the result last, by rename. A process that is killed half-way
leaves the first two and no result: its loss is spent all the same.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from dpframe.cli.vetting import vet
from dpframe.errors import DpframeError, SpecError
from dpframe.front.files import claim, save, sync_folder
from dpframe.front.ledger import Booking, Ledger
from dpframe.front.signing import Signer, signature_file
from dpframe.front.specs import Spec, tables_of
from dpframe.planning.documents import SCHEMA_VERSION, as_spent, result_name, to_bytes
from dpframe.planning.plan import Plan
from dpframe.planning.results import RunResult, document, ended, run_plan
from dpframe.planning.sealing import sealed
from dpframe.planning.sealing import to_bytes as certificate_bytes
from dpframe.proof.certificates import digest
from dpframe.runtime.gate import Admitted, admit
from dpframe.version import VERSION

FILES = ("attempt.json", "spec.toml", "certificate.json", "certificate.sig", "result.json", "simulated.json")


@attrs.frozen(eq=False)
class Release:
    """What a run left behind: its result, where its files are, and its entry in a ledger."""

    result: RunResult
    folder: Path
    booking: Booking | None = None

    @property
    def result_file(self) -> Path:
        """``result.json``, or ``simulated.json``."""
        return self.folder / result_name(simulated=self.result.simulated)


def named_folder(text: str) -> Path:
    """The folder that ``--out`` names; an empty name is refused, as it would be the current folder."""
    if not text.strip():
        raise SpecError("--out is empty", fix="give the folder to write to: --out DIR")
    folder = Path(text)
    if ".." in folder.parts and not folder.parent.exists():  # new/../out: new would be made on the way, and left
        with contextlib.suppress(OSError, ValueError, RuntimeError):  # what is no path is refused later
            return folder.resolve()
    return folder


def check_folder(folder: Path) -> None:
    """Refuse a folder that holds an earlier attempt, or is none."""
    try:
        usable = folder.is_dir() or not (folder.exists() or folder.is_symlink())
        held = [name for name in FILES if (folder / name).exists() or (folder / name).is_symlink()]
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
    ledger: Ledger | None = None,
    signer: Signer | None = None,
    on: str | None = None,
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
    ledger : Ledger, optional
        Where the run is entered before its first row; a simulated one too.
    signer : Signer, optional
        Signs the certificate, whatever the run's status; see :mod:`dpframe.front.signing`.
    on : str, optional
        Address of a Dask cluster that takes the passes.
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
    booking = None if ledger is None else Booking(ledger, admitted, spec.name, str(folder.absolute()))
    if booking is not None:
        booking.check()
    run = _Run(spec, plan, admitted, folder, booking, signer, simulated=simulate is not None, debug=debug)
    result = run_plan(
        admitted, tables, simulate=simulate, columns=spec.columns, reserved=run.reserve, on=on, debug=debug
    )
    return run.finish(result)


UNWRITTEN = "make room, or give another --out, and run again; what was released is lost, and its loss counts as spent"


@attrs.define(eq=False)
class _Run:
    """The files of one run."""

    spec: Spec
    plan: Plan
    admitted: Admitted
    folder: Path
    booking: Booking | None
    signer: Signer | None
    simulated: bool
    debug: bool = False
    spec_bytes: bytes = b""
    reserved: bool = False
    made: bool = False

    def __attrs_post_init__(self) -> None:
        try:
            self.spec_bytes = self.spec.written(self.plan).encode()
        except UnicodeEncodeError:
            raise SpecError(
                "a key of the spec holds what is no UTF-8", fix="save the table with UTF-8 names of columns"
            ) from None

    def reserve(self) -> None:
        """Put the loss on record. From here on it counts as spent.

        The ledger is last, so that nothing that can fail follows an entry: entries are never taken back.
        """
        content = to_bytes(self._attempt())
        try:
            self.made = not self.folder.exists()
            self.folder.mkdir(parents=True, exist_ok=True)
            claim(self.folder / "attempt.json", content)
            self.reserved = True
            sync_folder(self.folder)
            save(self.folder / "spec.toml", self.spec_bytes)
        except FileExistsError:
            self.reserved = False
            raise SpecError(f"{str(self.folder)!r} holds an earlier attempt", fix="give another --out") from None
        except OSError as error:
            self._withdraw()
            raise SpecError(
                f"can't write to {str(self.folder)!r}: {error.strerror}", fix="give another --out"
            ) from None
        if self.booking is not None:
            try:
                self.booking.enter()
            except DpframeError:
                self._withdraw()
                raise

    def _withdraw(self) -> None:
        """Nothing was read yet: take the record back."""
        if self.reserved:
            with contextlib.suppress(OSError):
                (self.folder / "spec.toml").unlink(missing_ok=True)
                (self.folder / "attempt.json").unlink()
                if self.made:
                    self.folder.rmdir()
        self.reserved = False

    def _attempt(self) -> Mapping[str, Any]:
        now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        composed = self.admitted.checked.loss.to_json()
        entry = {} if self.booking is None else {"ledger_entry": self.booking.key}
        return {
            "schema_version": SCHEMA_VERSION,
            "dpframe_version": VERSION,
            "started": now,
            "spec": self.spec.name,
            "spec_sha256": digest(self.spec_bytes),
            "simulated": self.simulated,
            "loss": as_spent(self.admitted.spent),
            "events": composed["events"],
            "delta": composed["delta"],
            **entry,
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
            if isinstance(error, OSError):  # of released bytes and of a disk: no row decided it
                why = f"its files could not be written: {error.strerror or type(error).__name__}"
                result = attrs.evolve(result, reason=why, advice=UNWRITTEN)
            with contextlib.suppress(Exception):  # attempt.json stands, and the exit code
                self._write(result)
        if self.booking is not None:
            self.booking.settle(result.status)
        return Release(result, self.folder, self.booking)

    def _write(self, result: RunResult) -> None:
        content = to_bytes(document(result))
        proof = self._proof(content, result.status)
        save(self.folder / "certificate.json", proof)
        if self.signer is not None:
            save(signature_file(self.folder / "certificate.json"), self.signer.sign(proof))
        save(self.folder / result_name(simulated=self.simulated), content)

    def _proof(self, content: bytes, status: str) -> bytes:
        files = {"spec_sha256": digest(self.spec_bytes), "result_sha256": digest(content)}
        return certificate_bytes(sealed(self.admitted.checked.content, **files, status=status))
