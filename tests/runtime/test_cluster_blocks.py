"""Block learners, categories and audits on a cluster: the local bits, the first result of a block, no limit binds."""

from __future__ import annotations

import itertools
import pickle
import secrets
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import ChangedError
from dpframe.kernel.graphs import plugins
from dpframe.kernel.registry import build, find_learner
from dpframe.planning.results import run_plan
from dpframe.proof.spaces import BallValue
from dpframe.runtime import blocks, cluster, remote
from dpframe.runtime.blocks import Limited, Lost, learn_blocks
from dpframe.runtime.progress import Progress
from dpframe.runtime.sources.joined import OfCategory
from dpframe.runtime.views import SourceTable, View, partition_views
from dpframe.testing.audit.plan_audit import audit_plan
from dpframe.testing.audit.replay import replay
from tests.runtime import small, test_cluster
from tests.runtime.tables import SECRET
from tests.runtime.test_cluster import UNIT, Future, Stand, bits, opened
from tests.runtime.test_part_blocks import LEARNER, inside, planned

rows, stood = test_cluster.rows, test_cluster.stood
N = 600


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learners run in this process: what a process of their own does is tested elsewhere."""

    def run(name: str, seed: int, listed: list[Any], **_: Any) -> list[Any]:
        learner = find_learner(name)
        return [learner(rows, np.random.default_rng([seed, number])) if len(rows) else None for number, rows in listed]

    monkeypatch.setattr(blocks, "run_isolated", run)


@pytest.fixture
def table(rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """One column, of which a third is in the ball of :func:`inside`, and some empty rows."""
    made = rng.normal(size=(N, 1)) * 9
    made[::50] = np.nan
    return made


def views(table: Any) -> list[View]:
    """The table, and a part of it whose size is private."""
    whole = View(SourceTable(opened(table), N), N)
    return [whole, partition_views(whole, build("filter_ball", {}), (BallValue(np.zeros(1), 5.0),), None)[0]]


def words(results: list[Any]) -> list[bytes]:
    return [pickle.dumps(result) for result in results]


class Noting(Stand):
    """Notes which blocks' results arrived, in their order."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.arrived: list[tuple[int, Any]] = []

    def sync(self, _: Any, client: Any, key: str) -> Any:
        word = super().sync(_, client, key)
        self.arrived.append((dict(self.calls)[key][1], word))
        return word


@pytest.mark.usefixtures("stood", "here")
def test_blocks_on_workers_give_the_local_results(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "GROUP_BLOCKS", 4)
    operation = build("block_learner", LEARNER)
    for seed, view in enumerate(views(table)):
        local = learn_blocks(view, operation, Progress(None))
        assert sum(result is not None for result in local) >= 5
        stand = Noting(3, seed)
        assert words(learn_blocks(view, operation, Progress(None), cluster.Pool(stand))) == words(local)
        assert [number for number, _ in stand.arrived] == list(range(6))
        for key, arguments in stand.calls:  # the scheduler is told of random keys and numbers of blocks
            assert key.startswith("dpframe-")
            assert [type(a) for a in arguments] == [Future, int, Future]


@pytest.mark.usefixtures("stood", "here")
@pytest.mark.parametrize("part", [lambda x: x, inside])
def test_runs_with_blocks_have_the_local_bits(table: Any, part: Any, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", table)
    plan = planned(part)
    local = bits(plan.run(table, simulate=3))
    assert bits(plan.run(tmp_path / "x.npy", simulate=3, on=Stand(2, 1))) == local
    assert bits(plan.run(table, simulate=3, on=Stand(5, 2))) == local


class Latest(cluster.Pool):
    """The broken twin: asks for all blocks once more where one was lost, and believes the last answer."""

    def _learned(self, content: bytes, blocks: Any, found: dict[int, Any]) -> None:
        latest: dict[int, Any] = {}
        ASKED.extend(blocks if not ASKED else [])
        super()._learned(content, list(ASKED), latest)
        found.update(latest)


ASKED: list[Any] = []


@pytest.mark.usefixtures("stood")
@pytest.mark.parametrize(("pool", "first"), [(cluster.Pool, True), (Latest, False)])
def test_the_first_result_of_a_block_is_final(
    table: Any, monkeypatch: pytest.MonkeyPatch, pool: Any, first: bool
) -> None:
    """Of a learner that answers otherwise each time, while a worker goes with one block: it alone is asked again."""
    lost = [1]

    def answer(job: bytes, number: int, sent: bytes) -> Any:
        if number == 2 and lost:
            lost.pop()
            raise OSError(SECRET)
        return "done", pickle.dumps((np.array([secrets.randbits(50)], dtype=float),))

    monkeypatch.setattr(cluster, "learn", answer)
    ASKED.clear()
    stand = Noting(2, 0)
    found = learn_blocks(views(table)[0], build("block_learner", LEARNER), Progress(None), pool(stand))
    arrived = dict(reversed(stand.arrived))  # the first of each
    same = [np.array_equal(found[n][0], pickle.loads(word[1])[0]) for n, word in sorted(arrived.items())]
    assert len(same) == 6
    assert all(same) == first


@pytest.mark.usefixtures("stood")
@pytest.mark.parametrize("word", ["limit", "error", "unequal"])
def test_a_limit_or_an_error_on_a_worker_ends_in_failed(
    table: Any, monkeypatch: pytest.MonkeyPatch, run_errors: list[Any], word: str
) -> None:
    spent = list[int]()
    monkeypatch.setattr(cluster, "learn", lambda job, number, sent: (word, None))
    result = run_plan(planned(lambda x: x), {"x": table}, simulate=3, on=Stand(2, 1), reserved=lambda: spent.append(1))
    assert (result.status, spent, len(run_errors)) == ("failed", [1], 1)


@pytest.mark.usefixtures("stood", "here")
def test_a_block_that_is_lost_each_time_ends_in_failed(
    table: Any, monkeypatch: pytest.MonkeyPatch, run_errors: list[Any]
) -> None:
    def lose(task: str, word: Any) -> Any:
        if task == "learn":
            raise OSError(SECRET)
        return word

    result = planned(lambda x: x).run(table, simulate=3, on=Stand(2, 1, lose))
    assert result.status == "failed"
    assert SECRET not in repr(result) + repr(run_errors)


@pytest.mark.usefixtures("stood", "here")
@pytest.mark.parametrize("times", [2, 99])
def test_a_block_whose_process_was_ended_is_learned_again(table: Any, run_errors: list[Any], times: int) -> None:
    """As if its worker had gone: by a batch system, say, which ends all processes of a job at once."""
    left = [times]

    def end(task: str, word: Any) -> Any:
        if task == "learn" and left[0]:
            left[0] -= 1
            return "lost", None
        return word

    result = planned(lambda x: x).run(table, simulate=3, on=Stand(2, 1, end))
    assert result.status == ("released" if times == 2 else "failed")
    if times == 2:
        assert bits(result) == bits(planned(lambda x: x).run(table, simulate=3))


def test_what_a_block_meets_on_a_worker_is_one_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "_settled", lambda: None)
    job = remote.packed((("papers.scale", "tests.papers.own_semimetric"), 0))
    raised: list[type[Exception]] = [ValueError, Limited, Lost]

    def fail(*_: Any, **options: Any) -> Any:
        assert options == {"strict": True}
        raise raised.pop()(SECRET)

    monkeypatch.setattr(blocks, "run_isolated", fail)
    assert remote.learn(job, 0, pickle.dumps(np.zeros((2, 1)))) == ("lost", None)
    assert remote.learn(job, 0, pickle.dumps(np.zeros((2, 1)))) == ("limit", None)
    assert remote.learn(job, 0, pickle.dumps(np.zeros((2, 1)))) == ("error", None)
    assert remote.learn(job, 0, SECRET.encode()) == ("error", None)
    operation = build("block_learner", LEARNER)
    for home, said in (
        (("no.learner", "no.module"), "error"),
        (("papers.scale", "tests.papers.own_semimetric"), "done"),
    ):
        job = remote.packed([], certified=[(operation, plugins(operation), home)])
        assert remote.probe(job) == (said, None)  # asked before anything is spent


def test_a_plugin_of_other_files_on_a_worker_is_refused_before_anything_is_spent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may be installed there in another version, whose files nobody named: what runs is what was certified.

    A worker that comes after all were asked is asked by its first task, of a block or of a pass.
    """
    monkeypatch.setattr(remote, "_settled", lambda: None)
    monkeypatch.setattr(blocks, "run_isolated", lambda *_, **options: [None])
    learner, operation = ("papers.scale", "tests.papers.own_semimetric"), build("block_learner", LEARNER)
    mine = plugins(operation)
    assert mine["learner"]
    other = dict.fromkeys(mine, "0" * 64)
    for digests, said in ((mine, "done"), (other, "unequal")):
        certified = [(operation, digests, learner)]
        assert remote.probe(remote.packed([], certified=certified))[0] == said
        job, sent = remote.packed((learner, 0), certified=certified), pickle.dumps(np.zeros((2, 1)))
        assert remote.learn(job, 0, sent)[0] == said
        job = remote.packed(([], [0, 2], 2, None), certified=certified)
        with monkeypatch.context() as patched:
            patched.setattr(remote, "folded", lambda requests, chunks: [])
            assert remote.fold(job, 0, pickle.dumps((np.zeros((2, 1)), np.ones(2, dtype=bool))))[0] == said


def test_each_task_asks_for_the_digests_that_the_certificate_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """What all workers were asked goes with every pass and every block, for workers that come later."""
    sent: list[Any] = []
    packed = remote.packed

    def noted(what: Any, absent: Any = None, certified: Any = ()) -> bytes:
        sent.append([digests for _, digests, _ in certified])
        return packed(what, absent, certified)

    monkeypatch.setattr(cluster, "packed", noted)
    operation = build("block_learner", LEARNER)
    pool = cluster.Pool(Stand(1, 1))
    pool.ask([], [operation])
    pool.learn(operation, iter([]), tied=False)
    assert sent == [[plugins(operation)]] * 2


CATEGORIES = 5 * UNIT


def by_category(adjacency: Any) -> Any:
    def body(x: Any) -> Any:
        inner = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=3.0))
        gram = dp.release("gram", dp.gaussian(share=1.0), dp.gram(inner))
        near = dp.clip(x, dp.post("test.ball_at", dp.release("mean", dp.gaussian(share=1.0), dp.mean(inner))))
        return {"gram": gram, "near": dp.release("near", dp.gaussian(share=1.0), dp.sum(near))}

    known = {"n": CATEGORIES} if adjacency is dp.REPLACE_ONE else {}
    program = dp.program(lambda x: dp.by_category("each", x, body, categories=2))
    return dp.plan(program, x=dp.rows(d=3, **known), adjacency=adjacency, budget=small.BUDGET)


@pytest.mark.usefixtures("stood")
@pytest.mark.parametrize("adjacency", [dp.REPLACE_ONE, dp.ADD_REMOVE])
def test_categories_on_workers_have_the_local_bits(
    rows: np.ndarray[Any, Any], adjacency: Any, tmp_path: Path, rng: np.random.Generator
) -> None:
    """Rows that keep their index are read by the workers; of a table that leaves the others out each part is sent."""
    table = np.column_stack([rows[:CATEGORIES], rng.choice([0.0, 1.0, 7.0], CATEGORIES)])
    np.save(tmp_path / "x.npy", table)
    plan = by_category(adjacency)

    def released(where: Any, on: Any) -> Any:
        found = plan.run(where, simulate=4, on=on)["each"]
        return [{name: value.tobytes() for name, value in one.outputs.items()} for one in found]

    local = released(table, None)
    assert local[0]["gram"] != local[1]["gram"]
    for seed, where in enumerate([tmp_path / "x.npy", table]):
        stand = Stand(3, seed)
        assert released(where, stand) == local
        folds = [arguments for _, arguments in stand.calls if any(isinstance(a, int) for a in arguments)]
        assert len(folds) == 2 * 2 * 12
        sent = {len(arguments) for arguments in folds}
        assert sent == ({2} if adjacency is dp.REPLACE_ONE and seed == 0 else {3})


@pytest.mark.parametrize("drops", [False, True])
def test_a_table_that_changes_between_two_categories_is_noticed(
    rows: np.ndarray[Any, Any], rng: np.random.Generator, drops: bool
) -> None:
    """Else a row could stand in both."""
    table = np.column_stack([rows, rng.choice([0.0, 1.0], len(rows))])
    source = opened(table)
    first, second = (SourceTable(made, made.count_rows()) for made in _categories(source, drops))
    read = list(first.batches(100))
    assert sum(len(batch.valid) for batch in read) == first.n
    table[9, 2] = 1 - table[9, 2]
    with pytest.raises(ChangedError):
        list(second.batches(100))
    if not drops:
        with pytest.raises(ChangedError), second.apart(3, 100) as parts:  # type: ignore[union-attr]
            list(itertools.chain(*parts))


def _categories(source: Any, drops: bool) -> list[OfCategory]:
    return [OfCategory(source, place, drops=drops) for place in (0, 1)]


@pytest.mark.usefixtures("stood", "here")
def test_an_audit_on_a_cluster_finds_what_it_finds_here(table: Any) -> None:
    """The passes and blocks of its runs go to the workers; what is released is the same."""
    plan, other = planned(lambda x: x), table.copy()
    other[3] = 1.0
    stand = Stand(2, 1)
    asked = {"runs": 10, "seed": 1, "seconds": 100.0}
    local, there = (replay(plan, {"x": table}, **asked, on=on).recorder.columns for on in (None, stand))
    assert local == there
    assert len(stand.calls) >= 6
    found = [audit_plan(plan, table, other, **asked, delta=1e-6, on=on) for on in (None, Stand(3, 2))]
    assert found[0] == found[1]


def test_a_worker_imports_a_learner_before_it_says_of_which_files_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has just been started knows no name of a plugin yet."""
    monkeypatch.setattr(remote, "_settled", lambda: None)
    operation, known = build("block_learner", LEARNER), list[tuple[str, str]]()
    digests = plugins(operation)
    monkeypatch.setattr(blocks, "learner_of", lambda *home: known.append(home))
    monkeypatch.setattr(remote, "plugins", lambda operation: digests if known else {})
    home = ("papers.scale", "tests.papers.own_semimetric")
    assert remote.probe(remote.packed([], certified=[(operation, digests, home)])) == ("done", None)
