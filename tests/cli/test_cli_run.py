"""`dpframe run`: the files it writes, the tables it reads, and what it refuses to overwrite."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pytest
from pyarrow import feather
from pyarrow import parquet as pq

from dpframe.cli import main
from dpframe.front.specs import load_spec
from tests.cli.commands import FILES, SECRET, read, run
from tests.small_specs import SMALL, hooked


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


def test_a_run_says_what_its_plan_warns_of(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before it spends: a release that no output comes of costs a part of the budget."""
    spare = '[[node]]\nname = "spare"\nop = "gaussian"\ninputs = ["{}"]\nshare = 1.0\n\n[outputs]'
    counted = '[[node]]\nname = "counted"\nop = "count"\ninputs = ["x"]\n\n'
    (here / "spare.toml").write_text(SMALL.replace("[outputs]", counted + spare.format("counted"), 1))
    warned = load_spec("spare.toml", ["n=400", "d=2"]).plan().warnings
    assert warned
    assert run(spec="spare.toml") == 0
    told = capsys.readouterr().err.splitlines()
    assert told[1:] == [f"dpframe: {words}" for words in warned]


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


def test_a_header_that_is_no_utf8_is_refused_before_anything_is_spent(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Latin-1 names once ended a run after it had spent, with exit 1 and no result; as a key they are refused too."""
    rows = np.load("x.npy")
    names = [f"caf\xe9{i}".encode("latin-1") for i in range(rows.shape[1])]
    lines = [b",".join(names), *(",".join(map(repr, row)).encode() for row in rows.tolist())]
    (here / "x.csv").write_bytes(b"\n".join(lines) + b"\n")
    for changes in ((), ("--set", f"columns={names[0].decode(errors='surrogateescape')}")):
        assert run(*changes, data="x.csv") == 2
        assert not (here / "out").exists()
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
    assert capsys.readouterr().err == "small: will spend epsilon=1, delta=1e-06 under replace_one, by gdp; 1 pass\n"


def test_the_rule_of_missing_values_stands_where_data_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--help"]) == 0
    assert "missing or non-finite value in any column used is empty" in " ".join(capsys.readouterr().out.split())


def test_columns_select_and_order(here: Path) -> None:
    assert run("--set", "columns=b,a", data="x.csv") == 0
    assert load_spec("out/spec.toml").columns == ("b", "a")
    assert run("--set", "columns=1", out="one") == 0
    assert len(read("one/result.json")["outputs"]["mean"]) == 1


@pytest.mark.parametrize(
    ("data", "more", "code", "said"),
    [
        ("x.csv.gz", [], 0, ""),
        ("x.feather", [], 0, ""),
        ("folder", [], 0, ""),
        ("folder/*.parquet", [], 0, ""),
        ("s.csv", ["--delimiter", "semicolon"], 0, ""),
        ("t.csv", ["--delimiter", "\t"], 0, ""),
        ("t*.csv", ["--delimiter", "tab"], 0, ""),
        ("s.csv", [], 2, "line 2 of the CSV file, column 'a;b': not a number. Fix: --delimiter semicolon"),
        ("words.csv", [], 2, "column 'b': not a number. Fix: write a plain number"),
        ("words.csv", [], 2, "if the column holds text, choose others: --set columns=a "),
        ("s.csv", ["--delimiter", "space"], 2, "comma, semicolon, tab, pipe"),
        ("x.feather", ["--delimiter", "tab"], 2, "is for .csv and .tsv"),
        ("out-of-place/*.csv", [], 2, "no file matches"),
        ("empty", [], 2, "holds no .parquet file"),
        ("x.xlsx", [], 2, "read_excel"),
    ],
)
def test_tables_as_people_have_them(
    here: Path, capsys: pytest.CaptureFixture[str], data: str, more: list[str], code: int, said: str
) -> None:
    """Each form gives the bytes that the CSV file gives; a refusal writes nothing."""
    text, rows = Path("x.csv").read_text(), pa.csv.read_csv("x.csv")
    Path("x.csv.gz").write_bytes(gzip.compress(text.encode()))
    Path("s.csv").write_text(text.replace(",", ";"))
    Path("t.csv").write_text(text.replace(",", "\t"))
    Path("words.csv").write_text("a,b\n1,red\n")
    feather.write_feather(rows, "x.feather")
    for name in ("folder", "empty"):
        Path(name).mkdir()
    pq.write_table(rows[100:], "folder/b.parquet")
    pq.write_table(rows[:100], "folder/a.parquet")
    assert run("--simulate", "7", *more, data=data) == code
    assert said in " ".join([*capsys.readouterr().err.split(), ""])
    if code:
        assert not Path("out").exists()
        return
    assert run("--simulate", "7", data="x.csv", out="plain") == 0
    assert Path("out/simulated.json").read_bytes() == Path("plain/simulated.json").read_bytes()
