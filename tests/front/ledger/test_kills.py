"""Processes that are killed anywhere and race for what is left: nothing exceeded, nothing unbooked, nothing lost.

A child that has reserved writes the key of its entry to a log, which stands for its release. A killed child is sent
SIGKILL by itself, at its k-th line of Python or its k-th instruction of SQLite, for every k or a few of them, or is
ended by the kernel at any moment. In the slow tier over two thousand runs race and over a thousand are killed.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.cli import main
from dpframe.errors import BudgetError
from dpframe.front.ledger import LedgerError, create_ledger, open_ledger, store
from dpframe.front.ledger.checking import check_ledger
from dpframe.proof.losses import ZCDP, Gaussian, Loss
from dpframe.proof.spaces import ADJACENCIES
from tests.small_specs import SMALL

REPLACE = ADJACENCIES["replace_one"]
HERE = ("dpframe/front/ledger/", "dpframe/front/files.py", "dpframe/cli/releasing.py")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def at_line(k: int) -> None:
    """Have this process killed at its k-th line of the files that write."""
    left = [k]

    def trace(frame: Any, event: str, _: Any) -> Any:
        if not any(place in frame.f_code.co_filename for place in HERE):
            return None
        if event == "line":
            left[0] -= 1
            if left[0] < 0:
                die()
        return trace

    sys.settrace(trace)


def at_instruction(k: int) -> None:
    """Have this process killed at the k-th instruction that SQLite takes for it."""
    left, connect = [k], sqlite3.connect

    def step() -> int:
        left[0] -= 1
        if left[0] < 0:
            die()
        return 0

    def connected(*words: Any, **more: Any) -> sqlite3.Connection:
        db = connect(*words, **more)
        db.set_progress_handler(step, 1)
        return db

    store.sqlite3.connect = connected  # type: ignore[assignment]  # of this child only


def child(work: Callable[[], None]) -> int:
    """Start a process that does it and leaves without cleaning up."""
    number = os.fork()
    if number == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    return number


def ended(number: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


def reserve(path: Path, log: Path, mu: float = 2.0**-10) -> None:
    """Book a small run, and release."""
    key = open_ledger(path).reserve(Loss.of(Gaussian(mu)), adjacency=REPLACE, spec="t", stated={}).key
    with log.open("ab", buffering=0) as file:
        file.write(f"{key}\n".encode())


def holds(path: Path, log: Path) -> int:
    """Check what has to hold whatever happened, and return the number of entries."""
    ledger = open_ledger(path)
    state = ledger.read()
    released = log.read_text().split() if log.exists() else []
    assert set(released) <= {entry.key for entry in state.entries}, "released and not booked, or booked and lost"
    assert len(set(released)) == len(released)
    assert state.filter.fits(state.charges), "the total is exceeded"
    assert check_ledger(ledger) == ([], 0)
    return len(state.entries)


def sweep(tmp_path: Path, kill: Callable[[int], None], step: int) -> tuple[int, int]:
    """Kill a run at every ``step``-th place until one gets through: how many were killed, and how many of those booked.

    Every run has a ledger of its own, with one entry, so that a place is the same in all of them.
    """
    fresh = tmp_path / "fresh"
    create_ledger(fresh, table="t", budget=ZCDP(1.0), adjacency=REPLACE)
    reserve(fresh, tmp_path / "first")
    killed = booked = 0
    while True:
        path, log = tmp_path / f"{killed}.sqlite", tmp_path / f"{killed}.log"
        shutil.copy(fresh, path)

        def work(k: int = killed * step, path: Path = path, log: Path = log) -> None:
            kill(k)
            reserve(path, log)

        code = ended(child(work))
        entries = holds(path, log)
        assert entries in (1, 2)
        if code == 0:
            assert entries == 2
            return killed, booked
        assert code == -signal.SIGKILL
        booked += entries - 1
        killed += 1


@pytest.mark.parametrize(("kill", "step"), [(at_line, 25), (at_instruction, 60)])
def test_a_few_kills(tmp_path: Path, kill: Callable[[int], None], step: int) -> None:
    killed, _ = sweep(tmp_path, kill, step)
    assert killed >= 3


@pytest.mark.slow
@pytest.mark.parametrize("kill", [at_line, at_instruction])
def test_a_kill_at_every_place(tmp_path: Path, kill: Callable[[int], None]) -> None:
    """Some of the killed had booked: the kill came between the commit and the release."""
    killed, booked = sweep(tmp_path, kill, 1)
    assert killed > 100
    assert booked < killed
    assert booked > 0 or kill is at_instruction


def at_moment(microseconds: float) -> None:
    """Have this process ended by the kernel after so long, in whatever instruction or call of the system it is then."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, microseconds * 1e-6)


def kill_at_moments(tmp_path: Path, moments: int) -> None:
    """Runs on one ledger, ended at moments from 30 microseconds to a second, evenly on a log scale."""
    path, log = tmp_path / "l.sqlite", tmp_path / "log"
    create_ledger(path, table="t", budget=ZCDP(1.0), adjacency=REPLACE)
    before = 0
    for k in range(moments):

        def work(microseconds: float = 30.0 * (1e6 / 30.0) ** (k / moments)) -> None:
            at_moment(microseconds)
            reserve(path, log)

        code = ended(child(work))
        assert code in (0, -signal.SIGALRM)
        entries = holds(path, log)
        assert entries in ((before + 1,) if code == 0 else (before, before + 1))
        before = entries
    assert 0 < before < moments


def test_kills_at_a_few_moments(tmp_path: Path) -> None:
    kill_at_moments(tmp_path, 24)


@pytest.mark.slow
def test_kills_at_any_moment(tmp_path: Path) -> None:
    """Inside the writes of a commit too, which no line and no instruction of SQLite's machine stands for."""
    kill_at_moments(tmp_path, 600)


def race(tmp_path: Path, processes: int, runs: int, kills: int, seed: int) -> None:
    """Processes book until nothing is left; some are killed from outside at random moments and replaced."""
    path, log = tmp_path / "l.sqlite", tmp_path / "log"
    fitting = runs // 2
    create_ledger(path, table="t", budget=ZCDP(fitting * 2.0**-21), adjacency=REPLACE)

    def work() -> None:
        for _ in range(runs // processes):
            try:
                reserve(path, log)
            except BudgetError:
                os._exit(3)

    rng = random.Random(seed)
    alive = [child(work) for _ in range(processes)]
    for _ in range(kills):
        victim = alive.pop(rng.randrange(len(alive)))
        signal.sigtimedwait([], rng.uniform(0.0, 0.05))
        os.kill(victim, signal.SIGKILL)
        ended(victim)
        alive.append(child(work))
    codes = [ended(number) for number in alive]
    while 3 not in codes:  # however many were killed early, somebody finds it full
        codes.append(ended(child(work)))
    assert holds(path, log) == fitting


def test_a_small_race(tmp_path: Path) -> None:
    race(tmp_path, processes=4, runs=24, kills=4, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_race_of_hundreds(tmp_path: Path, seed: int) -> None:
    race(tmp_path, processes=8, runs=400, kills=60, seed=seed)


@pytest.mark.slow
def test_whole_runs_that_are_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A result on disk has its entry, whichever line the run was killed at; an attempt says which entry is its own."""
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL)
    np.save("x.npy", np.random.default_rng(1).normal(size=(400, 2)))
    words = ["--table", "t", "--adjacency", "replace_one", "--epsilon", "1", "--delta", "1e-6"]
    assert main(["ledger", "create", "fresh", *words]) == 0

    def run(k: int) -> None:
        at_line(k)
        os._exit(main(["run", "small.toml", "--data", "x.npy", "--out", f"out{k}", "--ledger", f"l{k}"]))

    code, k, seen = -signal.SIGKILL, 0, set()
    while code == -signal.SIGKILL:
        shutil.copy("fresh", f"l{k}")
        code = ended(child(lambda k=k: run(k)))  # type: ignore[misc]
        files = {path.name for path in Path(f"out{k}").glob("*.*")}
        entries = open_ledger(f"l{k}").read().entries
        if files & {"result.json", "certificate.json"}:
            assert [entry.out for entry in entries] == [str(Path(f"out{k}").absolute())]
            attempt = json.loads(Path(f"out{k}/attempt.json").read_text())
            assert attempt["ledger_entry"] == entries[0].key
        if entries:
            assert {"attempt.json", "spec.toml"} <= files
        assert main(["ledger", "verify", f"l{k}"]) == 0
        seen.add((len(entries), "result.json" in files))
        k += 11
    assert code == 0
    assert seen == {(0, False), (1, False), (1, True)}


@pytest.mark.parametrize("lost", [1, 41, 100, 200])
def test_a_ledger_whose_end_is_torn_is_refused(tmp_path: Path, lost: int) -> None:
    """SQLite would read zeros there: of the last entry's charge, too."""
    path = tmp_path / "torn"
    create_ledger(path, table="people", budget=ZCDP(1.0), adjacency="replace_one")
    content = path.read_bytes()
    path.write_bytes(content[:-lost])
    with pytest.raises(LedgerError, match="no ledger, or a damaged one"):
        open_ledger(path)
    path.write_bytes(content)
    assert open_ledger(path).read().entries == ()
