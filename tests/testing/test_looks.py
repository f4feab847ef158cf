"""What a function looks at around it, by whole paths or variables, is seen; what lies beside its module is its own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dpframe.testing import check_file
from dpframe.testing.battery import looks
from tests.testing.planted import written

ROWS = '''
import os
from pathlib import Path


@dp.row_function("looks.{name}", columns=lambda d: d)
def rows(values):
    """The rows, in units that depend on {what}."""
    return values * {unit}
'''
HERE = "float((Path(__file__).parent / 'unit.txt').read_text())"


def holds(folder: Path, name: str, unit: str) -> bool:
    source = ROWS.replace("{name}", name).replace("{what}", name.replace("_", " ")).replace("{unit}", unit)
    return all(report.holds for report in check_file(written(folder, name, source)))


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("a_missing_file", "(2.0 if os.path.exists('/srv/dpframe-tests/debug') else 1.0)"),
        ("a_missing_folder_entry", "(2.0 if Path('/srv/dpframe-tests/units.csv').is_file() else 1.0)"),
        ("a_file_that_is_there", "(2.0 if os.path.exists('/etc/passwd') else 1.0)"),
        ("what_a_file_says", "float(len(open('/etc/passwd').read()) if os.path.exists('/etc/passwd') else 1)"),
        ("a_variable_that_is_set", "(2.0 if 'HOME' in os.environ else 1.0)"),
        ("what_a_variable_says", "float(len(os.environ.get('HOME', '')))"),
    ],
)
def test_what_is_looked_at_elsewhere_is_seen(name: str, unit: str, tmp_path: Path) -> None:
    assert not holds(tmp_path, name, unit)


def test_what_lies_beside_the_plugin_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "unit.txt").write_text("3.0")
    assert holds(tmp_path, "its_own_table", HERE)


def test_what_changes_nothing_refutes_nothing(tmp_path: Path) -> None:
    assert holds(tmp_path, "looks_and_forgets", "(2.0 if os.path.exists('/etc/passwd') else 2.0)")


def test_each_look_is_noted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOKS_SET", "1")
    (tmp_path / "here").write_text("1")
    with looks.looking() as found:
        for _ in range(2):
            os.environ.get("LOOKS_SET")
            os.environ.get("LOOKS_UNSET")
            Path("nowhere").exists()
            (tmp_path / "here").read_text()
            (tmp_path / "gone").exists()
            os.path.exists("/proc/self/status")
            tmp_path.exists()
    assert found == [
        "set LOOKS_SET",
        "variable LOOKS_UNSET",
        "file nowhere",
        f"there {tmp_path}/here",
        f"whole path {tmp_path}/gone",
    ]
    assert looks.any_there(found)
    assert not looks.any_there(found[1:3])
