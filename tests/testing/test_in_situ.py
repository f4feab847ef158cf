"""The whole engine on neighbours, released values replayed: nothing is further apart than is certified."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.errors import RunError
from dpframe.kernel.indexing import permuted
from dpframe.planning.results import run_plan
from dpframe.runtime.gate import admit
from dpframe.runtime.views import used_once
from dpframe.testing.audit.in_situ import exact_values, in_situ
from dpframe.testing.battery.lab import fingerprint
from tests.testing.neighbours import FORMS, MORE, RUNNABLE, N, neighbours, observed, rows, whole_plan

QUICK = {"partition by rule, add/remove", "halves by index", "for_each, zCDP view", "branch"}


@pytest.mark.parametrize("case", [pytest.param(c, marks=[] if c in QUICK else [pytest.mark.slow]) for c in RUNNABLE])
def test_no_case_shows_more_than_is_certified(case: str) -> None:
    pairs = list(neighbours(case))
    assert pairs
    for first, second in pairs if case not in QUICK else pairs[:3]:
        assert observed(case, first, second) == []


@pytest.mark.slow
@pytest.mark.parametrize("case", MORE)
def test_no_case_of_blocks_and_categories_does(case: str) -> None:
    """A row moves far, becomes empty, comes or goes; blocks are learned in processes of their own, seconds a pair."""
    pairs = list(neighbours(case))
    assert len(pairs) > 5
    for first, second in pairs[::3]:
        assert observed(case, first, second) == []


@functools.cache
def admitted() -> Any:
    return admit(whole_plan(), simulated=True)


@functools.cache
def expected(kind: str) -> bytes:
    return fingerprint(exact_values(admitted(), {"x": tables()[kind]}))


@functools.cache
def tables() -> dict[str, Any]:
    missing = np.full((N, 2), np.nan)
    one = missing.copy()
    one[3] = [1.0, 2.0]
    moved = rows()
    moved[5] = [np.nan, 0.0]
    return {"rows": rows(), "one row moved": moved, "all rows are missing": missing, "all but one": one}


@pytest.mark.parametrize("form", FORMS)
def test_every_source_gives_the_exact_values_of_an_array(form: str, tmp_path: Path) -> None:
    """Also where all rows are missing: what one row does there is what it does in an array."""
    for kind, table in tables().items():
        (tmp_path / kind).mkdir()
        made = FORMS[form](tmp_path / kind, table)
        assert fingerprint(exact_values(admitted(), {"x": made})) == expected(kind), kind


def test_arrays_show_no_more_than_is_certified_of_all_nodes_at_once() -> None:
    for first, second in (("rows", "one row moved"), ("all rows are missing", "all but one")):
        assert in_situ(admitted(), {"x": tables()[first]}, {"x": tables()[second]}) == []


@pytest.mark.parametrize(("threads", "chunk"), [(1, 1000), (2, 300), (3, 77)])
def test_no_path_through_the_engine_drops_a_row(threads: int, chunk: int) -> None:
    assert fingerprint(exact_values(admitted(), {"x": rows()}, threads=threads, chunk=chunk)) == expected("rows")


@pytest.mark.parametrize(
    ("n", "seed"),
    [
        (2**20 + 1, 0),
        pytest.param(2**20 + 77, 5, marks=pytest.mark.slow),
        pytest.param(2**22 + 3, 1, marks=pytest.mark.slow),
    ],
)
def test_the_permutation_is_one_beyond_2_to_the_20(n: int, seed: int) -> None:
    place = permuted(np.arange(n), n=n, seed=seed)
    assert np.bincount(place, minlength=n).max() == np.bincount(place, minlength=n).min() == 1


@pytest.mark.parametrize("index", [[[0, 1], [1, 2]], [[0, 4]], [[-1, 0]]])
def test_an_index_that_is_there_twice_is_refused(index: Any) -> None:
    with pytest.raises(RunError, match="would be used twice"):
        used_once(np.array(index), 4)


def test_an_operation_that_repeats_an_index_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, run_errors: list[Any]
) -> None:
    """Also where no index is beyond what pairs of few rows look at."""
    from dpframe.kernel.transforms.pairs import Pairs

    real = Pairs.indices
    monkeypatch.setattr(Pairs, "indices", lambda self, n, source: real(self, n, source) // 2)
    result = run_plan(admitted(), {"x": rows()}, simulate=1)
    assert result.status == "failed"
    assert "would be used twice" in str(run_errors[0])
