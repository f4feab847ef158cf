"""Which files are started in another interpreter: those that speak of hashes, or of chance and time when imported."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpframe.testing.battery.fresh import speaks_of_hashes

HEAD = "import datetime, secrets\nimport numpy as np\n"


@pytest.mark.parametrize(
    ("source", "started"),
    [
        ("KEY = secrets.token_bytes(16)", True),
        ("TODAY = datetime.date.today()", True),
        ("class Made:\n    at = datetime.datetime.now()", True),
        ("def f(rows, at=datetime.date.today()):\n    return rows", True),
        ("NAMES = {'a', 'b'}", True),
        ("def f(rows):\n    return hash(rows)", True),
        ("def f(rows):\n    return rows + datetime.date.today().year", False),
        ("f = lambda rows: rows + secrets.randbelow(2)", False),
        ("HALF = 0.5", False),
    ],
)
def test_chance_and_time_count_outside_functions(source: str, started: bool, tmp_path: Path) -> None:
    path = tmp_path / "plugin.py"
    path.write_text(HEAD + source)
    assert speaks_of_hashes(path) is started


def test_what_can_not_be_read_is_not(tmp_path: Path) -> None:
    (tmp_path / "plugin.py").write_text("def (")
    assert not speaks_of_hashes(tmp_path / "plugin.py")
    assert not speaks_of_hashes(tmp_path / "none.py")
