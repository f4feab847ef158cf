"""Folds of parts that are computed elsewhere: whatever the parts and their order, the same bits; no exception tells."""

from __future__ import annotations

import itertools
import pickle
import random
import secrets
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import ChangedError, DataError
from dpframe.planning.results import run_plan
from dpframe.proof.spaces import Rows
from dpframe.runtime import cluster, fused, remote
from dpframe.runtime.sources import TableSource, base, delimited, digest, open_source
from dpframe.runtime.views import SourceTable, View
from tests.runtime import small
from tests.runtime.tables import SECRET, write_csv

UNIT = 512
N = 5 * UNIT + 77


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """A table of several units, which are made small."""
    for module in (digest, cluster, remote):
        monkeypatch.setattr(module, "UNIT_ROWS", UNIT)
    x = rng.normal(size=(N, 2))
    x[[3, 700, N - 1], 1] = np.nan
    return x


def files(x: np.ndarray[Any, Any], path: Path) -> dict[str, Any]:
    """The table in every form that workers read."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = pa.table({"a": x[:, 0], "b": x[:, 1]})
    np.save(path / "x.npy", x)
    np.save(path / "f.npy", np.asfortranarray(x))
    text = "a,b\n" + "".join(f"{a!r},{b!r}\n" for a, b in x.tolist())
    write_csv(path / "x.csv", text)
    pq.write_table(table, path / "x.parquet", row_group_size=300)
    pytest.importorskip("pyarrow.feather").write_feather(table, path / "x.feather", chunksize=100)
    (path / "folder").mkdir()
    for i, (a, b) in enumerate(itertools.pairwise([0, 1, 1, 900, N])):
        pq.write_table(table[a:b], path / "folder" / f"{i}.parquet", row_group_size=200)
        np.save(path / f"part{i}.npy", x[a:b])
    names = ("x.npy", "f.npy", "x.csv", "x.parquet", "x.feather", "folder", "part?.npy")
    return {name: path / name for name in names}


def same(source: TableSource, start: int, stop: int, rows: int) -> tuple[Any, ...]:
    found = source.digests.anew()
    chunks = list(source.part(start, stop, rows, found))
    values = np.concatenate([np.empty((0, source.d)), *(c.values for c in chunks)])
    return values, np.concatenate([np.empty(0, bool), *(c.valid for c in chunks)]), found.numbered(start)


def test_parts_of_a_file_are_its_rows_and_digests(rows: np.ndarray[Any, Any], tmp_path: Path) -> None:
    for name, path in files(rows, tmp_path).items():
        source: TableSource = pickle.loads(pickle.dumps(opened(path)))
        assert source.pieces > (name in {"x.npy", "part?.npy", "folder", "x.parquet"})
        whole = list(source.chunks(100))
        for a, b in [(0, UNIT), (UNIT, 3 * UNIT), (3 * UNIT, N), (0, N), (N, N)]:
            values, valid, found = same(source, a, b, 111)
            np.testing.assert_array_equal(values, np.concatenate([c.values for c in whole])[a:b])
            np.testing.assert_array_equal(valid, np.concatenate([c.valid for c in whole])[a:b])
            known = source.digests.known
            assert found == {u: known[u] for u in range(a // UNIT, -(-b // UNIT) if b > a else a // UNIT)}
        source.digests.agree(list(source.digests.known))
        with pytest.raises(ChangedError):
            source.digests.agree(source.digests.known[:-1])


def test_a_plugin_file_that_is_gone_is_a_fact_and_no_error(tmp_path: Path) -> None:
    path = tmp_path / "gone.py"
    gone = remote.facts([str(path)])
    path.write_text("")
    there = tmp_path / "there.py"
    there.write_text("")
    assert gone != remote.facts([str(there)])


def opened(path: Any) -> TableSource:
    source = open_source(path)
    source.count_rows()
    return source


@dp.program
def many(x: Any) -> dict[str, Any]:
    """Bins, sums, a matrix, parts by index and by secret labels; in a second pass, rows about the released mean."""
    ball = dp.ball(centre=[0.0, 0.0], radius=3.0)
    left, _ = dp.split(x, count=2)
    values = {"bins": dp.dyadic_counts(x), "mean": dp.mean(dp.clip(x, ball)), "gram": dp.gram(dp.clip(left, ball))}
    made = {name: dp.release(name, dp.gaussian(share=1.0), value) for name, value in values.items()}
    parts = dp.secret_split(x, count=2)
    counts = {f"count{i}": dp.release(f"count{i}", dp.laplace(share=1.0), dp.count(p)) for i, p in enumerate(parts)}
    near = dp.clip(x, dp.post("test.ball_at", made["mean"]))
    return made | counts | {"near": dp.release("near", dp.gaussian(share=1.0), dp.sum(near))}


def planned(n: int = N) -> dp.Plan:
    return dp.plan(many, x=dp.rows(n=n, d=2), adjacency=dp.REPLACE_ONE, budget=small.BUDGET)


def bits(result: Any) -> dict[str, bytes]:
    assert result.status == "released"
    return {name: np.asarray(value).tobytes() for name, value in result.outputs.items()}


class Future:
    def __init__(self, make: Any, key: str) -> None:
        self.make, self.key = make, key

    def done(self) -> bool:
        return True


class Stand:
    """Stands in for a client: tasks are computed when they are asked for, inputs in any order, some of them twice."""

    status, asynchronous = "running", False

    def __init__(self, threads: int, seed: int, spoil: Any = None) -> None:
        self.threads, self.random, self.spoil = threads, random.Random(seed), spoil
        self.results: dict[str, Any] = {}
        self.makers: dict[str, Any] = {}
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def nthreads(self) -> dict[str, int]:
        return {f"tcp://{i}": 1 for i in range(self.threads)}

    def scatter(self, data: list[bytes], *, direct: bool, hash: bool, broadcast: bool) -> list[Future]:  # noqa: A002
        assert (direct, hash) == (True, False)
        if not self.threads:
            raise TimeoutError  # after half a minute
        key = f"bytes-{len(self.makers)}"
        self.makers[key] = lambda: data[0]
        return [Future(None, key)]

    def submit(self, task: Any, *arguments: Any, key: str, pure: bool, workers: Any = None) -> Future:
        assert pure is False
        assert key not in self.makers
        self.calls.append((key, arguments))

        def make() -> Any:
            inputs = [a.key for a in arguments if isinstance(a, Future)]
            for name in self.random.sample(inputs, len(inputs)):
                self.value(name)
            given = [self.value(a.key) if isinstance(a, Future) else a for a in arguments]
            made = [task(*given) for _ in range(self.random.choice([1, 1, 2]))]
            return self.spoil(task.__name__, made[-1]) if self.spoil else made[-1]

        self.makers[key] = make
        return Future(make, key)

    def map(self, task: Any, *arguments: Any, key: list[str], pure: bool) -> list[Future]:
        return [self.submit(task, *each, key=one, pure=pure) for one, *each in zip(key, *arguments, strict=True)]

    def value(self, key: str) -> Any:
        if key not in self.results:
            self.results[key] = self.makers[key]()
        return self.results[key]

    def sync(self, _: Any, client: Any, key: str) -> Any:
        return self.value(key)


@pytest.fixture
def stood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs take a stand-in as a cluster."""
    pytest.importorskip("distributed")
    monkeypatch.setattr("distributed.Client", Stand)
    monkeypatch.setattr(remote, "_settled", lambda: None)
    monkeypatch.setattr(cluster, "PAUSE_SECONDS", 0)


@pytest.mark.usefixtures("stood")
def test_any_partition_order_and_repetition_gives_the_local_bits(rows: np.ndarray[Any, Any], tmp_path: Path) -> None:
    plan, made = planned(), files(rows, tmp_path)
    local = bits(plan.run(rows, simulate=3))
    for seed, (name, path) in enumerate(made.items()):
        stand = Stand([1, 2, 3, 7, 20][seed % 5], seed)
        assert bits(plan.run(str(path), simulate=3, on=stand)) == local, name
        folds = [key for key, arguments in stand.calls if any(isinstance(a, int) for a in arguments)]
        assert folds
        assert len(set(folds)) == len(folds)
        for key, arguments in stand.calls:  # what a scheduler sees: random keys, other keys, numbers of parts
            assert key.startswith("dpframe-")
            assert all(isinstance(a, Future) or (isinstance(a, int) and a < 80) for a in arguments)


@pytest.mark.usefixtures("stood")
@pytest.mark.parametrize("name", ["x.parquet", "folder", "part?.npy"])
def test_workers_check_and_count_the_files(
    rows: np.ndarray[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Where a worker can't, the client does; without that, and without the workers' word, the run is refused."""
    path, local = str(files(rows, tmp_path)[name]), bits(planned().run(rows, simulate=3))

    def run(spoil: Any = None) -> Any:
        return planned().run(path, simulate=3, on=Stand(2, 0, spoil))

    assert bits(run(lambda task, word: ("error", None) if task == "count" else word)) == local
    monkeypatch.setattr(base, "together", lambda *_: 1 / 0)
    assert bits(run()) == local
    with pytest.raises(ZeroDivisionError):
        run(lambda task, word: ("error", None) if task == "count" else word)


@pytest.mark.usefixtures("stood")
def test_a_file_that_arrow_refused_on_a_worker_is_counted_by_the_client(
    rows: np.ndarray[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client would not know that it reads by the slow pass: the run would fail after spending."""
    monkeypatch.setattr(delimited, "_BLOCK", 128)
    for i, part in enumerate(np.array_split(rows, 2)):
        lines = [f"{a!r},{b!r}\n" for a, b in part.tolist()]
        lines[40] = "0" * 400 + lines[40].lstrip("-")
        write_csv(tmp_path / f"{i}.csv", "a,b\n" + "".join(lines))
    path = str(tmp_path / "?.csv")
    assert bits(planned().run(path, simulate=3, on=Stand(2, 0))) == bits(planned().run(path, simulate=3))


@pytest.mark.usefixtures("stood")
def test_a_damaged_file_is_named_as_without_a_cluster(rows: np.ndarray[Any, Any], tmp_path: Path) -> None:
    folder = files(rows, tmp_path)["folder"]
    content = bytearray((folder / "2.parquet").read_bytes())
    content[4:1000] = bytes(996)
    (folder / "2.parquet").write_bytes(content)
    said = []
    for on in (None, Stand(3, 1)):
        with pytest.raises(DataError) as refused:
            planned().run(str(folder), simulate=3, on=on)
        said.append(str(refused.value))
    assert said[0] == said[1]
    assert "2.parquet" in said[0]


def unlike(task: str, word: Any) -> Any:
    return ("unequal", ["CPU: old, not new"]) if task == "probe" else word


def elsewhere(task: str, word: Any) -> Any:
    return ("changed", None) if task == "probe" else word


@pytest.mark.usefixtures("stood")
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (unlike, "worker tcp://0 differs from the client in CPU: old, not new"),
        (elsewhere, "does not see the table's files"),
        (lambda task, word: ("error", None), "can't read the plan's operations"),
        (lambda task, word: 1 / 0, "can't run dpframe"),
    ],
)
def test_workers_are_asked_before_anything_is_spent(
    rows: np.ndarray[Any, Any], tmp_path: Path, spoil: Any, said: str
) -> None:
    path, spent = files(rows, tmp_path)["x.npy"], list[int]()
    with pytest.raises(DataError, match=said):
        run_plan(planned(), {"x": path}, simulate=3, on=Stand(2, 0, spoil), reserved=lambda: spent.append(1))
    with pytest.raises(DataError, match="no workers"):
        run_plan(planned(), {"x": path}, simulate=3, on=Stand(0, 0), reserved=lambda: spent.append(1))
    assert not spent


def doubled(task: str, word: Any) -> Any:
    """Twin: a part that is in the tree twice."""
    if task != "fold":
        return word
    made = pickle.loads(word[1])
    return "done", pickle.dumps(attrs.evolve(made, digests=dict.fromkeys(range(2), b""), rows=1))


def dropped(task: str, word: Any) -> Any:
    if task != "fold":
        return word
    return "done", pickle.dumps(attrs.evolve(pickle.loads(word[1]), digests={}))


def other_rows(task: str, word: Any) -> Any:
    if task != "fold":
        return word
    made = pickle.loads(word[1])
    return "done", pickle.dumps(attrs.evolve(made, digests={u: secrets.token_bytes(16) for u in made.digests}))


def failing_fold(word: str) -> Any:
    return lambda task, given: (word, None) if task == "fold" else given


def lost(task: str, word: Any) -> Any:
    if task == "merge":
        raise OSError(SECRET)
    return word


@pytest.mark.usefixtures("stood")
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (doubled, "an error"),
        (dropped, "an error"),
        (other_rows, "changed"),
        (failing_fold("changed"), "changed"),
        (failing_fold("error"), "an error"),
        (failing_fold("unequal"), "an error"),
        (lost, "an error"),
    ],
)
def test_a_pass_that_goes_wrong_ends_in_failed(
    rows: np.ndarray[Any, Any], tmp_path: Path, run_errors: list[Any], spoil: Any, reason: str
) -> None:
    path, spent = files(rows, tmp_path)["folder"], list[int]()
    result = run_plan(planned(), {"x": path}, simulate=3, on=Stand(2, 1, spoil), reserved=lambda: spent.append(1))
    assert (result.status, spent) == ("failed", [1])
    assert reason in result.reason
    assert len(run_errors) == 1
    assert SECRET not in repr(result) + result.advice + repr(run_errors)


@pytest.mark.usefixtures("stood")
def test_a_pass_whose_workers_went_is_tried_again(rows: np.ndarray[Any, Any], tmp_path: Path) -> None:
    left = [2]

    def once(task: str, word: Any) -> Any:
        if task == "merge" and left[0]:
            left[0] -= 1
            raise OSError(SECRET)
        return word

    path = files(rows, tmp_path)["x.parquet"]
    result = planned().run(path, simulate=3, on=Stand(2, 1, once))
    assert left == [0]
    assert bits(result) == bits(planned().run(rows, simulate=3))


def test_what_a_worker_meets_is_one_word(rows: np.ndarray[Any, Any], tmp_path: Path, monkeypatch: Any) -> None:
    """Whatever raises in a fold, a merge or a question, no text of it comes back."""
    source = opened(files(rows, tmp_path)["x.npy"])
    view = View(SourceTable(source, N), N)
    wanted = [fused.Request(dp.build("count", {}), view, Rows(2), ())]
    job = remote.packed((wanted, [0, UNIT, N], 100, source.digests))
    word, content = remote.fold(job, 0)
    assert word == "done"
    assert pickle.loads(content).rows == UNIT
    again = remote.fold(job, 0)[1]
    assert remote.merge(("done", content), ("done", again)) == ("error", None)  # one part twice
    assert remote.merge(("done", content), ("changed", None)) == ("changed", None)
    assert remote.merge(("done", SECRET.encode())) == ("error", None)
    assert remote.fold(job, 9) == remote.fold(SECRET.encode(), 0) == remote.probe(b"") == ("error", None)
    monkeypatch.setattr(remote, "update", lambda *_: {}[SECRET])
    assert remote.fold(job, 0) == ("error", None)
    monkeypatch.setattr(remote, "facts", lambda files: (("CPU", "other"),))
    remote._unpacked.cache_clear()
    assert remote.fold(job, 0)[0] == "unequal"
    asked = remote.probe(job)
    assert asked[0] == "unequal"
    assert all(SECRET not in text for text in asked[1])


@pytest.mark.parametrize("on", ["tcp://127.0.0.1:1", "nonsense", 7])
def test_a_cluster_that_is_not_there_is_refused(
    on: Any, rows: np.ndarray[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.2)
    with pytest.raises(DataError, match=r"no Dask scheduler at|cannot be of type"):
        planned().run(rows, on=on)
