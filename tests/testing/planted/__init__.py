"""Whole plugins, a file each, by the kind of operation: what `dpframe check` must refute, and what it must not.

`faulty` ones break a promise; each is refuted. `noted` ones are masks whose price holds of real numbers and not of
floats: a note says so. `correct` ones keep their promises, odd as many look: none is refuted. The name of a file is
that of its test (`tests/testing/test_planted.py`).
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
HEADER = '''"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


'''


def plugins(folder: str) -> dict[str, str]:
    """What follows the header in each file of a folder, by the file's name, which is there once."""
    found: dict[str, str] = {}
    for path in sorted((HERE / folder).rglob("*.py")):
        text = path.read_text()
        if path.stem in found or not text.startswith(HEADER):
            raise ValueError(f"{path} is there twice in {folder}, or has another header")
        found[path.stem] = text.removeprefix(HEADER)
    return found


FAULTY, FLOATS, CORRECT = plugins("faulty"), plugins("noted"), plugins("correct")


def written(folder: Path, name: str, source: str) -> Path:
    """The plugin as a file."""
    path = folder / f"plugin_{name}.py"
    path.write_text(HEADER + source.lstrip("\n"))
    return path
