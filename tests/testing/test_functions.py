"""Functions of plugins: row maps and learners, each broken one caught and each honest twin passing, from a file."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from dpframe.errors import SpecError
from dpframe.testing import check_file
from dpframe.testing.battery import check as command_line

HEADER = '"""A plugin."""\n\nimport numpy as np\n\nimport dpframe as dp\n\n\n'
FUNCTIONS = {
    "centres": (
        "rowwise",
        "def {name}(values):\n    '''Rows minus their mean.'''\n    return values - values.mean(axis=0)",
    ),
    "scales": (
        "rowwise",
        "def {name}(values):\n    '''Rows over the largest.'''\n    return values / abs(values).max()",
    ),
    "ranks": (
        "rowwise",
        "def {name}(values):\n    '''Ranks.'''\n    return np.argsort(np.argsort(values[:, :1], axis=0), axis=0) * 1.0",
    ),
    "shifts": ("rowwise", "def {name}(values):\n    '''The row before.'''\n    return np.roll(values, 1, axis=0)"),
    "places": (
        "rowwise",
        "def {name}(values):\n    '''Row and place.'''\n    return values + np.arange(len(values))[:, None]",
    ),
    "random": (
        "purity",
        "def {name}(values):\n    '''Jitter.'''\n    return values + np.random.default_rng().random(values.shape)",
    ),
    "silent": ("docstring", "def {name}(values):\n    return values / 2"),
    "remembers": (
        "purity",
        (
            "SEEN = []\n\n\ndef {name}(rows, generator):\n    '''A running mean.'''\n"
            "    SEEN.append(rows.mean(axis=0))\n    return (np.mean(SEEN, axis=0),)"
        ),
    ),
    "elsewhere": (
        "purity",
        (
            "def {name}(rows, generator):\n    '''A random row.'''\n"
            "    return (rows[0] + np.random.default_rng().random(),)"
        ),
    ),
}
HONEST = {
    "halves": "def {name}(values):\n    '''Half of each row.'''\n    return values / 2",
    "norms": "def {name}(values):\n    '''Norms.'''\n    return np.sqrt((values * values)[:, :1])",
    "in_ball": "def {name}(values, ball):\n    '''From the centre.'''\n    return values - ball.centre",
    "means": "def {name}(rows, generator):\n    '''The mean.'''\n    return (rows.mean(axis=0),)",
    "picks": "def {name}(rows, generator):\n    '''One row.'''\n    return (rows[generator.integers(len(rows))],)",
}


def written(folder: Path, name: str, source: str) -> Path:
    path = folder / f"plugin_{name}.py"
    before, _, after = source.partition("def {name}")
    path.write_text(f"{HEADER}{before}@dp.learner('mine.{name}')\ndef {name}{after}\n")
    return path


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_broken_function_is_caught(name: str, tmp_path: Path) -> None:
    layer, source = FUNCTIONS[name]
    (report,) = check_file(written(tmp_path, name, source))
    assert report.failed(layer), str(report)


@pytest.mark.parametrize("name", sorted(HONEST))
def test_an_honest_function_passes(name: str, tmp_path: Path) -> None:
    (report,) = check_file(written(tmp_path, name, HONEST[name]))
    assert report.holds, str(report)
    assert report.kind == ("learner" if name in ("means", "picks") else "row map")


def test_a_mixing_function_is_shown_with_one_other_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "centres_again", FUNCTIONS["centres"][1])
    assert command_line.main(str(path), as_json=True) == 1
    answer = json.loads(capsys.readouterr().out)
    (failure,) = answer["operations"][0]["failures"]
    assert failure["layer"] == "rowwise"
    assert failure["counterexample"]["other_rows"] == [[0.0, 0.0]]


POST = textwrap.dedent('''
    """A plugin with a post."""

    from typing import Any, ClassVar

    import attrs
    import numpy as np

    import dpframe as dp
    from dpframe.kernel.operations import PARAM, Slot, wants
    from dpframe.kernel.post_processing import Post
    from dpframe.proof.spaces import Counts, Domain, Vector


    @dp.register("mine.{name}")
    @attrs.frozen
    class Shares(Post):
        """Released counts as shares of their total."""

        slots: ClassVar[tuple[Slot, ...]] = (Slot("counts", PARAM),)

        def output(self, *inputs: Domain) -> Domain:
            """A vector."""
            return Vector(wants(inputs[0], Counts, self.name).m)

        def apply(self, *values: Any) -> Any:
            """Divide."""
            counts = np.maximum(values[0], 0.0)
            return {expression}
''')
RIGHT = "counts / max(counts.max(), 1.0)"
WRONG = "counts / counts.sum()"


@pytest.mark.parametrize(("name", "expression", "code"), [("right", RIGHT, 0), ("wrong", WRONG, 1)])
def test_the_command(name: str, expression: str, code: int, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(POST.format(name=name, expression=expression))
    done = subprocess.run(
        [sys.executable, "-m", "dpframe", "check", str(path), "--json"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == code, done.stderr
    answer = json.loads(done.stdout)
    assert answer["holds"] is (code == 0)
    assert [f["layer"] for f in answer["operations"][0]["failures"]] == ([] if code == 0 else ["totality"])


@pytest.mark.parametrize("name", ["cuont", "missing.py"])
def test_wrong_usage_is_2(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.command([name]) == 2
    assert capsys.readouterr().err.startswith("dpframe: ")


def test_a_file_that_breaks_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.py"
    path.write_text("1 / 0\n")
    assert command_line.command([str(path)]) == 2
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_text_names_the_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.command(["count"]) == 0
    assert "count (statistic): holds" in capsys.readouterr().out


def test_many_names_are_checked_in_processes_of_their_own() -> None:
    """What ``--all`` does with all names; nothing named is wrong usage."""
    reports = command_line._each(["split", "split"], thorough=False)
    assert [r.name for r in reports] == ["split", "split"]
    assert all(r.holds for r in reports)
    with pytest.raises(SpecError, match="nothing was named"):
        command_line.main(None)
