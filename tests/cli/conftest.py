"""Folders that the tests of the command line run in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.cli.commands import SECRET, run
from tests.small_specs import SMALL


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a spec, tables and a plugin, and the process in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(SMALL)
    rows = np.random.default_rng(1).normal(size=(400, 2))
    rows[3, 1] = SECRET
    np.save("x.npy", rows)
    np.savetxt("x.csv", rows, delimiter=",", header="a,b", comments="")
    return tmp_path


@pytest.fixture
def plugins(hook_plugins: Path) -> Path:
    """The folder with the plugin that acts up."""
    return hook_plugins


# ------------------------------------------------------------------------------------------- verify


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("released")
    (folder / "small.toml").write_text(SMALL)
    np.save(folder / "x.npy", np.random.default_rng(1).normal(size=(400, 2)))
    assert run(spec=str(folder / "small.toml"), data=str(folder / "x.npy"), out=str(folder / "out")) == 0
    return folder / "out"
