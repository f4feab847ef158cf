"""Plain functions as operations: post functions and row functions."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.cli import main
from dpframe.errors import PlanError, RunError, SpecError
from dpframe.front.specs import dump, parse_spec
from dpframe.kernel import registry

ROWS = dp.rows(d=2, n=100)


@pytest.fixture(autouse=True)
def tables() -> Iterator[None]:
    registry.discover()
    kept = [(table, dict(table)) for table in (registry._operations, registry._row_functions)]
    yield
    for table, before in kept:
        table.clear()
        table.update(before)


def planned(body: Callable[[Any], Any]) -> Any:
    return dp.plan(body, x=ROWS, adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=5e3))


def count(x: Any) -> Any:
    return dp.release("n", dp.laplace(share=1.0), dp.count(x))


def test_a_post_function_runs_on_values_and_is_a_node_like_any_other() -> None:
    @dp.post_function
    def clamped(value, *, top=10.0):  # type: ignore[no-untyped-def]
        """At most so many."""
        return [min(float(v), top) for v in value]

    plan = planned(lambda x: {"c": clamped(count(x), top=7.0)})
    assert plan.run(x=np.zeros((100, 2)), simulate=0)["c"].tolist() == [7.0]
    assert clamped([3.0, 30.0]) == [3.0, 10.0]
    text = dump(plan, name="clamped")
    assert 'op = "clamped"' in text
    assert dump(parse_spec(text).plan(), name="clamped") == text
    assert registry.build("clamped", {}).parameters() == {"top": 10.0}


@pytest.mark.parametrize("word", ["parameters", "name", "slots", "quality", "apply", "kind", "theorem", "_k"])
def test_a_parameter_is_not_called_as_what_every_operation_has(word: str) -> None:
    """It would stand in its place: a plan, or a run that has spent, would end in an error."""
    made: dict[str, Any] = {}
    exec(f"def changed(value, *, {word}=1.0):\n    return value", made)
    with pytest.raises(SpecError, match=f"parameter '{word}', as every operation has one"):
        dp.post_function("test.changed")(made["changed"])


def test_columns_may_be_a_number_of_numpy() -> None:
    pairs = dp.row_function("test.pairs", columns=np.int64(2))(lambda values: np.hstack([values, values])[:, :2])  # type: ignore[arg-type]
    plan = planned(lambda x: dp.release("n", dp.gaussian(share=1.0), dp.mean(dp.clip(pairs(x), 1.0))))
    assert plan.graph.nodes[0].operation.parameters()["p"] == 2


def test_what_comes_out_may_be_said(run_errors: list[BaseException]) -> None:
    @dp.post_function("test.twice", gives=lambda domain, *, m: dp.plugin.Vector(m))
    def twice(value, *, m):  # type: ignore[no-untyped-def]
        return np.full(m, float(value[0]))

    result = planned(lambda x: {"t": twice(count(x), m=3)}).run(x=np.zeros((100, 2)), simulate=0)
    assert result["t"].shape == (3,)

    @dp.post_function("test.lies", gives=dp.plugin.Vector(2))
    def lies(value):  # type: ignore[no-untyped-def]
        return np.zeros(3)

    failed = planned(lambda x: {"t": lies(count(x))}).run(x=np.zeros((100, 2)), simulate=0)
    with pytest.raises(RunError):
        failed["t"]
    assert len(run_errors) == 1
    run_errors.clear()


def test_a_post_function_may_answer_true_or_false_and_take_an_index() -> None:
    @dp.post_function("test.many", gives=dp.plugin.Flag())
    def many(value, *, least):  # type: ignore[no-untyped-def]
        return value[0] > least

    @dp.post_function("test.place")
    def place(index, *, candidates):  # type: ignore[no-untyped-def]
        return candidates[index]

    def body(x: Any) -> Any:
        test = many(count(x), least=50.0)
        return {"b": dp.branch("b", test, lambda x: dp.release("yes", dp.laplace(share=1.0), dp.count(x)), count, x)}

    def chosen(x: Any) -> Any:
        scores = dp.rank_scores(x, candidates=[0.0, 1.0, 2.0], numerator=1, denominator=2)
        return {"c": place(dp.release("i", dp.exponential_mechanism(share=1.0), scores), candidates=[5.0, 6.0, 7.0])}

    assert planned(body).run(x=np.zeros((100, 2)), simulate=0)["b"].shape == (1,)
    assert planned(chosen).run(x=np.ones((100, 2)), simulate=0)["c"].tolist() == [6.0]


def test_what_gives_raises_is_told_with_one_fix() -> None:
    @dp.post_function("test.lists", gives=lambda domain, *, most: dp.plugin.ListOf(dp.plugin.Vector(1), most))
    def lists(value, *, most):  # type: ignore[no-untyped-def]
        return [value] * most

    with pytest.raises(PlanError) as error:
        planned(lambda x: {"t": lists(count(x), most=1.5)})
    assert str(error.value).count("Fix:") == 1
    assert "max_length must be a whole number" in str(error.value)


def test_a_post_function_takes_no_private_value_and_needs_an_example_that_it_takes() -> None:
    @dp.post_function("test.picky")
    def picky(value):  # type: ignore[no-untyped-def]
        raise ValueError("no")

    with pytest.raises(PlanError, match=r"raised ValueError on an example.*gives="):
        planned(lambda x: {"p": picky(count(x))})
    with pytest.raises(PlanError, match="release it"):
        planned(lambda x: {"p": picky(dp.count(x))})
    with pytest.raises(SpecError, match="has no parameter"):
        planned(lambda x: {"p": picky(count(x), k=1)})
    with pytest.raises(SpecError, match="needs inputs"):
        dp.post_function("test.none")(lambda: 1)
    with pytest.raises(SpecError, match=r"something else|registered twice"):
        dp.post_function("count")(lambda value: value)


def test_a_row_function_registers_as_one() -> None:
    @dp.row_function("test.norms", columns=1)
    def norms(values, scale=(1.0,)):  # type: ignore[no-untyped-def]
        """The norm of each row."""
        return np.sqrt((values**2).sum(axis=1, keepdims=True)) / float(np.asarray(scale)[0])

    plan = planned(lambda x: {"h": dp.release("h", dp.laplace(share=1.0), dp.bin_counts(norms(x, 2.0), edges=[1.0]))})
    assert [n.operation.name for n in plan.graph.nodes][:2] == ["constant", "row_map"]
    assert plan.run(x=np.full((100, 2), 3.0), simulate=0)["h"].tolist() == [0.0, 100.0]
    assert registry.others()["test.norms"][0] == "row function"
    named = planned(lambda x: {"n": count(dp.row_map(x, function="test.norms", p=1))})
    assert named.verdict.holds
    with pytest.raises(SpecError, match="name of a learner"):
        dp.row_function("gaussian_1", columns=1)(lambda values: values)
    with pytest.raises(PlanError, match="unknown row function"):
        planned(lambda x: {"n": count(dp.row_map(x, function="test.nor", p=1))})


PLUGIN = '''
import numpy as np
import dpframe.plugin as dp

@dp.row_function("filed.shift", columns=lambda d: d)
def shift(values):
    """Rows less their batch's mean: not row by row."""
    return values - values.mean(axis=0)

@dp.post_function("filed.half")
def half(value):
    """Half."""
    return value / 2
'''


@pytest.mark.slow
def test_both_are_checked_and_described(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "filed.py").write_text(PLUGIN)
    assert main(["check", str(tmp_path / "filed.py")]) == 1
    said = capsys.readouterr().out
    assert "filed.shift (row map): REFUTED" in said
    assert "filed.half (post): holds" in said
    for name in ("filed.shift", "filed.half"):
        assert main(["ops", name, "--plugins", str(tmp_path)]) == 0
    assert "kind: row function" in capsys.readouterr().out


def _twice() -> Any:
    return dp.post_function("test.twice")(lambda value: 2 * value)


def test_a_post_function_of_a_plugin_goes_to_other_processes() -> None:
    """Its module holds the function under the class's name: no attack reached one."""
    _twice()
    made = registry.build("test.twice", {})
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.parametrize(("shape", "one"), [(dict, "value['n']"), (list, "value[0]"), (tuple, "value[0]")])
def test_handles_in_a_collection_are_refused_with_one_of_them(shape: Callable[[Any], Any], one: str) -> None:
    twice = _twice()
    with pytest.raises(PlanError, match="takes handles") as caught:
        planned(lambda x: {"n": twice(shape({"n": count(x)} if shape is dict else [count(x)]))})
    assert one in str(caught.value)


RAISING = """
import dpframe.plugin as dp

@dp.composite("filed.raising")
def raising(x, *, share=1.0):
    return {"a": 1}["secret"]
"""


def test_an_error_in_a_plugin_is_told_by_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "raising.py").write_text(RAISING)
    words = ["plan", "filed.raising", "--plugins", str(tmp_path), "--set", "n=9", "--set", "d=1", "--set", "rho=1"]
    assert main([*words, "--set", "adjacency=replace_one"]) == 1
    said = capsys.readouterr().err
    assert "error in your plugin, KeyError at raising.py:6, in raising" in said
    assert "secret" not in said


def test_what_a_fix_names_is_there() -> None:
    """A fix speaks of ``dp``, which is ``import dpframe as dp`` in a program: it holds what ``gives=`` takes."""
    lines = [line for file in Path(dp.__file__).parent.rglob("*.py") for line in file.read_text().splitlines()]
    named = {name for line in lines if "fix=" in line for name in re.findall(r"\bdp\.(\w+)", line)}
    assert {"Vector", "plan"} <= named
    assert {name for name in named if not hasattr(dp, name)} == set()


@pytest.mark.parametrize("gives", [None, dp.Vector(1)])
def test_a_post_function_may_find_no_answer(gives: Any) -> None:
    """Whether its shape was found or declared, the run ends as failed, with its words."""

    @dp.post_function(f"tests.no_answer_{gives is None}", gives=gives)
    def no_answer(count: Any) -> Any:
        """None where a count is small."""
        return np.ones(1) if count[0] >= 1 else dp.Failed("the count is small", "use more rows")

    @dp.program
    def program(x: dp.Handle) -> dp.Handle:
        return no_answer(dp.release("count", dp.laplace(share=1.0), dp.count(x)))

    plan = dp.plan(program, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(50.0))
    assert plan.run(x=np.ones((5, 2)), simulate=0).status == "released"
    failed = plan.run(x=np.full((5, 2), np.nan), simulate=0)
    assert (failed.status, failed.reason) == ("failed", "the count is small")


def test_a_row_function_that_asks_for_parameters_is_refused() -> None:
    with pytest.raises(SpecError, match=r"degree.*own_transform"):

        @dp.row_function("test.asks", columns=1)
        def asks(values: Any, *, degree: int) -> Any:
            return values[:, :1] ** degree
