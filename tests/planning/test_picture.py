"""Pictures of plans: every box and arrow is there, nothing overlaps, every name is escaped."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpframe as dp
from dpframe.front.pages import draw_plan, plan_page
from dpframe.front.program import Handle
from dpframe.front.specs import load_spec
from dpframe.planning.layout import Box, Layout, layout
from dpframe.planning.picture import svg
from tests.papers.skeletons.stubs import planned
from tests.planning.examples import CASES, plan_of
from tests.planning.test_drawing import BUDGET, branching, simple

SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Box], list[tuple[str, str]]]:
    count = draw(st.integers(1, 25))
    sizes, stages = st.floats(40, 200), st.sampled_from(["", "first", "second", "third"])
    boxes = [Box(f"b{i}", draw(stages), draw(sizes), draw(st.floats(20, 80))) for i in range(count)]
    pairs = list(itertools.combinations(range(count), 2))
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=60)) if pairs else []
    return draw(st.permutations(boxes)), [(f"b{a}", f"b{b}") for a, b in chosen]


def crosses(a: tuple[float, float], b: tuple[float, float], box: Box, placed: Layout) -> bool:
    """Whether a stretch, upright or level, or what bends inside its rectangle, meets the inside of a box."""
    x, y = placed.places[box.name]
    (x0, x1), (y0, y1) = sorted((a[0], b[0])), sorted((a[1], b[1]))
    return x0 < x + box.width and x1 > x and y0 < y + box.height and y1 > y


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_nothing_overlaps_and_arrows_go_down(graph: tuple[list[Box], list[tuple[str, str]]]) -> None:
    boxes, arrows = graph
    placed = layout(boxes, arrows)
    assert set(placed.places) == {box.name for box in boxes}
    assert set(placed.paths) == set(arrows)
    for box in boxes:
        x, y = placed.places[box.name]
        assert x >= 0
        assert x + box.width <= placed.width
        assert y >= 0
        assert y + box.height <= placed.height
    known = {box.name: box for box in boxes}
    for one, two in itertools.combinations(boxes, 2):
        x, y = placed.places[two.name]
        assert not crosses((x, y), (x + two.width, y + two.height), one, placed)
    for (start, end), path in placed.paths.items():
        assert placed.places[start][1] + known[start].height <= placed.places[end][1]
        for a, b in itertools.pairwise(path):
            assert not any(crosses(a, b, box, placed) for box in boxes), (start, end)
    for frame in placed.frames:
        held = [box for box in boxes if frame.y <= placed.places[box.name][1] < frame.y + frame.height]
        assert {box.stage for box in held} == {frame.stage}


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(SVG + "text")]


def test_every_step_is_drawn_with_noise_pass_and_part() -> None:
    plan = planned(branching, budget=BUDGET)
    picture = plan.svg(full=True)
    shown = texts(picture)
    told = [(element.text or "").splitlines()[0] for element in ET.fromstring(picture).iter(SVG + "title")]
    assert {"/".join(path) for path, _ in plan.typed.walk()} < set(told)
    for words in ("sigma=", "pass 1", "% of the loss", "choice/then", "private table", "n = "):
        assert any(words in text for text in shown), words
    assert picture.count('class="box mechanism"') == 1 + len(plan.weighings)  # one in the legend
    assert "script" not in {element.tag.removeprefix(SVG) for element in ET.fromstring(picture).iter()}
    assert "href" not in picture


def test_large_plans_show_what_spends() -> None:
    plan = load_spec("practical_gmm", ["k=4", "d=5", "n=20000", "bound=100"]).plan()
    brief, every = plan.svg(), plan.svg(full=True)
    assert brief.count('class="box mechanism"') == every.count('class="box mechanism"') == 1 + len(plan.weighings)
    assert "free steps left out" in brief
    assert "left out" not in every
    parts = [float(t.split(": ")[1].split()[0]) for t in texts(brief) if re.fullmatch(r"\w+: [\d.]+ % of the loss", t)]
    assert sum(parts) == pytest.approx(100, abs=0.3)
    assert svg(json.loads(plan.document(simulated=False))) == brief


def many(x: Handle) -> dict[str, Handle]:
    return {f"o{i}": dp.release(f"c{i}", dp.gaussian(share=1.0), dp.count(x)) for i in range(30)}


@pytest.mark.parametrize("ending", [".svg", ".mmd", ".html"])
def test_files_by_their_ending(tmp_path: Path, ending: str) -> None:
    file = draw_plan(planned(simple, budget=BUDGET), tmp_path / f"plan{ending}", title="<script>")
    text = file.read_text()
    assert text.startswith({".svg": "<svg", ".mmd": "flowchart", ".html": "<!doctype"}[ending])
    assert "<script" not in text


@pytest.mark.parametrize("name", ["plan.txt", "plan", "no/such/plan.svg"])
def test_what_can_not_be_drawn_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(dp.SpecError, match=r"drawn|written"):
        draw_plan(planned(simple, budget=BUDGET), tmp_path / name)


def test_a_page_of_a_wide_plan() -> None:
    text = plan_page(planned(many, budget=BUDGET))
    assert text.count("<svg") == 1
    assert "prefers-color-scheme:dark" in text


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_any_plan_is_drawn_and_told_in_100_columns(case: str) -> None:
    plan = plan_of(case)
    assert max(map(len, plan.explain().splitlines())) <= 100
    for full in (True, False):
        picture = plan.svg(full=full)
        shown = picture.count('class="box mechanism"')
        assert ET.fromstring(picture).tag == SVG + "svg"
        assert shown == 1 + len(plan.weighings)
