"""Forks in which plugins' functions are called: what they inherit."""

from __future__ import annotations

import os
from multiprocessing import forkserver
from typing import Any

import pytest

from dpframe.testing.battery.worlds import elsewhere


def test_a_fork_starts_a_server_of_block_processes_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not the parent of its parent's, and to wait for that raises: a composite that runs blocks was refuted."""
    server: Any = vars(forkserver)["_forkserver"]
    monkeypatch.setattr(server, "_forkserver_pid", os.getppid())
    assert elsewhere(lambda: server._forkserver_pid) is None
    assert server._forkserver_pid == os.getppid()
