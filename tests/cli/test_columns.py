"""Columns by their names: in a program, in a spec, and from what a plan is run on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dpframe as dp
from dpframe.cli import main
from dpframe.errors import DataError, PlanError
from dpframe.front.specs import dump, parse_spec
from tests.cli.commands import read

NAMES = ["income", "zip", "age"]
FRAME = pd.DataFrame({"age": [3.0] * 400, "text": ["a"] * 400, "income": [0.0] * 400, "zip": [1.0] * 400})


def planned(body: Callable[[Any], Any], declared: Any = None, budget: Any = None) -> Any:
    table = dp.rows(columns=NAMES, n=400) if declared is None else declared
    return dp.plan(body, x=table, adjacency=dp.REPLACE_ONE, budget=budget or dp.pure_dp(50.0))


def both(x: Any) -> Any:
    first, second = dp.split(dp.select(x, columns=["age", "income"]), count=2)
    ages = dp.recipe("quantile", q=0.5, candidates=[1.0, 2.0, 3.0], column="age")
    counts = dp.bin_counts(second, edges=[1.0, 2.0], column="income")
    return {"age": dp.release("a", ages, first), "income": dp.release("i", dp.laplace(share=1.0), counts)}


def test_names_are_positions_in_the_graph_and_are_kept_by_select_and_parts() -> None:
    plan = planned(both)
    nodes = {node.name: node.operation.parameters() for node in plan.graph.nodes}
    assert nodes["select_1"] == {"columns": [2, 0]}
    assert nodes["a.rank_scores_1"]["column"] == 0
    assert nodes["bin_counts_1"]["column"] == 1
    text = dump(plan, name="both")
    assert parse_spec(text).columns == tuple(NAMES)
    assert dump(parse_spec(text).plan(), name="both") == text


@pytest.mark.parametrize("table", [FRAME, FRAME[NAMES[::-1]], FRAME[NAMES].to_numpy()], ids=["more", "turned", "array"])
def test_a_run_takes_the_named_columns_wherever_they_stand(table: Any) -> None:
    result = planned(both).run(x=table, simulate=1)
    assert result["age"].tolist() == [3.0]
    assert result["income"].argmax() == 0
    assert result.columns == tuple(NAMES)


def test_a_session_takes_them_too() -> None:
    session = dp.Session(FRAME, dp.approx_dp(epsilon=500.0, delta=1e-6), adjacency=dp.REPLACE_ONE)
    assert session.run(planned(both), simulate=1)["age"].tolist() == [3.0]


@pytest.mark.parametrize("table", [FRAME[["age", "zip"]], np.zeros((400, 2)), np.zeros((400, 4))])
def test_a_table_without_them_is_refused(table: Any) -> None:
    with pytest.raises(DataError, match="there is no column"):
        planned(both).run(x=table, simulate=1)


def one(work: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: [dp.release("c", dp.laplace(share=1.0), dp.count(work(x)))]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (one(lambda x: dp.select(x, columns="agee")), "'x' has no column 'agee'.*did you mean 'age'"),
        (one(lambda x: dp.select(x, columns=[7])), "select takes columns of rows with 3 columns"),
        (one(lambda x: dp.select(x, columns=[-1])), "select takes columns of rows with 3 columns"),
        (one(lambda x: dp.select(x, columns=[])), "select takes columns of rows with 3 columns"),
        (one(lambda x: dp.select(x, columns=["age", 2])), "each once"),
        (one(lambda x: dp.select(x, columns=[True])), "count columns from 0"),
        (one(lambda x: dp.select(dp.clip(x, dp.bounding_ball(d=3, bound=1.0)), columns=[0])), "before the clip"),
        (one(lambda x: dp.select(dp.select(x, columns="age"), columns="zip")), "'select_1' has no column 'zip'"),
        (lambda x: [dp.release("c", dp.recipe("quantile", q=0.5, candidates=[1.0], column="ag"), x)], "'age'"),
        (lambda x: [dp.release("c", dp.laplace(share=1.0), dp.bin_counts(x, edges=[1.0], column="b"))], "no column"),
    ],
)
def test_a_column_that_is_not_there(body: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(PlanError, match=said):
        planned(body)


def test_names_that_were_not_declared() -> None:
    with pytest.raises(PlanError, match=r"have no names here.*dp.rows\(columns=") as caught:
        planned(both, dp.rows(d=3, n=400))
    assert "position from 0" in str(caught.value)
    mapped = one(lambda x: dp.select(dp.affine(x, dp.ball(centre=[0.0], radius=1.0)), columns="age"))
    with pytest.raises(PlanError):
        planned(mapped)


@pytest.mark.parametrize("columns", ["age", [], ["a", "a"], [1], [""], None])
def test_a_declaration_names_each_column_once(columns: Any) -> None:
    with pytest.raises(PlanError):
        dp.rows(columns=columns, n=5)
    with pytest.raises(PlanError, match="leave d out"):
        dp.rows(columns=["a", "b"], d=3)


def test_rows_with_a_missing_value_in_a_column_that_select_leaves_out_stay_empty() -> None:
    frame = FRAME.assign(zip=[np.nan] * 300 + [1.0] * 100)
    plan = planned(one(lambda x: dp.select(x, columns="age")), budget=dp.pure_dp(1000.0))
    assert plan.run(x=frame, simulate=1)["c"] == 100
    alone = planned(one(lambda x: x), dp.rows(columns=["age"], n=400), budget=dp.pure_dp(1000.0))
    assert alone.run(x=frame, simulate=1)["c"] == 400


SPEC = """
name = "ages"
adjacency = "replace_one"
[budget]
epsilon = 20.0
[tables.x]
kind = "private"
d = "$d"
n = "$n"
[[node]]
name = "chosen"
op = "select"
inputs = ["x"]
columns = ["age", "zip"]
[[node]]
name = "counts"
op = "bin_counts"
inputs = ["chosen"]
edges = [2.0]
column = "age"
[[node]]
name = "ages"
op = "laplace"
inputs = ["counts"]
share = 1.0
[outputs]
ages = "ages"
"""


@pytest.mark.parametrize("top", ["", 'columns = ["income", "zip", "age"]\n'])
def test_a_spec_names_columns_of_the_table_it_runs_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, top: str, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ages.toml").write_text(top + SPEC)
    FRAME[NAMES].to_csv("t.csv", index=False)
    assert main(["run", "ages.toml", "--data", "t.csv", "--out", "out"]) == 0
    assert np.argmax(read("out/result.json")["outputs"]["ages"]) == 1
    assert read("out/result.json")["columns"] == NAMES
    FRAME[NAMES[::-1]].to_csv("turned.csv", index=False)
    assert main(["run", "out/spec.toml", "--data", "turned.csv", "--out", "again"]) == 0
    assert np.argmax(read("again/result.json")["outputs"]["ages"]) == 1
    assert main(["plan", "ages.toml", "--set", "n=400", "--set", "d=3"]) == (0 if top else 2)
    assert top or "columns = [...]" in capsys.readouterr().err
