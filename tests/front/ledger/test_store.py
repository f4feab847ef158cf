"""A ledger on disk: what is refused, what survives, and that nothing that was booked is lost."""

from __future__ import annotations

import datetime as dt
import json
import os
import resource
import shutil
import signal
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.errors import BudgetError, PlanError, SpecError
from dpframe.front import files
from dpframe.front.ledger import Ledger, LedgerError, create_ledger, open_ledger, store
from dpframe.front.ledger.checking import check_ledger
from dpframe.planning.sampled_events import SampledGaussian
from dpframe.proof.losses import ZCDP, ApproxDP, Gaussian, Loss, Worst
from dpframe.proof.spaces import ADJACENCIES, Adjacency, Edits, adjacency, unit_level

REPLACE, ADD_REMOVE = ADJACENCIES["replace_one"], ADJACENCIES["add_remove"]
TENTH = Loss.of(Gaussian(0.0625), 2)


def book(ledger: Ledger, loss: Loss = TENTH, relation: Adjacency | None = REPLACE, **more: Any) -> str:
    return ledger.reserve(loss, adjacency=relation, spec="test", stated={}, **more).key


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of ρ = 1/32, in which eight of TENTH fit."""
    made = tmp_path / "ledger.sqlite"
    create_ledger(made, table="people", budget=ZCDP(0.03125), adjacency=REPLACE)
    return made


def in_child(work: Callable[[], bool]) -> bool:
    """Do something in a process that may then be crippled; True if it says so."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if work() else 1)
        finally:
            os._exit(2)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


def refused(ledger: Ledger, words: str) -> bool:
    try:
        book(ledger)
    except LedgerError as error:
        return words in error.message
    return False


def test_what_is_made_is_read_back(path: Path) -> None:
    state = open_ledger(path).read()
    assert (state.table, state.adjacency, state.filter.budget, state.entries) == ("people", REPLACE, ZCDP(0.03125), ())
    assert [p.name for p in path.parent.iterdir()] == ["ledger.sqlite"]
    assert path.read_bytes()[:15] == b"SQLite format 3"


@pytest.mark.parametrize("relation", [REPLACE, ADD_REMOVE, adjacency(Edits(3, 3)), adjacency(Edits(2, 0))])
def test_every_adjacency_is_read_back(tmp_path: Path, relation: Adjacency) -> None:
    made = create_ledger(tmp_path / "l", table="t", budget=ApproxDP(1.0, 1e-6), adjacency=relation)
    assert made.read().adjacency == relation


def test_the_total_is_never_exceeded(path: Path) -> None:
    ledger = open_ledger(path)
    for _ in range(8):
        book(ledger)
    assert ledger.read().remaining == {"rho": 0.0}
    with pytest.raises(BudgetError, match="does not fit the ledger of table 'people'"):
        book(ledger, Loss.of(Gaussian(1e-9)))
    assert len(open_ledger(path).read().entries) == 8
    assert check_ledger(ledger) == ([], 0)


@pytest.mark.parametrize("status", ["released", "failed"])
def test_an_entry_counts_in_full_however_it_ends(path: Path, status: str) -> None:
    ledger = open_ledger(path)
    for _ in range(8):
        ledger.settle(book(ledger), status)
    assert {entry.status for entry in ledger.read().entries} == {status}
    with pytest.raises(BudgetError):
        book(ledger)
    ledger.settle(ledger.read().entries[0].key, "failed" if status == "released" else "released")
    assert {entry.status for entry in ledger.read().entries} == {status}


def test_one_adjacency(path: Path, tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="counts under replace_one"):
        book(open_ledger(path), relation=ADD_REMOVE)
    later = create_ledger(tmp_path / "later", table="t", budget=ZCDP(1.0), adjacency=None)
    book(later, relation=None)
    book(later, relation=ADD_REMOVE)
    assert open_ledger(tmp_path / "later").read().adjacency == ADD_REMOVE
    with pytest.raises(PlanError, match="counts under add_remove"):
        book(later)


@pytest.mark.parametrize("nested", [False, True])
def test_an_event_that_names_an_adjacency_is_booked_under_that_one(tmp_path: Path, nested: bool) -> None:
    """What is proved of a row that comes or goes says nothing of one that is replaced, nor of all rows of a person."""
    sampled = SampledGaussian(0.01, 0.1, "add_remove")
    loss = Loss.of(Worst((((sampled, 1),), ((Gaussian(0.001), 1),))) if nested else sampled)
    people = unit_level("add_remove", unit="person", rows=2)
    for i, relation in enumerate((REPLACE, adjacency(Edits(2, 2)), people, None)):
        ledger = create_ledger(tmp_path / f"{i}", table="t", budget=ZCDP(1.0), adjacency=relation)
        with pytest.raises(PlanError, match="proved under add_remove of rows alone") as caught:
            book(ledger, loss, relation=None)
        assert caught.value.fix
        assert not ledger.read().entries
    ledger = create_ledger(tmp_path / "l", table="t", budget=ZCDP(1.0), adjacency=ADD_REMOVE)
    book(ledger, loss, relation=None)
    assert check_ledger(ledger) == ([], 0)
    with sqlite3.connect(tmp_path / "l") as db:  # as one that was made before
        db.execute("UPDATE about SET value = '\"replace_one\"' WHERE name = 'adjacency'")
    assert check_ledger(ledger)[0] == ["entry 1: its events are proved under add_remove of rows alone"]


@pytest.mark.parametrize("table", ["", "  ", "a\nb", "x" * 201, 3])
def test_a_table_has_a_name(tmp_path: Path, table: Any) -> None:
    with pytest.raises(SpecError, match="a table is named"):
        create_ledger(tmp_path / "l", table=table, budget=ZCDP(1.0), adjacency=REPLACE)


def test_an_existing_file_is_never_overwritten(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(LedgerError, match="is there already"):
        create_ledger(path, table="t", budget=ZCDP(1.0), adjacency=REPLACE)
    assert path.read_bytes() == before


@pytest.mark.parametrize("where", ["absent/l", "x\0y", "file/l"])
def test_a_place_where_none_can_be_made(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match="can't be made"):
        create_ledger(tmp_path / where, table="t", budget=ZCDP(1.0), adjacency=REPLACE)


# ------------------------------------------------------------------------------- what is no ledger


def damage(path: Path, statement: str) -> None:
    """Change it by hand and leave no other trace: what keeps entries is taken away and put back."""
    with sqlite3.connect(path) as db:
        keepers = db.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        db.executescript("DROP TRIGGER kept; DROP TRIGGER fixed")
        db.execute(statement)
        for (sql,) in keepers if "DROP" not in statement else ():
            db.execute(sql)
    db.close()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM entries WHERE id = 1",
        "DELETE FROM entries WHERE id = 2",
        "DELETE FROM entries",
        "DELETE FROM about WHERE name = 'limit'",
        "UPDATE about SET value = '9.0' WHERE name = 'limit'",
        "UPDATE about SET value = 'Infinity' WHERE name = 'limit'",
        "UPDATE about SET value = '1e-9' WHERE name = 'own_delta'",
        "UPDATE about SET value = 'nonsense' WHERE name = 'budget'",
        f"UPDATE about SET value = '{'[' * 100_000}' WHERE name = 'budget'",
        "UPDATE entries SET amount = 1e999 WHERE id = 1",
        "UPDATE about SET value = '\"sideways\"' WHERE name = 'adjacency'",
        "UPDATE entries SET events = '' WHERE id = 2",
        "UPDATE entries SET loss = '[]' WHERE id = 2",
        "DROP TABLE entries",
        "PRAGMA application_id = 0",
    ],
)
def test_a_damaged_ledger_is_refused(path: Path, statement: str) -> None:
    ledger = open_ledger(path)
    book(ledger)
    book(ledger)
    damage(path, statement)
    with pytest.raises(LedgerError, match="no ledger, or a damaged one"):
        open_ledger(path)
    with pytest.raises(LedgerError):
        book(ledger)


def test_a_ledger_of_damaged_bytes_is_read_or_refused(path: Path, tmp_path: Path) -> None:
    """Names of tables that are no text, among others, which SQLite quotes."""
    for _ in range(3):
        book(open_ledger(path))
    content, random = path.read_bytes(), np.random.default_rng(0)
    seen = set[str]()
    for i in range(150):
        spoiled = bytearray(content)
        for at in random.integers(len(content) if i % 2 else 4096, size=3):
            spoiled[at] = random.integers(256)
        (tmp_path / "l").write_bytes(spoiled if i % 5 else spoiled[: random.integers(len(content))])
        try:
            seen.add(f"read {len(open_ledger(tmp_path / 'l').read().entries)}")
        except LedgerError:
            seen.add("refused")
    assert seen == {"read 3", "refused"}


def test_a_ledger_is_one_file_wherever_the_process_goes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it goes there may be another of the same name."""
    monkeypatch.chdir(path.parent)
    opened, made = open_ledger(path.name), create_ledger("other", table="t", budget=ZCDP(1.0), adjacency=REPLACE)
    (path.parent / "there").mkdir()
    monkeypatch.chdir(path.parent / "there")
    for name in (path.name, "other"):
        create_ledger(name, table="t", budget=ZCDP(1.0), adjacency=REPLACE)
    for ledger in (opened, made):
        book(ledger)
        assert len(ledger.read().entries) == len(open_ledger(Path("..") / str(ledger.path)).read().entries) == 1
        assert not open_ledger(str(ledger.path)).read().entries


def test_a_fork_books_in_no_ledger_in_memory() -> None:
    """It would have one of its own, and both together could spend all twice."""
    kept = create_ledger(None, table="t", budget=ZCDP(1.0), adjacency=REPLACE)
    assert in_child(lambda: refused(kept, "of the process that made it"))
    book(kept)
    assert len(kept.read().entries) == 1


@pytest.mark.parametrize("content", [b"", b"nonsense" * 100, b"SQLite format 3\0" + bytes(500)])
def test_a_file_that_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "l").write_bytes(content)
    with pytest.raises(LedgerError, match="no ledger"):
        open_ledger(tmp_path / "l")
    assert (tmp_path / "l").read_bytes() == content


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="there is no ledger"):
        open_ledger(tmp_path / "l?mode=rwc")
    assert list(tmp_path.iterdir()) == []


def test_entries_are_kept(path: Path) -> None:
    key = book(open_ledger(path))
    with sqlite3.connect(path) as db:
        for statement in ("DELETE FROM entries", "UPDATE entries SET amount = 0", "UPDATE entries SET key = 'x'"):
            with pytest.raises(sqlite3.IntegrityError):
                db.execute(statement)
    db.close()
    assert [entry.key for entry in open_ledger(path).read().entries] == [key]


def test_a_smaller_charge_than_its_events_is_found(path: Path) -> None:
    book(open_ledger(path))
    damage(path, "UPDATE entries SET amount = amount / 2")
    ((reason,), _) = check_ledger(Ledger(path))
    assert "entry 1: its events cost" in reason


# ----------------------------------------------------------------------------------- what survives


def test_a_locked_ledger_is_waited_for(path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    timer = threading.Timer(0.3, lambda: other.execute("COMMIT"))
    timer.start()
    book(open_ledger(path))
    timer.join()
    other.close()
    assert len(open_ledger(path).read().entries) == 1


def test_a_lock_that_stays_refuses(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "WAIT", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert refused(Ledger(path), "locked by another process")
    other.execute("ROLLBACK")
    other.close()
    assert open_ledger(path).read().entries == ()


def test_a_full_disk_books_nothing(path: Path) -> None:
    """A limit on the size of files stands for the disk; with room again everything is as it was."""
    ledger = open_ledger(path)
    book(ledger, Loss.of(Gaussian(1e-9)))

    def work() -> bool:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        for size in range(0, 2**20, 512):
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            if not refused(ledger, "can't be written to"):
                return size > 1024 and len(ledger.read().entries) == 2
        return False

    assert in_child(work)
    assert check_ledger(ledger) == ([], 0)
    keys = {entry.key for entry in ledger.read().entries}
    assert book(ledger) not in keys


def test_an_end_that_a_full_disk_has_no_room_for_leaves_the_entry_reserved(path: Path) -> None:
    ledger = open_ledger(path)
    key = book(ledger)

    def work() -> bool:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, resource.RLIM_INFINITY))
        try:
            ledger.settle(key, "released")
        except LedgerError as error:
            return "can't be written to" in error.message
        return False

    assert in_child(work)
    assert [entry.status for entry in ledger.read().entries] == ["reserved"]
    ledger.settle(key, "released")
    assert [entry.status for entry in ledger.read().entries] == ["released"]


@pytest.mark.parametrize("links", [True, False])
def test_a_full_disk_has_no_room_for_a_new_ledger(tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: Any) -> None:
        raise OSError("no links here")

    if not links:  # the part is in place, and the file itself finds no room
        monkeypatch.setattr("os.link", no_links)
        plain, writes = files._write, [2**20, 1024]
        monkeypatch.setattr(files, "_write", lambda file, content: (limit(writes.pop(0)), plain(file, content)))

    def limit(size: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def work() -> bool:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        limit(1024)
        try:
            create_ledger(tmp_path / "l", table="t", budget=ZCDP(1.0), adjacency=REPLACE)
        except LedgerError as error:
            return "can't be made" in error.message
        return False

    assert in_child(work)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def outside() -> Iterator[Path]:
    """A folder that other users may enter."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


def test_a_read_only_ledger_is_read_and_not_written(outside: Path) -> None:
    ledger = create_ledger(outside / "l", table="t", budget=ZCDP(1.0), adjacency=REPLACE)
    book(ledger)
    (outside / "l").chmod(0o444)

    def work() -> bool:
        if os.geteuid() == 0:
            os.setuid(65534)
        return len(ledger.read().entries) == 1 and refused(ledger, "can't be written to")

    assert in_child(work)
    assert len(ledger.read().entries) == 1


def test_a_clock_that_jumps_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock(dt.datetime):
        year_now = 2030

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            cls.year_now -= 10
            return cls(cls.year_now, 1, 1, tzinfo=tz)

    monkeypatch.setattr(store.dt, "datetime", Clock)
    ledger = open_ledger(path)
    keys = [book(ledger) for _ in range(3)]
    assert [entry.key for entry in ledger.read().entries] == keys
    assert ledger.read().remaining == {"rho": pytest.approx(0.03125 * 5 / 8)}


def test_nothing_of_the_table_is_in_it(path: Path) -> None:
    """What a ledger holds is made of plans."""
    book(open_ledger(path), out="there")
    (entry,) = open_ledger(path).read().entries
    assert set(entry.to_json()) == {"out", "spec", "status", "loss", "started", "simulated", "charge", "key"}
    assert json.loads(json.dumps(entry.to_json()))["out"] == "there"
