"""Large tables: passes over files against reading them, Gram matrices against BLAS, workers of a cluster against one.

usage: python bench/large.py [--rows N] [--columns D] [--repeats R] [--no-cluster | --cluster] [--out FILE]
       python bench/large.py --memory 10000000,30000000,100000000 [--out FILE]
       python bench/large.py --groups [--rows N] [--columns D] [--repeats R] [--out FILE]

One machine: processor seconds of all threads, medians, and least wall-clock seconds, the tasks alternating; also of
one more pass, half of what a run of four takes beyond a run of two: it is digested, and the file is checked already.
Groups: passes over Parquet files whose groups of rows have several sizes, against reading them.
Cluster: passes over files by one and by two worker processes of one thread, and what a part costs beside its rows.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest import mock

import attrs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import dpframe as dp
from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.post_processing import Post
from dpframe.proof.spaces import AffineValue, Whitening, WhiteningValue
from dpframe.runtime.sources import open_source

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


def planned(n: int, d: int, statistic: Callable[[Any], Any]) -> dp.Plan:
    """A release of one statistic of rows clipped to a ball: one pass."""

    @dp.program
    def one(x: Any) -> Any:
        return dp.release("value", dp.gaussian(share=1.0), statistic(dp.clip(x, dp.ball(centre=[0.0] * d, radius=9.0))))

    return dp.plan(one, x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=BUDGET)


def planned_both(n: int, d: int) -> dp.Plan:
    """A sum and a Gram matrix of rows clipped once, in one pass."""

    @dp.program
    def two(x: Any) -> Any:
        rows = dp.clip(x, dp.ball(centre=[0.0] * d, radius=9.0))
        taken = {"sum": dp.sum(rows), "gram": dp.gram(rows)}
        return {name: dp.release(name, dp.gaussian(share=1.0), value) for name, value in taken.items()}

    return dp.plan(two, x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=BUDGET)


@dp.register("bench.large.whitening")
@attrs.frozen
class Four(Post):
    """A public whitening with four components, full matrices, whatever was released before."""

    d: int = attrs.field(kw_only=True)
    slots = (Slot("after", PARAM, variadic=True),)

    def output(self, *inputs: Any) -> Any:
        return Whitening(4, self.d)

    def apply(self, *values: Any) -> Any:
        turns = np.linalg.qr(np.random.default_rng(0).normal(size=(4, self.d, self.d)))[0]
        maps = [AffineValue(shift=np.full(self.d, j / 2), matrix=turn, scale=64.0) for j, turn in enumerate(turns)]
        return WhiteningValue(maps=tuple(maps), log_weights=np.zeros(4), anchor=1.0, clip=6.0)


def planned_refining(n: int, d: int, passes: int = 1) -> dp.Plan:
    """Refining passes, one after another: rows as four components see them, their weighted Gram matrices."""

    @dp.program
    def one(x: Any) -> Any:
        found: list[Any] = []
        for i in range(passes):
            seen = dp.whiten(x, dp.post("bench.large.whitening", *found[-1:], d=d))
            found.append(dp.release(f"value_{i}", dp.gaussian(share=1.0 / passes), dp.weighted_grams(seen)))
        return found[-1]

    return dp.plan(one, x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=BUDGET)


def pieces(n: int, d: int, rows: int = 10**6) -> Iterator[Any]:
    for start in range(0, n, rows):
        yield np.random.default_rng(start).normal(size=(min(rows, n - start), d))


def parquet(path: Path, n: int, d: int, group: int = 10**6) -> None:
    """A table, written a million rows at a time, or so many."""
    names = [str(j) for j in range(d)]
    with pq.ParquetWriter(path, pa.schema([(name, pa.float64()) for name in names])) as writer:
        for piece in pieces(n, d, group):
            writer.write_table(pa.table(list(piece.T.copy()), names=names), row_group_size=group)


def write(folder: Path, n: int, d: int) -> dict[str, Path]:
    """The same table as .npy and as Parquet."""
    parquet(folder / "x.parquet", n, d)
    table = np.lib.format.open_memmap(folder / "x.npy", mode="w+", dtype=np.float64, shape=(n, d))
    for i, piece in enumerate(pieces(n, d)):
        table[i * 10**6 : i * 10**6 + len(piece)] = piece
    del table
    return {"npy": folder / "x.npy", "parquet": folder / "x.parquet"}


def read_bytes(path: Path) -> None:
    buffer = bytearray(2**20)
    with path.open("rb", buffering=0) as file:
        while file.readinto(buffer):
            pass


def read_rows(path: Path) -> None:
    """As an analyst would: all numbers as float64, a batch at a time, and one sum so that each is touched."""
    if path.suffix == ".npy":
        total = np.zeros(1)
        with path.open("rb") as file:
            file.seek(128)
            while len(block := np.frombuffer(file.read(2**20))):
                total += block.sum()
        return
    for batch in pq.ParquetFile(path, buffer_size=2**17, pre_buffer=False).iter_batches(16_384, use_threads=False):
        np.stack([column.to_numpy() for column in batch.columns], axis=1).sum()


def blas(path: Path, d: int) -> None:
    """The Gram matrix of the same rows in floating point."""
    total = np.zeros((d, d))
    with path.open("rb") as file:
        file.seek(128)
        while len(block := np.frombuffer(file.read(d * 8 * 13_000))):
            rows = block.reshape(-1, d)
            total += rows.T @ rows


def seconds(task: Callable[[], Any]) -> tuple[float, float]:
    """Processor and wall-clock time."""
    start, wall = time.process_time(), time.perf_counter()
    task()
    return time.process_time() - start, time.perf_counter() - wall


def one_machine(paths: dict[str, Path], n: int, d: int, repeats: int) -> dict[str, Any]:
    total, gram, both = planned(n, d, dp.sum), planned(n, d, dp.gram), planned_both(n, d)
    refining, two, four = (planned_refining(n, d, passes) for passes in (1, 2, 4))
    source = open_source(paths["npy"])
    tasks: dict[str, Callable[[], Any]] = {
        "npy: bytes": lambda: read_bytes(paths["npy"]),
        "npy: read and sum": lambda: read_rows(paths["npy"]),
        "npy: chunks with digests": lambda: [None for _ in source.chunks(13_000)],
        "npy: clip and sum": lambda: total.run(paths["npy"], simulate=1),
        "npy: clip and Gram": lambda: gram.run(paths["npy"], simulate=1),
        "npy: Gram by BLAS": lambda: blas(paths["npy"], d),
        "npy: clip, sum and Gram": lambda: both.run(paths["npy"], simulate=1),
        "parquet: read and sum": lambda: read_rows(paths["parquet"]),
        "parquet: clip and sum (checked, then read)": lambda: total.run(paths["parquet"], simulate=1),
        "parquet: clip and Gram (checked, then read)": lambda: gram.run(paths["parquet"], simulate=1),
        "parquet: refining, k=4 (checked, then read)": lambda: refining.run(paths["parquet"], simulate=1),
        "parquet: two refining passes": lambda: two.run(paths["parquet"], simulate=1),
        "parquet: four refining passes": lambda: four.run(paths["parquet"], simulate=1),
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            found[name].append(seconds(task))
    processor = {name: round(statistics.median(t for t, _ in times), 3) for name, times in found.items()}
    wall = {name: round(min(t for _, t in times), 3) for name, times in found.items()}
    for taken in (processor, wall):
        more = taken["parquet: four refining passes"] - taken["parquet: two refining passes"]
        taken[ONE_MORE] = round(more / 2, 3)
    return {
        "processor seconds": processor,
        "least wall-clock seconds": wall,
        "ratios": {
            f"{name} / {reference}": {"processor": round(processor[name] / processor[reference], 2)}
            | {"wall-clock": round(wall[name] / wall[reference], 2)}
            for name, reference in RATIOS
        },
    }


ONE_MORE = "parquet: one more refining pass, k=4"
RATIOS = (
    ("npy: clip and sum", "npy: read and sum"),
    ("npy: clip and sum", "npy: chunks with digests"),
    ("parquet: clip and sum (checked, then read)", "parquet: read and sum"),
    ("parquet: clip and Gram (checked, then read)", "parquet: read and sum"),
    ("parquet: refining, k=4 (checked, then read)", "parquet: read and sum"),
    (ONE_MORE, "parquet: read and sum"),
    ("npy: clip and Gram", "npy: Gram by BLAS"),
)


class Counting:
    """In place of a client: tasks run here when they are submitted, and what a cluster would move is counted."""

    status, asynchronous = "running", False

    def __init__(self, threads: int) -> None:
        self.threads, self.job, self.results = threads, 0, list[tuple[str, int]]()

    def nthreads(self) -> dict[str, int]:
        return {str(i): 1 for i in range(self.threads)}

    def scatter(self, data: list[bytes], **_: Any) -> list[bytes]:
        self.job = len(data[0])
        return data

    def submit(self, task: Any, *arguments: Any, **_: Any) -> Any:
        made = Result(task(*arguments))
        self.results.append((task.__name__, len(made[1] or b"")))
        return made

    def map(self, task: Any, *arguments: Any, **_: Any) -> list[Any]:
        return [self.submit(task, *each) for each in zip(*arguments, strict=True)]

    def sync(self, _: Any, client: Any, result: Any) -> Any:
        return result


class Result(tuple):
    """Of a task: it is there, and its key is itself."""

    key = property(lambda self: self)

    def done(self) -> bool:
        return True


def traffic(d: int, units: int = 64) -> dict[str, Any]:
    """Tasks and bytes of one pass for a Gram matrix, by workers of one thread."""
    found = {}
    with tempfile.TemporaryDirectory() as folder, mock.patch("distributed.Client", Counting):
        np.save(path := Path(folder) / "x.npy", np.zeros((units * 2**16, d)))
        for threads in (1, 2, 4, 1000):
            planned(units * 2**16, d, dp.gram).run(path, simulate=1, on=(client := Counting(threads)))
            folds = [size for name, size in client.results if name == "fold"]
            merges = [size for name, size in client.results if name == "merge"]
            found[f"{threads} workers"] = {
                "job": client.job,
                "folds": len(folds),
                "bytes of folds": sum(folds),
                "merges": len(merges),
                "bytes of merges": sum(merges),
                "bytes to the client": merges[-1],
            }
    return {"units": units} | found


def spent(processes: list[Any]) -> list[float]:
    """Processor seconds of each process so far."""
    return [sum(process.cpu_times()[:2]) for process in processes]


def cluster(paths: dict[str, Path], n: int, d: int, repeats: int) -> dict[str, Any]:
    """Processor seconds of the client and of each worker: what they would take side by side if each had a core.

    Wall-clock times say that only on an idle machine; they are given too.
    """
    import psutil
    from distributed import Client, LocalCluster

    from dpframe.runtime import cluster as client_side

    gram, few = planned(n, d, dp.gram), planned(64 * 2**16, d, dp.sum)
    passes = {
        "Gram, Parquet": (gram, paths["parquet"]),
        "Gram, npy": (gram, paths["npy"]),
        "refining, Parquet": (planned_refining(n, d), paths["parquet"]),
    }
    found: dict[str, list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        np.save(small := Path(folder) / "small.npy", np.zeros((64 * 2**16, d), dtype=np.int8))
        for workers in (1, 2):
            with (
                LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as made,
                Client(made) as client,
            ):
                everyone = [psutil.Process(), *map(psutil.Process, client.run(os.getpid).values())]
                for parts in (4, 4, 64):  # the first time loads what is loaded once
                    client_side.PARTS_A_THREAD = parts
                    tasks = passes if parts == 4 else {}
                    for name, (plan, path) in (tasks | {f"{parts} parts a worker": (few, small)}).items():
                        found[f"{name}, {workers} workers"] = times = []
                        for _ in range(repeats):
                            before, wall = spent(everyone), time.perf_counter()
                            plan.run(path, simulate=1, on=client)
                            used = [b - a for a, b in zip(before, spent(everyone), strict=True)]
                            times.append(
                                {
                                    "client": used[0],
                                    "busiest worker": max(used[1:]),
                                    "all": sum(used),
                                    "wall": time.perf_counter() - wall,
                                }
                            )
                client_side.PARTS_A_THREAD = 4
    low = {name: {key: round(min(t[key] for t in times), 3) for key in times[0]} for name, times in found.items()}
    few_parts, many_parts = low["4 parts a worker, 1 workers"], low["64 parts a worker, 1 workers"]
    return {
        "least seconds": low,
        "one worker against two": {
            name: {
                what: round(low[f"{name}, 1 workers"][what] / low[f"{name}, 2 workers"][what], 2)
                for what in ("busiest worker", "all", "wall")
            }
            for name in passes
        },
        "processor milliseconds a part": round(1e3 * (many_parts["all"] - few_parts["all"]) / 60, 2),
        "wall milliseconds a part": round(1e3 * (many_parts["wall"] - few_parts["wall"]) / 60, 2),
    }


def one_run(path: Path, n: int, d: int) -> dict[str, float]:
    """In a process of its own: clip, sum and Gram matrix of a file in one pass, and what the process held at most."""

    plan = planned_both(n, d)
    before, start, wall = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time(), time.perf_counter()
    plan.run(path, simulate=1)
    spent = time.process_time() - start
    return {
        "peak memory, GB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 3),
        "of it before the run": round(before / 2**20, 3),
        "processor seconds": round(spent, 2),
        "wall seconds": round(time.perf_counter() - wall, 2),
        "processor nanoseconds a row": round(1e9 * spent / n, 1),
    }


def memory(sizes: list[int], d: int) -> dict[str, Any]:
    """By number of rows; each file is written, used and removed."""
    found = {}
    for n in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.parquet"
            for task in (parquet, one_run):
                with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                    found[str(n)] = pool.submit(task, path, n, d).result()
            found[str(n)] |= {"file, GB": round(path.stat().st_size / 1e9, 2)}
        print(n, found[str(n)], flush=True)
    return found


GROUPS = (2**17, 10**6, 2**20, 2**21, 2**30)
"""Rows a group: pyarrow writes 2^20 where it is not told."""


def groups(n: int, d: int, repeats: int) -> dict[str, Any]:
    """Least wall-clock seconds by rows a group; the files alternate."""
    total, refining, found = planned(n, d, dp.sum), planned_refining(n, d), dict[str, dict[str, float]]()
    with tempfile.TemporaryDirectory() as folder:
        paths = {size: Path(folder) / f"{size}.parquet" for size in GROUPS if size < n or size == max(GROUPS)}
        for size, path in paths.items():
            parquet(path, n, d, size)
        for _ in range(repeats):
            for size, path in paths.items():
                tasks: dict[str, Callable[[], Any]] = {
                    "read and sum": lambda path=path: read_rows(path),
                    "clip and sum": lambda path=path: total.run(path, simulate=1),
                    "refining": lambda path=path: refining.run(path, simulate=1),
                }
                best = found.setdefault(f"{min(size, n)} rows a group", dict.fromkeys(tasks, float("inf")))
                for name, task in tasks.items():
                    best[name] = round(min(best[name], seconds(task)[1]), 3)
    return {"rows": n, "columns": d, "least wall-clock seconds": found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=3)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--no-cluster", action="store_true")
    chosen.add_argument("--cluster", action="store_true", help="the cluster alone, for longer tables")
    parser.add_argument("--memory")
    parser.add_argument("--groups", action="store_true")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    n, d = arguments.rows, arguments.columns
    if arguments.memory:
        found = {"memory": memory([int(size) for size in arguments.memory.split(",")], d), "load": os.getloadavg()[0]}
        if arguments.out:
            arguments.out.write_text(json.dumps(found, indent=1) + "\n")
        return
    if arguments.groups:
        text = json.dumps(groups(n, d, arguments.repeats) | {"load": os.getloadavg()[0]}, indent=1)
        print(text)
        if arguments.out:
            arguments.out.write_text(text + "\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:  # its memory is not counted here
            paths = pool.submit(write, Path(folder), n, d).result()
        found = {
            "rows": n,
            "columns": d,
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            "load": os.getloadavg()[0],
            "one machine": None if arguments.cluster else one_machine(paths, n, d, arguments.repeats),
            "traffic": traffic(d),
            "peak memory, GB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
            "cluster": None if arguments.no_cluster else cluster(paths, n, d, arguments.repeats),
        }
    text = json.dumps(found, indent=1)
    print(text)
    if arguments.out:
        arguments.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
