"""What is planted where a function looks can be read as its name says, and differs from world to world."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.testing import check_file
from dpframe.testing.battery import identity, looks, planting
from dpframe.testing.battery.worlds import World, elsewhere
from tests.testing.planted import FAULTY, written

SAID = {
    "y_row_variable_of_one": "it reads the environment variable ROW_SCALE",
    "y_post_lines": "the file people.csv",
    "y_post_rows_of_text": "the file people.csv",
    "y_post_rows_of_array": "the file people.npy",
    "y_post_rows_of_table": "the file people.csv",
    "y_post_setting": "the file settings.json",
    "y_post_named_by_variable": "it reads the environment variable PEOPLE_TABLE",
    "y_post_in_a_folder": "it lists the folder",
    "y_row_all_variables": "it reads the environment variable ROW_SCALE",
    "y_row_word_of_the_command": "another answer",
    "y_row_mode": "it reads the environment variable ROW_MODE",
}
"""What the report says that each of these looks at."""

NAMES = ["scale", "file"]


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("people.npy", lambda text: len(np.load(io.BytesIO(text)))),
        ("people.npz", lambda text: len(np.load(io.BytesIO(text))["scale"])),
        ("people.csv.gz", lambda text: len(gzip.decompress(text).splitlines())),
        ("people.bin", lambda text: len(np.frombuffer(text))),
        ("people", lambda text: len(text.split())),
    ],
)
def test_a_file_can_be_read_and_has_other_lengths(name: str, read: Callable[[bytes], Any]) -> None:
    assert len({read(planting.content(name, way, NAMES)) for way in planting.WAYS} - {0}) >= len(planting.WAYS) - 1


def test_a_table_has_a_line_of_names_in_one_world_and_a_column_alone_in_another() -> None:
    alone, named, several = (planting.content("people.csv", way, NAMES).decode() for way in (1, 2, 3))
    assert alone.split() == ["3", "7", "5"]
    assert named.splitlines()[0] == "scale,file"
    assert np.loadtxt(several.splitlines(), delimiter=",").shape == (7, 3)


def test_settings_have_the_names_that_the_plugin_writes() -> None:
    assert json.loads(planting.content("settings.json", 1, NAMES)) == {"scale": 3, "file": 3}
    assert isinstance(json.loads(planting.content("settings.json", 2, NAMES)), list)
    assert planting.content("settings.ini", 1, NAMES) == b"[DEFAULT]\nscale = 3\nfile = 3\n"


def test_numbers_differ_from_each_other_and_from_defaults() -> None:
    assert len({planting.value("UNIT", way) for way in planting.WAYS}) == len(planting.WAYS)
    assert {"0", "1"}.isdisjoint(planting.value("UNIT", way) for way in planting.WAYS)
    assert planting.value("LANG", 1) != planting.value("LANG", 3)


def test_what_is_asked_for_is_there_in_a_planted_world(tmp_path: Path) -> None:
    found = ("variable UNIT", f"there {tmp_path}/people.csv", "folder parts", "file people.csv", "whole path ../up.csv")
    (tmp_path / "people.csv").write_text("1\n")

    def told() -> list[Any]:
        files = "people.csv", f"{tmp_path}/people.csv", "../up.csv", os.environ["UNIT"]
        return [os.environ["UNIT"], len(os.listdir("parts")), *(len(open(f).readlines()) for f in files)]

    assert elsewhere(told, World("", planted=1, found=found)) == ["3", 2, 3, 3, 3, 3]
    assert elsewhere(told, World("", planted=2, found=found)) == ["7", 3, 6, 6, 6, 6]


def test_a_folder_and_all_variables_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planting, "words", lambda: ["ROW_SCALE", "scale"])
    with looks.looking() as found:
        os.listdir()
        list(os.environ)
    assert found == ["folder .", "variable ROW_SCALE"]
    assert [looks.named(f) for f in found] == [
        "it lists the folder .",
        "it reads the environment variable ROW_SCALE",
    ]


def test_another_machine_has_another_name_user_and_processors() -> None:
    def told() -> list[Any]:
        identity.another()
        identity.processors(1)
        return [os.uname().nodename, os.getuid(), os.getlogin(), os.cpu_count()]

    assert elsewhere(told) == [identity.HOST, identity.NUMBER, identity.USER, 1]
    assert "3" in elsewhere(lambda: sys.argv, World("", crowded=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", SAID)
def test_what_it_looks_at_is_named(name: str, tmp_path: Path) -> None:
    source = FAULTY[name].replace("twentyfirst.", "said.")
    assert SAID[name] in "\n".join(str(report) for report in check_file(written(tmp_path, f"said_{name}", source)))


def test_a_variable_says_what_the_plugin_compares_texts_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planting, "compared", lambda: ["fast", "slow"])
    assert [planting.value("MODE", way) for way in (4, 5, 6, 7)] == ["true", "fast", "slow", "slow"]
