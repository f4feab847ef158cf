"""What a report says of random numbers that a plugin draws for itself: which call, where, and what to take instead."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.testing import check_file
from dpframe.testing.battery import random_uses
from dpframe.testing.battery.reporting import Failure
from tests.testing.planted import written

KEPT = np.random.default_rng(7)
REFUTED, DOCUMENTED = [Failure("purity", "changes")], [Failure("docstring", "none")]


def shared(rows: Any) -> Any:
    return rows + np.random.laplace(size=rows.shape)  # noqa: NPY002


def by_python(rows: Any) -> Any:
    return rows + random.gauss(0, 1)


def within(rows: Any) -> Any:
    import random as words

    return rows + words.random()


def called(rows: Any) -> Any:
    return by_python(rows) / 2


def kept(rows: Any) -> Any:
    return rows + KEPT.normal()


def made(rows: Any) -> Any:
    return rows + np.random.default_rng(len(rows)).normal()


def fixed(rows: Any) -> Any:
    return rows @ np.random.default_rng(7).normal(size=(2, 2))


def line_of(function: Any) -> int:
    return int(function.__code__.co_firstlineno) + 1


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (
            shared,
            f"np.random.laplace(...) in shared (test_random_uses.py:{line_of(shared)}), a generator that all code",
        ),
        (by_python, "random.gauss(...) in by_python (test_random_uses.py:"),
        (within, "words.random(...) in within (test_random_uses.py:"),
        (called, "random.gauss(...) in by_python (test_random_uses.py:"),
        (kept, "KEPT.normal(...) in kept (test_random_uses.py:"),
        (made, "np.random.default_rng(...) in made (test_random_uses.py:"),
    ],
)
def test_the_call_is_named_with_its_place(function: Any, words: str) -> None:
    assert random_uses.words("statistic", function).startswith(f"it draws from {words}")
    assert "draw nothing there" in random_uses.words("statistic", function)
    assert "noise.laplace(scale, size)" in random_uses.words("mechanism", function)
    assert "normals(size)" in random_uses.words("mask", function)
    assert "the block's own generator" in random_uses.words("learner", function)


def test_what_draws_the_same_each_time_or_is_not_refuted_has_no_note() -> None:
    assert random_uses.words("statistic", fixed) == ""
    assert random_uses.noted(DOCUMENTED, "statistic", shared) == ()
    assert len(random_uses.noted(REFUTED, "statistic", shared)) == 1


DRAWS = """
@dp.own_mechanism("draws.mech", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale,
                  source="Laplace", examples={"m": 2})
def mech(value, scale, noise, *, m):
    \"\"\"Noisy.\"\"\"
    return value + np.round(np.random.laplace(scale=scale, size=m)).astype(int)


@dp.post_function("draws.post", gives=lambda value: value)
def post(value):
    \"\"\"Noisy.\"\"\"
    return value + np.random.laplace(size=value.shape)
"""


def test_reports_say_so(tmp_path: Path) -> None:
    found = {report.name: report for report in check_file(written(tmp_path, "draws", DRAWS))}
    noise = next(f.message for f in found["draws.mech"].failures if f.layer == "noise")
    assert noise.startswith("it draws from np.random.laplace(...) in mech (plugin_draws.py:")
    assert "take its third argument" in noise
    assert "with a seed from the source" not in str(found["draws.mech"])
    assert any("np.random.laplace(...) in post (plugin_draws.py:" in note for note in found["draws.post"].notes)
