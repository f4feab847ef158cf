"""A ledger on disk: one SQLite file for one table under one adjacency. Entries are added and never taken back.

What keeps it whole is SQLite's rollback journal with every write synchronised: a transaction is there as a whole or not
at all, whenever the process is killed, and writers go one after another. Every operation opens the file, makes one
transaction and closes it again; nothing is kept in the process, so threads, forks and processes are alike. A ledger in
memory is its process's own, and refuses a fork.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import math
import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from dpframe.errors import DpframeError, SpecError
from dpframe.front.files import claim, sync_folder
from dpframe.front.ledger.filters import Charge, Filter, make_filter
from dpframe.front.ledger.state import Entry, State
from dpframe.proof.losses import Budget, Loss, budget_from_json
from dpframe.proof.spaces import Adjacency, adjacency_from_json
from dpframe.proof.spaces import adjacency as find_adjacency

APPLICATION, VERSION = 0x6470664C, 1
WAIT = 120.0
"""Seconds to wait for another writer; a transaction takes milliseconds."""
LONGEST = 200
SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL,
    out TEXT,
    status TEXT NOT NULL CHECK (status IN ('reserved', 'released', 'failed')),
    simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
    loss TEXT NOT NULL,
    events TEXT NOT NULL,
    amount REAL NOT NULL CHECK (amount >= 0),
    delta REAL NOT NULL CHECK (delta >= 0 AND delta < 1),
    started TEXT NOT NULL
) STRICT;
CREATE TRIGGER kept BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'an entry is never taken back'); END;
CREATE TRIGGER fixed BEFORE UPDATE ON entries
    WHEN OLD.status <> 'reserved' OR NEW.status NOT IN ('released', 'failed') OR (OLD.id, OLD.key, OLD.spec, OLD.out,
        OLD.simulated, OLD.loss, OLD.events, OLD.amount, OLD.delta, OLD.started) IS NOT (NEW.id, NEW.key, NEW.spec,
        NEW.out, NEW.simulated, NEW.loss, NEW.events, NEW.amount, NEW.delta, NEW.started)
    BEGIN SELECT RAISE(ABORT, 'of an entry only the status changes, once'); END;
"""
_COLUMNS = "id, key, spec, out, status, simulated, loss, events, amount, delta, started"


class LedgerError(SpecError):
    """A ledger can't be read or written, or is none; nothing was spent."""


class Ledger:
    """A ledger; see :func:`create_ledger` and :func:`open_ledger`."""

    def __init__(self, path: Path | None, memory: sqlite3.Connection | None = None) -> None:
        self.path = path
        self._place = None if path is None else path.absolute()  # the same file wherever the process goes
        self._memory, self._process = memory, os.getpid()
        self._lock = threading.RLock()

    def __repr__(self) -> str:
        return f"<Ledger {'in memory' if self.path is None else str(self.path)!r}>"

    def __deepcopy__(self, memo: Any) -> Self:
        """Itself: what a copy books is booked in one place."""
        return self

    def __copy__(self) -> Self:
        return self

    def __reduce__(self) -> Any:
        if self._place is None:
            raise LedgerError("a ledger in memory goes to no other process", fix="give the ledger a file: ledger=PATH")
        return Ledger, (self._place,)

    def read(self) -> State:
        """The ledger as it is; waits while another process writes.

        Raises
        ------
        LedgerError
        """
        with self._transaction("DEFERRED") as db:
            return _read(db)

    def reserve(
        self,
        loss: Loss,
        *,
        adjacency: Adjacency | None,
        spec: str,
        out: str | None = None,
        stated: dict[str, Any],
        simulated: bool = False,
        key: str | None = None,
        status: str = "reserved",
    ) -> Entry:
        """Add an entry, in one transaction, or raise and add none.

        Parameters
        ----------
        loss : Loss
            The composed loss, as the checker recomputed it.
        adjacency : Adjacency or None
            That of the plan; None only for what another tool spent.
        spec, out : str
            What runs and where its files go.
        stated : dict
            The plan's proved total; its ``delta`` is where an ε may be asked for.
        simulated : bool
            Counts all the same.
        key : str, optional
            Of :func:`new_key`.

        Raises
        ------
        LedgerError, PlanError, BudgetError

        Notes
        -----
        *Formal guarantees.* When it returns, the entry is on disk, and the charges of all entries fit the filter.
        """
        with self._transaction("IMMEDIATE") as db:
            state = _read(db)
            charge = state.admit(loss, adjacency, stated)
            if state.adjacency is None and adjacency is not None:
                db.execute("UPDATE about SET value = ? WHERE name = 'adjacency'", (json.dumps(adjacency.to_json()),))
            now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
            held = key or new_key()
            texts = json.dumps(stated), json.dumps(loss.to_json())
            row = (held, spec, out, status, int(simulated), *texts, charge.amount, charge.delta, now)
            done = db.execute(f"INSERT INTO entries ({_COLUMNS[4:]}) VALUES (?,?,?,?,?,?,?,?,?,?)", row)  # noqa: S608
            return Entry(int(done.lastrowid or 0), held, spec, out, status, simulated, texts, charge, now)

    def settle(self, key: str, status: str) -> None:
        """Say how a run ended; what it costs stays the same."""
        with self._transaction("IMMEDIATE") as db:
            db.execute("UPDATE entries SET status = ? WHERE key = ? AND status = 'reserved'", (status, key))

    # ------------------------------------------------------------------------------ transactions

    @contextlib.contextmanager
    def _transaction(self, kind: str) -> Iterator[sqlite3.Connection]:
        with self._lock, self._connected() as db:
            try:
                db.execute(f"BEGIN {kind}")
                _identify(db, str(self.path))
                _check_end(db, self._place)
                yield db
                db.execute("COMMIT")
            except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite may quote of a damaged file what is no text
                _roll_back(db)
                raise self._explained(error) from None
            except BaseException:
                _roll_back(db)
                raise

    @contextlib.contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        if self._memory is not None:
            if self._process != os.getpid():
                raise LedgerError(
                    "a ledger in memory is of the process that made it: what a fork of it books nobody adds up",
                    fix="give the ledger a file: ledger=PATH",
                )
            yield self._memory
            return
        try:
            db = sqlite3.connect(f"{_uri(self._place)}?mode=rw", uri=True, isolation_level=None, timeout=WAIT)
        except (sqlite3.Error, ValueError) as error:
            raise self._explained(error) from None
        try:
            db.execute("PRAGMA synchronous = EXTRA")
            db.execute("PRAGMA fullfsync = ON")
            yield db
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._explained(error) from None
        finally:
            db.close()

    def _explained(self, error: Exception) -> LedgerError:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        shown = str(self.path)
        if self._place is not None and self._place.exists() and not self._place.is_file():
            return LedgerError(f"the ledger {shown!r} is no file", fix="give a file that dpframe ledger create made")
        if code == sqlite3.SQLITE_BUSY:
            return LedgerError(f"the ledger {shown!r} is locked by another process", fix="wait for it, and try again")
        if code == sqlite3.SQLITE_READONLY:
            return LedgerError(f"the ledger {shown!r} can't be written to", fix="make the file and its folder writable")
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return LedgerError(f"the ledger {shown!r} can't be written to ({error})", fix="make room on its disk")
        if self._place is not None and not self._place.exists():
            return LedgerError(f"there is no ledger {shown!r}", fix="dpframe ledger create makes one")
        if code == sqlite3.SQLITE_CANTOPEN:
            return LedgerError(f"the ledger {shown!r} can't be opened", fix="check the path and its permissions")
        return LedgerError(
            f"{shown!r} is no ledger, or a damaged one", fix="give a file that dpframe ledger create made"
        )


def _uri(path: Path | None) -> str:
    return Path(path or "").as_uri()


def _roll_back(db: sqlite3.Connection) -> None:
    with contextlib.suppress(sqlite3.Error):
        if db.in_transaction:
            db.execute("ROLLBACK")


def _identify(db: sqlite3.Connection, shown: str) -> None:
    application, version = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if application != APPLICATION:
        raise sqlite3.DatabaseError("no ledger")
    if version != VERSION:
        what = f"the ledger {shown!r} is of version {version}, and this dpframe reads version {VERSION}"
        raise LedgerError(what, fix="use the dpframe that made it, or make a new ledger")


def _check_end(db: sqlite3.Connection, place: Path | None) -> None:
    """Refuse a file of which the last page is torn: SQLite reads zeros there, and a charge of zero is none."""
    pages, size = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    if place is not None and place.stat().st_size < pages * size:
        raise sqlite3.DatabaseError("damaged")


def _read(db: sqlite3.Connection) -> State:
    try:
        about = {name: json.loads(value) for name, value in db.execute("SELECT name, value FROM about")}
        kept = Filter(budget_from_json(about["budget"]), float(about["limit"]), float(about["own_delta"]))
        adjacency = None if about["adjacency"] is None else adjacency_from_json(about["adjacency"])
        entries = tuple(map(_entry, db.execute(f"SELECT {_COLUMNS} FROM entries ORDER BY id")))  # noqa: S608
        whole = [entry.id for entry in entries] == list(range(1, len(entries) + 1)) and _untouched(db, len(entries))
        if not whole or not kept.sound():
            raise sqlite3.DatabaseError("damaged")
        return State(str(about["table"]), adjacency, kept, entries)
    except (KeyError, TypeError, ValueError, ArithmeticError, RecursionError, DpframeError):
        raise sqlite3.DatabaseError("damaged") from None


def _untouched(db: sqlite3.Connection, entries: int) -> bool:
    """Whether SQLite numbered no more entries than there are, and what keeps them is there."""
    numbered = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'entries'").fetchone() or (0,)
    keepers = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    return numbered[0] == entries and keepers == {"kept", "fixed"}


def _entry(row: Sequence[Any]) -> Entry:
    number, key, spec, out, status, simulated, loss, events, amount, delta, started = row
    charge = Charge(float(amount), float(delta))
    told = (json.loads(loss), json.loads(events))
    if not math.isfinite(charge.amount) or not all(isinstance(value, dict) for value in told):
        raise ValueError("no charge")
    return Entry(number, key, spec, out, status, bool(simulated), (loss, events), charge, started)


# ---------------------------------------------------------------------------------- made and opened


def new_key() -> str:
    """A random name for an entry, which ties it to the files of its run."""
    return secrets.token_hex(16)


def create_ledger(
    path: str | Path | None,
    *,
    table: str,
    budget: Budget,
    adjacency: Adjacency | str | None,
    own_delta: float | None = None,
) -> Ledger:
    """Make a new ledger.

    Parameters
    ----------
    path : str or Path, or None
        A file that is not there yet; None keeps the ledger in memory.
    table : str
        What the owner calls the table. Never made from its content.
    budget : Budget
    adjacency : Adjacency, str or None
        None: that of the first plan.
    own_delta : float, optional
        See :func:`~dpframe.front.ledger.filters.make_filter`.

    Raises
    ------
    SpecError
        For a name that is none, or a part of δ that is not one.
    LedgerError
        When the file is there, or can't be made.
    """
    named: object = table
    if not isinstance(named, str) or not named.strip() or not named.isprintable() or len(named) > LONGEST:
        raise SpecError(
            f"a table is named by 1 to {LONGEST} printable characters", fix='for example --table "people 2024"'
        )
    kept = make_filter(budget, own_delta)
    relation = None if adjacency is None else find_adjacency(adjacency)
    about = {
        "table": table,
        "budget": budget.to_json(),
        "adjacency": None if relation is None else relation.to_json(),
        "limit": kept.limit,
        "own_delta": kept.own_delta,
    }
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.executescript(SCHEMA)
    db.executemany("INSERT INTO about VALUES (?, ?)", [(name, json.dumps(value)) for name, value in about.items()])
    if path is None:
        return Ledger(None, db)
    place = Path(path)
    try:
        claim(place, db.serialize())
        sync_folder(place.parent)
    except FileExistsError:
        raise LedgerError(
            f"{str(place)!r} is there already", fix="a ledger is never overwritten; give another file"
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no path"
        raise LedgerError(f"the ledger {str(place)!r} can't be made: {why}", fix="give another file") from None
    finally:
        db.close()
    return Ledger(place)


def open_ledger(path: str | Path) -> Ledger:
    """An existing ledger; it is read and checked once.

    Raises
    ------
    LedgerError
    """
    given: object = path
    if not isinstance(given, (str, os.PathLike)) or not str(given).strip():
        what = "the ledger's path is empty" if isinstance(given, str) else f"a ledger is no {type(given).__name__}"
        raise LedgerError(what, fix="give ledger=PATH, --ledger FILE, of a file that dpframe ledger create made")
    ledger = Ledger(Path(path))
    ledger.read()
    return ledger
