"""What an attack has spent, on a machine that stands still now and then."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.testing.battery import clocks, pasts
from dpframe.testing.battery.clocks import Steps
from dpframe.testing.battery.lab import Lab
from tests.testing.test_pasts import hours


class Machine:
    """A clock that a test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = 0.0
        monkeypatch.setattr(clocks, "spent", lambda: self.time)

    def steps(self, seconds: float, each: Iterator[float]) -> int:
        """How many steps are made before they are over."""
        steps = Steps(seconds)
        for count, took in enumerate(each, 1):
            self.time += took
            if steps.over():
                return count
        return 0


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_steps_of_one_kind_end_by_their_time(machine: Machine) -> None:
    assert machine.steps(0.5, iter([0.1] * 40)) == 6


def test_one_long_step_is_enough(machine: Machine) -> None:
    assert machine.steps(0.5, iter([1.0] * 40)) == 1


def test_a_machine_that_stands_still_ends_nothing(machine: Machine) -> None:
    stalls = [0.3 if i % 9 == 4 else 1e-5 for i in range(40)]
    assert machine.steps(0.5, iter(stalls)) == 0
    assert sum(stalls) > 0.5


def test_steps_that_differ_end_by_their_true_time(machine: Machine) -> None:
    assert machine.steps(0.5, (1.0 if i % 10 == 9 else 1e-5 for i in range(100))) == 30


@given(st.lists(st.floats(0, 3), min_size=1, max_size=60), st.floats(0, 2))
def test_never_over_before_the_time_nor_long_after(took: list[float], seconds: float) -> None:
    with pytest.MonkeyPatch.context() as patch:
        machine = Machine(patch)
        count = machine.steps(seconds, iter(took))
    if count:
        assert machine.time > seconds
        assert sum(took[: count - 1]) <= 3 * seconds + 1 + 1e-9
    else:
        assert machine.time <= 3 * seconds + 1 + 1e-9


@pytest.mark.parametrize("hour", [0, 5, 22, 23])
def test_single_hours_are_seen_where_the_machine_stands_still(hour: int, monkeypatch: pytest.MonkeyPatch) -> None:
    readings = iter(range(10**6))

    def spent() -> float:
        """A little of each step; at every ninth reading, the machine has stood still for a quarter of a second."""
        at = next(readings)
        return 1e-4 * at + 0.25 * (at // 9)

    monkeypatch.setattr(clocks, "spent", spent)
    monkeypatch.setattr(pasts, "spent", spent)
    lab = Lab(np.random.default_rng(0), 1, 1.0, 0.0)
    pasts.attack(lab, hours(range(hour, hour + 1), "last"), ["first", "second", "last"], [], seconds=0.5)
    assert lab.failures
