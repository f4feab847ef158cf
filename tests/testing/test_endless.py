"""Calls under a limit of processor time, and what is said of those that do not return."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import numpy as np
import pytest

from dpframe.testing.battery import check as command_line
from dpframe.testing.battery import endless
from dpframe.testing.battery.endless import Calls, Stopped, TooLong, followed
from dpframe.testing.battery.lab import ENDS, Lab
from dpframe.testing.battery.worlds import elsewhere
from tests.testing.planted import FAULTY, written


def forever() -> None:
    while True:
        with contextlib.suppress(Exception):  # an end is no exception
            os.getpid()


def test_a_call_without_an_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endless, "MOST", 0.02)
    with pytest.raises(TooLong, match="does not return") as found:
        Calls().ask(forever)
    assert found.value.surely
    with pytest.raises(TooLong) as found:
        Calls().ask(forever, size=endless.SMALL + 1)
    assert not found.value.surely  # it may be slow


def test_of_a_call_that_ends_its_process_the_input_is_told() -> None:
    with pytest.raises(Stopped) as found, followed():
        elsewhere(lambda: Calls().ask(os._exit, 3, shown=lambda: {"rows": [1.0]}))
    assert (found.value.ended, found.value.given) == (True, {"rows": [1.0]})
    lab = Lab(np.random.default_rng(0), 1, 1.0, 0.0)
    lab.lost(found.value)
    assert [(f.message, dict(f.counterexample)) for f in lab.failures] == [(ENDS, {"rows": [1.0]})]


def test_a_probe_is_found_again_by_its_key() -> None:
    probes = [[1.0], [2.0]]
    with pytest.raises(Stopped) as found, followed(probes):
        elsewhere(lambda: Calls().ask(os._exit, 3, key=id(probes[1])))
    assert found.value.given == {"input": [2.0]}


@pytest.mark.parametrize("name", ["aa_post_leaves", "aa_post_scaled_up"])
def test_the_command_exits_with_1(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = FAULTY[name].replace('("twentyfirst.', '("twentyfirst.exit_')  # a name is free once
    assert command_line.main(str(written(tmp_path, name, source))) == 1
    said = capsys.readouterr().out
    assert "REFUTED in totality" in said
    assert "counts = [" in said
