"""Checks behind other checks: what would have to go wrong first, made to go wrong, is still refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpframe.errors import RunError
from dpframe.kernel.operations import Batch
from dpframe.runtime import blocks, cluster, remote
from dpframe.runtime.gate import admit
from dpframe.runtime.guard import Guard
from dpframe.runtime.progress import Progress
from dpframe.runtime.views import MemoryTable, View
from tests.planning.examples import plan_of


@pytest.mark.parametrize("case", ["simple mean", "histograms", "branch", "subsample"])
@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1, 50), Fraction(2)])
def test_outside_a_loop_a_release_has_no_share(case: str, share: Fraction) -> None:
    """Half a release would leave room for another half, at the whole noise of one each."""
    proved = admit(plan_of(case), simulated=False).checked.noise
    for path, known in proved.items():
        with pytest.raises(RunError, match="beyond its reserve"):
            Guard(proved).charge(path, (), known.calibration, share)
        Guard(proved).charge(path, (), known.calibration)


@pytest.mark.parametrize("rows", [0, 4, 6, 10])
def test_a_pass_on_a_cluster_folds_each_row_once(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Units of rows that are all there, and rows that are not: states then are of another number of rows."""
    table = SimpleNamespace(source=None, n=5, absent=None, cuts=lambda parts: [0, 5])
    requests = [SimpleNamespace(view=SimpleNamespace(base=table), statistic=SimpleNamespace(value=lambda state: state))]
    monkeypatch.setattr(cluster, "packed", lambda what, absent=None, certified=(): b"")
    pool = cluster.Pool(SimpleNamespace(nthreads=dict))

    def folded(count: int) -> Any:
        monkeypatch.setattr(cluster.Pool, "_tried", lambda *a: remote.Folded(["state"], {0: b""}, count))
        return pool.take(requests, 100)

    assert folded(5) == ["state"]
    with pytest.raises(RunError, match="counted twice or not at all"):
        folded(rows)


@pytest.mark.parametrize("where", ["", "kernel"])
def test_a_worker_with_another_letter_in_its_code_is_another(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the same version and the same sizes: what its samplers do is not known."""
    place = tmp_path / "dpframe" / where
    (tmp_path / "dpframe" / "runtime").mkdir(parents=True)
    place.mkdir(exist_ok=True)
    monkeypatch.setattr(remote, "__file__", str(tmp_path / "dpframe" / "runtime" / "remote.py"))
    seen = set()
    for text in ("SCALE = 1.0\n", "SCALE = 0.1\n"):
        (place / "module.py").write_text(text)
        remote._facts.cache_clear()
        seen.add(dict(remote.facts([]))["dpframe"])
    remote._facts.cache_clear()
    assert len(seen) == 2


def test_no_block_counts_whose_result_is_none_of_its_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A learner's process says that numbers are finite, and nothing of their shape: that is asked here, for each."""
    operation = SimpleNamespace(learner="l", accepts=lambda result: len(result) == 1)
    monkeypatch.setattr(blocks, "find_learner", lambda name: None)
    made = [(1.0,), (1.0, 2.0), None, (), (3.0,), 7]
    pool = SimpleNamespace(learn=lambda operation, groups, tied: list(made))
    table = MemoryTable(Batch(0, np.zeros((6, 1)), np.ones(6, dtype=bool)))
    found = blocks.learn_blocks(View(table, 6), operation, Progress(6, shown=False), pool)
    assert found == [(1.0,), None, None, None, (3.0,), None]
