"""Cases are found without looking at more than they need."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.post_processing import Post
from dpframe.proof.spaces import Domain, Vector
from dpframe.testing import Case, check_file
from dpframe.testing.battery import attacks, cases, traces
from dpframe.testing.battery.case import released_domains
from dpframe.testing.battery.replacing import USER_MODULE
from tests.testing.planted import written

RAISES = '''
def told(counts):
    raise ValueError("for no inputs")


@dp.post_function("mine.{name}", gives=told)
def {name}(counts):
    """Counts as they are."""
    return np.asarray(counts)
'''


class OfThree(Post):
    """Takes anything, and answers nothing useful."""

    name = "testing.of_three"
    slots = tuple(Slot(name, PARAM) for name in "abc")
    asked = 0

    def output(self, *inputs: Domain) -> Domain:
        type(self).asked += 1
        return Vector(1)

    def apply(self, *values: Any) -> Any:
        return [0.0]


def test_inputs_are_looked_at_one_after_another() -> None:
    """Of three inputs there are thousands of choices; none is made before it is asked for."""
    never = itertools.repeat(False).__next__
    OfThree.asked = 0
    first = next(cases._inputs([OfThree()], OfThree.slots, 2, (), never))
    assert first == (released_domains(2)[0],) * 3
    assert OfThree.asked == 2  # of one input and of two


def test_a_search_ends_after_its_tries_also_where_all_beginnings_are_refused() -> None:
    class Refuses(OfThree):
        """Takes three inputs of which the last fits never."""

        asked = 0

        def output(self, *inputs: Domain) -> Domain:
            type(self).asked += 1
            if len(inputs) == 3:
                raise ValueError("never")
            return Vector(1)

    assert list(cases._search(Refuses, (), 50)) == []
    assert Refuses.asked <= 50


def test_a_search_of_a_slow_post_ends_right_after_its_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(OfThree):
        """Takes half a second a call, and fits never."""

        asked = 0

        def output(self, *inputs: Domain) -> Domain:
            type(self).asked += 1
            raise ValueError("never")

    told = SimpleNamespace(process_time=lambda: Slow.asked / 2, perf_counter=lambda: Slow.asked / 2)
    monkeypatch.setattr(cases, "time", told)
    assert list(cases._search(Slow, (), 60_000)) == []
    assert Slow.asked == 2 * cases.SEARCH_SECONDS + 1


@pytest.mark.parametrize("place", ["output", "apply"])
def test_a_post_that_ends_the_program_is_left_out(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Its file's other posts are searched for all the same: records are looked for among all that are registered."""

    class Leaves(OfThree):
        """Fits what it takes, but for where it leaves."""

        slots = OfThree.slots[:1]

        def apply(self, *values: Any) -> Any:
            return [0.0]

    def leave(self: Leaves, *values: Any) -> Any:
        raise SystemExit(0)

    assert next(cases._search(Leaves, (), 5), None) is not None
    monkeypatch.setattr(Leaves, place, leave)
    assert list(cases._search(Leaves, (), 5)) == []


def test_no_shipped_spec_is_planned_for_a_post_of_a_users_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def planned(spec: str) -> None:
        raise AssertionError(spec)

    monkeypatch.setattr(traces, "_planned", planned)
    assert traces.traced("mine.unknown", USER_MODULE + "mine") == []
    with pytest.raises(AssertionError):
        traces.traced("practical.split", "dpframe_plugins.practical.posts")


def test_the_cases_of_a_users_post_are_looked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a fork, where it is attacked, too; what is known of it there is that it fits nothing."""
    log = tmp_path / "asked"

    def found(cls: type[Any]) -> list[Case]:
        with os.fdopen(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "w") as file:
            file.write(f"{cls.name}\n")
        return []

    monkeypatch.setattr(attacks, "cases_of", found)
    (report,) = check_file(written(tmp_path, "raises_for_all", RAISES.format(name="raises_for_all")))
    assert log.read_text().split() == ["mine.raises_for_all"]
    assert report.holds
    assert report.skipped[0].startswith("no parameters and input domains were found")
