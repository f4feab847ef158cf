"""The verdict on a run: the worst of what its nodes say, good only where every output was judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.cli.releasing import release
from dpframe.front.specs import dump, parse_spec
from dpframe.kernel.expected import Above
from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.post_processing import Failed, Post, Quality
from dpframe.kernel.quality import quality_of
from dpframe.kernel.registry import register
from dpframe.planning.graph import Graph, Node, infer
from dpframe.planning.results import document
from dpframe.planning.uncertainty import of_category
from dpframe.proof.spaces import Kind, Rows
from dpframe.proof.typed import Input, Ref


@register("test.quality.says")
@attrs.frozen
class Says(Post):
    """Passes a value on and says something of it."""

    slots = (Slot("value", PARAM),)
    verdict: str = attrs.field(kw_only=True)

    def output(self, *inputs: Any) -> Any:
        return inputs[0]

    def apply(self, *values: Any) -> Any:
        return Failed("no answer", "none") if self.verdict == "failed" else values[0]

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality | None:
        if self.verdict == "raises":
            raise ValueError("0.7310585786300049")
        if self.verdict == "nothing":
            return None
        if self.verdict == "a text":
            return "good"  # type: ignore[return-value]
        return Quality(self.verdict, f"noise {noise[0] > 0}, result {np.array_equal(result, values[0])}")


@register("test.quality.tells")
@attrs.frozen
class Tells(Says):
    """Gives its errors to know what the plan can't."""

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality | None:
        return Quality(self.verdict, "told", {"value": float(values[0][0])})

    def standard_errors(self, value: Any, rows: int, noise: Above) -> dict[str, Any]:
        return {"noise": noise.told.get("value", -1.0)}


def test_errors_are_told_what_the_verdict_knows_and_no_file_shows_it() -> None:
    @dp.program
    def program(x: Any) -> Any:
        count = dp.release("count", dp.gaussian(share=1.0), dp.count(x))
        return dp.post("test.quality.tells", count, verdict="good", name="tells")

    for_each = dp.program(lambda x: dp.by_category("each", x, program, categories=2))
    budget = dp.approx_dp(1.0, 1e-6)
    made = dp.plan(program, x=dp.rows(n=100, d=1), adjacency=dp.REPLACE_ONE, budget=budget)
    result = made.run(np.zeros((100, 1)), simulate=0)
    (name,) = result.outputs
    assert result.uncertainty == {name: {"noise": float(result[name][0])}}
    assert made.uncertainty(result.outputs) == {name: {"noise": -1.0}}
    assert document(result)["quality"] == {"verdict": "good", "why": "told"}
    made = dp.plan(for_each, x=dp.rows(n=100, d=2), adjacency=dp.ADD_REMOVE, budget=budget)
    result = made.run(np.tile([[5.0, 0.0], [5.0, 1.0]], (50, 1)), simulate=0)
    (each,) = result.outputs.values()
    found = [of_category(made, "each", one) for one in each]
    for one, errors in zip(each, found, strict=True):
        (inner,) = one.outputs
        assert errors == {} if one.rows is None else {inner: {"noise": float(one.outputs[inner][0])}}
    assert any(found)
    (written,) = document(result)["outputs"].values()
    assert all(one["quality"].keys() == {"verdict", "why"} and "judged" not in one for one in written)


def plan_of(*verdicts: str, apart: bool = False) -> dp.Plan:
    """A count that posts judge one after another; or one output each."""

    @dp.program
    def program(x: Any) -> Any:
        found = first = dp.release("count", dp.gaussian(share=1.0), dp.count(x))
        out = {}
        for i, verdict in enumerate(verdicts):
            found = dp.post("test.quality.says", first if apart else found, verdict=verdict, name=f"says_{i}")
            out[f"says_{i}"] = found
        return out if apart else {"last": found}

    return dp.plan(program, x=dp.rows(n=100, d=1), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(1.0, 1e-6))


@pytest.mark.parametrize(
    ("verdicts", "apart", "expected"),
    [
        ([], False, "unchecked"),
        (["good"], False, "good"),
        (["poor"], False, "poor"),
        (["nothing"], False, "unchecked"),
        (["good", "nothing"], False, "good"),
        (["nothing", "good"], False, "good"),
        (["poor", "nothing"], False, "poor"),
        (["poor", "good"], False, "poor"),
        (["good", "good"], True, "good"),
        (["good", "nothing"], True, "unchecked"),
        (["good", "nothing", "poor"], True, "poor"),
        (["raises"], False, "unchecked"),
        (["failed"], False, "unchecked"),
    ],
)
def test_the_verdict_is_the_worst_and_good_needs_every_output(verdicts: list[str], apart: bool, expected: str) -> None:
    result = plan_of(*verdicts, apart=apart).run(x=np.zeros((100, 1)), simulate=0)
    assert result.quality.verdict == expected
    assert "0.73" not in result.quality.why
    if verdicts == ["good"]:
        assert result.quality.why == "noise True, result True"
    if verdicts == ["good", "nothing"] and apart:
        assert result.quality.why == "no node of this plan judges the output 'says_1'"


def test_poor_in_a_body_is_poor() -> None:
    table = Input("x", Kind.PRIVATE, Rows(2), 10)
    graph = infer(Graph((table,), (Node("n", dp.build("count", {}), (Ref("x"),)),), (("n", Ref("n")),)))
    assert quality_of(graph, {("loop", "body", "x"): Quality("poor", "why")}).verdict == "poor"
    assert quality_of(graph, {("loop", "body", "x"): Quality("good", "why")}).verdict == "unchecked"


@pytest.mark.parametrize("remarks", [None, 3, [b"odd", 3]])
def test_what_says_odd_things_does_not_lose_what_was_released(remarks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Says, "remarks", lambda self, result: remarks)
    result = plan_of("a text").run(x=np.zeros((100, 1)), simulate=1)
    assert result.status == "released"
    assert result.quality == Quality("unchecked", "its quality could not be judged")
    assert all(isinstance(text, str) for text in result.warnings)
    json.dumps(document(result))


def test_a_verdict_is_one_of_three() -> None:
    with pytest.raises(ValueError, match="verdict"):
        Quality("excellent", "")


@pytest.mark.parametrize("verdict", ["poor", "nothing", "failed"])
def test_result_json_has_it(tmp_path: Path, verdict: str) -> None:
    plan = plan_of(verdict)
    done = release(parse_spec(dump(plan, name="judged")), tmp_path / "out", np.zeros((100, 1)), simulate=0)
    written = json.loads(done.result_file.read_text())["quality"]
    assert written == {"verdict": done.result.quality.verdict, "why": done.result.quality.why}
