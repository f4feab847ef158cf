"""What the tests of the command line share: a small spec, a small table, and commands run on them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from dpframe.cli import main

SECRET = 0.7310585786300049
FILES = {"attempt.json", "spec.toml", "certificate.json", "result.json"}


def run(*more: str, spec: str = "small.toml", data: str = "x.npy", out: str = "out") -> int:
    return main(["run", spec, "--data", data, "--out", out, *more])


def apart(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """In a process of its own."""
    command = [sys.executable, "-m", "dpframe", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def read(path: Path | str) -> Any:
    return json.loads(Path(path).read_text())
