"""A real cluster of processes: the same bits; workers killed in mid-pass, files that change, a lost scheduler."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.cli import main
from dpframe.errors import DataError
from dpframe.kernel.registry import build
from dpframe.planning.results import run_plan
from dpframe.runtime.blocks import CPU_SECONDS, STARTING_SECONDS, learn_blocks
from dpframe.runtime.cluster import Pool
from dpframe.runtime.progress import Progress
from dpframe.runtime.views import SourceTable, View
from tests.runtime.tables import SECRET
from tests.runtime.test_cluster import bits, opened, planned
from tests.runtime.test_part_blocks import LEARNER
from tests.runtime.test_part_blocks import planned as planned_blocks
from tests.small_specs import SMALL

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # Dask's own, of ports and sockets
]
dask, distributed = pytest.importorskip("dask"), pytest.importorskip("distributed")
N = 400_000


def values() -> np.ndarray[Any, Any]:
    x = np.random.default_rng(5).normal(size=(N, 2))
    x[::1001, 0] = np.nan
    return x


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of Parquet files."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    x = values()
    folder = tmp_path_factory.mktemp("table")
    for i in range(4):
        part = x[i * N // 4 : (i + 1) * N // 4]
        pq.write_table(pa.table({"a": part[:, 0], "b": part[:, 1]}), folder / f"{i}.parquet", row_group_size=40_000)
    return folder


@pytest.fixture(scope="module")
def local(table: Path) -> dict[str, bytes]:
    return bits(planned(N).run(table, simulate=3))


@contextlib.contextmanager
def processes(workers: int, **options: Any) -> Iterator[Any]:
    """A cluster that starts a killed worker again, each time.

    Dask's own looks 15 s after a worker went if one of its name is there: where that was killed just then, and is
    being started, it is given up.
    """
    options = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50} | options
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1 day"}),
        distributed.LocalCluster(n_workers=workers, processes=True, **options) as made,
    ):
        yield made


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    with processes(2) as made, distributed.Client(made) as connected:
        yield connected


@pytest.fixture
def client(started: Any) -> Any:
    """Two workers, as they were when they were started."""

    def restore() -> None:
        from dpframe.runtime import remote

        remote.update, remote.facts = remote.__dict__.setdefault("kept", (remote.update, remote.facts))

    started.wait_for_workers(2, timeout=300)
    started.run(restore)
    return started


def on_first_batch(client: Any, action: Callable[[], None]) -> None:
    """Make each worker that is there now do something when it has its first batch of rows."""

    def patch() -> None:
        from dpframe.runtime import remote

        update = remote.update

        def first(*arguments: Any) -> None:
            remote.update = update
            action()
            update(*arguments)

        remote.update = first

    client.run(patch)


def test_the_same_bits_from_processes_and_from_the_command_line(
    client: Any, table: Path, local: dict[str, bytes], tmp_path: Path
) -> None:
    assert bits(planned(N).run(table, simulate=3, on=client)) == local
    address = client.scheduler.address
    assert bits(planned(N).run(f"{table}/*.parquet", simulate=3, on=address)) == local
    np.save(tmp_path / "x.npy", np.random.default_rng(6).normal(size=(70_000, 1)))
    means = [gaussian(on).fit(tmp_path / "x.npy").mean_.tobytes() for on in (address, None)]
    assert means[0] == means[1]
    (tmp_path / "small.toml").write_text(SMALL)
    command = ["run", str(tmp_path / "small.toml"), "--data", str(table), "--simulate", "7", "--out"]
    assert main([*command, str(tmp_path / "there"), "--on", address]) == 0
    assert main([*command, str(tmp_path / "here")]) == 0
    there, here = ((tmp_path / name / "simulated.json").read_bytes() for name in ("there", "here"))
    assert there == here
    # What an operator of the scheduler can look at: random keys, no path, no text of an exception.
    seen = client.run_on_scheduler(lambda dask_scheduler: repr(list(dask_scheduler.transition_log)))
    assert "dpframe-" in seen
    assert str(table) not in seen


def gaussian(on: str | None) -> Any:
    from dpframe.estimators import PrivateGaussian

    return PrivateGaussian(epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=100.0, simulate=1, on=on)


@pytest.mark.parametrize("kind", ["files", "memory"])
def test_a_worker_killed_in_mid_pass_is_made_up_for(
    client: Any, table: Path, local: dict[str, bytes], tmp_path: Path, kind: str
) -> None:
    """One that opens files, and one that has been sent rows, which are then sent again."""
    given: Any = table if kind == "files" else values()
    died = str(tmp_path / "died")

    def die_once() -> None:
        try:
            os.close(os.open(died, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        os.kill(os.getpid(), 9)

    on_first_batch(client, die_once)
    assert bits(planned(N).run(given, simulate=3, on=client)) == local
    assert Path(died).exists()


def test_the_only_worker_killed_takes_the_job_with_it_and_is_restarted(
    table: Path, local: dict[str, bytes], tmp_path: Path
) -> None:
    with processes(1) as made, distributed.Client(made) as client:
        on_first_batch(client, lambda: os.kill(os.getpid(), 9))
        assert bits(planned(N).run(table, simulate=3, on=client)) == local


def test_an_error_in_a_fold_tells_nobody_what_it_was(client: Any, table: Path, run_errors: list[Any]) -> None:
    secret = SECRET

    def fail() -> None:
        raise ValueError(secret)

    on_first_batch(client, fail)
    result = planned(N).run(table, simulate=3, on=client)
    assert result.status == "failed"
    logs = repr((client.get_worker_logs(), client.get_scheduler_logs()))
    log = client.run_on_scheduler(lambda dask_scheduler: repr(list(dask_scheduler.transition_log)))
    assert SECRET not in logs + log + repr(result) + repr(run_errors)


def test_a_file_that_changes_in_mid_pass_ends_in_failed(
    client: Any, table: Path, run_errors: list[Any], tmp_path: Path
) -> None:
    for file in table.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    target = str(tmp_path / "3.parquet")
    on_first_batch(client, lambda: os.utime(target, ns=(1, 1)))
    result = planned(N).run(f"{tmp_path}/*.parquet", simulate=3, on=client)
    assert "changed" in result.reason
    assert len(run_errors) == 1


def test_a_worker_that_differs_is_refused_before_anything_is_spent(client: Any, table: Path) -> None:
    def other() -> None:
        from dpframe.runtime import remote

        facts = remote.facts
        remote.facts = lambda files=None: tuple((k, "other" if k == "CPU" else v) for k, v in facts(files))

    client.run(other)
    spent: list[int] = []
    with pytest.raises(DataError, match="CPU: other"):
        run_plan(planned(N), {"x": table}, simulate=1, on=client, reserved=lambda: spent.append(1))
    assert not spent


@contextlib.contextmanager
def launcher() -> Iterator[Callable[..., Any]]:
    """Starts processes, and ends them."""
    running: list[Any] = []

    def start(module: str, words: list[str], environment: dict[str, str]) -> Any:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *words]
        null = subprocess.DEVNULL
        running.append(subprocess.Popen(command, env=environment, stdout=null, stderr=null))
        return running[-1]

    try:
        yield start
    finally:
        for process in running:
            process.send_signal(signal.SIGKILL)
            process.wait()


def test_a_lost_scheduler_ends_in_failed(table: Path, run_errors: list[Any], tmp_path: Path) -> None:
    address = tmp_path / "scheduler.json"
    options = ["--scheduler-file", str(address)]
    environment = os.environ | {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s"}
    with launcher() as started:
        scheduler = started("dask_scheduler", [*options, "--port", "0", "--no-dashboard"], environment)
        started("dask_worker", [*options, "--no-nanny", "--no-dashboard"], environment)
        with distributed.Client(scheduler_file=str(address), timeout=60) as client:
            client.wait_for_workers(1, timeout=60)
            pid = scheduler.pid
            on_first_batch(client, lambda: (os.kill(pid, 9), time.sleep(5)))
            result = planned(N).run(table, simulate=3, on=client)
    assert result.status == "failed"
    assert len(run_errors) == 1


def test_parts_are_read_at_their_share_of_the_cost(table: Path) -> None:
    """A part of a folder opens only the files that hold its rows."""
    from dpframe.runtime.sources import open_source

    source: Any = open_source(table)
    source.count_rows()
    for file in source._files[1:]:
        file.between = None
    assert sum(len(piece) for piece in source.between(0, 65_536, 10_000)) == 65_536


def test_a_worker_killed_while_it_learns_a_block_is_made_up_for(client: Any, tmp_path: Path) -> None:
    """Blocks are learned in processes of the workers', to the bits of a run without them."""
    plan, died = planned_blocks(lambda x: x), str(tmp_path / "died")
    x = np.random.default_rng(7).normal(size=(600, 1))

    def patch() -> None:
        from dpframe.runtime import blocks

        run = blocks.run_isolated

        def first(*arguments: Any, **options: Any) -> Any:
            blocks.run_isolated = run
            with contextlib.suppress(FileExistsError):
                os.close(os.open(died, os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), 9)
            return run(*arguments, **options)

        blocks.run_isolated = first

    client.run(patch)
    assert bits(plan.run(x, simulate=3, on=client)) == bits(plan.run(x, simulate=3))
    assert Path(died).exists()
    client.wait_for_workers(2, timeout=300)
    pool, view = Pool(client), View(SourceTable(opened(x), 600), 600)
    operation = build("block_learner", LEARNER)
    here, there = (learn_blocks(view, operation, Progress(None), on) for on in (None, pool))
    assert all(a[0].tobytes() == b[0].tobytes() for a, b in zip(here, there, strict=True))


def test_a_limit_that_a_block_meets_on_a_worker_ends_in_failed(client: Any, run_errors: list[Any]) -> None:
    def limit(starting: int, cpu: int) -> None:
        from dpframe.runtime import blocks

        blocks.STARTING_SECONDS = starting
        blocks.run_isolated.__kwdefaults__["cpu"] = cpu

    x = np.random.default_rng(7).normal(size=(600, 1))
    client.run(limit, 0, 0)
    result = planned_blocks(lambda x: x).run(x, simulate=3, on=client)
    client.run(limit, STARTING_SECONDS, CPU_SECONDS)
    assert result.status == "failed"
    assert len(run_errors) == 1
