"""Forks in which plugins' functions are called: what they inherit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest

from dpframe.testing.battery.worlds import Heard, Lost, World, elsewhere


def test_a_fork_starts_a_server_of_block_processes_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not the parent of its parent's, and to wait for that raises: a composite that runs blocks was refuted."""
    server: Any = vars(forkserver)["_forkserver"]
    monkeypatch.setattr(server, "_forkserver_pid", os.getppid())
    assert elsewhere(lambda: server._forkserver_pid) is None
    assert server._forkserver_pid == os.getppid()


def test_an_answer_that_can_not_be_sent_says_so() -> None:
    """It was told that the function had ended its process."""
    with pytest.raises(Lost, match=r"could not go on: \w+: .*lambda"):
        elsewhere(lambda: lambda: None)


@pytest.mark.parametrize(
    ("end", "by_itself"),
    [
        (lambda: os._exit(0), True),
        (lambda: os.kill(os.getpid(), signal.SIGUSR1), True),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), False),
        (lambda: os.kill(os.getpid(), signal.SIGXCPU), False),
    ],
)
def test_a_function_that_ends_its_process_is_told_from_one_that_is_stopped(end: Any, by_itself: bool) -> None:
    with pytest.raises(Lost) as lost:
        elsewhere(end)
    assert lost.value.ended is by_itself


def test_one_that_leaves_is_refused_like_any_error() -> None:
    with pytest.raises(Lost, match="SystemExit") as lost:
        elsewhere(lambda: sys.exit("bad row"))
    assert not lost.value.ended


def test_what_is_printed_is_heard_once() -> None:
    def said() -> list[bytes]:
        heard, texts = Heard(), list[bytes]()
        for words in ("one", "", "three"):
            print(words, end="", file=sys.stderr)
            os.write(1, words.encode())
            texts.append(heard.since())
        return texts

    assert elsewhere(said) == [b"oneone", b"", b"threethree"]


@pytest.mark.parametrize("world", [World("crowded", crowded=True), World("gone", gone=True)])
def test_a_world_of_its_own_leaves_nothing_behind(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each fork left a folder: ten thousand of them after some days of checks."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert elsewhere(lambda: len([*tmp_path.iterdir()]), world) == 1
    with pytest.raises(Lost):
        elsewhere(lambda: os.kill(os.getpid(), signal.SIGKILL), world)
    assert not [*tmp_path.iterdir()]


def test_a_busy_world_ends_with_what_takes_its_processors() -> None:
    """Others run beside the function, and none of them is left."""

    def beside() -> list[int]:
        return [int(x) for x in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]

    found = elsewhere(beside, World("busy", busy=True)) if Path("/proc/self/task").exists() else []
    assert len(found) >= 2 or not Path("/proc/self/task").exists()
    assert not any(Path(f"/proc/{process}").exists() for process in found)


def test_a_run_has_a_table_and_shows_no_kit() -> None:
    """Words of the command, open files and modules are as in a run; what is imported stays so."""

    def seen() -> tuple[list[str], bool, bool, bool]:
        at = sys.argv.index("--data") + 1
        opened = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if _is_link(fd)]
        hidden = not any(name.startswith(("dpframe.testing", "pytest")) for name in sys.modules)
        return [sys.argv[at]], Path(sys.argv[at]).exists(), sys.argv[at] in opened, hidden

    (path,), there, opened, hidden = elsewhere(seen, World("", running=True))
    assert path.endswith(".npy")
    assert there
    assert hidden
    assert opened or not Path("/proc/self/fd").exists()
    assert not Path(path).exists()
    assert "dpframe.testing.battery.worlds" in sys.modules


def test_what_is_hidden_can_be_imported_as_it_was() -> None:
    """Libraries in C ask for modules when they are loaded; a post that did so in a function was refuted."""
    code = """
import sys
from dpframe.testing.battery.worlds import World, elsewhere


def imported():
    import scipy.ndimage
    import dpframe.testing.battery.worlds as again
    return again.elsewhere is elsewhere


assert "scipy.ndimage" not in sys.modules
sys.stdout.write(str(elsewhere(imported, World("", running=True))))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "True", done.stderr


@pytest.mark.parametrize("pace", [0.0, 1e-5])
def test_libraries_can_be_loaded_where_the_clock_is_moved(pace: float) -> None:
    """Of other classes of dates pandas crashed: a post that imports scikit-learn in its function was refuted."""
    code = f"""
import datetime, sys, time
from dpframe.testing.battery.replacing import set_clock
began = datetime.datetime.now()
set_clock(3e6, {pace})
import pandas
assert "pandas" in sys.modules
days = (datetime.datetime.now() - began).days, (datetime.date.today() - began.date()).days
sys.stdout.write(f"{{days[0]}} {{days[1]}} {{round((time.time() - began.timestamp()) / 86400)}}")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {int(word) for word in done.stdout.split()} <= {34, 35}


def _is_link(fd: str) -> bool:
    return Path(f"/proc/self/fd/{fd}").is_symlink()
