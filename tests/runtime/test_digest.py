"""A source that gives other rows when it is read again ends the run: every change is seen, no chunking is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpframe as dp
from dpframe.cli import main
from dpframe.errors import ChangedError
from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.post_processing import Post
from dpframe.kernel.registry import register
from dpframe.planning.results import run_plan
from dpframe.proof.spaces import Domain
from dpframe.runtime.sources import digest, open_source
from dpframe.runtime.sources.base import TableSource

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


def read(known: digest.Digests, values: Any, valid: Any = None, cuts: tuple[int, ...] = ()) -> None:
    """Read a table once, in the pieces that `cuts` says."""
    reading = digest.Reading(known)
    valid = np.ones(len(values), dtype=np.bool_) if valid is None else valid
    for start, stop in zip((0, *cuts), (*cuts, len(values)), strict=True):
        reading.update(np.ascontiguousarray(values[start:stop]), valid[start:stop])
    reading.finish()


@pytest.fixture
def short_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest, "UNIT_ROWS", 1024)


@given(d=st.integers(1, 7), data=st.data())
def test_the_digest_does_not_depend_on_the_pieces(d: int, data: Any) -> None:
    n = data.draw(st.sampled_from([0, 1, 1023, 1024, 1025, 3000]))
    cuts = st.lists(st.integers(0, n), max_size=6).map(lambda found: tuple(sorted(found)))
    values = np.random.default_rng(n).normal(size=(n, d))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digest, "UNIT_ROWS", 1024)
        known = digest.Digests(d)
        for _ in range(3):
            read(known, values, cuts=data.draw(cuts))
        assert len(known.known) == -(-n // 1024)


def flip(bit: int) -> Callable[[Any], Any]:
    def change(values: Any) -> Any:
        values.view(np.uint64)[1700, 1] ^= np.uint64(1 << bit)
        return values

    return change


CHANGES: dict[str, Callable[[Any], Any]] = {
    **{f"bit {bit}": flip(bit) for bit in (0, 31, 63)},
    "two rows change places": lambda x: x[[*range(5), 2000, *range(6, 2000), 5, *range(2001, len(x))]],
    "two signs": lambda x: x * np.where(np.isin(np.arange(len(x)), [0, 1])[:, None], -1, 1),
    "all negated": np.negative,
    "one row less": lambda x: x[:-1],
    "one unit less": lambda x: x[:1024],
    "the last unit less": lambda x: x[:2048],
    "nothing": lambda x: x[:0],
    "a row of zeros more": lambda x: np.concatenate([x, np.zeros((1, x.shape[1]))]),
    "rows of zeros more": lambda x: np.concatenate([x, np.zeros((1024, x.shape[1]))]),
    "doubled": lambda x: 2 * x,
}


@pytest.mark.parametrize("kind", ["normal", "whole"])
@pytest.mark.parametrize("name", CHANGES)
def test_every_change_is_seen(name: str, kind: str, short_units: None) -> None:
    """A change is missed with a chance of at most 2^-58. Whole numbers have 40 low bits in common."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(2500, 3)) if kind == "normal" else rng.integers(1, 100, size=(2500, 3)).astype(np.float64)
    known = digest.Digests(3)
    read(known, x)
    read(known, x.copy())
    with pytest.raises(ChangedError, match="changed during the run"):
        read(known, CHANGES[name](x.copy()))


def test_every_bit_counts(short_units: None) -> None:
    x, known = np.ones((2500, 3)), digest.Digests(3)
    read(known, x)
    for bit in range(64):
        with pytest.raises(ChangedError):
            read(known, flip(bit)(x.copy()))


def test_an_empty_row_is_no_row_of_zeros() -> None:
    known, x, valid = digest.Digests(2), np.zeros((100, 2)), np.ones(100, dtype=np.bool_)
    read(known, x, valid)
    valid[7] = False
    with pytest.raises(ChangedError):
        read(known, x, valid)


@pytest.mark.parametrize(("missing", "bit"), [(0, 7), (1, 63)])
def test_one_sum_alone_would_miss_changes(missing: int, bit: int) -> None:
    """The broken twin: the other sum misses half of all flips of the bit that is its highest.

    That none of 60 is missed has a chance of 2^-60.
    """

    def seen() -> bool:
        known, x = digest.Digests(1), np.ones((1, 1))
        key, drawn = known.keys()
        drawn = drawn.copy()
        drawn[missing] = 0
        known._secret = (key, drawn)
        read(known, x)
        x.view(np.uint64)[0, 0] ^= np.uint64(1 << bit)
        try:
            read(known, x)
        except ChangedError:
            return True
        return False

    assert not all(seen() for _ in range(60))


def test_keys_are_of_one_run() -> None:
    x, found = np.ones((10, 2)), []
    for _ in range(2):
        known = digest.Digests(2)
        read(known, x)
        found.append(known.known)
    assert found[0] != found[1]


# ------------------------------------------------------------------------------------------- runs


@register("test.digest.act")
@attrs.frozen
class Act(Post):
    """Passes a released value on, after something happened to the table."""

    slots = (Slot("value", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """The same."""
        return inputs[0]

    def apply(self, *values: Any) -> Any:
        """Do what the test wants."""
        HAPPENS.pop()()
        return values[0]


HAPPENS: list[Callable[[], Any]] = []


@dp.program
def two_passes(x):
    """A ball from the first pass, a mean in it from the second."""
    ball = dp.post("test.digest.act", dp.release("ball", dp.locate(share=0.5), x), name="act")
    return dp.release("mean", dp.gaussian(share=0.5), dp.mean(dp.clip(x, ball)))


def outcome(table: Any, n: int, act: Callable[[], Any] = lambda: None, **how: Any) -> Any:
    HAPPENS[:] = [act]
    d = open_source(table).d
    plan = dp.plan(two_passes, x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    return run_plan(plan, {"x": table}, simulate=1, **how)


def replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file anew, with the size and the time stamp it had."""
    status = path.stat()
    write(path)
    assert path.stat().st_size == status.st_size
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def csv(path: Path, x: Any) -> None:
    np.savetxt(path, x, delimiter=",", header="a,b", comments="", fmt="%+.6f")


def parquet(path: Path, x: Any) -> None:
    import pyarrow as pa
    from pyarrow import parquet as pq

    pq.write_table(pa.table({"a": x[:, 0], "b": x[:, 1]}), path, compression="none", use_dictionary=False)


WRITERS: dict[str, Callable[[Path, Any], Any]] = {"npy": np.save, "csv": csv, "parquet": parquet}


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("changes", [True, False])
def test_a_file_replaced_with_the_same_size_and_time(
    kind: str, changes: bool, tmp_path: Path, run_errors: list[Any]
) -> None:
    rng, path = np.random.default_rng(3), tmp_path / f"x.{kind}"
    x = np.round(rng.normal(size=(3000, 2)), 6)
    y = x.copy()
    y[2000] = -y[2000] if changes else y[2000]
    WRITERS[kind](path, x)
    result = outcome(path, 3000, lambda: replace(path, lambda p: WRITERS[kind](p, y)))
    assert result.status == ("failed" if changes else "released")
    assert "changed during the run" in result.reason or not changes


@pytest.mark.parametrize("kind", ["numpy", "memory map", "list", "pandas", "polars", "arrow", "dask"])
def test_tables_in_memory(kind: str, tmp_path: Path, run_errors: list[Any]) -> None:
    """Unchanged ones pass; those that can be written to are, between the passes."""
    x = np.random.default_rng(3).normal(size=(3000, 2))
    x[5, 0] = np.nan
    if kind == "memory map":
        np.save(tmp_path / "x.npy", x)
    made: dict[str, Callable[[], Any]] = {
        "numpy": lambda: x,
        "memory map": lambda: np.load(tmp_path / "x.npy", mmap_mode="r+"),
        "list": x.tolist,
        "pandas": lambda: pytest.importorskip("pandas").DataFrame(x, columns=["a", "b"], copy=True),
        "polars": lambda: pytest.importorskip("polars").DataFrame(x, schema=["a", "b"]),
        "arrow": lambda: pytest.importorskip("pyarrow").table({"a": x[:, 0], "b": x[:, 1]}),
        "dask": lambda: pytest.importorskip("dask.array").from_array(x, chunks=(700, 2)),
    }
    table = made[kind]()
    assert outcome(table, 3000).status == "released"
    if kind not in ("list", "polars", "arrow", "dask"):

        def write() -> None:
            (table.iloc if kind == "pandas" else table)[700, 1] = 9.0

        assert outcome(table, 3000, write).status == "failed"
        assert outcome(table, 3000).status == "released"


def redrawn(x: Any, chunks: int, draw: Callable[[Any, int], Any]) -> Any:
    """A lazy Dask array whose blocks are `draw(block, how many blocks were drawn before)`."""
    array, count = pytest.importorskip("dask.array"), iter(range(10**6))
    return array.from_array(x, chunks=(chunks, x.shape[1])).map_blocks(
        lambda block: draw(block, next(count)), dtype=float, meta=np.ones((0, x.shape[1]))
    )


def noisy(block: Any, turn: int) -> Any:
    return block + np.random.default_rng().normal(size=block.shape)


@pytest.mark.parametrize(
    ("draw", "status"),
    [(noisy, "failed"), (lambda b, turn: b, "released"), (lambda b, turn: b[: len(b) - (turn == 5)], "failed")],
    ids=["drawn anew", "the same", "a shorter second pass"],
)
def test_lazy_blocks(draw: Any, status: str, run_errors: list[Any]) -> None:
    x = np.random.default_rng(3).normal(size=(2000, 2))
    result = outcome(redrawn(x, 500, draw), 2000)
    assert (result.status, bool(result.outputs)) == (status, status == "released")


class Fickle(TableSource):
    """A source that ends early, goes on for too long or fails from its second reading on."""

    def __init__(self, x: Any, later: Any) -> None:
        super().__init__([str(j) for j in range(x.shape[1])], None)
        self.x, self.later, self.readings = x, later, 0

    def _count(self) -> int:
        return len(self.x)

    def _batches(self, rows: int) -> Iterator[Any]:
        self.readings += 1
        x = self.x if self.readings == 1 else self.later
        for start in range(0, len(x), rows):
            yield x[start : start + rows].copy()


@pytest.mark.parametrize("length", [0, 1, 2999, 3001])
def test_another_length_in_the_second_pass(length: int, run_errors: list[Any], monkeypatch: Any) -> None:
    x = np.random.default_rng(3).normal(size=(3001, 2))
    monkeypatch.setattr("dpframe.runtime.run.open_slots", lambda data, relation, columns: Fickle(x[:3000], x[:length]))
    assert outcome(x[:3000], 3000).status == "failed"


@pytest.mark.parametrize("threads", [1, 2])
def test_no_row_stands_in_two_index_parts(threads: int, run_errors: list[Any]) -> None:
    """The attack: a sum over each half, the second taken later; the source moves one row from half to half."""

    @dp.program
    def halves(x):
        first, second = dp.transform("split", x, count=2)
        one = dp.release("one", dp.gaussian(share=1.0), dp.mean(dp.clip(first, dp.ball(centre=[0.0], radius=9.0))))
        ball = dp.post("test.digest.ball", one)
        return {"one": one, "two": dp.release("two", dp.gaussian(share=1.0), dp.mean(dp.clip(second, ball)))}

    plan = dp.plan(halves, x=dp.rows(n=400, d=1), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    row = np.zeros((400, 1))
    blocks = []

    def moving(block: Any, turn: int) -> Any:
        blocks.append(turn)
        return np.where(np.arange(400)[:, None] == (3 if turn < 2 else 200), 9.0, block)

    result = run_plan(plan, {"x": redrawn(row, 400, moving)}, simulate=1, threads=threads)
    assert len(blocks) == 3  # it is checked before anything is spent
    assert (result.status, result.outputs) == ("failed", {})
    assert run_plan(plan, {"x": redrawn(row, 400, lambda block, turn: block)}, simulate=1).status == "released"


@register("test.digest.ball")
@attrs.frozen
class BallAt(Post):
    """A ball around a released point."""

    slots = (Slot("value", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        from dpframe.proof.spaces import Ball

        return Ball(1)

    def apply(self, *values: Any) -> Any:
        """Centre it."""
        from dpframe.proof.spaces import BallValue

        return BallValue(np.zeros(1), 9.0)


TWO_PASSES = """
name = "two"
title = "Two passes"
source = "tests"
adjacency = "replace_one"

[budget]
epsilon = 1.0
delta = 1e-6

[tables.x]
kind = "private"
d = "$d"
n = "$n"

[[node]]
name = "ball"
op = "locate"
inputs = ["x"]
share = 0.5

[[node]]
name = "hook"
op = "hook.act"
inputs = ["ball"]
what = "double:x.npy"

[[node]]
name = "inside"
op = "clip_ball"
inputs = ["x", "hook"]

[[node]]
name = "sums"
op = "mean"
inputs = ["inside"]

[[node]]
name = "noisy"
op = "gaussian"
inputs = ["sums"]
share = 0.5

[[node]]
name = "mean"
op = "mean_of_ball"
inputs = ["noisy", "hook"]

[outputs]
mean = "mean"
"""


def test_from_the_command_line(
    tmp_path: Path, hook_plugins: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, run_errors: list[Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.toml").write_text(TWO_PASSES)
    np.save("x.npy", np.random.default_rng(1).normal(size=(400, 2)))
    assert main(["run", "two.toml", "--plugins", str(hook_plugins), "--data", "x.npy", "--out", "out"]) == 3
    assert "changed during the run" in capsys.readouterr().err
    assert {p.name for p in Path("out").iterdir()} == {"attempt.json", "spec.toml", "certificate.json", "result.json"}
    assert main(["verify", "out/certificate.json", "--spec", "out/spec.toml", "--result", "out/result.json"]) == 0
    capsys.readouterr()
