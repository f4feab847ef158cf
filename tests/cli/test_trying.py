"""Functions of rows that answer none of a plan's rows are refused before anything is written or spent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.cli import main
from dpframe.cli.trying import try_out
from dpframe.errors import SpecError
from dpframe.kernel.graphs import Typed
from dpframe.runtime.gate import admit

PLUGIN = '''"""Functions of two columns."""

import numpy as np

import dpframe.plugin as dp


@dp.own_transform("trying.scaled", columns=2, examples={"by": 2.0})
def scaled(rows, *, by):
    """The second column twice, in other units."""
    return np.repeat(rows[:, 1:2] / by, 2, axis=1)


@dp.composite("trying.mean")
def mean(x, *, by=None, share=1.0):
    """The mean of both."""
    inside = dp.clip(dp.own("trying.scaled", x, by=by or 2.0), dp.ball(centre=[0.0, 0.0], radius=5.0))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DPFRAME_CHECKED", str(tmp_path / "checked"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "trying_scaled.py").write_text(PLUGIN)
    rows = np.random.default_rng(0).normal(size=(200, 2))
    np.save("two.npy", rows)
    np.save("one.npy", rows[:, :1])
    return tmp_path


def run(table: str, out: str, *more: str) -> int:
    chosen = ["epsilon=1", "delta=1e-6", "adjacency=replace_one", *more]
    sets = [word for text in chosen for word in ("--set", text)]
    return main(["--plugins", "mine", "run", "trying.mean", "--data", table, "--out", out, *sets])


def test_a_function_that_answers_no_row_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On record as checked or not: its examples are not the plan's parameters, nor its columns the table's."""
    assert run("two.npy", "out") == 0
    assert "checking 'trying.scaled' as `dpframe check` does, once" in capsys.readouterr().err
    assert run("one.npy", "narrow") == 2
    said = capsys.readouterr().err
    assert "checking" not in said
    assert "'trying.scaled' answers none of some made-up rows of 1 column, by=2.0: it gives an array of shape" in said
    assert "Fix: give the columns and the parameters that it is made for" in said
    assert run("two.npy", "words", "by=a,b") == 2
    assert "answers none of some made-up rows of 2 columns, by=['a', 'b']: TypeError" in capsys.readouterr().err
    assert not any((folder / name).exists() for name in ("narrow", "words"))


def planned(function: str) -> Typed:
    def program(x: dp.Handle) -> dp.Handle:
        image = dp.row_map(x, function=function, p=1)
        return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(image, dp.ball(centre=[0.0], radius=1.0))))

    budget = dp.approx_dp(1.0, 1e-6)
    plan = dp.plan(dp.program(program), x=dp.rows(n=100, d=2), adjacency=dp.REPLACE_ONE, budget=budget)
    return admit(plan, simulated=True).graph


def test_a_function_that_may_refuse_a_row_is_not() -> None:
    @dp.row_function("trying.codes", columns=1)
    def codes(values):  # type: ignore[no-untyped-def]
        """Numbers of names that are not among made-up rows."""
        return np.array([[{1900.0: 1.0}[float(v)]] for v in values[:, 0]])

    @dp.row_function("trying.nothing", columns=1)
    def nothing(values):  # type: ignore[no-untyped-def]
        """No number."""
        return values.missing

    @dp.row_function("trying.leaves", columns=1)
    def leaves(values):  # type: ignore[no-untyped-def]
        """Ends the program."""
        raise SystemExit(0)

    try_out(planned(codes.name))
    try_out(planned(leaves.name))
    with pytest.raises(SpecError, match=r"'trying.nothing' answers none .*AttributeError"):
        try_out(planned(nothing.name))


def whole(name: str, **how: Any) -> Typed:
    def program(x: dp.Handle) -> dp.Handle:
        value = dp.own(name, dp.bin_counts(x, edges=[0.0]) if how.get("query") else x)
        return dp.release("value", dp.laplace(share=1.0), value)

    plan = dp.plan(
        dp.program(program),
        x=dp.rows(n=100, d=2),
        adjacency=dp.REPLACE_ONE,
        budget=dp.pure_dp(1.0),
        allow_asserted=True,
    )
    return admit(plan, simulated=True).graph


@dp.own_statistic("trying.one", gives=1, sensitivity=lambda removed, added: {"l1": 1.0 * removed + added}, source="x")
def one(rows: Any) -> Any:
    """A number, not a list of one."""
    return int(np.count_nonzero(rows[:, 0] > 0))


@dp.own_statistic("trying.three", gives=2, sensitivity=lambda removed, added: {"l1": 2.0}, source="x")
def three(rows: Any) -> Any:
    """Three numbers, declared two."""
    return [1, 2, 3]


@dp.own_query("trying.largest", gives=2, sensitivity=lambda d: {"l1": 2.0 * d["linf"]}, source="x")
def largest(counts: Any) -> Any:
    """One number, declared two."""
    return np.max(counts)


def test_a_function_of_a_whole_table_that_would_count_as_zeros_is_refused() -> None:
    try_out(whole("trying.one"))
    with pytest.raises(
        SpecError, match=r"'trying.three' answers none .* tables of 2 columns: it gives .*\(3,\).*\(2,\)"
    ):
        try_out(whole("trying.three"))
    with pytest.raises(SpecError, match=r"'trying.largest' answers none of some made-up values"):
        try_out(whole("trying.largest", query=True))
