"""The command line: exit codes, what is written when, and that nothing private is shown."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from dpframe.front.cli import _has_testing, main, releasing
from dpframe.front.cli.results import plain, spent, symmetric
from dpframe.front.specs import load_spec, parse_spec
from dpframe.proof.spaces import BallValue, GaussianValue, MixtureValue, Outcome
from dpframe.runtime.run import ENDED
from tests.small_specs import SMALL, hooked

SECRET = 0.7310585786300049
FILES = {"attempt.json", "spec.toml", "certificate.json", "result.json"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a spec, tables and a plugin, and the process in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(SMALL)
    rows = np.random.default_rng(1).normal(size=(400, 2))
    rows[3, 1] = SECRET
    np.save("x.npy", rows)
    np.savetxt("x.csv", rows, delimiter=",", header="a,b", comments="")
    return tmp_path


@pytest.fixture
def plugins(hook_plugins: Path) -> Path:
    """The folder with the plugin that acts up."""
    return hook_plugins


def run(*more: str, spec: str = "small.toml", data: str = "x.npy", out: str = "out") -> int:
    return main(["run", spec, "--data", data, "--out", out, *more])


def apart(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """In a process of its own."""
    command = [sys.executable, "-m", "dpframe", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def read(path: Path | str) -> Any:
    return json.loads(Path(path).read_text())


# --------------------------------------------------------------------------------- ops, plan, usage


def test_ops(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "--json"]) == 0
    found = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert found["gaussian"]["kind"] == "mechanism"
    assert found["gaussian"]["theorem"] == "gaussian_mechanism"
    assert found["pairs"]["adjacency"] == found["split"]["adjacency"] == "replace_one"
    assert found["count"]["adjacency"] == "any"
    assert found["practical_mixture"]["kind"] == "composite"
    ours = [row for name, row in found.items() if not name.startswith(("test", "mutant"))]  # others: of other tests
    assert all(row["summary"] for row in ours)
    assert main(["ops"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(found) + 1


def test_plan(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sizes = ["--set", "n=400", "--set", "d=2"]
    assert main(["plan", "small.toml", *sizes]) == 0
    text = capsys.readouterr().out
    assert "bounded_sum" in text or "sum_and_count" in text
    assert main(["plan", "small.toml", *sizes, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["holds"] is True
    assert found["loss"]["epsilon"] <= 1
    assert not (here / "out").exists()


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["nonsense"],
        ["plan"],
        ["plan", "nowhere.toml"],
        ["plan", "small.toml"],
        ["plan", "small.toml", "--set", "n=400"],
        ["plan", "small.toml", "--set", "n=400", "--set", "d=2", "--set", "epsilonn=1"],
        ["plan", "small.toml", "--set", "n=400", "--set", "d=2", "--set", "rho=1", "--set", "epsilon=1"],
        ["plan", "small.toml", "--se", "n=400"],
        ["plan", "small.toml", "--plugins", "nowhere"],
        ["run", "small.toml", "--data", "x.npy"],
        ["run", "small.toml", "--out", "out"],
        ["run", "small.toml", "--data", "x.npy", "--out", "out", "--simulate", "-1"],
        ["run", "small.toml", "--data", "x.npy", "--out", "out", "--simulate", "x"],
        ["run", "small.toml", "--data", "x.npy", "--out", "out", "--set", "n=399"],
        ["run", "small.toml", "--data", "x.npy", "--out", "out", "--set", "d=3"],
        ["run", "small.toml", "--data", "x.npy", "--out", "out", "--set", "columns=0,1,9"],
        ["run", "small.toml", "--data", "x.npy", "--out", "out", "--public", "x.npy"],
        ["run", "small.toml", "--data", "absent.npy", "--out", "out"],
        ["run", "small.toml", "--data", "small.toml", "--out", "out"],
        ["run", "small.toml", "--data", "x.npy", "--out", "small.toml"],
        ["run", "small.toml", "--data", "x.npy", "--out", "small.toml/out"],
        ["verify"],
        ["report", "nowhere"],
        ["report", "."],
    ],
)
def test_refusals_write_nothing_and_say_why(here: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(p.name for p in here.iterdir())
    assert main(words) == 2
    shown = capsys.readouterr()
    assert len(shown.err.strip()) > 10
    assert "Traceback" not in shown.err
    assert sorted(p.name for p in here.iterdir()) == before


@pytest.mark.parametrize("name", ["check", "audit"])
def test_check_and_audit_exist_only_where_they_do_something(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    assert (f"    {name} " in capsys.readouterr().out) is _has_testing()


def test_an_unknown_key_names_the_nearest(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "small.toml", "--set", "epsilonn=1"]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert "did you mean 'epsilon'?" in err


def test_a_refused_plan_in_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "small.toml", "--json"]) == 2
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert found["holds"] is False
    assert found["error"]
    assert set(found) >= {"loss", "delta_split", "nodes", "passes", "warnings"}
    assert shown.err


@pytest.mark.parametrize(
    ("name", "line", "says"),
    [("word", "1.0,sEcReT", "line 101"), ("short", "1.0", "101"), ("quote", '1.0,"2', "")],
)
def test_a_malformed_csv_names_the_line_but_no_cell(
    here: Path, name: str, line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Path("x.csv").read_text().splitlines()
    lines[100] = line
    Path(f"{name}.csv").write_text("\n".join(lines))
    assert run(data=f"{name}.csv") == 2
    err = capsys.readouterr().err
    assert says in err
    assert "sEcReT" not in err
    assert not Path("out").exists()


# ---------------------------------------------------------------------------------------------- run


def test_a_run_writes_its_files_and_they_verify(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    out = here / "out"
    assert {p.name for p in out.iterdir()} == FILES
    result, attempt, proof = (read(out / f"{n}.json") for n in ("result", "attempt", "certificate"))
    assert result["status"] == "released"
    assert result["simulated"] is False
    assert len(result["outputs"]["mean"]) == 2
    assert result["loss"] == attempt["loss"]
    assert result["loss"]["adjacency"] == "replace_one"
    for name, key in (("spec.toml", "spec_sha256"), ("result.json", "result_sha256")):
        assert proof[key] == hashlib.sha256((out / name).read_bytes()).hexdigest()
    spec = load_spec(out / "spec.toml")
    assert (spec.n, spec.d) == (400, 2)
    shown = capsys.readouterr()
    for text in (shown.out, shown.err, *(p.read_text() for p in out.iterdir())):
        assert str(SECRET) not in text
    files = ["--spec", "out/spec.toml", "--result", "out/result.json"]
    assert main(["verify", "out/certificate.json"]) == 0
    assert main(["verify", "out/certificate.json", *files]) == 0
    assert main(["verify", "out/certificate.json", "--json"]) == 0
    capsys.readouterr()


def test_replanning_tells_a_spec_that_the_certificate_is_not_of(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Verification compares digests only: a certificate can name a spec that plans to something else."""
    assert run() == 0
    proof, spec = here / "out" / "certificate.json", here / "out" / "spec.toml"
    command = ["verify", str(proof), "--spec", str(spec)]
    assert main([*command, "--replan"]) == 0
    assert "the same proof" in capsys.readouterr().out
    before = spec.read_text()
    spec.write_text(before.replace("epsilon = 1.0", "epsilon = 1.5"))
    assert spec.read_text() != before
    proof.write_text(
        proof.read_text().replace(read(proof)["spec_sha256"], hashlib.sha256(spec.read_bytes()).hexdigest())
    )
    assert main(command) == 0
    assert main([*command, "--replan"]) == 1
    assert "another graph or other numbers" in capsys.readouterr().out
    assert main(["verify", str(proof), "--replan"]) == 2


@pytest.mark.parametrize(
    ("data", "more", "columns", "act"),
    [
        ("x.npy", [], [0, 1], "nothing"),
        ("x.npy", ["--set", "columns=1,0"], [1, 0], "nothing"),
        ("x.npy", ["--set", "columns=1"], [1], "fail"),
        ("x.csv", [], ["a", "b"], "nothing"),
        ("x.csv", ["--set", "columns=b"], ["b"], "domain"),
        ("x.parquet", ["--set", "columns=b,a"], ["b", "a"], "nothing"),
        ("x.parquet", [], ["a", "b"], "fail"),
    ],
)
def test_a_result_names_its_columns(
    here: Path, plugins: Path, run_errors: list[Any], data: str, more: list[str], columns: list[Any], act: str
) -> None:
    """Names where the table has them, 0-based positions where it has none; a failed run names them too."""
    pd.read_csv("x.csv").to_parquet("x.parquet")
    (here / "hooked.toml").write_text(hooked(act))
    code = run(*more, "--plugins", str(plugins), spec="hooked.toml", data=data)
    assert code == (0 if act == "nothing" else 3)
    assert read("out/result.json")["columns"] == columns


def test_a_header_that_is_no_utf8_loses_no_result(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Latin-1 names once ended a run after it had spent, with exit 1 and no result; as a key they are refused."""
    rows = np.load("x.npy")
    names = [f"caf\xe9{i}".encode("latin-1") for i in range(rows.shape[1])]
    lines = [b",".join(names), *(",".join(map(repr, row)).encode() for row in rows.tolist())]
    (here / "x.csv").write_bytes(b"\n".join(lines) + b"\n")
    assert run(data="x.csv") == 0
    assert read(here / "out" / "result.json")["columns"] == [name.decode(errors="surrogateescape") for name in names]
    assert main(["verify", "out/certificate.json", "--spec", "out/spec.toml", "--result", "out/result.json"]) == 0
    chosen = names[0].decode(errors="surrogateescape")
    assert run("--set", f"columns={chosen}", data="x.csv", out="other") == 2
    assert not (here / "other").exists()
    assert "UTF-8" in capsys.readouterr().err


def test_the_spec_as_run_runs_again(here: Path) -> None:
    assert run("--simulate", "3", "--set", "epsilon=2") == 0
    assert run("--simulate", "3", spec="out/spec.toml", out="again") == 0
    for name in ("spec.toml", "simulated.json"):
        assert (here / "out" / name).read_bytes() == (here / "again" / name).read_bytes()


@pytest.mark.parametrize("held", [*sorted(FILES), "simulated.json"])
def test_a_folder_with_an_earlier_attempt_is_refused_untouched(here: Path, held: str) -> None:
    (here / "out").mkdir()
    (here / "out" / held).write_text("earlier")
    assert run() == 2
    assert {p.name: p.read_text() for p in (here / "out").iterdir()} == {held: "earlier"}


def test_an_empty_folder_and_other_files_are_fine(here: Path) -> None:
    (here / "out").mkdir()
    (here / "out" / "notes.txt").write_text("mine")
    assert run() == 0
    assert (here / "out" / "notes.txt").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_refused(here: Path) -> None:
    (here / "locked").mkdir(mode=0o500)
    assert run(out="locked/out") == 2


def test_simulation_gives_the_same_bytes_and_never_verifies(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--simulate", "5", out="a") == run("--simulate", "5", out="b") == 0
    assert run("--simulate", "6", out="c") == 0
    a, b, c = ((here / name / "simulated.json").read_bytes() for name in "abc")
    assert a == b != c
    assert json.loads(a)["simulated"] is True
    assert {p.name for p in (here / "a").iterdir()} == FILES - {"result.json"} | {"simulated.json"}
    assert main(["verify", "a/certificate.json"]) == 1
    assert main(["verify", "a/certificate.json", "--result", "a/simulated.json"]) == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    ("budget", "keys"),
    [
        (["rho=0.5"], {"adjacency", "accountant", "rho"}),
        (["epsilon=1", "delta=1e-6"], {"adjacency", "accountant", "epsilon", "delta"}),
    ],
)
def test_the_loss_has_the_budgets_own_terms(here: Path, budget: list[str], keys: set[str]) -> None:
    assert run(*(w for b in budget for w in ("--set", b))) == 0
    assert set(read("out/result.json")["loss"]) == keys
    assert main(["verify", "out/certificate.json", "--result", "out/result.json"]) == 0


def test_add_remove_never_learns_n(here: Path) -> None:
    assert run("--set", "adjacency=add_remove") == 0
    assert load_spec("out/spec.toml").n is None
    assert [i["n"] for i in read("out/certificate.json")["graph"]["inputs"]] == [None]
    assert not {"n", "rows"} & set(read("out/attempt.json"))


@pytest.mark.parametrize("valid", [0, 1])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_no_cell_decides_before_the_run(here: Path, kind: str, valid: int, capsys: pytest.CaptureFixture[str]) -> None:
    """A table of empty rows and one with a valid row are neighbours: both run, and say the same."""
    if kind == "csv":
        (here / "t.csv").write_text("a,b\n" + "1,\n" * (9 - valid) + "1,2\n" * valid)
    else:
        table = {"a": [1.0] * 9, "b": pa.array([None] * (9 - valid) + [2.0] * valid, pa.float64())}
        pq.write_table(pa.table(table), here / "t.parquet")
    assert run(data=f"t.{kind}") == 0
    assert capsys.readouterr().err == "small: reserves epsilon=1, delta=1e-06 under replace_one, by gdp; 1 passes\n"


def test_the_rule_of_missing_values_stands_where_data_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--help"]) == 0
    assert "missing or non-finite value in any column used is empty" in " ".join(capsys.readouterr().out.split())


def test_columns_select_and_order(here: Path) -> None:
    assert run("--set", "columns=b,a", data="x.csv") == 0
    assert load_spec("out/spec.toml").columns == ("b", "a")
    assert run("--set", "columns=1", out="one") == 0
    assert len(read("one/result.json")["outputs"]["mean"]) == 1


# ------------------------------------------------------------------------------------- runs that end


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
    assert ENDED[0] in shown.err
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


# ------------------------------------------------------------------------------------------- verify


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("released")
    (folder / "small.toml").write_text(SMALL)
    np.save(folder / "x.npy", np.random.default_rng(1).normal(size=(400, 2)))
    assert run(spec=str(folder / "small.toml"), data=str(folder / "x.npy"), out=str(folder / "out")) == 0
    return folder / "out"


def tampered(path: Path, content: Any) -> None:
    path.write_text(content if isinstance(content, str) else json.dumps(content))


@pytest.mark.parametrize("which", ["result", "certificate"])
@pytest.mark.parametrize(
    "change",
    [
        lambda d: {**d, "status": "failed"},
        lambda d: {**d, "simulated": True},
        lambda d: {**d, "schema_version": 1},
        lambda d: {},
        lambda d: [d],
        lambda d: "",
        lambda d: "{",
        lambda d: "\0\1",
        lambda d: "[" * 100_000,
        lambda d: "null",
    ],
)
def test_tampered_files_are_not_verified(
    released: Path, tmp_path: Path, which: str, change: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"certificate": released / "certificate.json", "result": released / "result.json"}
    tampered(tmp_path / "changed.json", change(read(files[which])))
    files[which] = tmp_path / "changed.json"
    assert main(["verify", str(files["certificate"]), "--result", str(files["result"])]) == 1
    shown = capsys.readouterr()
    assert "not verified" in shown.out
    assert "Traceback" not in shown.err


def test_another_spec_and_absent_files_are_not_verified(
    released: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = str(released / "certificate.json")
    tampered(tmp_path / "s.toml", (released / "spec.toml").read_text() + "\n# changed\n")
    for words in (
        [proof, "--spec", str(tmp_path / "s.toml")],
        [proof, "--spec", str(tmp_path / "none.toml")],
        [proof, "--result", str(tmp_path / "none.json")],
        [str(tmp_path / "none.json")],
        [str(tmp_path)],
    ):
        assert main(["verify", *words]) == 1
    capsys.readouterr()


def test_a_report_of_released_files(released: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(released)]) == 0
    assert capsys.readouterr().out.split() == [str(released / "report.html")]
    (released / "report.html").unlink()


# ----------------------------------------------------------------------------------------- results


def test_the_json_form_of_released_values() -> None:
    matrix = np.array([[[2.0, 1.0], [1.0 + 1e-12, 3.0]]])
    mixture = plain(MixtureValue(np.ones(1), np.zeros((1, 2)), matrix))
    assert np.shape(mixture["weights"]) == (1,)
    assert np.shape(mixture["means"]) == (1, 2)
    assert mixture["covariances"][0][0][1] == mixture["covariances"][0][1][0]
    gaussian = plain(GaussianValue(np.zeros(1), np.ones((1, 1))))
    assert gaussian == {"mean": [0.0], "covariance": [[1.0]]}
    assert plain(BallValue(np.zeros(2), 1.5)) == {"centre": [0.0, 0.0], "radius": 1.5}
    assert plain([Outcome(False, float("inf")), np.int64(3), None, "a", True]) == [
        {"passed": False, "value": "inf"},
        3,
        None,
        "a",
        True,
    ]
    assert plain({1: np.float64(0.5), "m": np.eye(2)}) == {"1": 0.5, "m": [[1.0, 0.0], [0.0, 1.0]]}
    assert np.isfinite(symmetric(np.full((2, 2), 1.7e308))).all()


def test_a_zcdp_loss_has_no_delta() -> None:
    plan = parse_spec(SMALL).set(["n=10", "d=1", "rho=1"]).plan()
    assert set(spent(plan)) == {"adjacency", "accountant", "rho"}


# --------------------------------------------------------------------------------- the whole command


def test_the_installed_command_from_outside(here: Path) -> None:
    done = apart("plan", "small.toml", "--set", "n=400", "--set", "d=2", "--json", cwd=here)
    assert (done.returncode, json.loads(done.stdout)["holds"]) == (0, True)
    done = apart("plan", "small.toml", "--set", "n=x", cwd=here)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert apart("--version").stdout.startswith("dpframe ")


def test_plugins_are_never_taken_from_the_current_folder(here: Path) -> None:
    (here / "hook.py").write_text("raise SystemExit('imported from the current folder')")
    (here / "dpframe_plugins.py").write_text("raise SystemExit('imported from the current folder')")
    (here / "plugins").mkdir()
    (here / "plugins" / "hook.py").write_text("raise SystemExit('imported from the current folder')")
    words = ["plan", "small.toml", "--set", "n=9", "--set", "d=1"]
    script = f"import sys; from dpframe.front.cli import main; sys.exit(main({words!r}))"
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=False, cwd=here)
    assert done.returncode == 0, done.stderr


def test_a_closed_pipe_is_no_error_message(here: Path) -> None:
    command = f"{sys.executable} -m dpframe ops | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, cwd=here)
    assert "Traceback" not in done.stderr
    assert "internal" not in done.stderr


# --------------------------------------------------------------------------------- the mixture learner


def clusters(n: int = 6000) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(7)
    return rng.standard_normal((n, 2)) + 12 * rng.integers(0, 2, n)[:, None]


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x,
        lambda x: np.sort(x, axis=0),
        lambda x: np.full_like(x, np.nan),
        np.ones_like,
        lambda x: np.where(np.arange(len(x))[:, None] % 9 == 0, 1e308, x),
        lambda x: x[:1],
        lambda x: x[:2],
        lambda x: x * 1e-300,
        lambda x: x[:, :1],
    ],
    ids=["clusters", "sorted", "missing", "equal", "huge", "one row", "two rows", "tiny", "one column"],
)
def test_the_learner_answers_or_fails_whatever_the_table(
    tmp_path: Path, change: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "x.npy", change(clusters()))
    words = ["--set", "k=2", "--set", "bound=1000", "--simulate", "1"]
    code = run(*words, spec="practical_gmm", data=str(tmp_path / "x.npy"), out=str(tmp_path / "out"))
    assert code in (0, 3), capsys.readouterr().err
    result = read(tmp_path / "out" / "simulated.json")
    if code == 0:
        d = change(clusters()).shape[1]
        model = {k: np.asarray(v) for k, v in result["outputs"]["mixture"].items()}
        assert [model[k].shape for k in ("weights", "means", "covariances")] == [(2,), (2, d), (2, d, d)]
        assert abs(model["weights"].sum() - 1) < 1e-9
        assert (model["covariances"] == model["covariances"].transpose(0, 2, 1)).all()
        assert np.linalg.eigvalsh(model["covariances"]).min() > 0
    else:
        assert result["outputs"] == {}


@pytest.mark.parametrize("bound", ["1e-300", "1e300"])
def test_no_bound_crashes_the_learner(tmp_path: Path, bound: str, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "x.npy", clusters(3000))
    words = ["--set", "k=2", "--set", f"bound={bound}", "--set", "epsilon=500", "--simulate", "1"]
    code = run(*words, spec="practical_gmm", data=str(tmp_path / "x.npy"), out=str(tmp_path / "out"))
    assert code in (0, 3), capsys.readouterr().err


def test_a_sorted_table_gives_the_model_of_a_shuffled_one(tmp_path: Path) -> None:
    """The same rows in another order: pairs differ, so the noise and the grids do, but not what is found."""
    rows = clusters(20_000)
    means = []
    for name, order in (("a", np.argsort(rows[:, 0])), ("b", np.random.default_rng(3).permutation(len(rows)))):
        np.save(tmp_path / f"{name}.npy", rows[order])
        words = ["--set", "k=2", "--set", "bound=1000", "--simulate", "1"]
        assert run(*words, spec="practical_gmm", data=str(tmp_path / f"{name}.npy"), out=str(tmp_path / name)) == 0
        found = np.asarray(read(tmp_path / name / "simulated.json")["outputs"]["mixture"]["means"])
        means.append(found[np.argsort(found[:, 0])])
    assert np.abs(means[0] - means[1]).max() < 0.5
    assert np.abs(means[0] - np.array([[0.0, 0.0], [12.0, 12.0]])).max() < 0.5
