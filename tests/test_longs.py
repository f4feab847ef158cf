"""What ``make long`` showed is shown of the code as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.longs import LONGS, RESULTS, ROOT, Long, code_of, digest, files_of, in_part, mended, stale

SLOW = ROOT / "tests" / "slow.txt"
GROUP = {"a": Long("tests/test_a.py", ("tests/test_a.py", "src"))}


def test_the_results_are_of_this_code() -> None:
    assert stale(ROOT, LONGS, json.loads(RESULTS.read_text())) == [], "run `make long` and commit what it wrote"


def test_every_long_test_belongs_to_a_group() -> None:
    marked = {
        p.relative_to(ROOT).as_posix() for p in (ROOT / "tests").rglob("*.py") if "pytest.mark.long" in p.read_text()
    }
    assert marked - {"tests/test_longs.py"} == {group.file for group in LONGS.values()}
    assert all(ROOT / group.file in files_of(ROOT, group.covers) for group in LONGS.values())


def test_parts_of_a_file_are_all_of_it() -> None:
    for file in {group.file for group in LONGS.values()}:
        parts = sorted(group.part for group in LONGS.values() if group.file == file)
        assert parts in ([""], [f"{i + 1}/{len(parts)}" for i in range(len(parts))])
        for name in (f"{file}::test[{i}]" for i in range(100)):
            assert sum(in_part(name, part) for part in parts) == 1


def test_every_test_listed_as_slow_is_there() -> None:
    """By its function's name; the parameters are seen by pytest alone."""
    lines = [line for line in SLOW.read_text().splitlines() if not line.startswith("#")]
    gone = []
    for line in lines:
        file, _, rest = line.partition("::")
        path = ROOT / file
        if not path.is_file() or f"def {rest.partition('[')[0]}(" not in path.read_text():
            gone.append(line)
    assert lines == sorted(set(lines))
    assert gone == [], "take them from tests/slow.txt, or write their new names"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "tests").mkdir()
    for name in ("src/b.py", "src/c.toml", "tests/test_a.py", "other.py"):
        (tmp_path / name).write_text(name)
    return tmp_path


def result(tree: Path, **more: Any) -> dict[str, Any]:
    made = {"command": "pytest", "commit": "c" * 40, "digest": digest(tree, GROUP["a"].covers), "exit": 0, "passed": 3}
    return {"a": made | more}


def test_a_result_holds_while_its_code_stands(tree: Path) -> None:
    kept = result(tree)
    (tree / "other.py").write_text("changed")
    assert stale(tree, GROUP, kept) == []


@pytest.mark.parametrize("name", ["src/b.py", "src/c.toml", "tests/test_a.py", "src/new.py"])
def test_a_changed_file_is_seen(name: str, tree: Path) -> None:
    kept = result(tree)
    (tree / name).write_text("changed")
    assert "changed since cccccccccccc" in stale(tree, GROUP, kept)[0]


def test_what_a_docstring_says_is_no_change_and_code_is() -> None:
    source = '"""One."""\n\n\ndef f(x):\n    """Two\n\n    lines."""\n    return x  # as it is\n'
    assert code_of(source) == code_of(source.replace("One", "1").replace("lines.", "words."))
    assert code_of(source) != code_of(source.replace("return x", "return -x"))
    assert code_of(source) != code_of(source.replace("as it is", "as it was"))
    assert code_of('x = """a"""\n') == 'x = """a"""'


def test_a_file_that_is_gone_or_renamed_is_seen(tree: Path) -> None:
    kept = result(tree)
    (tree / "src/b.py").rename(tree / "src/d.py")
    assert stale(tree, GROUP, kept)
    (tree / "tests/test_a.py").unlink()
    with pytest.raises(ValueError, match="holds no source file"):
        stale(tree, GROUP, kept)


def test_a_result_that_is_none_is_seen(tree: Path) -> None:
    assert stale(tree, GROUP, {}) == ["a: never run"]
    assert stale(tree, GROUP, {"a": None}) == []
    assert stale(tree, GROUP, result(tree, exit=1)) == ["a: did not pass"]
    assert stale(tree, GROUP, result(tree, passed=0)) == ["a: did not pass"]
    assert stale(tree, {}, result(tree)) == ["a: no such group"]


def test_what_failed_may_pass_again_on_the_same_code_alone(tree: Path) -> None:
    found = result(tree, exit=1, failed=["t::a", "t::b"])["a"]
    passed = result(tree, passed=2, command="pytest again")["a"]
    after = mended(found, passed)
    assert after == result(tree, passed=5, again={"command": "pytest again", "commit": "c" * 40})["a"]
    assert mended(found, {**passed, "passed": 1}) == mended(found, {**passed, "exit": 1}) == found
    with pytest.raises(SystemExit, match="run the whole group"):
        mended(found, {**passed, "digest": "other"})
