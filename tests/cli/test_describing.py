"""``dpframe ops NAME`` and ``dpframe specs [NAME]``: everything that is listed can be described."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import dpframe as dp
from dpframe.cli import describing, main
from dpframe.cli.describing import as_text, describe, describe_spec
from dpframe.front.specs import load_spec, shipped
from dpframe.front.specs.keys import BUILT_IN
from dpframe.front.specs.units import WITHOUT
from dpframe.kernel import registry
from dpframe.kernel.families.registering import SEMIMETRICS, semimetric
from tests.shipped import is_shipped


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_everything_that_is_listed_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["name"]: row for row in told(capsys, "ops")}
    for name, row in rows.items():
        found = json.loads(json.dumps(describe(name, rows.get), allow_nan=False))
        assert found["kind"] == row["kind"]
        assert {"inputs", "parameters", "theorem", "level", "example"} <= set(found)
        for parameter, entry in found["parameters"].items():
            assert {"type", "unit", "default", "required", "help"} <= set(entry), (name, parameter)
            if is_shipped(name):
                assert entry["unit"] or WITHOUT.search(entry["type"]), (name, parameter, "say its unit")
        if is_shipped(name):
            assert found["example"], name
        code = {line for line in found["example"].splitlines() if len(line) > 90}
        assert all(len(line) <= 100 or line.strip() in code for line in as_text(found).splitlines()), name


def test_pages_that_are_named_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "gram"]) == 0
    shown = capsys.readouterr()
    (page,) = set(re.findall(r"docs/(theory/\w+\.md)", shown.out))
    folder = shown.err.removeprefix("docs/ is installed as ").strip()
    assert (Path(folder) / page).is_file()
    assert main(["ops", "count", "--json"]) == 0
    assert capsys.readouterr().err == ""


def test_an_operation(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "ops", "bin_counts")
    assert found["inputs"] == [{"name": "rows", "kinds": ["private"], "optional": False, "variadic": False}]
    assert found["parameters"]["edges"]["required"]
    assert found["parameters"]["edges"]["unit"] == "units of the table"
    assert found["parameters"]["column"]["default"] == 0
    assert (found["theorem"], found["level"]) == ("histograms", "proved")
    assert "dp.bin_counts(" in found["example"]
    assert main(["ops", "bin_counts"]) == 0
    text = capsys.readouterr().out
    assert all(word in text for word in ("edges: ", "theorem: histograms", "example:", "private"))


def test_a_composite(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "ops", "quantile")
    assert found["command"].startswith("dpframe run quantile --data")
    assert found["parameters"]["q"]["required"]
    assert found["parameters"]["share"] == {
        "type": "a positive finite number", "unit": "relative weight of ρ", "default": 1.0, "required": False,
        "help": "Share of ρ.",
    }  # fmt: skip
    assert told(capsys, "ops", "moments")["command"] == ""  # a ball is no table


@pytest.mark.parametrize(("name", "given"), [("practical_mixture", "k=3"), ("histogram", "edges=0:100:10")])
def test_the_command_gives_one_of_parameters_of_which_one_is_needed(
    name: str, given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(told(capsys, "ops", name)["command"])
    assert given in words
    sets = [text for text in words[words.index("--out") + 2 :] if "=" in text]
    table = [text for given in (*sets, "n=5000", "d=2") for text in ("--set", given.replace("age", "0"))]
    assert main(["plan", name, *table]) == 0


def test_the_command_of_a_composite_of_others_names_their_folder() -> None:
    def outside_mean(x: dp.Handle, *, bound: float) -> dp.Handle:
        """The mean of rows."""
        return dp.release("mean", dp.gaussian(), dp.mean(dp.clip(x, dp.ball(0.0, bound))))

    assert describing._command("outside_mean", outside_mean).startswith("dpframe --plugins DIR run outside_mean --data")


def test_a_name_of_two_kinds_is_listed_and_attacked_twice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A learner and a semimetric of one name: each was hidden behind the other."""

    def gap(a: Any, b: Any) -> float:
        """How far apart two numbers are."""
        return abs(float(a[0] - b[0]))

    def middle(rows: Any, generator: Any) -> Any:
        """The mean."""
        return (rows.mean(axis=0),)

    name = "test.of_two_kinds"
    for table, key in ((registry._learners, name), (registry.ORIGINS, ("learner", name)), (SEMIMETRICS, name)):
        monkeypatch.setitem(table, key, None)  # forgotten after the test
        del table[key]
    registry.learner("test.of_two_kinds")(middle)
    semimetric("test.of_two_kinds", triangle=lambda r: 1.0)(gap)
    rows = [row for row in told(capsys, "ops") if row["name"] == "test.of_two_kinds"]
    assert [row["kind"] for row in rows] == ["learner", "semimetric"]
    assert told(capsys, "ops", "test.of_two_kinds")["also"] == ["semimetric"]
    assert told(capsys, "ops", "test.of_two_kinds", "--kind", "semimetric")["summary"].startswith("How far apart")
    assert main(["check", "test.of_two_kinds", "--json"]) == 0
    checked = json.loads(capsys.readouterr().out)["operations"]
    assert [entry["kind"] for entry in checked] == ["learner", "semimetric"]


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (["ops", "quantil"], "'quantile'"),
        (["ops", "gausian"], "'gaussian'"),
        (["ops", "em_33"], "'em_3'"),
        (["specs", "practical_gm"], "'practical_gmm'"),
        (["specs", "quantile"], "dpframe ops quantile"),
        (["specs", "nowhere.toml"], "can't be read"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(
    words: list[str], near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert near in capsys.readouterr().err


def test_specs(capsys: pytest.CaptureFixture[str]) -> None:
    assert [row["name"] for row in told(capsys, "specs")] == shipped()
    assert main(["specs"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(shipped())
    for name in shipped():
        found, spec = describe_spec(name), load_spec(name)
        assert set(spec.keys) | set(BUILT_IN) == set(found["keys"])
        assert all(entry["help"] for entry in found["keys"].values()), name
        assert all(len(line) <= 100 for line in as_text(found).splitlines())
    found = told(capsys, "specs", "practical_gmm")
    assert found["keys"]["bound"]["required"]
    assert found["keys"]["k"]["required"]
    assert not found["keys"]["k_max"]["required"]
    assert found["keys"]["epsilon"]["default"] == 1.0
    assert found["keys"]["tail"]["default"] is False
    assert main(["specs", "practical_gmm"]) == 0
    assert "bound: a positive finite number" in capsys.readouterr().out


PLUGIN = """
import numpy as np
import dpframe.plugin as dp

@dp.composite("metric.near")
def near(x, *, share, bound=1.0, reach=2.0, k=3):
    '''Rows near the middle.

    Parameters
    ----------
    share : float
    reach : float, in metres
    bound : float
        How far, in units of the scores.
    k : int
        A shape, and no number of components.
    '''
    return dp.release("n", dp.laplace(share=share), dp.count(x))
"""


def test_units_of_a_plugin_are_what_it_declares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its words are its own: `k` was said to count components, `bound` to be in units of the table."""
    (tmp_path / "metric.py").write_text(PLUGIN)
    found = told(capsys, "ops", "metric.near", "--plugins", str(tmp_path))["parameters"]
    units = {name: entry["unit"] for name, entry in found.items()}
    assert units == {"share": None, "bound": "units of the scores", "reach": "metres", "k": None}


def test_a_name_of_another_kind_than_asked_for_is_told_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "gaussian", "--kind", "composite"]) == 2
    assert "'gaussian' is no composite. Fix: --kind mechanism, or none" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["contribution", "transform", "partition", "statistic", "query", "mechanism"])
def test_an_own_operation_names_the_decorator_and_describes_its_parameters(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ops", f"own_{kind}"]) == 0
    told = capsys.readouterr().out
    assert "`@dp.own_...`" in told
    assert "Owned" not in told
