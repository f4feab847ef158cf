"""Forks in which plugins' functions are called: what they inherit."""

from __future__ import annotations

import os
import signal
import tempfile
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest

from dpframe.testing.battery.worlds import Lost, World, elsewhere


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
