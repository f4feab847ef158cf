"""What is printed of a check says no more than was done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dpframe.testing import check_file
from dpframe.testing.battery import attack_semimetrics
from dpframe.testing.battery.attack_semimetrics import attack_semimetric
from dpframe.testing.battery.attacks import _lab
from dpframe.testing.battery.lab import NEAREST
from dpframe.testing.battery.reporting import Failure, Report
from tests.testing.planted import written

WHY = "nothing was found that it takes"


@pytest.mark.parametrize(
    ("layers", "skipped", "line"),
    [
        (("docstring",), (WHY,), "mine.it (post): never attacked; 1 layer, 0.1 s"),
        (("registration", "docstring", "case"), (WHY,), "mine.it (post): never attacked; 3 layers, 0.1 s"),
        ((), (WHY,), "mine.it (post): never attacked; 0 layers, 0.1 s"),
        (("case", "sensitivity"), (WHY,), "mine.it (post): holds; 2 layers, 0.1 s"),
        (("docstring",), (), "mine.it (post): holds; 1 layer, 0.1 s"),
    ],
)
def test_what_never_answered_does_not_hold_in_print(
    layers: tuple[str, ...], skipped: tuple[str, ...], line: str
) -> None:
    """It refutes nothing all the same, and the reason stands below."""
    report = Report("mine.it", "post", (), layers, (), 0.1, skipped)
    assert report.holds
    assert str(report).splitlines() == [line, *(f"not attacked: mine.it, {why}" for why in skipped)]


def test_what_is_refuted_says_so_whatever_was_left_out() -> None:
    report = Report("mine.it", "post", (Failure("docstring", "none"),), ("docstring",), (), 0.1, (WHY,))
    assert str(report).startswith("mine.it (post): REFUTED in docstring; 1 layer, 0.1 s\n")


def test_a_distance_that_is_never_finite_was_not_attacked(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpframe.kernel import registry

    lab = _lab(thorough=False)
    monkeypatch.setattr(attack_semimetrics, "elsewhere", lambda _: ([], 0))
    attack_semimetric(lab, registry.find("semimetric", "euclidean"))
    assert lab.layers == ["docstring"]
    assert lab.skipped


SENSES = """
@dp.own_statistic("senses.pairs", gives=1, sensitivity=lambda removed, added: {"l1": 1.0}, source="none")
def pairs(rows):
    \"\"\"How many are above 0, and one more where all hundred are 7.\"\"\"
    return int((rows[:, 0] > 0).sum()) + int(len(rows) == 100 and bool((rows == 7.0).all()))
"""
COINS = """
@dp.own_statistic("senses.coins", gives=1, sensitivity=lambda removed, added: {"l1": 1.0}, source="none")
def coins(rows):
    \"\"\"Noisy.\"\"\"
    return int(np.random.default_rng().integers(0, 4))
"""


def test_no_note_says_less_than_what_was_found() -> None:
    """Neighbours that come close to the bound are beside the point, once others are beyond it: before or after."""
    lab = _lab(thorough=False)
    lab.note(f"{NEAREST} under Edits(removed=1, added=1): L1 distance 1, declared 1")
    lab.note("it takes long")
    lab.fail("sensitivity", "neighbours are too far apart: L1 distance 2, declared 1")
    lab.note(f"{NEAREST} under Edits(removed=1, added=0): L1 distance 1, declared 1")
    assert lab.notes == ["it takes long"]


def test_a_wrong_sensitivity_is_reported_without_a_smaller_distance(tmp_path: Path) -> None:
    (report,) = check_file(written(tmp_path, "senses_pairs", SENSES))
    assert report.failed("sensitivity")
    assert "L1 distance 2, declared 1" in str(report)
    assert "distance 1," not in str(report), str(report)
    (report,) = check_file(written(tmp_path, "senses_coins", COINS))
    (said,) = (f.message for f in report.failures if f.layer == "sensitivity")
    far = re.search(r"distance ([0-9.]+), declared ([0-9.]+)", said)
    assert "its value is not the same each time" in said if far is None else float(far[1]) > float(far[2])
