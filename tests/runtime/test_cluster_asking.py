"""Workers are asked before anything is spent, those that come meanwhile too; those that go are not waited for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DataError
from dpframe.planning.results import run_plan
from dpframe.runtime import cluster
from tests.runtime import test_cluster
from tests.runtime.test_cluster import Future, Stand, bits, files, planned, unlike

rows, stood = test_cluster.rows, test_cluster.stood


class Moving(Stand):
    """Workers go while they are asked, and others come; what only one that went may do is never done."""

    def __init__(self, moves: list[int], spoil: Any = None) -> None:
        super().__init__(1, 0, spoil)
        self.moves, self.asked = moves, list[str]()

    def nthreads(self) -> dict[str, int]:
        return {f"tcp://{self.moves[0]}": 1} if self.moves[0] else {}

    def submit(self, task: Any, *arguments: Any, workers: Any = None, **options: Any) -> Future:
        found = super().submit(task, *arguments, **options)
        if task.__name__ == "probe":
            (worker,) = workers
            self.asked.append(worker)
            if len(self.moves) > 1:
                self.moves.pop(0)
                found.done = lambda: False
        return found


@pytest.mark.usefixtures("stood")
def test_a_worker_that_goes_while_it_is_asked_is_not_waited_for(
    rows: np.ndarray[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that comes in its place is asked, and refused where it is another."""
    monkeypatch.setattr("distributed.wait", lambda futures, timeout: None)
    path, spent = files(rows, tmp_path)["x.npy"], list[int]()
    stand = Moving([1, 2, 3])
    assert bits(planned().run(path, simulate=3, on=stand)) == bits(planned().run(rows, simulate=3))
    assert stand.asked == ["tcp://1", "tcp://2", "tcp://3"]
    monkeypatch.setattr(cluster, "PATIENCE_SECONDS", 3)
    for on, said in ((Moving([1, 2], unlike), "worker tcp://2 differs"), (Moving([1, 2, 3, 4]), "no workers")):
        with pytest.raises(DataError, match=said):
            run_plan(planned(), {"x": path}, simulate=3, on=on, reserved=lambda: spent.append(1))
    assert not spent


@pytest.mark.parametrize(
    ("variable", "value", "fact"),
    [
        ("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-FMA", "C library"),
        ("OPENBLAS_CORETYPE", "Nehalem", "BLAS"),
        ("NPY_DISABLE_CPU_FEATURES", "X86_V3", "CPU"),
    ],
)
def test_what_a_process_is_told_to_compute_with_is_a_fact(variable: str, value: str, fact: str) -> None:
    """The same machine and versions, and other last digits: of C's functions, of products, of NumPy's functions."""
    code = f"from dpframe.runtime.remote import facts; print(dict(facts([]))[{fact!r}])"
    plain = {k: v for k, v in os.environ.items() if k != variable}
    said = [
        subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
        for env in (plain, plain, plain | {variable: value})
    ]
    assert said[0] == said[1]
    if fact != "C library" and said[2] == said[1]:
        pytest.skip("this build takes no such orders")
    assert said[2] != said[1]
