"""Streams that are full, closed or of another encoding than UTF-8, and Python without docstrings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import apart, read

DPFRAME = f"{sys.executable} -m dpframe"


def shell(command: str, here: Path) -> tuple[int, str, str]:
    """The exit code of the first command in a pipe, stdout and stderr."""
    words = ["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=here)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252"])
def test_signs_that_stdout_does_not_have_are_spelt_as_in_json(here: Path, encoding: str) -> None:
    done = apart("ops", "gram", "--json", encoding=encoding, env={**os.environ, "PYTHONIOENCODING": encoding})
    assert done.returncode == 0, done.stderr
    assert "\\u03a3 y" in done.stdout
    assert "Σ y" in json.loads(done.stdout)["summary"]


def test_what_was_released_is_said_in_ascii(here: Path) -> None:
    words = ["run", "small.toml", "--data", "x.npy", "--out", "ä"]
    done = apart(*words, cwd=here, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("-> \\u00e4/result.json\n")


def test_a_reader_who_left_is_no_error(here: Path) -> None:
    code, out, err = shell(f"PYTHONUNBUFFERED=1 {DPFRAME} ops | head -1", here)
    assert (code, len(out.splitlines()), err) == (0, 1, "")


def test_a_reader_who_left_makes_nothing_verified(here: Path) -> None:
    (here / "certificate.json").write_text("{}")
    assert shell(f"PYTHONUNBUFFERED=1 {DPFRAME} verify certificate.json | true", here)[0] == 1


def test_a_full_disk_behind_stdout_is_named(here: Path) -> None:
    code, _, err = shell(f"{DPFRAME} ops > /dev/full", here)
    assert (code, err) == (1, "dpframe: no space is left where it writes. Fix: make room there, or write elsewhere\n")


def test_a_run_depends_on_no_line_about_it(here: Path) -> None:
    code, out, _ = shell(f"{DPFRAME} run small.toml --data x.npy --out out 2> /dev/full", here)
    assert (code, out) == (0, "released: mean -> out/result.json\n")
    assert read(here / "out" / "result.json")["status"] == "released"


def test_python_without_docstrings_is_refused_by_name(here: Path) -> None:
    done = apart("specs", env={**os.environ, "PYTHONOPTIMIZE": "2"})
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "PYTHONOPTIMIZE=2" in done.stderr
