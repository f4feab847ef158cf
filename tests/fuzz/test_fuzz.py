"""Whatever goes in: one clear error or success; never a traceback, a hang, a wrong "verified", a half-written release.

The fast suite runs some cases of every kind, the slow one 10,000 and 40 as processes, half of which are killed. The
long one (``make long``) runs 100,000, its workers sharing the blocks, and 200 as processes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from dpframe.errors import DataError
from dpframe.runtime.sources import open_source
from tests.fuzz import texts
from tests.fuzz.cases import KINDS, one
from tests.fuzz.harness import Broken, Ended, check_ended, check_folder, in_process
from tests.small_specs import SMALL

QUICK, BLOCK, BLOCKS, SLOW_BLOCKS = 100, 5_000, 20, 1
LONG = (pytest.mark.slow, pytest.mark.long)
PROCESSES = [pytest.param(20, marks=pytest.mark.slow), pytest.param(100, marks=LONG)]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a spec and two tables, and the process in it."""
    monkeypatch.chdir(tmp_path)
    rows = np.random.default_rng(1).normal(size=(400, 2))
    (tmp_path / "small.toml").write_text(SMALL)
    np.save("x.npy", rows)
    np.savetxt("x.csv", rows, delimiter=",", header="a,b", comments="")
    return tmp_path


def block(seed: int, count: int, here: Path) -> set[str]:
    """Run cases 0 to ``count`` of a seed; returns the kinds met. All that break are reported together."""
    kinds, broken = set(), []
    for number in range(count):
        try:
            kinds.add(one(seed, number, here))
        except Broken as error:
            broken.append(str(error))
    assert not broken, f"{len(broken)} cases:\n" + "\n\n".join(broken[:10])
    return kinds


def test_a_few_cases_of_every_kind(here: Path) -> None:
    assert block(0, QUICK, here) == set(KINDS)


SEEDS = [pytest.param(i, marks=LONG if i > SLOW_BLOCKS else pytest.mark.slow) for i in range(1, BLOCKS + 1)]


@pytest.mark.parametrize("seed", SEEDS)
def test_blocks_of_5000_cases(seed: int, here: Path) -> None:
    block(seed, BLOCK, here)


# --------------------------------------------------------------------------------------- as processes


def started(words: list[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "dpframe", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")


@pytest.mark.parametrize("count", PROCESSES)
def test_command_lines_as_processes(count: int, here: Path) -> None:
    rng = np.random.default_rng(7)
    for _ in range(count):
        words = texts.line(rng)
        if any("\x00" in word for word in words):  # no process can be given that
            continue
        process = started(words)
        out, err = process.communicate(timeout=120)
        check_ended(words, Ended(process.returncode, out, err))


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Until the file is there or the process is done."""
    while not path.exists() and process.poll() is None:
        time.sleep(1e-4)


@pytest.mark.parametrize("count", PROCESSES)
def test_runs_killed_at_any_time(count: int, here: Path) -> None:
    """A killed run leaves nothing, a reserve, or a complete release, never half of one.

    Half of them are killed at any time, half within a fiftieth of a second of the reserve.
    """
    rng = np.random.default_rng(8)
    whole, reserved = 1.0, 0  # seconds that a run takes, found by trying
    for number in range(count):
        folder = here / f"killed_{number}"
        process = started(["run", "small.toml", "--data", "x.csv", "--out", folder.name])
        if number % 2:
            wait_for(folder / "attempt.json", process)
            time.sleep(float(rng.uniform(0, 0.02)))
        else:
            time.sleep(whole * float(rng.uniform(0.3, 1.1)))
            whole *= 1.2 if process.poll() is None else 0.7
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=120)
        complete = (folder / "result.json").exists()
        check_folder(folder, Ended(0, "", "") if complete else None)
        assert complete or process.returncode != 0
        reserved += (folder / "attempt.json").exists() and not complete
    assert reserved > 0


# ------------------------------------------------------------------- what the fuzzing has found before


@pytest.mark.parametrize("damage", [(b"'descr'", b"'descr'<"), (b"{", b"{\0"), (b"}", b"}(")])
def test_a_header_that_is_no_python(damage: tuple[bytes, bytes], here: Path) -> None:
    """NumPy's tokenizer raised its own error, which came out as an internal error."""
    (here / "t.npy").write_bytes((here / "x.npy").read_bytes().replace(*damage, 1))
    with pytest.raises(DataError, match=r"not a readable \.npy file"):
        open_source("t.npy")


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ('choices = ["gaussian", "laplace"]', "choices = [1, 2]"),
        ('choices = ["gaussian", "laplace"]', "choices = [[1]]"),
        ("max = 24", "min = nan"),
        ("max = 24", "min = 1e400"),
    ],
)
def test_a_key_that_is_declared_oddly(line: str, other: str, here: Path) -> None:
    (here / "odd.toml").write_text(SMALL.replace(line, other))
    words = ["plan", "odd.toml", "--set", "bits=0"]
    ended = in_process(words)
    assert ended.code == 2
    check_ended(words, ended)


@pytest.mark.parametrize("out", ["a" * 3000, "\0", "x.csv", "x.csv/y"])
def test_a_folder_that_can_not_be(out: str, here: Path) -> None:
    words = ["run", "small.toml", "--data", "x.csv", "--out", out]
    ended = in_process(words)
    assert ended.code == 2
    check_ended(words, ended)


# ------------------------------------------------------------------------------- the checks bite


def test_what_the_harness_would_say() -> None:
    good = Ended(2, "", "dpframe: no such file\n")
    check_ended(["plan", "x"], good)
    for bad in (
        Ended(1, "", "dpframe: internal error, KeyError at a.py:1\n"),
        Ended(2, "", ""),
        Ended(2, "", "dpframe: one\ndpframe: two\n"),
        Ended(2, "", f"dpframe: cell {texts.SECRET} is odd\n"),
        Ended(2, "", "Traceback (most recent call last):\n"),
        Ended(0, "", ""),
        Ended(3, "done\n", "dpframe: failed\n"),
    ):
        with pytest.raises(Broken):
            check_ended(["plan", "x"], bad)


def test_a_half_written_folder_is_seen(tmp_path: Path) -> None:
    (tmp_path / "attempt.json").write_text("{}")
    check_folder(tmp_path, None)  # a killed run: accounted, nothing released
    for code in (0, 2, 3):
        with pytest.raises(Broken):
            check_folder(tmp_path, Ended(code, "", ""))
    (tmp_path / "result.json").write_text("{}")
    with pytest.raises(Broken, match="not verified"):
        check_folder(tmp_path, None)
