"""What a plan, a result and a proof show of themselves: short, escaped, and nothing private."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.planning.documents import plain
from dpframe.planning.results import document
from dpframe.planning.sealing import Certificate
from dpframe.proof.checker import Verdict, verify
from dpframe.shown import value
from tests.papers.skeletons.stubs import ball, flag, planned, state

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
SECRET = 987.654321
HOSTILE = '<script>"`]end;\n#'


def again(rows: Handle) -> Handle:
    return state(dp.release("again", dp.laplace(share=0.1), dp.count(rows)))


def branching(x: Handle) -> dict[str, Handle]:
    count = dp.release("count", dp.laplace(share=0.2), dp.count(x))
    mean = dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, ball(2, count))))
    return {HOSTILE: mean, "choice": dp.branch("choice", flag(mean), again, again, x)}


def simple(x: Handle) -> dict[str, Handle]:
    inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=3.0))
    return {HOSTILE: dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside))}


@pytest.fixture(scope="module")
def plan() -> dp.Plan:
    return planned(branching, budget=BUDGET)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(text: str) -> set[str]:
    parser = _Tags()
    parser.feed(text)
    assert parser.open == []
    return parser.seen


def test_a_plan_is_three_lines(plan: dp.Plan) -> None:
    text = repr(plan)
    assert len(text.splitlines()) == 3
    assert max(map(len, text.splitlines())) < 200
    for word in ("epsilon=", "delta=1e-06", "replace_one", "4 mechanisms", "choice", "passes over the data: 3"):
        assert word in text


def test_html_holds_the_ledger_and_escapes(plan: dp.Plan) -> None:
    text = plan._repr_html_()
    known = {"pre", "ul", "li", "details", "summary", "div", "table", "tr", "th", "td"}
    assert tags(text) <= known | {"svg", "title", "style", "g", "rect", "text", "path"}
    assert "gaussian_mechanism" in text


def test_the_graph_has_an_edge_a_reference(plan: dp.Plan) -> None:
    graph = plan.to_networkx()
    assert set(graph) == {"x", *("/".join(path) for path, _ in plan.typed.walk())}
    assert ("x", "choice/then/count_1") in graph.edges()
    assert any(a.startswith("choice/otherwise/") for a in graph.predecessors("choice"))
    assert graph.nodes["mean"]["share"] == 1.0
    assert graph.nodes["choice/then/again"]["stage"] == "choice/then"
    assert graph.graph["outputs"]["choice"] == "choice"


def test_parts_stand_on_edges() -> None:
    def halves(x: Handle) -> Handle:
        one, two = dp.split(x, count=2)
        first = dp.release("first", dp.laplace(share=1.0), dp.count(one))
        return dp.release("second", dp.gaussian(share=1.0), dp.mean(dp.clip(two, ball(2, first))))

    made = planned(halves, budget=BUDGET)
    assert sorted(p for *_, p in made.to_networkx().edges(data="part") if p is not None) == [0, 1]
    assert "-->|part 1|" in made.mermaid()


def test_mermaid_quotes_every_name(plan: dp.Plan) -> None:
    lines = plan.mermaid().splitlines()
    assert lines[0] == "flowchart TD"
    label = r'"(?:[\w .,=+-]|#\d+;|<br/>)*"'
    shape = rf"(?:n\d+|o\d+)(?:\[\({label}\)\]|\{{\{{{label}\}}\}}|\({label}\)|\[{label}\]|\(\[{label}\]\))"
    arrow = rf"n\d+ -->(?:\|part \d+\|)? (?:n\d+|{shape})"
    for line in lines[1:]:
        assert re.fullmatch(rf" +(?:{shape}|{arrow}|subgraph s\d+\[{label}\]|end)", line), line
    assert "#60;script#62;" in plan.mermaid()
    assert any(re.search(r'subgraph s\d+\["choice#47;then, share 0.1"\]', line) for line in lines)
    assert any("share 1<br/>sigma=" in line for line in lines)


def test_boxes_are_stages() -> None:
    made = dp.plan(
        lambda x: dp.release("first", dp.program(simple), x)[HOSTILE],
        x=dp.rows(n=1000, d=2),
        adjacency=dp.REPLACE_ONE,
        budget=BUDGET,
    )
    assert 'subgraph s0["first, share 1"]' in made.mermaid()
    assert {stage for name, stage in made.to_networkx().nodes(data="stage") if name != "x"} == {"first"}


def test_results_and_proofs_are_short_and_hold_released_values_only() -> None:
    rows = np.full((1000, 2), 0.5)
    rows[0] = SECRET
    made = dp.plan(simple, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    result = made.run(rows)
    verdict = verify(result.certificate)
    shown = [repr(made), repr(result), repr(result.certificate), repr(verdict)]
    pages = [thing._repr_html_() for thing in (made, result, result.certificate, verdict)]
    assert verdict.verified
    for text in [*shown, *pages, made.mermaid()]:
        assert str(SECRET)[:6] not in text
    assert all(len(text.splitlines()) <= 3 for text in shown)
    assert all(len(text) < 400 for text in shown)
    assert all("script" not in tags(text) for text in pages)
    assert value(result[HOSTILE]) in html.unescape(pages[1])
    assert "SIMULATED" in made.run(rows, simulate=1)._repr_html_()


@pytest.mark.parametrize("simulate", [None, 3])
def test_results_are_saved_as_commands_write_them(tmp_path: Path, simulate: int | None) -> None:
    made = dp.plan(simple, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    result = made.run(np.zeros((1000, 2)), simulate=simulate)
    assert result.keys() == list(result) == [HOSTILE]
    assert dict(result)[HOSTILE] is result[HOSTILE]
    assert plain(result.uncertainty) == plain(made.uncertainty(result.outputs))
    file = result.save(tmp_path / "out")
    assert file.name == ("result.json" if simulate is None else "simulated.json")
    assert json.loads(file.read_text()) == document(result)
    assert verify(tmp_path / "out/certificate.json", result=file).verified is (simulate is None)
    assert result.save(tmp_path / "alone.json").read_bytes() == file.read_bytes()
    taken = "simulated.json" if simulate is None else "result.json"
    for name in (taken, taken.title(), f"new/{taken}"):
        with pytest.raises(dp.RunError, match=f"'{taken}' is the name of a .* Fix: save it as '{file.name}'"):
            result.save(tmp_path / name)
    assert result.save(tmp_path / file.name).read_bytes() == file.read_bytes()
    for again in ("out", "alone.json"):
        with pytest.raises(dp.RunError, match="is there already"):
            result.save(tmp_path / again)


@pytest.mark.parametrize("content", [{}, {"total": 3}, {"total": {"epsilon": 10**400, "adjacency": ["\n"] * 999}}])
def test_any_certificate_has_a_short_line(content: dict[str, object]) -> None:
    assert len(repr(Certificate(content))) < 300
    assert "\n" not in repr(Certificate(content))


def test_a_verdict_says_why_not() -> None:
    verdict = verify(b"[[[[")
    assert "is not JSON" in repr(verdict)
    assert "script" not in tags(Verdict(False, ("<script>",))._repr_html_())


def test_a_session_shows_its_entries(tmp_path: Path) -> None:
    session = dp.Session(np.zeros((1000, 2)), BUDGET, ledger=tmp_path / "l", adjacency=dp.REPLACE_ONE, name="<people>")
    plan = dp.plan(simple, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(0.4, 1e-7))
    session.run(plan, name="<script>")
    text = session._repr_html_()
    assert "script" not in tags(text)
    for words in ("&lt;script&gt;", "released", "remaining: epsilon=", "epsilon=0.4", "&lt;people&gt;"):
        assert words in text
