"""The third tier: tests too long for every check, run by hand, their results kept with the code they speak of.

``make long`` runs them from a clean tree and writes ``tests/long_results.json``; a fast test fails where a covered
file has changed since. ``python -m tests.longs --again GROUP`` runs what failed once more, where the mend was made
outside of what the group covers, and says so in the result.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "tests" / "long_results.json"


@attrs.frozen
class Long:
    """A group of long tests.

    Attributes
    ----------
    file : str
        Where its tests are, marked ``long``.
    covers : tuple of str
        Files and folders that the result speaks of, ``file`` among them: what attacks or is attacked, and decides if
        a test passes. What these stand on (the planner, NumPy) has tests of its own, and changes daily.
    part : str
        Of a file that takes an hour or more: the second of six parts as ``2/6`` (:func:`in_part`); empty for all.
    """

    file: str
    covers: tuple[str, ...]
    part: str = ""


PLANTED = (
    *("dpframe/testing/battery", "dpframe/testing/estimation.py", "dpframe/testing/learned.py"),
    *("dpframe/testing/ratios.py", "tests/testing/planted", "tests/testing/test_planted.py"),
)
PARTS = 6


LONGS = {
    "fuzz": Long(
        "tests/fuzz/test_fuzz.py",
        (
            *(
                "dpframe/cli",
                "dpframe/front/specs",
                "dpframe/proof/checker",
                "dpframe/proof/theorems",
                "dpframe/proof/families",
                "dpframe/proof/spaces/documents.py",
                "dpframe/proof/losses/codec.py",
                "dpframe/planning/graph.py",
                "dpframe/planning/documents.py",
                "dpframe/planning/results.py",
                "dpframe/planning/sealing.py",
            ),
            *("dpframe/runtime/sources", "dpframe/runtime/gate.py", "dpframe/runtime/run.py"),
            *("tests/fuzz", "tests/small_specs.py"),
        ),
    ),
    "corpus": Long(
        "tests/testing/test_samples.py",
        (
            *(
                "dpframe/testing/learned.py",
                "dpframe/testing/ratios.py",
                "dpframe/testing/estimation.py",
                "dpframe/testing/limits.py",
                "dpframe/testing/audit/samples.py",
            ),
            *("tests/testing/test_samples.py", "tests/testing/corpus.py"),
        ),
    ),
    **{
        f"planted_{i}": Long("tests/testing/test_planted.py", PLANTED, part=f"{i}/{PARTS}") for i in range(1, PARTS + 1)
    },
    "reductions": Long(
        "tests/testing/test_reduction_audits.py",
        (
            *("dpframe/testing/audit", "dpframe/testing/estimation.py", "dpframe/testing/learned.py"),
            *("dpframe/testing/ratios.py", "dpframe/runtime/control.py", "dpframe/runtime/engine.py"),
            *("dpframe/runtime/scope.py", "dpframe/kernel/reductions"),
            *("tests/testing/test_reduction_audits.py", "tests/ungated.py"),
        ),
    ),
    "places": Long(
        "tests/proof/checker/test_places.py",
        (
            *("dpframe/proof", "tests/proof/checker/test_places.py", "tests/proof/checker/forging.py"),
            *("tests/planning/examples.py", "tests/planning/mutations.py"),
        ),
    ),
    "thorough": Long(
        "tests/testing/test_thorough.py",
        ("dpframe/testing/battery", "dpframe/kernel", "tests/testing/test_thorough.py"),
    ),
    "alarms": Long(
        "tests/testing/test_no_false_alarms.py",
        (
            *("dpframe/testing/battery/attack_row_maps.py", "dpframe/testing/battery/attack_semimetrics.py"),
            *("dpframe/testing/battery/attack_averages.py", "dpframe/testing/battery/semimetric_points.py"),
            *("dpframe/testing/battery/compared.py", "dpframe/testing/battery/special.py"),
            *("dpframe/testing/battery/row_images.py", "dpframe/testing/battery/wholes.py"),
            *("dpframe/testing/battery/lab.py", "dpframe/testing/battery/metrics.py"),
            *("dpframe/testing/battery/sizes.py", "dpframe/testing/battery/values.py"),
            "tests/testing/test_no_false_alarms.py",
        ),
    ),
}


def in_part(name: str, part: str) -> bool:
    """Whether a test belongs to that part, by its name alone: what is added moves no other test."""
    which, _, parts = part.partition("/")
    return not part or zlib.crc32(name.encode()) % int(parts) == int(which) - 1


def files_of(root: Path, covers: Iterable[str]) -> list[Path]:
    """The source files under these paths, in order; a path that is not there is refused."""
    found: set[Path] = set()
    for name in covers:
        path = root / name
        inside = [path] if path.is_file() else [p for p in path.rglob("*") if p.suffix in (".py", ".toml", ".json")]
        if not inside:
            raise ValueError(f"{name} holds no source file")
        found.update(inside)
    return sorted(found)


def digest(root: Path, covers: Iterable[str]) -> str:
    """SHA-256 of the names and contents of the files covered; of the package's own without docstrings.

    In tests these count: planted functions are read with theirs.
    """
    total = hashlib.sha256()
    for path in files_of(root, covers):
        name, content = path.relative_to(root).as_posix(), path.read_bytes()
        if name.startswith("dpframe/") and path.suffix == ".py":
            content = code_of(content.decode()).encode()
        total.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return total.hexdigest()


def code_of(source: str) -> str:
    """A module without the lines of its docstrings: the same text for every version of Python."""
    prose: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if documented and ast.get_docstring(node, clean=False) is not None:
            prose.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return "\n".join(line for i, line in enumerate(source.splitlines(), 1) if i not in prose)


def stale(root: Path, longs: dict[str, Long], results: dict[str, Any]) -> list[str]:
    """Groups without a result, with one of other code, or with one that is no success.

    A result of ``null`` says openly that a group waits for its first run.
    """
    said = [f"{name}: no such group" for name in results if name not in longs]
    for name, group in longs.items():
        found = results.get(name, {})
        if found is None:
            continue
        if not found:
            said.append(f"{name}: never run")
        elif found["passed"] < 1 or found["exit"] != 0:
            said.append(f"{name}: did not pass")
        elif found["digest"] != digest(root, group.covers):
            said.append(f"{name}: {', '.join(group.covers)} changed since {found['commit'][:12]}")
    return said


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def read() -> dict[str, Any]:
    return json.loads(RESULTS.read_text()) if RESULTS.exists() else {}


def keep(name: str, result: dict[str, Any]) -> None:
    RESULTS.write_text(json.dumps({**read(), name: result}, indent=1, sort_keys=True) + "\n")


def ran(group: Long, jobs: str, tests: Iterable[str]) -> dict[str, Any]:
    """What comes of these tests of a group at a clean commit."""
    changed = git("status", "--porcelain", "--", *group.covers)
    if changed:
        sys.exit(f"commit these first, a result names a commit:\n{changed}")
    command = ["python", "-m", "pytest", "-q", "-n", jobs, "-m", "long", *tests]
    before = digest(ROOT, group.covers)
    ended = subprocess.run([sys.executable, *command[1:]], check=False, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    sys.stdout.write(ended.stdout)
    if digest(ROOT, group.covers) != before:
        sys.exit("the code changed while it was tested: nothing is kept")
    commit = git("rev-parse", "HEAD")
    counted = re.findall(r"(\d+) passed", ended.stdout.splitlines()[-1] if ended.stdout else "")
    made = {"command": shlex.join(command), "commit": commit, "digest": before, "exit": ended.returncode}
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", ended.stdout, flags=re.MULTILINE)
    return {**made, "passed": int(counted[0]) if counted else 0, **({"failed": failed} if failed else {})}


def record(name: str, jobs: str) -> bool:
    """Run a group and keep what came of it; returns whether it passed."""
    group = LONGS[name]
    made = ran(group, jobs, [*(["--part", group.part] if group.part else []), group.file])
    keep(name, made)
    return bool(made["exit"] == 0)


def mended(found: dict[str, Any], made: dict[str, Any]) -> dict[str, Any]:
    """A result with what failed in it run again, all passed, on the same code: a mend was outside what it covers."""
    if found["digest"] != made["digest"]:
        sys.exit("the code it covers has changed since: run the whole group")
    if made["exit"] != 0 or made["passed"] != len(found["failed"]):
        return found
    again = {name: made[name] for name in ("command", "commit")}
    total = {"exit": 0, "passed": found["passed"] + made["passed"], "again": again}
    return {**{name: value for name, value in found.items() if name != "failed"}, **total}


def repeat(name: str, jobs: str) -> bool:
    """Run what failed of a group once more, if the code that it covers is what it was."""
    found = read().get(name) or {}
    if not found.get("failed") or found["digest"] != digest(ROOT, LONGS[name].covers):
        sys.exit(f"{name}: nothing of this code that failed is kept: run the whole group")
    after = mended(found, ran(LONGS[name], jobs, found["failed"]))
    keep(name, after)
    return bool(after["exit"] == 0)


if __name__ == "__main__":
    names = [word for word in sys.argv[1:] if word != "--again"]
    run = repeat if "--again" in sys.argv else record
    passed = [run(name, os.environ.get("JOBS", "2")) for name in names or LONGS]
    sys.exit(not all(passed))
