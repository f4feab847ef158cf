"""Paths and sizes that no run can use: refused in one line, before anything is read, written or waited for."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from dpframe.cli import main
from tests.cli.commands import run


@pytest.mark.parametrize(
    ("data", "out", "said"),
    [
        ("", "out", "--data is empty"),
        ("a" * 5000 + ".csv", "out", "too long for a path"),
        ("x.npy", "", "--out is empty"),
    ],
)
def test_a_path_that_is_none_is_refused(
    here: Path, data: str, out: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(os.listdir())
    assert run(data=data, out=out) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "Fix: " in told
    assert len(told) < 200
    assert sorted(os.listdir()) == before


def test_an_out_that_goes_back_leaves_no_other_folder(here: Path) -> None:
    assert run(out="new/../back") == 0
    assert (here / "back" / "result.json").exists()
    assert not (here / "new").exists()


def test_a_link_to_nowhere_is_no_earlier_attempt(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.symlink("nowhere", "link")
    assert run(out="link") == 2
    assert "'link' can't be used as a folder" in capsys.readouterr().err


def test_a_matrix_is_not_awaited_from_a_pipe(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe.npy")
    keys = ("k=2", "n=1000", "d=2", "covariance=pipe.npy")
    assert main(["plan", "aal21_known_covariance", *(word for key in keys for word in ("--set", key))]) == 2
    told = capsys.readouterr().err
    assert "key 'covariance' must be " in told
    assert "not 'pipe.npy'" in told


@pytest.mark.parametrize("name", ["pipe", "pipe.npy", "pipe.csv", "/dev/null"])
@pytest.mark.parametrize("option", ["--data", "--public"])
def test_a_table_is_not_awaited_from_a_pipe(
    here: Path, option: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if name.startswith("pipe"):
        os.mkfifo(name)
    tables = {"--data": "x.npy", "--public": "x.npy", option: name}
    words = ["run", "bks22_mean", "--out", "out", "--set", "n=400", "--set", "d=2"]
    assert main([*words, *(word for pair in tables.items() for word in pair)]) == 2
    assert f"{name!r} is no regular file. Fix: save the table in one" in capsys.readouterr().err
    assert not Path("out").exists()


SIZES = ("--set", "n=400", "--set", "d=2")


@pytest.mark.parametrize("name", ["pipe", "./pipe", "pipe.toml", "/dev/null", "/dev/zero"])
@pytest.mark.parametrize("command", ["plan", "specs"])
def test_a_spec_is_not_awaited_from_a_pipe_or_a_device(
    here: Path, command: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if "pipe" in name:
        os.mkfifo(name)
    assert main([command, name]) == 2
    said = "is neither a file nor a pipe" if name.startswith("/dev") else "gives nothing: nobody writes to it"
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", ["pipe", "./pipe", "pipe.toml"])
def test_a_spec_is_read_once_from_a_pipe(here: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A named one, with what was written to it."""
    os.mkfifo(name)
    kept = os.open(name, os.O_RDONLY | os.O_NONBLOCK)  # so that it holds what is written
    Path(name).write_bytes(Path("small.toml").read_bytes())
    try:
        assert main(["plan", name, *SIZES]) == 0
    finally:
        os.close(kept)
    assert main(["plan", "small.toml", *SIZES]) == 0
    piped, plain = capsys.readouterr().out.split("stage ")[1:]
    assert piped == plain


def test_a_spec_is_read_from_what_a_command_gives(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``dpframe run <(...)`` of a shell; a command that gives nothing is told so, one that never ends is cut off."""
    for content, code in ((Path("small.toml").read_bytes(), 0), (b"", 2)):
        reading, writing = os.pipe()
        os.write(writing, content)
        os.close(writing)
        assert run(spec=f"/dev/fd/{reading}", out=f"out{code}") == code
        os.close(reading)
    assert "gives nothing" in capsys.readouterr().err
    assert Path("out0/spec.toml").is_file()
    endless = ["dd", "if=/dev/zero"]
    with subprocess.Popen(endless, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as source:
        assert source.stdout is not None
        assert main(["plan", f"/dev/fd/{source.stdout.fileno()}"]) == 2
        source.kill()
    assert "is too large for a spec" in capsys.readouterr().err


def test_of_a_table_that_is_too_wide_for_a_spec_columns_are_chosen(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--set", "k=2", spec="aal21_univariate", data="x.csv") == 2
    told = capsys.readouterr().err
    assert "table 'x' has 2 columns, the plan is for d = 1. Fix: name 1 of them, on the command line by" in told
    assert "plan for" not in told.split("Fix: ")[1]
    assert run("--set", "k=2", "--set", "columns=a", spec="aal21_univariate", data="x.csv") in (0, 3)


@pytest.mark.parametrize(
    ("name", "k", "most"),
    [
        ("practical_gmm", 10**9, 1024),
        ("aal21_univariate", 5001, 2046),
        ("aal21_axis_aligned", 5001, 2046),
        ("aal21_known_covariance", 5001, 2046),
        ("kssu19_sample_and_aggregate", 10**9, 1000),
        ("kssu19_pegme", 5001, 1000),
        ("kssu19_pgme", 10**9, 65),
        ("bks22_gmm_easy", 10**9, 1000),
        ("bks22_gmm_hard", 10**9, 65),
    ],
)
def test_more_components_than_are_planned_for_are_refused(
    name: str, k: int, most: int, capsys: pytest.CaptureFixture[str]
) -> None:
    more = {"kssu": ["sigma_min=0.5", "sigma_max=10"], "prac": ["bound=9"]}.get(name[:4], [])
    keys = [f"k={k}", "n=5000", *(["d=2"] if name != "aal21_univariate" else []), *more]
    keys += ["sigma=1"] if name == "aal21_known_covariance" else []
    assert main(["plan", name, *(word for key in keys for word in ("--set", key))]) == 2
    assert f"k must be at most {most}, not {k}" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["attempt.json", "spec.toml", "certificate.json", "result.json"])
def test_a_folder_with_links_to_nowhere_is_not_written_to(
    here: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkdir("out")
    os.symlink("nowhere", f"out/{name}")
    assert run() == 2
    assert f"holds an earlier attempt ({name})" in capsys.readouterr().err
    assert os.listdir("out") == [name]
    assert os.path.islink(f"out/{name}")


LOUD = '''
import sys
import dpframe.plugin as dp
print("y" * 10**6)

@dp.composite("loud.same")
def same(x: dp.Handle) -> dp.Handle:
    """Rows as they are."""
    return x
'''


def test_what_a_plugin_prints_as_it_is_imported_is_no_answer(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("loud").mkdir()
    Path("loud/loud.py").write_text(LOUD)
    assert main(["--plugins", "loud", "plan", "small.toml", *SIZES, "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["holds"] is True
    assert len(told.err) > 10**6


@pytest.mark.parametrize("name", ["x" * 5000 + ".py", "x/" * 5000 + "y.py"])
def test_a_path_that_none_is_as_long_as_is_no_plugin(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", name]) == 2
    told = capsys.readouterr().err
    assert "is too long for a name. Fix: " in told
    assert len(told) < 200
