"""The shape of the package: files, lines of code, rooms and the arrows between them, and what one private mean crosses.

    python bench/house.py [ROOT] [--static]

A room is a folder or a module right below ``dpframe``; counted again, one level further down. An arrow goes from a room
to another that it imports anywhere, inside functions too; a circle is a set of rooms that reach each other; floors are
the rooms on the longest chain of arrows. Modules that only hand on names for one release are no rooms, and names of
modules in texts are no arrows: only the registry has such (``tests/test_architecture.py``).
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

Arrows = dict[str, set[str]]
PACKAGE = "dpframe"


def modules(root: Path) -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path, module: str) -> Iterator[str]:
    """Dotted names that a module imports, wherever the statement stands."""
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def thin(path: Path) -> bool:
    """Whether a module holds imports and names alone."""
    kinds = (ast.Import, ast.ImportFrom, ast.Expr, ast.Assign)
    return path.stem != "__init__" and all(isinstance(node, kinds) for node in ast.parse(path.read_text()).body)


def rooms(root: Path, depth: int) -> Arrows:
    """The arrows of every room; the front door and thin modules are none."""
    known = modules(root)

    def room(name: str) -> str | None:
        while name not in known and "." in name:
            name = name.rpartition(".")[0]
        if name not in known or name == PACKAGE or (name.count(".") == 1 and thin(known[name])):
            return None
        parts = name.split(".")[1 : depth + 1]
        return ".".join(parts)

    arrows: Arrows = defaultdict(set)
    for name, path in known.items():
        own = room(name)
        if own is None:
            continue
        arrows[own] |= {target for other in imported(path, name) if (target := room(other)) and target != own}
    return dict(arrows)


def reach(arrows: Arrows, start: str) -> set[str]:
    """Rooms that are reached over one arrow or more."""
    seen: set[str] = set()
    todo = [start]
    while todo:
        for other in arrows.get(todo.pop(), ()):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def shape(arrows: Arrows) -> dict[str, Any]:
    """Rooms, arrows, circles and floors."""
    reached = {room: reach(arrows, room) for room in arrows}
    group = {room: frozenset({room} | {o for o in reached[room] if room in reached.get(o, ())}) for room in arrows}
    above: dict[frozenset[str], int] = {}

    def height(one: frozenset[str]) -> int:
        if one not in above:
            below = {group[o] for room in one for o in arrows[room] if o in group} - {one}
            above[one] = 1 + max(map(height, below), default=0)
        return above[one]

    return {
        "rooms": len(arrows),
        "arrows": sum(map(len, arrows.values())),
        "floors": max(map(height, set(group.values()))),
        "circles": sorted(sorted(one) for one in set(group.values()) if len(one) > 1),
    }


def crossed() -> dict[str, set[str]]:
    """Modules of the package whose functions run to plan, and to run, a private mean of five nodes."""
    import numpy as np

    import dpframe as dp

    def mean(x: Any) -> Any:
        ball = dp.ball(centre=[0.0, 0.0], radius=4.0)
        return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, ball)))

    seen: set[str] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            name = str(frame.f_globals.get("__name__", ""))
            if name.startswith(f"{PACKAGE}."):
                seen.add(name)

    def during(work: Any) -> tuple[Any, set[str]]:
        work()  # what is imported at first use is imported before the count
        seen.clear()
        threading.setprofile(watch)
        sys.setprofile(watch)
        try:
            made = work()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]
        return made, set(seen)

    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    program = dp.program(mean)
    rows = np.zeros((1000, 2))
    plan, planning = during(lambda: dp.plan(program, x=dp.rows(n=1000, d=2), adjacency="replace_one", budget=budget))
    _, running = during(lambda: plan.run(x=rows))
    return {"to plan": planning, "to run": running}


def main() -> None:
    """Print the numbers as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--static", action="store_true", help="run nothing")
    given = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.test_border import core_by_room, core_lines, counted, lines_of_code

    known = modules(given.root)
    found: dict[str, Any] = {
        "files": len(known),
        "lines of code": sum(lines_of_code(path.read_text()) for path in known.values()),
        "rooms right below": shape(rooms(given.root, 1)),
        "one level down": shape(rooms(given.root, 2)),
    }
    if not given.static:
        files = crossed()
        found |= {"border": counted(), "core by room": dict(core_by_room().most_common(20))}
        found |= {"files crossed": {name: len(some) for name, some in files.items()}}
        found |= {"lines of the core in files crossed to run": core_lines(files["to run"])}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
