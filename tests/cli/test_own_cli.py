"""Operations of one's own from the command line: leave, checks before a run, records, verification."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.cli import main, vetting
from dpframe.errors import SpecError
from dpframe.kernel import registry
from dpframe.kernel.own.base import find_own
from dpframe.planning.records import RECORDS, has_record, keep_record

PLUGINS = Path(__file__).parents[1] / "plugins"
SPEC = """
name = "chosen"
adjacency = "replace_one"
[budget]
epsilon = 1.0
delta = 1e-6
[tables.x]
kind = "private"
d = 1
[[node]]
name = "votes"
op = "noisy_max.votes"
inputs = ["x"]
levels = [-1.0, 0.0, 1.0]
[[node]]
name = "chosen"
op = "noisy_max.exponential"
inputs = ["votes"]
m = 3
share = 1.0
[outputs]
chosen = "chosen"
"""
BROKEN = """
name = "broken"
adjacency = "replace_one"
[budget]
epsilon = 1.0
[tables.x]
kind = "private"
d = 1
[[node]]
name = "count"
op = "count"
inputs = ["x"]
[[node]]
name = "out"
op = "broken.dearer"
inputs = ["count"]
noise_multiplier = 2.0
[outputs]
out = "out"
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(RECORDS, str(tmp_path / "records"))
    np.save(tmp_path / "x.npy", np.random.default_rng(0).normal(1.0, 0.1, (500, 1)))
    (tmp_path / "spec.toml").write_text(SPEC)
    (tmp_path / "broken.toml").write_text(BROKEN)
    registry.import_folders([PLUGINS / "own"])
    for name in ("noisy_max.votes", "noisy_max.exponential"):
        keep_record(name, find_own(name).digest)
    return tmp_path


def run(place: Path, *more: str, spec: str = "spec.toml") -> int:
    return main(["run", str(place / spec), "--data", str(place / "x.npy"), "--out", str(place / "out"), *more])


def test_run_and_verify(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", str(place / "spec.toml"), "--set", "n=500"]) == 2
    assert "--allow-asserted" in capsys.readouterr().err
    assert run(place) == 2
    assert not (place / "out").exists()
    capsys.readouterr()
    assert run(place, "--allow-asserted") == 0
    proof = str(place / "out/certificate.json")
    files = ["--spec", str(place / "out/spec.toml"), "--result", str(place / "out/result.json")]
    capsys.readouterr()
    assert main(["verify", proof, *files]) == 0
    said = capsys.readouterr().out
    assert "holds, given 2 assertions" in said
    assert said.count("  if node") - said.count(": public, not computed from the table") == 2
    assert main(["verify", proof, "--strict"]) == 1
    capsys.readouterr()
    assert main(["verify", proof, "--plugins", str(PLUGINS / "own"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["verified"], found["assertions"]) == (True, 2)
    assert "recomputed by its plugin's theorem" in found["notes"][0]


def test_a_plugin_that_is_also_installed_is_a_reason_and_no_refusal(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is installed is looked for only after the folder was read, and may hold the same names."""

    def twice() -> Any:
        raise SpecError("own operation 'votes' is registered twice: in here.py and there")

    assert run(place, "--allow-asserted") == 0
    monkeypatch.setattr("dpframe.cli.vetting.owned", twice)
    capsys.readouterr()
    proof = str(place / "out/certificate.json")
    assert main(["verify", proof, "--plugins", str(PLUGINS / "own")]) == 1
    assert "plugins: own operation 'votes' is registered twice" in capsys.readouterr().out
    assert main(["verify", proof]) == 0, "without a folder nothing is loaded"


def test_plan_json_says_levels(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", str(place / "spec.toml"), "--set", "n=500", "--allow-asserted", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {n["name"]: n["level"] for n in found["nodes"]} == {"votes": "enforced", "chosen": "asserted"}
    assert found["assertions"] == 2


def test_ops_lists_levels(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "--json", "--plugins", str(PLUGINS / "own")]) == 0
    levels = {row["name"]: row["level"] for row in json.loads(capsys.readouterr().out)}
    assert levels["gaussian"] == "proved"
    assert levels["noisy_max.votes"] == "enforced"
    assert levels["noisy_max.exponential"] == "asserted"
    assert levels["histogram"] is None


def test_a_number_of_the_plugin_that_was_changed_is_found(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(place, "--allow-asserted") == 0
    path = place / "out/certificate.json"
    made: Any = json.loads(path.read_text())
    made["graph"]["nodes"][1]["mechanism"]["calibration"]["scale"] /= 8
    path.write_text(json.dumps(made))
    assert main(["verify", str(path)]) == 0, "taken at its word"
    assert main(["verify", str(path), "--plugins", str(PLUGINS / "own")]) == 1
    assert "another loss" in capsys.readouterr().out


def test_a_refuted_plugin_does_not_run(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    registry.import_folders([PLUGINS / "own_broken"])
    assert run(place, "--allow-asserted", "--set", "n=500", spec="broken.toml") == 2
    assert "refuted in law" in capsys.readouterr().err
    assert not (place / "out").exists()
    assert not has_record("broken.dearer", find_own("broken.dearer").digest)


def test_other_parameters_than_those_on_record_are_attacked(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attacked: list[str] = []
    monkeypatch.setattr(vetting, "_attack", lambda name, attack: attacked.append(name))
    assert run(place, "--allow-asserted") == 0
    assert attacked == []
    spec = SPEC.replace("[-1.0, 0.0, 1.0]", "[0.0, 1.0, 2.0]")
    for out in ("once", "again"):
        (place / "other.toml").write_text(spec)
        made = ["run", str(place / "other.toml"), "--data", str(place / "x.npy"), "--out", str(place / out)]
        assert main([*made, "--allow-asserted"]) == 0
        assert attacked == ["noisy_max.votes"], out


def test_files_that_changed_since_they_were_loaded_do_not_run(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = place / "plugin"
    folder.mkdir()
    source = (PLUGINS / "own/noisy_max.py").read_text().replace('"noisy_max.', '"moved.')
    (folder / "moved.py").write_text(source)
    registry.import_folders([folder])
    (place / "spec.toml").write_text(SPEC.replace("noisy_max.", "moved."))
    for name in ("moved.votes", "moved.exponential"):
        keep_record(name, find_own(name).digest)
    (folder / "moved.py").write_text(source + "# changed\n")
    assert run(place, "--allow-asserted") == 2
    assert "was changed since it was loaded" in capsys.readouterr().err
    shutil.rmtree(folder)


@pytest.mark.slow
def test_a_run_makes_the_check_itself(place: Path) -> None:
    shutil.rmtree(place / "records")
    assert run(place, "--allow-asserted") == 0
    assert has_record("noisy_max.exponential", find_own("noisy_max.exponential").digest)
