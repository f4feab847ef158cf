"""What one fork leaves in a folder for files of a while the next does not find, nor does whoever calls the kit."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from dpframe.testing.battery import folders
from dpframe.testing.battery.worlds import elsewhere


def left(place: str) -> list[str]:
    """What is there before it leaves something."""
    found = sorted(os.listdir(place))
    Path(place, "left").write_text("here")
    return found


def test_each_fork_has_a_folder_of_its_own() -> None:
    first, second = (elsewhere(lambda: (tempfile.gettempdir(), left(tempfile.gettempdir()))) for _ in range(2))
    assert first[0] != second[0]
    assert (first[1], second[1]) == ([], [])
    assert not Path(first[0]).exists()
    assert tempfile.gettempdir() not in (first[0], second[0])


def test_a_folder_that_a_file_was_imported_with_is_as_it_was_then() -> None:
    before = os.environ.get("TMPDIR"), tempfile.gettempdir()
    with folders.imported() as done:
        place = tempfile.gettempdir()
        Path(place, "at import").write_text("stays")
        done()
        assert [elsewhere(lambda: left(place)) for _ in range(2)] == [["at import"]] * 2
    assert (os.environ.get("TMPDIR"), tempfile.gettempdir()) == before
    assert not Path(place).exists()
