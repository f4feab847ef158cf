"""Specs that are wrong in one place: told in one line that is not too long, with exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpframe.cli import main
from tests.advice.specs import BRANCH
from tests.small_specs import SMALL

QUANTILE = """
[[node]]
name = "q"
op = "quantile"
inputs = ["x"]
column = 0
q = 0.5
candidates = [0, 1, 2]
share = 1.0
"""
NODES = SMALL.replace("[outputs]", f"{BRANCH}{QUANTILE}\n[outputs]")
LONG = "a" * 3000


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('inputs = ["rows"]\noutputs', "inputs = 1\noutputs", "body 'then': inputs must be a list of distinct names"),
        ('inputs = ["rows"]\noutputs', 'inputs = "x"\noutputs', "body 'then': inputs must be a list"),
        ('inputs = ["rows"]\noutputs', 'inputs = ["x", "x"]\noutputs', "body 'then': inputs must be a list"),
        ('value = "o"', "value = []", "body 'then' needs outputs"),
        ("candidates = [0, 1, 2]", 'candidates = "x"', "parameter 'candidates' must be finite numbers"),
        ("candidates = [0, 1, 2]", "candidates = 2024-01-01", "parameter 'candidates' must be finite numbers"),
        ('name = "small"', r'name = "a\u001b[2Jb"', "'name' must be text that can be printed"),
        ('name = "small"', r'name = "a\u0000b"', "'name' must be text that can be printed"),
        ("q = 0.5", 'q = "x"', "parameter 'q' must be a finite number, not 'x'"),
        ("max = 5.0", f"max = {'9' * 400}", "holds a number of more than 1023 bits"),
        ("default = 10.0", f"default = {'9' * 5000}", "holds a number of more than 1023 bits"),
        ("default = 10.0", f"default = 0x{'f' * 5000}", "holds a number of more than 1023 bits"),
        ('choices = ["gaussian", "laplace"]', "choices = []", "key 'noise': a choice needs choices"),
        ('mean = "mean"', 'mean = "mean[\u00b2]"', "unknown reference 'mean[\u00b2]'"),
        ('mean = "mean"', f'mean = "mean[{"9" * 5000}]"', "unknown reference"),
        ('d = "$d"\nn', "d = -1\nn", "Fix: write d = "),
        ("epsilon = 1.0\ndelta = 1e-6", "mu = -1", "Fix: write mu = 1.0, say, under [budget]"),
        ('d = "$d"\nbound', "d = 0\nbound", "Fix: use a whole number from 1 to 4194304"),
        ('op = "mean"', f'op = "{LONG}"', "unknown operation"),
        ("[keys.share]", f"[keys.{LONG}]", "unknown key 'share'"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    here: Path, old: str, new: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in NODES
    Path("wrong.toml").write_text(NODES.replace(old, new, 1))
    assert main(["plan", "wrong.toml", "--set", "n=400", "--set", "d=2"]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "Fix: " in told
    assert told.count("\n") == 1
    assert len(told) < 1000


@pytest.mark.parametrize(
    ("node", "said"),
    [
        ('op = "families.public"\nfamily = "families.gaussian_full"\nk = 9007199254740992\neach = 8', "17550 mixtures"),
        ('op = "aal21.paper"\nk = 9007199254740992', "k must be at most 2046"),
        (
            'op = "aal21.mixture_from_list_decoder"\ndecoder = "aal21.joint_decoder"\nk = 2\nalpha = 1\nmost = -1',
            "most",
        ),
        ('op = "families.select_from_list"\nfamily = "x"\ncover = "y"\nparameters = ["x"]', "must be a JSON object"),
        ('op = "kssu19.terrific_ball"\nt = 100\nenlarge = 1e308', "enlarge must be above 0 and below"),
        ('op = "al22.gaussian"\nr = 1e308', "r must be a number from 1e-05 to 1"),
        ('op = "aal21.known_covariance"\nk = 2\nsigma = "x"', "parameter 'sigma' must be a finite number"),
        ('op = "aal21.cells_of"\nn = nan', "parameter 'n' must be a whole number"),
    ],
)
def test_a_composite_says_which_parameter_is_wrong(
    here: Path, node: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    public = "families.public" in node
    table = '[tables.p]\nkind = "public"\nd = "$d"\nn = 50\n\n' if public else ""
    inputs = '["x", "p"]' if public else '["x"]'
    text = SMALL.replace("[tables.x]", f"{table}[tables.x]")
    Path("wrong.toml").write_text(
        text.replace("[outputs]", f'[[node]]\nname = "c"\ninputs = {inputs}\n{node}\n[outputs]')
    )
    assert main(["plan", "wrong.toml", "--set", "n=400", "--set", "d=2"]) == 2
    told = capsys.readouterr().err
    assert "node 'c': " in told
    assert said in told
    assert "Fix: " in told


def test_a_byte_order_mark_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("marked.toml").write_bytes(b"\xef\xbb\xbf" + SMALL.encode())
    assert main(["plan", "marked.toml", "--set", "n=400", "--set", "d=2"]) == 2
    assert "begins with a byte order mark. Fix: save it as UTF-8 without one" in capsys.readouterr().err


def test_they_are_planned_with_their_faults_mended(here: Path) -> None:
    Path("right.toml").write_text(NODES)
    assert main(["plan", "right.toml", "--set", "n=400", "--set", "d=2"]) == 0
