"""docs/test-your-mechanism.md works when it is followed literally, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from dpframe.testing.battery.reporting import LAYERS

GUIDE = Path(__file__).parents[2] / "docs" / "test-your-mechanism.md"
BLOCK = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> list[tuple[str, str]]:
    return [(m["info"].strip(), m["code"]) for m in BLOCK.finditer(GUIDE.read_text())]


def environment() -> Mapping[str, str]:
    folder = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": folder + os.pathsep + os.environ.get("PATH", "")}


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, capture_output=True, text=True, check=False, cwd=folder, env=dict(environment()), timeout=300
    )


def test_every_block_does_what_the_guide_says(tmp_path: Path) -> None:
    seen = []
    for info, code in blocks():
        if info.startswith("shell"):
            done = run(["bash", "-e", "-c", code], tmp_path)
            assert done.returncode == int("refuted" in info), f"{code}\n{done.stdout}{done.stderr}"
        elif info == "python run":
            done = run([sys.executable, "-W", "error", "-c", code], tmp_path)
            assert done.returncode == 0, f"{code}\n{done.stdout}{done.stderr}"
        else:
            continue
        seen.append((info, done.stdout))
    assert [info for info, _ in seen].count("shell refuted") == 2
    assert "mine.shares (post): REFUTED in totality" in seen[1][1]
    assert "mine.shares (post): holds" in seen[2][1]
    assert "REFUTED in rowwise" in seen[3][1]


def test_the_shown_answer_is_the_real_one(tmp_path: Path) -> None:
    first, attack, shown = blocks()[:3]
    run(["bash", "-e", "-c", first[1]], tmp_path)
    printed = run(["bash", "-c", attack[1]], tmp_path).stdout
    no_times = [re.sub(r"[\d.]+ s\b", "_ s", text) for text in (printed, shown[1])]
    assert no_times[0] == no_times[1]


@pytest.mark.parametrize("layer", sorted(LAYERS))
def test_the_guide_names_every_layer(layer: str) -> None:
    assert re.search(rf"^\|[^|]*\b{layer}\b[^|]*\|", GUIDE.read_text(), re.MULTILINE)
