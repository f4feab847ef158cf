"""Runs that end early: whatever the error, one ending that says what is spent and nothing else."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.cli import main, releasing
from dpframe.runtime.run import ENDED
from tests.cli.commands import FILES, SECRET, apart, read, run
from tests.small_specs import SMALL, hooked

ERRORS = ["crash", "domain", "memory", "exit", "warning", "odd"]


@pytest.mark.parametrize(
    ("what", "reason"),
    [("fail", "no answer"), ("touch:x.npy", "changed during the run"), *((what, ENDED[0]) for what in ERRORS)],
)
def test_a_run_that_fails_after_spending(
    here: Path, plugins: Path, what: str, reason: str, capsys: pytest.CaptureFixture[str], run_errors: list[Any]
) -> None:
    (here / "hooked.toml").write_text(hooked(what))
    assert run("--plugins", str(plugins), spec="hooked.toml") == 3
    result = read("out/result.json")
    assert {p.name for p in (here / "out").iterdir()} == FILES
    assert (result["status"], result["outputs"]) == ("failed", {})
    assert reason in result["reason"]
    assert "missing value" in result["advice"]
    assert "columns=" in result["advice"]
    err = capsys.readouterr().err
    assert reason in err
    assert str(SECRET) not in err
    assert "Traceback" not in err
    assert main(["verify", "out/certificate.json", "--spec", "out/spec.toml", "--result", "out/result.json"]) == 0
    capsys.readouterr()


def test_every_error_ends_in_the_same_result(here: Path, plugins: Path, run_errors: list[Any]) -> None:
    for what in ERRORS:
        (here / "hooked.toml").write_text(hooked(what))
        assert run("--plugins", str(plugins), spec="hooked.toml", out=what) == 3
    assert len({(here / what / "result.json").read_bytes() for what in ERRORS}) == 1
    assert len({type(error) for error in run_errors}) == len(ERRORS)


def test_only_debug_shows_the_error(
    here: Path, plugins: Path, capsys: pytest.CaptureFixture[str], run_errors: list[Any]
) -> None:
    (here / "hooked.toml").write_text(hooked("crash"))
    assert run("--plugins", str(plugins), "--debug", spec="hooked.toml") == 3
    shown = capsys.readouterr()
    assert "Traceback" in shown.err
    assert "ValueError" in shown.err
    assert {p.name for p in (here / "out").iterdir()} == FILES
    for path in (here / "out").iterdir():
        assert "ValueError" not in path.read_text()


def test_an_error_before_the_first_pass_writes_nothing(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A plan that can't be certified is no run; the fault is the program's, and nothing is spent."""

    def fail(*args: Any, **more: Any) -> Any:
        raise ValueError(str(SECRET))

    monkeypatch.setattr(releasing, "admit", fail)
    assert run() == 1
    assert not (here / "out").exists()
    err = capsys.readouterr().err
    assert "internal error, ValueError" in err
    assert str(SECRET) not in err
    assert "Traceback" not in err


@pytest.mark.parametrize("where", ["document", "to_bytes", "save certificate.json", "save result.json", "save all"])
def test_what_cannot_be_finished_or_written_failed(
    here: Path, where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], run_errors: list[Any]
) -> None:
    """Only the first call fails, as for a value that is no JSON; or every one, as on a full disk."""
    word, _, name = where.partition(" ")
    inner, calls = getattr(releasing, word), []

    def fail(first: Any, *rest: Any) -> Any:
        released = Path("out/spec.toml").exists()
        if released and (name == "all" or not calls) and (name in ("", "all") or first.name == name):
            calls.append(1)
            raise OSError(28, "No space left") if name else ValueError(str(SECRET))
        return inner(first, *rest)

    monkeypatch.setattr(releasing, word, fail)
    assert run() == 3
    shown = capsys.readouterr()
    assert str(SECRET) not in shown.err
    assert ("its files could not be written: No space left. Advice: make room" if name else ENDED[0]) in shown.err
    names = {p.name for p in (here / "out").iterdir()}
    if name == "all":
        assert names == {"attempt.json", "spec.toml"}
        return
    assert names == FILES
    assert read("out/result.json")["status"] == "failed"
    assert main(["verify", "out/certificate.json", "--spec", "out/spec.toml", "--result", "out/result.json"]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("stdout", [">&-", "> /dev/full"])
def test_a_reader_who_left_changes_no_exit_code(here: Path, stdout: str) -> None:
    command = f"{sys.executable} -m dpframe run small.toml --data x.npy --out out {stdout}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, cwd=here)
    assert done.returncode == 0, done.stderr
    assert "internal" not in done.stderr
    assert read(here / "out" / "result.json")["status"] == "released"


def test_an_interrupted_run_says_what_is_spent(here: Path, plugins: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "hooked.toml").write_text(hooked("interrupt"))
    assert run("--plugins", str(plugins), spec="hooked.toml") == 130
    assert "attempt.json" in capsys.readouterr().err
    assert not (here / "out" / "result.json").exists()


def test_a_killed_run_is_accounted_and_its_folder_refused(here: Path, plugins: Path) -> None:
    (here / "hooked.toml").write_text(hooked("kill"))
    words = ["run", "hooked.toml", "--data", "x.npy", "--plugins", str(plugins), "--out", "out"]
    done = apart(*words, cwd=here)
    assert done.returncode == -signal.SIGKILL
    assert {p.name for p in (here / "out").iterdir()} == {"attempt.json", "spec.toml"}
    assert read(here / "out" / "attempt.json")["loss"]["epsilon"] > 0.99
    assert run() == 2


def test_a_terminated_run_leaves_no_result(here: Path) -> None:
    """SIGTERM while a wide Gram matrix is taken: a record of the attempt, and a result only if it was done."""
    start, _, _ = SMALL.replace('op = "mean"', 'op = "gram"').partition('[[node]]\nname = "mean"')
    node = '[[node]]\nname = "gram"\nop = "gram_of_ball"\ninputs = ["noisy", "ball"]\n\n'
    (here / "gram.toml").write_text(start + node + '[outputs]\ngram = "gram"\n')
    np.save(here / "wide.npy", np.ones((60_000, 300)))
    command = [sys.executable, "-m", "dpframe", "run", "gram.toml", "--data", "wide.npy", "--out", "out"]
    process = subprocess.Popen(command, cwd=here, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    for _ in range(60_000):
        if (here / "out" / "attempt.json").exists() or process.poll() is not None:
            break
        time.sleep(0.001)
    process.terminate()
    code = process.wait(timeout=60)
    assert (here / "out" / "attempt.json").exists()
    assert code == -signal.SIGTERM or read(here / "out" / "result.json")["status"] == "released"
