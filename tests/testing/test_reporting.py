"""What is printed of a check says no more than was done."""

from __future__ import annotations

import pytest

from dpframe.testing.battery import attack_semimetrics
from dpframe.testing.battery.attack_semimetrics import attack_semimetric
from dpframe.testing.battery.attacks import _lab
from dpframe.testing.battery.reporting import Failure, Report

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
