"""`dpframe run` on what spreadsheets write: each is read, or refused with what to do; and odd budgets."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dpframe.cli import main
from tests.cli.commands import run

ROWS = [f"{i / 8},{20 + i % 50}" for i in range(40)]
TEXT = "a,b\n" + "\n".join(ROWS) + "\n"
TABBED = (TEXT.replace(",", "\t")).encode("utf-16")


@pytest.mark.parametrize(
    "written",
    [
        "\ufeff" + TEXT,
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("\n", "\r"),
        "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in TEXT.splitlines()),
        TEXT.rstrip("\n"),
    ],
    ids=["BOM", "CRLF", "CR", "quoted", "no last line end"],
)
def test_what_means_the_same_gives_the_same(here: Path, written: str) -> None:
    for name, text in (("plain", TEXT), ("odd", written)):
        Path(f"{name}.csv").write_bytes(text.encode())
        assert run("--simulate", "7", data=f"{name}.csv", out=name) == 0
    assert Path("odd/simulated.json").read_bytes() == Path("plain/simulated.json").read_bytes()


@pytest.mark.parametrize(
    ("written", "more", "said"),
    [
        (TEXT.replace(",", ";"), ["--set", "columns=a"], "no column 'a'. Fix: --delimiter semicolon"),
        (TEXT.replace(",", "|"), ["--set", "columns=a"], "no column 'a'. Fix: --delimiter pipe"),
        ("a;b\n1,5;2\n", [], "has 2 cells, the header 1. Fix: --delimiter semicolon"),
        ("sep=;\n" + TEXT.replace(",", ";"), ["--set", "columns=a"], "delete the first line, 'sep=...', and give"),
        (
            "sep=;\n" + TEXT.replace(",", ";"),
            ["--delimiter", "semicolon"],
            "delete this line, which spreadsheets write",
        ),
        ("a;b\n1,5;2\n", ["--delimiter", "semicolon"], "column 'a': not a number. Fix: write a plain number"),
        ("a;b\n1,5;2\n", ["--delimiter", "semicolon"], "pandas.read_csv(path, sep=';', decimal=',')"),
        ("a,b\n1,Ann\n", [], "choose others: --set columns=a "),
        ("a,b\n1,NULL\n", [], "leave the cell empty if the value is missing"),
        ("a,b\n1,2\n\n", [], "delete this line, which is empty"),
        ("a,b,\n1,2,\n", [], "has no name for column 3. Fix: name the column, or remove the comma"),
        ("a, b\n1,2\n", ["--set", "columns=b"], "the nearest known one is ' b'"),
        (TABBED, [], "it is UTF-16"),
        (TEXT.encode("utf-32"), [], "it is UTF-32"),
        (b"\0\0\xfe\xff" + TEXT.encode("utf-32-be"), [], "it is UTF-32"),
        (gzip.compress(TEXT.encode(), mtime=0), [], "it is packed by gzip: call it .csv.gz"),
        (b"PK\x03\x04\x14\x00\x08\x08" + b"\x00" * 40, [], "it is an Excel workbook or a zip archive"),
        (b"PAR1\x15\x04\x15\x10" + b"\x00" * 40, [], "it is a Parquet file: call it .parquet"),
        (b"a,b\x01\n1,2\n", [], "line 1 of the CSV file holds control characters"),
    ],
)
def test_what_is_refused_says_what_to_do(
    here: Path, written: str | bytes, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("t.csv").write_bytes(written.encode() if isinstance(written, str) else written)
    assert run(*more, data="t.csv") == 2
    assert said in " ".join([*capsys.readouterr().err.split(), ""])
    assert not Path("out").exists()


def test_a_file_that_was_never_packed_is_called_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.csv.gz").write_text(TEXT)
    assert run(data="t.csv.gz") == 2
    assert "was never packed, leave .gz out of its name" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (["epsilon=1", "delta=1e-6"], []),
        (["epsilon=1", "delta=0.01"], ["delta=0.01 is not below 1/n"]),
        (["epsilon=12", "delta=1e-6"], ["epsilon=12 protects little"]),
        (["epsilon=12", "delta=0.5"], ["delta=0.5 is not below 1/n", "epsilon=12 protects little"]),
    ],
)
def test_a_budget_that_protects_little_is_told(
    here: Path, changes: list[str], said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """On stderr, where a plan is made and before a run; neither is refused."""
    options = [word for change in changes for word in ("--set", change)]
    assert run(*options, data="x.csv") == 0
    of_the_run = capsys.readouterr().err.splitlines()[1:]
    assert main(["plan", "small.toml", "--set", "n=400", "--set", "d=2", *options]) == 0
    assert of_the_run == capsys.readouterr().err.splitlines()
    assert len(of_the_run) == len(said)
    assert all(text in line for text, line in zip(said, of_the_run, strict=True))


def test_a_budget_that_is_refused_is_in_words(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "small.toml", "--set", "n=400", "--set", "d=2", "--set", "epsilon=1e300"]) == 2
    assert "the budget epsilon=1e+300, delta=1e-06 can't be spent" in capsys.readouterr().err


def test_references_that_are_known_are_named_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path("small.toml").read_text()
    assert 'inputs = ["x", "ball"]' in text
    Path("typo.toml").write_text(text.replace('inputs = ["x", "ball"]', 'inputs = ["rows", "ball"]'))
    assert main(["plan", "typo.toml", "--set", "n=400", "--set", "d=2"]) == 2
    assert capsys.readouterr().err.rstrip().endswith("Fix: known: ball, x")
