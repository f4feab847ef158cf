"""Blocks that learners are always asked of: what is rare among drawn rows, and what is like another block."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.testing import check_file
from dpframe.testing.battery import attack_learners, own_law
from dpframe.testing.battery.memos import SAMPLED
from tests.testing.planted import written

BLOCK = np.round(np.random.default_rng(0).standard_normal((200, 2)) * 64) / 8


def steps(rows: Any) -> int:
    """Lloyd's steps of two means from the ends of a column, at most 60."""
    centres = rows[[int(rows[:, 0].argmin()), int(rows[:, 0].argmax())]]
    for step in range(60):
        near = ((rows[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        new = np.array([rows[near == j].mean(axis=0) if (near == j).any() else centres[j] for j in (0, 1)])
        if np.allclose(new, centres):
            return step
        centres = new
    return 60


def test_some_blocks_settle_slowly() -> None:
    assert steps(BLOCK) <= 20
    assert max(steps(block) for block in attack_learners._unclear(BLOCK)) > 20


def test_some_covariances_are_nearly_singular_and_none_of_these_is() -> None:
    ratios = []
    for block in attack_learners._degenerate(BLOCK):
        if len(block) > 2:
            values = np.linalg.eigvalsh(np.cov(block, rowvar=False))
            ratios.append(float(values[0] / values[-1]) if values[-1] else 0.0)
    found = sorted(ratio for ratio in ratios if 1e-18 < ratio < 1e-6)  # beside those of equal columns, which are 0
    assert len(found) >= 5
    assert found[-1] > 1e-10
    assert found[0] < 1e-15


def test_blocks_come_after_others_of_the_same_sample() -> None:
    like = attack_learners._like((BLOCK[:9], BLOCK[:2], BLOCK[:3], BLOCK))
    same = [np.linspace(0, len(BLOCK) - 1, kept).astype(np.intp) for kept in SAMPLED]
    others = [b for b in like if b.shape == BLOCK.shape and not np.array_equal(b, BLOCK)]
    assert all(any(np.array_equal(b[at], BLOCK[at]) for b in others) for at in same)


def test_half_of_many_values_rise_and_half_fall() -> None:
    """That a choice of the best two is priced by a root shows there; of three values it is one against two."""
    assert [move.tolist() for words, move in own_law.moves(4) if "half" in words] == [[-1, -1, 1, 1]]
    assert not [words for words, _ in own_law.moves(3) if "half" in words]
    assert all(len(own_law.moves(size)) <= own_law.MOVES for size in range(1, 9)), "a short look sees all of them"


ANSWERS = {
    "an array of shape (2,)": lambda rows, generator: rows.mean(axis=0),
    "an array of shape (2,) ": lambda rows, g: rows.mean(axis=0),
    "an array of shape (9, 2)": lambda rows, rng: rows / 2,
    "a dict": lambda rows, generator: {"mean": rows.mean(axis=0)},
    "a tuple whose entry 1 is a dict, no array of numbers": lambda rows, generator: (rows.mean(axis=0), {}),
}


@pytest.mark.parametrize("words", ANSWERS)
def test_an_answer_that_is_no_tuple_of_arrays_is_wrong(words: str) -> None:
    """In a run every block would be empty, once the budget is spent."""
    named = attack_learners._takes_a_generator(ANSWERS[words]) is True
    assert (
        attack_learners._wrong(ANSWERS[words], surely=named) == f"{words.strip()} for a block of 9 rows and 2 columns"
    )


def test_none_and_errors_may_be_refusals_and_images_of_rows_a_row_map() -> None:
    assert not attack_learners._wrong(lambda rows, generator: None, surely=True)
    assert not attack_learners._wrong(lambda rows, generator: rows.missing, surely=True)
    assert "it gave nothing" in attack_learners._last_error(lambda rows, generator: None)
    assert not attack_learners._wrong(lambda rows, *given: rows[:, :1] / 2, surely=False)


def test_the_report_names_the_learner_what_it_gave_and_what_was_declared(tmp_path: Path) -> None:
    source = """
@dp.learner("answers.array")
def array(rows, generator):
    \"\"\"The mean of a block.\"\"\"
    return rows.mean(axis=0)
"""
    (report,) = check_file(written(tmp_path, "answers_array", source))
    assert not report.skipped
    (failure,) = report.failures
    assert failure.layer == "domain"
    assert "learner 'answers.array' gives an array of shape (2,)" in failure.message
    assert "declared a tuple of arrays of numbers" in failure.message
