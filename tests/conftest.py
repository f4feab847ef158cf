"""What every test shares: one thread, a reproducible generator, hypothesis without a clock."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from pathlib import Path

# Before NumPy is imported: the suite runs in parallel, and BLAS reads these only once.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ.setdefault("MPLBACKEND", "Agg")

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from tests.longs import in_part

# Deadlines measure the machine's load, not the code.
settings.register_profile("dev", deadline=None, max_examples=50)
settings.register_profile(
    "ci",
    deadline=None,
    max_examples=50,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


SLOW = Path(__file__).with_name("slow.txt")


def pytest_addoption(parser: pytest.Parser) -> None:
    """A part of the tests, as ``2/6`` (``tests/longs.py``)."""
    parser.addoption("--part", default="", help="run the second of six parts of the tests, as 2/6")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what ``tests/slow.txt`` lists; a test is marked where it stands if it is slow by its nature."""
    part = config.getoption("--part")
    config.hook.pytest_deselected(items=[item for item in items if not in_part(item.nodeid, part)])
    items[:] = [item for item in items if in_part(item.nodeid, part)]
    listed = {line for line in SLOW.read_text().splitlines() if not line.startswith("#")}
    for item in items:
        if item.nodeid in listed:
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """A generator seeded by the test's own name: the same in every run, another one in every test."""
    return np.random.default_rng(zlib.crc32(request.node.nodeid.encode()))


@pytest.fixture(autouse=True)
def _errors_of_runs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[BaseException]]:
    """A run hides from its user which error ended it; a test asks for ``run_errors``, or must not meet any."""
    from dpframe.runtime import run

    seen: list[BaseException] = []
    tell = run._tell

    def keep(error: BaseException, *, debug: bool) -> None:
        seen.append(error)
        tell(error, debug=debug)

    monkeypatch.setattr(run, "_tell", keep)
    yield seen
    if seen and "run_errors" not in request.fixturenames:
        raise seen[0]


@pytest.fixture
def run_errors(_errors_of_runs: list[BaseException]) -> list[BaseException]:
    """The errors that ended runs of this test."""
    return _errors_of_runs


@pytest.fixture(scope="session")
def hook_plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one plugin that acts up, for the whole session: a name can be registered once."""
    from tests.small_specs import HOOK

    folder = tmp_path_factory.mktemp("plugins")
    (folder / "hook.py").write_text(HOOK)
    return folder
