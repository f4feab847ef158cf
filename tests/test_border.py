"""What is trusted is named and counted: docs/architecture.md states its size, and this keeps it true."""

from __future__ import annotations

import ast
import functools
import io
import re
import tokenize
from collections import Counter
from pathlib import Path

import pytest

from bench.house import imported, modules, rooms, shape

ROOT = Path(__file__).parents[1]
INSIDE = frozenset({"errors", "proof", "kernel", "runtime", "version"})
FAMILIES = frozenset({"proof/families", "kernel/families"})
"""What one paper, or one learner, alone needs, inside the border."""
OUTSIDE = frozenset({"__init__", "__main__", "hints", "shown", "planning", "front", "plugin", "testing", "cli", "data"})
THIN = frozenset({"api", "estimators", "operations", "registry", "spaces", "verification"})
"""Names that others import, for what is counted where it lives."""
FREE = frozenset(
    [f"kernel/{name}" for name in "posts post_processing quality expected formulas shares proposals claiming".split()]
    + ["proof/spaces/values", "proof/losses/tightest"]
)
"""In a room inside, and trusted with nothing: made of released and public values, or data that the checker reads."""
MAY_IMPORT = ("errors", "shown", "proof/", "kernel/operations", "kernel/registry", "kernel/graphs", *sorted(FREE))
"""What is free reaches no rows and draws no noise."""
NOT_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def lines_of_code(source: str) -> int:
    """Lines that hold code: no blank ones, comments or docstrings."""
    prose: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            prose.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NOT_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(code - prose)


@functools.cache
def measured() -> list[tuple[str, str, int]]:
    """Side, room and lines of code of every module."""
    return [(*placed(path), lines_of_code(path.read_text())) for path in (ROOT / "dpframe").rglob("*.py")]


def placed(path: Path) -> tuple[str, str]:
    """A module's side and room."""
    parts = path.relative_to(ROOT / "dpframe").with_suffix("").parts
    room = "/".join(parts[:2])
    inside = parts[0] in INSIDE and not {room, "/".join(parts[:3])} & FREE
    return "families" if room in FAMILIES else "core" if inside else "outside", room


def core_lines(names: set[str]) -> int:
    """Lines of code of those of the modules, by dotted names, that are of the core."""
    known = modules(ROOT)
    return sum(lines_of_code(known[name].read_text()) for name in names if placed(known[name])[0] == "core")


def counted() -> dict[str, int]:
    return {side: sum(n for s, _, n in measured() if s == side) for side in ("core", "families", "outside")}


def core_by_room() -> Counter[str]:
    """Where the core's lines are, largest first by ``most_common``."""
    total: Counter[str] = Counter()
    for side, room, lines in measured():
        total[room] += lines if side == "core" else 0
    return total


def test_every_module_is_on_one_side() -> None:
    rooms = {p.stem for p in (ROOT / "dpframe").iterdir() if p.suffix == ".py" or p.is_dir()} - {"__pycache__", "py"}
    assert rooms == INSIDE | OUTSIDE | THIN
    assert not INSIDE & OUTSIDE
    assert all((ROOT / "dpframe" / name).is_dir() for name in FAMILIES)
    assert all(modules_of(name) for name in FREE)


def modules_of(room: str) -> list[Path]:
    """A folder's modules, or one module."""
    path = ROOT / "dpframe" / room
    return sorted(path.glob("*.py")) if path.is_dir() else [p for p in [path.with_suffix(".py")] if p.exists()]


def reaching(path: Path) -> list[str]:
    """What a module of a free room imports of dpframe beyond what it may."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    names = [name.replace(".", "/") for name in imported(path, module) if name.startswith("dpframe.")]
    return [name for name in names if not name.removeprefix("dpframe/").startswith(MAY_IMPORT)]


@pytest.mark.parametrize("name", sorted(FREE))
def test_what_is_free_reaches_no_rows(name: str) -> None:
    assert [found for path in modules_of(name) for found in reaching(path)] == []


def test_a_free_room_that_reaches_rows_is_found() -> None:
    assert reaching(ROOT / "dpframe/kernel/graphs.py") == ["dpframe/kernel/origins/Origin"]
    assert "dpframe/kernel/exact/folds" in reaching(ROOT / "dpframe/kernel/statistics/sums.py")


@pytest.mark.parametrize("side", ["core", "families", "outside"])
def test_the_stated_size_is_the_size(side: str) -> None:
    """To 2 %, so that a few lines need no new number."""
    (stated,) = re.findall(
        rf"^\| {side} \|.*\| ([\d,]+) \|$", (ROOT / "docs/architecture.md").read_text(), re.MULTILINE
    )
    assert int(stated.replace(",", "")) == pytest.approx(counted()[side], rel=0.02)


def test_prose_is_not_counted() -> None:
    assert lines_of_code('"""A."""\n\nx = 1  # one\n# two\ndef f():\n    """B."""\n    return (\n        x)\n') == 4


def test_nothing_goes_round_in_a_circle() -> None:
    """Neither rooms nor single modules, with imports inside functions and for types alone."""
    for depth in (1, 2, 9):
        assert shape(rooms(ROOT, depth))["circles"] == []
    assert shape({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})["circles"] == [["a", "b", "c"]]
