"""What the machine's own files tell differs from world to world, and nothing else does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from dpframe.testing.battery import machine_files
from dpframe.testing.battery.worlds import World, elsewhere

MEMORY = "/proc/meminfo"
FEW, MANY = World("", scarce=True), World("", crowded=True)


def total(text: str) -> int:
    return int(text.split()[1])


def in_text() -> int:
    with open(MEMORY) as file:
        return total(file.read())


def in_bytes() -> int:
    with open(MEMORY, "rb") as file:
        return total(file.read().decode())


def by_descriptor() -> int:
    fd = os.open(MEMORY, os.O_RDONLY)
    try:
        return total(os.read(fd, 4096).decode())
    finally:
        os.close(fd)


WAYS = {"text": in_text, "bytes": in_bytes, "path": lambda: total(Path(MEMORY).read_text()), "number": by_descriptor}
exists = pytest.mark.skipif(not os.path.exists(MEMORY), reason="this system has no such files")


@exists
@pytest.mark.parametrize("way", WAYS)
def test_the_machine_s_files_tell_less_or_more(way: str) -> None:
    read: Any = WAYS[way]
    here = read()
    assert elsewhere(read) == here > 1
    assert elsewhere(read, FEW) == 1
    assert elsewhere(read, MANY) == machine_files.many(here)


@exists
def test_words_and_numbers_within_words_stay() -> None:
    def read() -> list[str]:
        return [line.split(":")[0] for line in Path("/proc/meminfo").read_text().splitlines()]

    assert elsewhere(read, MANY) == elsewhere(read, FEW) == read()


def test_other_files_are_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_text("12 13")

    def rewritten() -> str:
        found = path.read_text()
        path.write_text(found + " 14")
        with open(path, "r+") as file:
            return file.read()

    assert elsewhere(rewritten, FEW) == "12 13 14"
    assert elsewhere(path.read_text, MANY) == "12 13 14"
