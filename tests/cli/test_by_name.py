"""Composites and specs by their names: what is looked up, what the keys are, what a run writes, what is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest

import dpframe.plugin as dp
from dpframe.cli import main
from dpframe.errors import SpecError
from dpframe.front.program import Handle
from dpframe.front.specs import Key, load_spec, parse_spec, shipped
from dpframe.front.specs.keys import BUILT_IN
from dpframe.front.specs.recipes import keys_of, needed
from dpframe.kernel import registry
from tests.cli.commands import FILES, read
from tests.small_specs import SMALL

QUANTILE = ("--set", "q=.5", "--set", "candidates=0:120:1", "--set", "epsilon=1", "--set", "adjacency=replace_one")


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a table that has a column of text and missing values beside the one that is asked for."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    income = np.where(rng.random(500) < 0.5, np.nan, 1e4)
    frame = pd.DataFrame({"name": ["a"] * 500, "income": income, "age": rng.integers(40, 61, 500).astype(float)})
    frame.to_parquet("t.parquet")
    frame[["income", "age"]].to_csv("t.csv", index=False)
    np.save("two.npy", rng.normal(size=(500, 2)))
    return tmp_path


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Register composites for one test."""
    monkeypatch.setattr(registry, "_composites", dict(registry.composites()))
    return lambda **functions: [dp.composite(f"test.{name}")(function) for name, function in functions.items()]


def go(*more: str, name: str = "quantile", data: str = "t.parquet", out: str = "out") -> int:
    return main(["run", name, "--data", data, "--out", out, *more])


# ---------------------------------------------------------------------------------------- a run


@pytest.mark.parametrize("data", ["t.parquet", "t.csv"])
def test_a_composite_runs_by_name_on_a_named_column(
    people: Path, data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert go("--set", "column=age", *QUANTILE, data=data) == 0
    assert {path.name for path in Path("out").iterdir()} == FILES
    result = read("out/result.json")
    assert 40 <= result["outputs"]["quantile"][0] <= 61  # rows whose other values are missing count
    assert result["columns"] == ["age"]
    assert result["loss"]["epsilon"] <= 1
    assert read("out/attempt.json")["spec"] == "quantile"
    assert main(["verify", "out/certificate.json", "--spec", "out/spec.toml", "--result", "out/result.json"]) == 0
    assert main(["plan", "out/spec.toml"]) == 0
    assert go(name="out/spec.toml", out="again", data=data) == 0
    assert Path("again/spec.toml").read_bytes() == Path("out/spec.toml").read_bytes()
    capsys.readouterr()


def test_a_simulated_run_by_name_is_the_same_for_its_seed(people: Path) -> None:
    for out in ("a", "b"):
        assert go("--set", "column=age", *QUANTILE, "--simulate", "3", out=out) == 0
    assert Path("a/simulated.json").read_bytes() == Path("b/simulated.json").read_bytes()
    assert not Path("a/result.json").exists()
    assert main(["verify", "a/certificate.json"]) == 1


def test_a_run_by_name_is_entered_in_a_ledger(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--table", "people", "--adjacency", "replace_one", "--epsilon", "4", "--delta", "1e-6"]
    assert main(["ledger", "create", "l", *words]) == 0
    assert go("--set", "column=age", *QUANTILE, "--ledger", "l") == 0
    assert go("--set", "column=age", *QUANTILE, "--ledger", "l", out="more") == 2
    assert not Path("more").exists()
    capsys.readouterr()


def test_a_position_is_one_of_the_chosen_columns(people: Path) -> None:
    assert go("--set", "column=1", *QUANTILE, data="two.npy") == 0
    assert read("out/result.json")["columns"] == [0, 1]
    assert go("--set", "column=income", "--set", "columns=age,income", *QUANTILE, out="named") == 0
    assert read("named/result.json")["columns"] == ["age", "income"]
    assert "column = 1" in Path("named/spec.toml").read_text()


def test_a_plan_by_name_needs_no_table(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "quantile", "--full", "--set", "column=age", "--set", "n=500", *QUANTILE]) == 0
    assert "exponential_mechanism" in capsys.readouterr().out


def test_a_second_input_is_the_public_table(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sets = [word for text in ("rho=1", "adjacency=replace_one") for word in ("--set", text)]
    assert go(*sets, name="precondition", data="two.npy") == 2
    assert "--public FILE" in capsys.readouterr().err
    assert go(*sets, "--public", "two.npy", name="precondition", data="two.npy") == 0
    assert set(read("out/result.json")["outputs"]["precondition"]) == {"mean", "covariance"}
    assert go(*sets, "--public", "two.npy", name="scale_finder", data="two.npy", out="more") == 2
    assert "takes no public table" in capsys.readouterr().err
    assert go(*sets, "--public", "two.npy", name="moments", data="two.npy", out="more") == 2
    assert "the input 'ball' of composite 'moments' is no table" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("moments", "the input 'ball' of composite 'moments' is no table: a released or public ball. Fix: make 'ball'"),
        ("range_finder", "the input 'scale' of composite 'range_finder' is no table: a released or public vector of"),
        ("families.public", "needs the public table 'known': a public table with the same columns. Fix: --public FILE"),
        ("bks22_gaussian", "spec 'bks22_gaussian' needs the public table 'public'. Fix: --public FILE"),
    ],
)
def test_a_second_input_that_is_missing_is_called_what_it_is(people: Path, capsys: Any, name: str, said: str) -> None:
    sets = [word for text in ("rho=1", "adjacency=replace_one") for word in ("--set", text)]
    assert go(*sets, name=name, data="two.npy") == 2
    assert said in capsys.readouterr().err


def test_of_two_tables_the_one_that_is_malformed_is_named(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.csv").write_text("a,b\n1,2\n3\n")
    sets = [word for text in ("rho=1", "adjacency=replace_one") for word in ("--set", text)]
    assert go(*sets, "--public", "bad.csv", name="precondition", data="two.npy") == 2
    assert "table 'public': line 3 of the CSV file" in capsys.readouterr().err
    assert go("--set", "column=a", *QUANTILE, name="quantile", data="bad.csv") == 2
    assert capsys.readouterr().err.startswith("dpframe: line 3 of the CSV file")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["candidates=0:10"], "from:to:step"),
        (["candidates=0:10:0"], "a step that leads to its end"),
        (["candidates=0:10:-1"], "a step that leads to its end"),
        (["candidates=0:1e9:1"], "in at most"),
        (["candidates=a,b"], "finite numbers"),
        (["q=x"], "key 'q' must be a finite number"),
        (["q=2"], "q must"),
        (["candidate=1"], "did you mean 'candidates'"),
        (["share=0"], "key 'share' must be a positive"),
        (["columns=income", "column=age"], "there is no column 'age' among those chosen"),
        (["column=agee"], "the nearest known one is 'age'"),
        (["column=7"], "count columns from 0"),
        (["epsilon=1", "rho=1"], "not both"),
    ],
)
def test_what_a_run_by_name_refuses(
    people: Path, words: Sequence[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(people.iterdir())
    sets = [word for text in words for word in ("--set", text)]
    column = () if any("column" in word for word in words) else ("--set", "column=age")
    assert go(*QUANTILE, *column, *sets, data="t.csv") == 2
    assert said in capsys.readouterr().err
    assert sorted(people.iterdir()) == before


def test_all_that_is_missing_is_said_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "quantile", "--set", "column=age"]) == 2
    said = capsys.readouterr().err
    assert all(f"--set {key}=..." in said for key in ("adjacency", "epsilon", "q", "candidates"))


# ------------------------------------------------------------------------------- composites of all kinds


def pair(x, *, share):  # type: ignore[no-untyped-def]
    """Two handles with names of their own, and a share without a default."""
    first = dp.release("rows", dp.laplace(share=share), dp.count(x))
    return [first, dp.release("more", dp.laplace(share=share), dp.count(x))]


def same(x: Handle, *, n: int | None = None, d: int = 0, adjacency: str = "", delta: float = 0.5) -> dict[str, Handle]:
    """What it takes of the sizes, the adjacency and the budget."""
    assert (n, d, adjacency, delta) == (500, 2, "replace_one", 0.5)
    return {"rows": dp.release("rows", dp.laplace(share=1.0), dp.count(x))}


def apart(x: Handle, *more: Handle, name: str, op: Literal["a", "b"] = "a", **rest: Any) -> Handle:
    """Words that a node of a spec keeps for itself, and parameters without a name."""
    assert (name, op, rest) == ("here", "b", {"other": [1, 2.5]})
    return dp.release("rows", dp.laplace(share=1.0), dp.count(x))


def nothing(x: Handle) -> int:
    """No handle."""
    return 3


def private(x: Handle) -> Handle:
    """Rows."""
    return dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=1.0))


PURE = ["--set", "epsilon=1", "--set", "adjacency=replace_one"]


@pytest.mark.parametrize(
    ("function", "words", "outputs"),
    [
        (pair, [], {"rows", "more"}),
        (same, [], {"rows"}),
        (apart, ["--set", "name=here", "--set", "op=b", "--set", "other=1,2.5"], {"test.apart"}),
    ],
)
def test_what_a_composite_returns_is_the_outputs(
    people: Path,
    register: Callable[..., None],
    function: Callable[..., Any],
    words: Sequence[str],
    outputs: set[str],
) -> None:
    register(**{function.__name__: function})
    name = f"test.{function.__name__}"
    assert go(*PURE, *words, name=name, data="two.npy") == 0
    assert set(read("out/result.json")["outputs"]) == outputs
    assert go(name="out/spec.toml", data="two.npy", out="again") == 0


@pytest.mark.parametrize(
    ("function", "said"), [(nothing, "returns no handle"), (private, "output"), (apart, "needs 'name'")]
)
def test_a_composite_that_releases_nothing_is_refused(
    people: Path,
    register: Callable[..., None],
    function: Callable[..., Any],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    register(**{function.__name__: function})
    assert go(*PURE, name=f"test.{function.__name__}", data="two.npy") == 2
    assert said in capsys.readouterr().err


def everything(
    x: Handle,
    *,
    share: float,
    k: int = 3,
    level: float | None = None,
    edges: Sequence[float] = (),
    sizes: tuple[int, ...] = (1,),
    names: list[str] | None = None,
    matrix: Sequence[Sequence[float]] | None = None,
    more: Mapping[str, Any] | None = None,
    exact: bool = False,
    noise: str = "gaussian",
    column: int = 0,
    what=None,  # type: ignore[no-untyped-def]
    times=2,  # type: ignore[no-untyped-def]
    width=0.5,  # type: ignore[no-untyped-def]
    told=7,  # type: ignore[no-untyped-def]
    meant=None,  # type: ignore[no-untyped-def]
) -> Handle:
    """One of each.

    Parameters
    ----------
    k : int
        How many.
    noise : {"gaussian", "laplace"}
        Which.
    told : int
    meant : float, in units of the table
    """
    raise AssertionError


def test_keys_follow_annotations_defaults_and_docstrings() -> None:
    keys = keys_of(everything)
    assert {name: key.type for name, key in keys.items()} == {
        "share": "positive", "k": "whole", "level": "number", "edges": "numbers", "sizes": "wholes", "names": "names",
        "matrix": "matrix", "more": "json", "exact": "flag", "noise": "choice", "column": "column", "what": "any",
        "times": "any_number", "width": "number", "told": "whole", "meant": "number",
    }  # fmt: skip
    assert keys["share"].default == 1.0
    assert (keys["k"].help, keys["noise"].choices) == ("How many.", ("gaussian", "laplace"))
    assert [name for name, key in keys.items() if key.optional] == ["level", "names", "matrix", "more", "what", "meant"]
    assert keys["k"].read("-3") == -3
    assert (keys["times"].read("3"), keys["times"].read("2.5")) == (3, 2.5)
    assert isinstance(keys["times"].read("3"), int)
    for key, text in (("times", "a,b"), ("times", "nan"), ("times", "abc"), ("width", "1,2"), ("told", "2.5")):
        with pytest.raises(SpecError, match=rf"key '{key}' must be a"):
            keys[key].read(text)
    assert keys["sizes"].read("1:9:4,2") == [1, 5, 9, 2]
    assert keys["more"].read('{"a": [1]}') == {"a": [1]}
    read_as = {"1": 1, "1.5": 1.5, "true": True, "a": "a", "a,b": ["a", "b"], "1,2": [1, 2], "0:1:.5": [0, 0.5, 1]}
    assert {text: keys["what"].read(text) for text in read_as} == read_as


def test_a_list_is_decimal_as_written() -> None:
    assert Key("edges", "numbers").read("0:1:0.1") == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert Key("edges", "numbers").read("1:0:-0.4,7") == [1.0, 0.6, 0.2, 7.0]


# ----------------------------------------------------------------------------------------- the name


def test_a_name_is_a_file_then_a_spec_then_a_composite(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert load_spec("flights").title == "A mixture of four Gaussians over air time and distance"
    text = load_spec("quantile", ["q=.5", "candidates=1,2", "d=1", "n=9", "epsilon=1", "adjacency=add_remove"])
    for name in ("flights", "quantile"):
        (people / name).write_text(text.written(text.plan()).replace('name = "quantile"', 'name = "mine"', 1))
        assert load_spec(name).name == "mine"
    (people / "flights").unlink()
    (people / "flights").mkdir()  # a folder is no spec
    assert load_spec("flights").name == "flights"
    assert main(["plan", "gaussian"]) == 2
    assert "does not run by itself" in capsys.readouterr().err
    for name in ("quantil", "nothing.of.this", "a b", "x" * 300, "\0"):
        assert main(["plan", name]) == 2
        assert "--plugins" in capsys.readouterr().err


def test_names_of_shipped_specs_are_taken(register: Callable[..., None]) -> None:
    for name in ("flights", "practical_gmm", "coinpress_gaussian"):
        with pytest.raises(SpecError, match=r"name of a shipped spec.*rename"):
            dp.composite(name)(pair)


@pytest.mark.parametrize("name", sorted(set(shipped()) & set(registry.composites())))
def test_a_shipped_composite_with_the_name_of_a_spec_is_what_the_spec_runs(name: str) -> None:
    (node,) = load_spec(name).nodes
    assert node["op"] == name


@pytest.mark.parametrize("op", ["mine.not_loaded", "quantil"])
def test_an_operation_that_nobody_registered_says_plugins(op: str) -> None:
    with pytest.raises(SpecError, match="--plugins DIR"):
        registry.build(op, {})
    with pytest.raises(SpecError, match="--plugins DIR"):
        parse_spec(SMALL.replace('op = "bounding_ball"', f'op = "{op}"')).set(["n=9", "d=2"]).plan()


def test_every_shipped_composite_has_keys_and_a_description_for_each() -> None:
    for name, function in registry.composites().items():
        if function.__module__.startswith("dpframe_plugins"):
            assert set(needed(function)) <= {*keys_of(function), *BUILT_IN}, name
