"""Advice is tested: every refusal of the planner and of specs is met, and its fix makes the plan pass.

A *site* is a place in the source where an error is made with a fix. Each must be met by the refusal of some case,
whose second program is the first one after the fix.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

import dpframe as dp
from dpframe.errors import DpframeError
from dpframe.kernel import registry
from dpframe.planning.plan import Plan
from tests.advice.graphs import CASES
from tests.advice.programs import PLUGINS
from tests.advice.specs import CASES as SPECS

ROOT = Path(__file__).parents[2]
ROOMS = (
    *(
        "planning/graph",
        "kernel/graphs",
        "planning/plan",
        "planning/checks",
        "planning/composition",
        "planning/surveying",
        "planning/solver",
        "planning/weighing",
        "planning/refusing",
        "planning/lattices",
    ),
    *("kernel/reductions/blocks", "kernel/reductions/control"),
    *("front/specs/document", "front/specs/parsing", "front/specs/building", "front/specs/budgets", "front/specs/keys"),
    "front/specs/finding",
)
INTERNAL = {
    "compute it from a private table": "edges are inferred before they are priced: a second line only",
    "give rate in (0, 1]": "subsample checks its own rate",
    "use a partition of the kernel": "no other partition may cite a theorem",
    "apply it to a table or a part of one": "row operations check their domain first",
    "join them into one table": "as before: the tables are counted first",
    "give shares of like size, here and in the loops around": "shares are in a range that float64 holds",
    "raise the budget or the share": "as before",
    "f'known: {known}'": "references are checked when the graph is put in order",
    "leave it out, or give print": "what a run tells of its progress: the plan is made",
    "give dp.plan(...)": "a plan is compared there, and none is made",
    "move it out of the body": "bodies are looked through for what takes the table's own rows before",
    "use dp.by_category": "the verb gives the body's table the rows of the whole one",
    "use epsilon and delta, or rho": "there is no other form of a budget",
}
"""Fixes of checks that no graph gets to, and why; one that a case meets must not be listed."""


@attrs.frozen
class Site:
    """Where an error with a fix is made."""

    file: str
    first: int
    last: int
    fix: str


def sites(room: str) -> Iterator[Site]:
    """The sites of a file; an error that passes on another one's fix is none."""
    path = ROOT / "dpframe" / f"{room}.py"
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        for keyword in node.keywords:
            if keyword.arg == "fix" and ast.unparse(keyword.value) not in ("error.fix", "found.fix"):
                yield Site(room, node.lineno, node.end_lineno or node.lineno, ast.unparse(keyword.value))


def met(work: Callable[[], Any]) -> tuple[DpframeError, set[tuple[str, int]]]:
    """The refusal, and the places where errors with a fix were made on the way."""
    places: set[tuple[str, int]] = set()
    init = DpframeError.__init__

    def noting(self: DpframeError, message: str, *, fix: str | None = None) -> None:
        frame = sys._getframe(1)
        file = Path(frame.f_code.co_filename)
        if file.is_relative_to(ROOT / "dpframe"):
            places.add((file.relative_to(ROOT / "dpframe").with_suffix("").as_posix(), frame.f_lineno))
        init(self, message, fix=fix)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DpframeError, "__init__", noting)
        with pytest.raises(DpframeError) as caught:
            work()
    return caught.value, places


@pytest.fixture(autouse=True)
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    registry.discover()
    monkeypatch.setattr(registry, "_operations", dict(registry.operations()))
    for name, cls in PLUGINS.items():
        dp.register(name)(cls)


@pytest.mark.parametrize(("refused", "mended"), [c[1:] for c in CASES + SPECS], ids=[c[0] for c in CASES + SPECS])
def test_the_fix_makes_the_plan_pass(refused: Callable[[], Any], mended: Callable[[], Any]) -> None:
    error, _ = met(refused)
    assert error.fix
    made = mended()
    assert isinstance(made, Plan)
    assert made.verdict.holds


def test_every_fix_has_a_case() -> None:
    seen = set().union(*(met(refused)[1] for _, refused, _ in CASES + SPECS))
    missing, listed = [], set()
    for site in (s for room in ROOMS for s in sites(room)):
        found = any(file == site.file and site.first <= line <= site.last for file, line in seen)
        plain = site.fix if site.fix.startswith("f") else site.fix.strip("'\"")
        if plain in INTERNAL:
            listed.add(plain)
            assert not found, f"{plain!r} is met, take it from INTERNAL"
        elif not found:
            missing.append(f"{site.file}.py:{site.first}: {site.fix}")
    assert missing == []
    assert listed == INTERNAL.keys()


def test_a_fix_without_a_case_is_found() -> None:
    assert any(site.fix == "'rename one'" for site in sites("planning/graph"))
    _, places = met(next(refused for name, refused, _ in CASES if name == "a name taken"))
    inside = [
        s
        for s in sites("planning/graph")
        if any(f == "planning/graph" and s.first <= line <= s.last for f, line in places)
    ]
    assert [site.fix for site in inside] == ["'rename one'"]
