"""Released sums of clipped rows: about the centre of the clip, in the units of the rows, in programs and in specs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.cli import main
from dpframe.front.specs import dump, parse_spec
from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.post_processing import Post
from dpframe.kernel.registry import register
from dpframe.proof.spaces import AffineMap, AffineValue, Ball, BallValue, ListOf, Vector

BUDGET = dp.gdp(1e4)  # next to no noise
CENTRE, RADIUS = [10.0, -20.0], 5.0
X = np.random.default_rng(0).normal(CENTRE, 0.5, size=(2000, 2)) + 0.3
OFF = X - CENTRE

KINDS: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {
    "sum": (lambda x, ball: dp.sum(dp.clip(x, ball)), OFF.sum(axis=0)),
    "gram": (lambda x, ball: dp.gram(dp.clip(x, ball, bits=20), bits=20), OFF.T @ OFF),
    "square_sum": (lambda x, ball: dp.square_sum(dp.clip(x, ball)), [(OFF**2).sum()]),
    "box_sum": (lambda x, ball: dp.transform("box_sum", dp.clip_box(x, ball)), OFF.sum(axis=0)),
}
FINISHES = {
    "sum": "sum_of_ball",
    "gram": "gram_of_ball",
    "square_sum": "square_sum_of_ball",
    "box_sum": "sum_of_ball",
}


def planned(function: Callable[..., Any]) -> dp.Plan:
    return dp.plan(dp.program(function), x=dp.rows(n=len(X), d=2), adjacency=dp.REPLACE_ONE, budget=BUDGET)


def here() -> Any:
    return dp.ball(centre=CENTRE, radius=RADIUS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_released_sum_is_about_the_centre_in_the_units_of_the_table(kind: str) -> None:
    make, expected = KINDS[kind]
    result = planned(lambda x: dp.release("s", dp.gaussian(share=1.0), make(x, here()))).run(x=X, simulate=0)
    np.testing.assert_allclose(result["s"], expected, rtol=1e-3, atol=1e-2)
    assert result["s"].centre.tolist() == CENTRE
    assert result.centres["s"].tolist() == CENTRE


def test_the_centre_is_that_of_a_released_ball_too() -> None:
    def program(x: Any) -> Any:
        ball = dp.release("ball", dp.locate(share=0.5), x)
        return {"ball": ball, "s": dp.release("s", dp.gaussian(share=0.5), dp.sum(dp.clip(x, ball)))}

    result = planned(program).run(x=X, simulate=0)
    assert result.centres["s"].tolist() == result["ball"].centre.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_frame_leaves_the_units_of_the_frame(kind: str) -> None:
    make, expected = KINDS[kind]
    plan = planned(lambda x: dp.release("s", dp.gaussian(share=1.0), make(x, here()), frame=True))
    result = plan.run(x=X, simulate=0)
    scale = RADIUS if kind in ("sum", "box_sum") else RADIUS**2
    np.testing.assert_allclose(result["s"], np.asarray(expected) / scale, rtol=1e-3, atol=1e-2)
    assert result.centres == {}


@pytest.mark.parametrize("kind", KINDS)
def test_a_spec_must_say_that_an_output_stays_in_the_frame(kind: str) -> None:
    make, _ = KINDS[kind]
    plan = planned(lambda x: dp.release("s", dp.gaussian(share=1.0), make(x, here()), frame=True))
    text = dump(plan, name="raw")
    assert 'frame = ["s"]' in text
    assert dump(parse_spec(text).plan(), name="raw") == text
    with pytest.raises(dp.PlanError, match=f'{FINISHES[kind]}" and inputs = \\["s", "ball_1"\\].*frame = \\["s"\\]'):
        parse_spec(text.replace('frame = ["s"]\n', "")).plan()


def test_frame_names_outputs() -> None:
    text = dump(planned(lambda x: dp.release("n", dp.gaussian(share=1.0), dp.count(x))), name="raw")
    for wrong in ('frame = ["other"]', 'frame = "n"', "frame = [1]"):
        with pytest.raises(dp.SpecError, match="frame must list names of outputs"):
            parse_spec(text.replace("[budget]", f"{wrong}\n\n[budget]")).plan()


def test_weighted_sums_have_no_node_but_frame() -> None:
    text = dump(parse_spec(SPEC).plan(), name="raw")
    with pytest.raises(dp.PlanError, match="Fix: write frame = "):
        parse_spec(text.replace('frame = ["grams"]\n', "")).plan()


SPEC = """
name = "weighted"
frame = ["grams"]
adjacency = "replace_one"
budget = { epsilon = 1.0, delta = 1e-6 }
tables.x = { kind = "private", d = 2, n = 1000 }
outputs.grams = "grams"
[[node]]
name = "ball"
op = "bounding_ball"
d = 2
bound = 5.0
[[node]]
name = "maps"
op = "classic.frame"
inputs = ["ball"]
[[node]]
name = "seen"
op = "whiten"
inputs = ["x", "maps"]
[[node]]
name = "total"
op = "weighted_grams"
inputs = ["seen"]
[[node]]
name = "grams"
op = "gaussian"
inputs = ["total"]
share = 1.0
"""


# ---------------------------------------------------------------------------------- bodies


def test_in_a_body_rows_clipped_outside_are_finished_by_their_ball() -> None:
    def program(x: Any) -> Any:
        inside = dp.clip(x, here())
        mechanism = dp.truncated_laplace_test(share=0.1, threshold=1.0, delta_fraction=0.1)
        test = dp.release("test", mechanism, dp.transform("minimum", dp.count(x)))

        def then(rows: Any) -> Any:
            return dp.release("one", dp.gaussian(share=0.5), dp.sum(rows))

        def otherwise(same: Any) -> Any:
            return dp.release("two", dp.gaussian(share=0.5), dp.sum(same))

        return dp.branch("out", test, then, otherwise, inside)

    budget = dp.approx_dp(epsilon=100.0, delta=1e-2)
    plan = dp.plan(dp.program(program), x=dp.rows(n=len(X), d=2), adjacency=dp.REPLACE_ONE, budget=budget)
    result = plan.run(x=X, simulate=0)
    assert np.abs(result["out"] - OFF.sum(axis=0)).max() < 10.0
    assert result.centres["out"].tolist() == CENTRE
    text = dump(plan, name="branched")
    assert "rows.ball" in text
    assert dump(parse_spec(text).plan(), name="branched") == text


def looped(*, frame: bool) -> dp.Plan:
    def program(x: Any) -> Any:
        balls = dp.post("test.frames.balls", name="balls")

        def body(item: Any, rows: Any) -> Any:
            return dp.release("noisy", dp.gaussian(share=1.0), dp.sum(dp.clip(rows, item)), frame=frame)

        return dp.for_each("sums", balls, body, x, share=1.0, max_length=2)

    return planned(program)


def test_a_loop_states_a_centre_an_item_and_a_spec_looks_into_bodies() -> None:
    result = looped(frame=False).run(x=X, simulate=0)
    assert [c.tolist() for c in result.centres["sums"]] == [[10.0, -20.0], [0.0, 0.0]]
    text = dump(looped(frame=True), name="raw")
    assert 'frame = ["sums"]' in text
    with pytest.raises(dp.PlanError, match='op = "sum_of_ball" and inputs = \\["noisy", "item"\\]'):
        parse_spec(text.replace('frame = ["sums"]\n', "")).plan()


@register("test.frames.balls")
@attrs.frozen
class Balls(Post):
    """Two balls."""

    def output(self, *inputs: Any) -> Any:
        return ListOf(Ball(2), 2)

    def apply(self, *values: Any) -> Any:
        return [BallValue(np.array(c), 30.0) for c in (CENTRE, [0.0, 0.0])]


# ------------------------------------------------------------------- units that are not the table's


@register("test.frames.map")
@attrs.frozen
class Map(Post):
    """One column out of two."""

    def output(self, *inputs: Any) -> Any:
        return AffineMap(2, 1)

    def apply(self, *values: Any) -> Any:
        return AffineValue(np.zeros(2), np.array([[2.0], [0.0]]), 1e6)


@register("test.frames.noise")
@attrs.frozen
class NoiseOf(Post):
    """What a post node is told about the noise of its input."""

    slots = (Slot("value", PARAM),)

    def output(self, *inputs: Any) -> Any:
        return Vector(1)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        return np.array([noise[0]])


@pytest.mark.parametrize("verb", [dp.sum, dp.mean])
def test_units_of_mapped_rows_are_said(verb: Any) -> None:
    def program(x: Any) -> Any:
        near = dp.transform("affine", x, dp.post("test.frames.map", name="map"))
        return dp.release("s", dp.gaussian(share=1.0), verb(dp.clip(near, dp.ball(centre=[0.0], radius=100.0))))

    plan = planned(program)
    assert plan.warnings == ("output 's' is in the units of the rows that 'affine_1' (affine) makes, not of the table",)
    expected = 2 * X[:, 0].sum() if verb is dp.sum else 2 * X[:, 0].mean()
    assert plan.run(x=X, simulate=0)["s"][0] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(("verb", "power"), [(dp.sum, 1), (dp.gram, 2)])
def test_a_post_node_is_told_the_noise_in_the_units_it_sees(verb: Any, power: int) -> None:
    def program(x: Any) -> Any:
        total = verb(dp.clip(x, here()))
        raw = dp.release("raw", dp.gaussian(noise_multiplier=3.0), total, frame=True)
        done = dp.release("done", dp.gaussian(noise_multiplier=3.0), total)
        return {k: dp.post("test.frames.noise", v, name=k + "_noise") for k, v in (("raw", raw), ("done", done))}

    result = planned(program).run(x=X, simulate=0)
    assert result["done"][0] == pytest.approx(RADIUS**power * result["raw"][0])


def test_a_sum_that_leaves_float64_fails_with_a_reason() -> None:
    def program(x: Any) -> Any:
        ball = dp.ball(centre=[0.0, 0.0], radius=1e200)
        return dp.release("g", dp.gaussian(share=1.0), dp.gram(dp.clip(x, ball)))

    result = planned(program).run(x=np.full((len(X), 2), 1e200), simulate=0)
    assert (result.status, result.reason) == ("failed", "a sum overflows float64 in the units of the table")


# ----------------------------------------------------------------------------- the command line


def test_result_json_states_the_centre_and_a_raw_output_is_refused(tmp_path: Path) -> None:
    plan = planned(lambda x: dp.release("g", dp.gaussian(share=1.0), dp.gram(dp.clip(x, here()))))
    np.save(tmp_path / "x.npy", X)
    spec = tmp_path / "gram.toml"
    spec.write_text(dump(plan, name="gram"))
    run = ["run", str(spec), "--data", str(tmp_path / "x.npy"), "--out"]
    assert main([*run, str(tmp_path / "out")]) == 0
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert result["centres"] == {"g": CENTRE}
    assert np.shape(result["outputs"]["g"]) == (2, 2)
    spec.write_text(spec.read_text().replace('g = "g.value"', 'g = "g"'))
    assert main([*run, str(tmp_path / "raw")]) == 2
    assert not (tmp_path / "raw").exists()
