"""Neighbours on a terminal: all that a run shows beside its result is the same where the released values are the same.

Each table is run by the command line on a pseudo-terminal of its own; every mechanism releases what it would of zeros,
so that released values are equal. The clock of progress ticks once a call, so that every line is due.
"""

from __future__ import annotations

import inspect
import itertools
import multiprocessing.util
import os
import pty
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe import cli
from dpframe.cli import releasing
from dpframe.kernel.operations import Exact
from dpframe.kernel.statistics.sums import Mean
from dpframe.kernel.transforms.clip_ball import ClipBall
from dpframe.runtime import fused, progress, run
from dpframe.runtime.engine import Scope
from dpframe.runtime.progress import Progress
from dpframe.runtime.sources.base import Chunk, TableSource
from tests.cli.leaks_elsewhere import (
    batches_for_a_while,
    cache_at_home,
    digest_in_a_file,
    empty_rows_in_the_attempt,
)
from tests.planning.examples import simple_mean
from tests.small_specs import SMALL
from tests.testing.neighbours import csv, npy

N = 90
BASE = np.random.default_rng(0).normal(size=(N, 2))


def edited(value: Any) -> Any:
    table = BASE.copy()
    table[17] = value
    return table


MISSING = np.full((N, 2), np.nan)
ONE = MISSING.copy()
ONE[3] = 1.0
PAIRS: dict[str, tuple[Any, Any, str]] = {
    "far": (BASE, edited([1e300, -1e300]), "replace_one"),
    "empty": (BASE, edited([np.nan, 1.0]), "replace_one"),
    "all but one are empty": (MISSING, ONE, "replace_one"),
    "comes": (BASE, np.vstack([BASE, [[3.0, 3.0]]]), "add_remove"),
    "goes": (ONE, np.delete(ONE, 3, axis=0), "add_remove"),
    "a batch more": (BASE, np.vstack([BASE, BASE[:1]]), "add_remove"),
}
"""Neighbours, and under which adjacency."""


def zeroed(self: Scope, node: Any, operation: Any, exact: Exact) -> Any:
    """A release that tells nothing of the rows."""
    calibration, domain = self.charged(node), self.graph.edges[node.inputs[0]].domain
    cells = isinstance(exact.integers, list)
    nothing = Exact([] if cells else np.zeros(np.shape(exact.integers), dtype=np.int64), exact.step)
    return operation.release(nothing, calibration, domain, self._noise(node, "noise"))


class Terminal:
    """A pseudo-terminal that a stream writes to."""

    def __init__(self) -> None:
        self.reader, self.writer = pty.openpty()
        self.stream = os.fdopen(self.writer, "w", encoding="utf-8", buffering=1)

    def end(self) -> bytes:
        """All that was written."""
        self.stream.write("\n\0\n")
        self.stream.flush()
        seen = b""
        while b"\0" not in seen:
            seen += os.read(self.reader, 4096)
        self.stream.close()
        os.close(self.reader)
        return seen


def said(message: object, *_: Any) -> None:
    """A warning, as users see it."""
    sys.stderr.write(f"{message}\n")


Shown = tuple[int, bytes, bytes, dict[str, bytes], bytes]


Write = Callable[[Path, Any], Path]
Plant = Callable[[pytest.MonkeyPatch], None]


def shown(
    patch: pytest.MonkeyPatch,
    folder: Path,
    table: Any,
    adjacency: str,
    write: Callable[[Path, Any], Path],
    program: tuple[str, ...] = ("small.toml",),
) -> Shown:
    """Exit code, stdout, stderr, files with what stands in them (also at home and for a while), and the result."""
    multiprocessing.util.get_temp_dir()  # made once a process, for its sockets: their paths must be short
    (folder / "home").mkdir(parents=True)
    patch.setenv("HOME", str(folder / "home"))
    patch.setattr(tempfile, "tempdir", str(folder / "home"))
    (folder / "small.toml").write_text(SMALL)
    data = write(folder / f"x.{'csv' if write is csv else 'npy'}", table)
    patch.setattr(Scope, "_release", zeroed)
    ticks = itertools.count()
    patch.setattr(progress.time, "monotonic", lambda: float(next(ticks)))
    patch.setattr(fused, "workers", lambda: 1)
    patch.setattr(warnings, "showwarning", said)  # not pytest's list
    patch.setattr(fused, "chunk_rows", lambda d: 30)
    patch.chdir(folder)
    out, err = Terminal(), Terminal()
    patch.setattr(sys, "stdout", out.stream)
    patch.setattr(sys, "stderr", err.stream)
    given = ["run", *program, "--data", data.name, "--out", "out", "--set", f"adjacency={adjacency}", "--simulate", "3"]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            code = cli.main(given)
    finally:
        patch.undo()
        texts = out.end(), err.end()
    files = {str(p.relative_to(folder)): written(p) for p in folder.rglob("*") if p.name != data.name}
    result = folder / "out" / "simulated.json"
    return code, *texts, files, result.read_bytes() if result.exists() else b""


def written(path: Path) -> bytes:
    """What stands in a file but for the time of day."""
    return re.sub(rb'"started": "[^"]*"', b"", path.read_bytes()) if path.is_file() else b""


def differences(
    tmp_path: Path,
    kind: str,
    write: Any,
    plant: Callable[[pytest.MonkeyPatch], None] | None = None,
    program: tuple[str, ...] = ("small.toml",),
) -> list[str]:
    """What differs between neighbours."""
    *tables, adjacency = PAIRS[kind]
    seen = []
    for i, table in enumerate(tables):
        with pytest.MonkeyPatch.context() as patch:
            if plant is not None:
                plant(patch)
            seen.append(shown(patch, tmp_path / str(i), table, adjacency, write, program))
    names = ("exit code", "stdout", "stderr", "files", "result")
    return [f"{name}: {a!r} {b!r}" for name, a, b in zip(names, *seen, strict=True) if a != b]


@pytest.mark.parametrize("write", [npy, csv])
@pytest.mark.parametrize("kind", PAIRS)
def test_neighbours_show_the_same(kind: str, write: Any, tmp_path: Path) -> None:
    assert differences(tmp_path, kind, write) == []


def test_progress_is_shown_on_a_terminal(tmp_path: Path) -> None:
    """The test above sees lines, not silence."""
    with pytest.MonkeyPatch.context() as patch:
        code, _, err, _, result = shown(patch, tmp_path / "a", BASE, "replace_one", npy)
    assert code == 0
    assert b"pass 1 66 %" in err
    assert result


# --------------------------------------------------------------------------------------------- planted


def valid_rows_shown(patch: pytest.MonkeyPatch) -> None:
    """Progress counts the rows that are not empty."""
    update = Mean.update
    line: list[int] = []

    def counting(self: Any, fold: Any, batch: Any, *params: Any) -> None:
        update(self, fold, batch, *params)
        line.append(int(batch.valid.sum()))

    patch.setattr(Mean, "update", counting)
    patch.setattr(Progress, "step", lambda self, rows: sys.stderr.write(f"\r{sum(line)} rows"))


def every_batch_shown(patch: pytest.MonkeyPatch) -> None:
    """A dot for each batch."""
    patch.setattr(Progress, "step", lambda self, rows: sys.stderr.write("."))


def clipped_rows_warned(patch: pytest.MonkeyPatch) -> None:
    """A warning where a row is far away."""
    apply = ClipBall.apply

    def warning(self: Any, batch: Any, *params: Any) -> Any:
        if np.abs(batch.values).max(initial=0.0) > 1e100:
            warnings.warn("some rows are far away", stacklevel=1)
        return apply(self, batch, *params)

    patch.setattr(ClipBall, "apply", warning)


def empty_rows_noted(patch: pytest.MonkeyPatch) -> None:
    """A remark on how many rows are empty."""
    of = Chunk.of.__func__  # type: ignore[attr-defined]

    def noting(cls: Any, start: int, values: Any) -> Any:
        made = of(cls, start, values)
        missing = int(len(made.valid) - made.valid.sum())
        if missing:
            sys.stderr.write(f"{missing} rows are empty\n")
        return made

    patch.setattr(Chunk, "of", classmethod(noting))


def empty_tables_refused(patch: pytest.MonkeyPatch) -> None:
    """A run on rows that are all missing fails."""
    value = Mean.value

    def refusing(self: Any, fold: Any) -> Any:
        exact = value(self, fold)
        if not np.any(exact.integers):
            raise ValueError("no rows")
        return exact

    patch.setattr(Mean, "value", refusing)


def count_in_a_file_name(patch: pytest.MonkeyPatch) -> None:
    """A cache whose name holds a count."""
    value = Mean.value

    def caching(self: Any, fold: Any) -> Any:
        exact = value(self, fold)
        Path("out", f"cache-{int(np.ravel(exact.integers)[-1])}").write_text("")
        return exact

    patch.setattr(Mean, "value", caching)


def size_of_a_file(patch: pytest.MonkeyPatch) -> None:
    """A log that is longer the larger a sum is."""
    value = Mean.value

    def logging(self: Any, fold: Any) -> Any:
        exact = value(self, fold)
        Path("out", "log").write_text(str(np.ravel(exact.integers).tolist()))
        return exact

    patch.setattr(Mean, "value", logging)


def rows_in_the_result(patch: pytest.MonkeyPatch) -> None:
    """The number of rows beside the outputs, under add/remove too."""
    counted: list[int] = []
    count = TableSource.count_rows

    def counting(self: Any) -> int:
        counted.append(count(self))
        return counted[-1]

    patch.setattr(TableSource, "count_rows", counting)
    document = releasing.document
    patch.setattr(releasing, "document", lambda result: {**document(result), "rows": counted[-1]})


def share_of_private_rows(patch: pytest.MonkeyPatch) -> None:
    """A percentage of a private number of rows."""
    counted: list[int] = []
    count = TableSource.count_rows
    patch.setattr(TableSource, "count_rows", lambda self: counted.append(count(self)) or counted[-1])  # type: ignore[func-returns-value]
    patch.setattr(run, "Progress", lambda rows, call: Progress(counted[-1]))


def total_printed(patch: pytest.MonkeyPatch) -> None:
    """A print that was forgotten."""
    value = Mean.value

    def printing(self: Any, fold: Any) -> Any:
        exact = value(self, fold)
        print(exact.integers)
        return exact

    patch.setattr(Mean, "value", printing)


MUTANTS: list[tuple[Plant, str, str]] = [
    (valid_rows_shown, "empty", "stderr"),
    (every_batch_shown, "a batch more", "stderr"),
    (empty_rows_noted, "empty", "stderr"),
    (empty_tables_refused, "all but one are empty", "exit code"),
    (count_in_a_file_name, "empty", "files"),
    (size_of_a_file, "all but one are empty", "files"),
    (rows_in_the_result, "comes", "result"),
    (share_of_private_rows, "a batch more", "stderr"),
    (total_printed, "far", "stdout"),
    (digest_in_a_file, "far", "files"),
    (cache_at_home, "far", "files"),
    (batches_for_a_while, "far", "files"),
    (empty_rows_in_the_attempt, "empty", "files"),
]


@pytest.mark.parametrize(("plant", "kind", "where"), MUTANTS, ids=[m[0].__name__ for m in MUTANTS])
def test_a_planted_leak_is_seen(plant: Any, kind: str, where: str, tmp_path: Path, run_errors: list[Any]) -> None:
    assert any(text.startswith(where) for text in differences(tmp_path, kind, npy, plant)), where


def told(table: Any, adjacency: str, capfd: Any, plant: Plant | None = None) -> Any:
    """What a run from Python writes and warns of."""
    adjacent = dp.REPLACE_ONE if adjacency == "replace_one" else dp.ADD_REMOVE
    n = {"n": N} if adjacency == "replace_one" else {}
    plan = dp.plan(simple_mean, x=dp.rows(d=2, **n), adjacency=adjacent, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        patch.setattr(Scope, "_release", zeroed)
        if plant is not None:
            plant(patch)
        result = plan.run(x=table, simulate=3)
    return repr(result), result.warnings, [str(w.message) for w in warned], capfd.readouterr()


@pytest.mark.parametrize("kind", PAIRS)
def test_runs_from_python_write_and_warn_the_same(kind: str, capfd: Any) -> None:
    first, second, adjacency = PAIRS[kind]
    assert told(first, adjacency, capfd) == told(second, adjacency, capfd)


def heard(patch: pytest.MonkeyPatch) -> None:
    """The same warning in a pass that is not silent."""
    clipped_rows_warned(patch)
    patch.setattr(Scope, "_pass", inspect.unwrap(Scope._pass))


def test_a_warning_of_a_row_is_silent(capfd: Any) -> None:
    """The command line shows no warnings; Python does, but none of a pass over rows."""
    first, second, adjacency = PAIRS["far"]
    assert told(first, adjacency, capfd, clipped_rows_warned) == told(second, adjacency, capfd, clipped_rows_warned)


def test_a_warning_of_a_row_is_seen(capfd: Any) -> None:
    first, second, adjacency = PAIRS["far"]
    assert told(first, adjacency, capfd, heard) != told(second, adjacency, capfd, heard)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PAIRS)
def test_neighbours_show_the_same_in_processes_of_their_own(kind: str, tmp_path: Path) -> None:
    """What is written below Python is seen too."""
    *tables, adjacency = PAIRS[kind]
    seen = []
    for i, table in enumerate(tables):
        folder = tmp_path / str(i)
        folder.mkdir()
        script = f"""
import pathlib, pytest, sys
from tests.cli import test_leaks as leaks
table = leaks.PAIRS[{kind!r}][{i}]
with pytest.MonkeyPatch.context() as patch:
    patch.setattr(leaks.Scope, "_release", leaks.zeroed)
    patch.chdir({str(folder)!r})
    pathlib.Path("small.toml").write_text(leaks.SMALL)
    leaks.npy(pathlib.Path("x.npy"), table)
    words = ["run", "small.toml", "--data", "x.npy", "--out", "out", "--simulate", "3"]
    sys.exit(leaks.cli.main([*words, "--set", "adjacency={adjacency}"]))
"""
        out, err = Terminal(), Terminal()
        made = subprocess.run([sys.executable, "-c", script], stdout=out.stream, stderr=err.stream, check=False)
        texts = out.end(), err.end()
        sizes = {str(p.relative_to(folder)): p.stat().st_size for p in (folder / "out").rglob("*")}
        seen.append((made.returncode, *texts, sizes))
        assert len(table) in (N - 1, N, N + 1)
    assert seen[0] == seen[1]


@pytest.fixture(autouse=True)
def _here() -> Iterator[None]:
    kept = Path.cwd()
    yield
    os.chdir(kept)
