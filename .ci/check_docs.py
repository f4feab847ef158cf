"""Check the documentation: links lead somewhere, Python blocks compile, and those marked to run do run.

usage: check_docs.py [ROOT]

- Every relative link of a Markdown file names a file or folder that exists, and a heading where it has a
  ``#fragment``.
- Rows of a table stand below its header, and have as many cells.
- Every ``docs/....md`` that a Python file refers to exists.
- A block fenced as ``python`` compiles; one fenced as ``python run`` is executed, in an empty folder, after
  the earlier ones of the same file and with their names; one fenced as ``pycon`` is run as a doctest, with
  the same names.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SKIPPED = {".git", ".venv", ".ci", "build", "dist", "out", "node_modules", "_build"}
FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,})(?P<info>[^\n`]*)$")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?(?P<target>[^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s+<?(?P<target>[^\s>]+)>?", re.MULTILINE)
HEADING = re.compile(r"^#{1,6}\s+(?P<title>.+?)\s*#*$", re.MULTILINE)
TABLE = re.compile(r"^\|.*\|$(?:\n\|.*\|$)*", re.MULTILINE)
RULE = re.compile(r"\|(?: *:?-+:? *\|)+")
DOC_PATH = re.compile(r"(?<![\w/.-])docs/[\w/.-]+\.md")
EXTERNAL = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
DOCTEST = """
import doctest as _doctest
_test = _doctest.DocTestParser().get_doctest({code!r}, globals(), {name!r}, {path!r}, {line})
_runner = _doctest.DocTestRunner(optionflags=_doctest.ELLIPSIS | _doctest.NORMALIZE_WHITESPACE)
_runner.run(_test, clear_globs=False)
globals().update(_test.globs)
if _runner.failures:
    raise SystemExit(1)
"""


def files(root: Path, suffix: str) -> Iterator[Path]:
    """All files below ``root`` with this suffix, skipping what is not the project's."""
    for folder, names, entries in os.walk(root):
        names[:] = sorted(n for n in names if n not in SKIPPED and not n.startswith("."))
        for entry in sorted(entries):
            if entry.endswith(suffix):
                yield Path(folder, entry)


def split(text: str) -> tuple[str, list[tuple[int, str, str]]]:
    """Separate a Markdown text into its prose and its fenced blocks ``(first line, info, code)``.

    The prose keeps its line numbers: lines of blocks become empty.
    """
    prose: list[str] = []
    blocks: list[tuple[int, str, str]] = []
    fence: re.Match[str] | None = None
    first, code = 0, list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        match = FENCE.match(line)
        if fence is None and match:
            fence, first, code = match, number + 1, []
        elif fence is not None and match and match["ticks"].startswith(fence["ticks"]) and not match["info"].strip():
            blocks.append((first, fence["info"].strip(), "\n".join(code) + "\n"))
            fence = None
        elif fence is not None:
            code.append(line.removeprefix(fence["indent"]))
        prose.append("" if fence is not None or match else line)
    if fence is not None:
        blocks.append((first, "unclosed", ""))
    return "\n".join(prose), blocks


def anchors(text: str) -> set[str]:
    """The fragments GitHub gives to the headings of a text."""
    prose, _ = split(text)
    seen: Counter[str] = Counter()
    found = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", prose))
    for match in HEADING.finditer(prose):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match["title"])
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


def check_links(path: Path, text: str) -> Iterator[str]:
    """Yield a line for each relative link of one Markdown file that leads nowhere."""
    prose, _ = split(text)
    prose = re.sub(r"`[^`\n]*`", lambda m: "`" * len(m[0]), prose)  # inline code is not a link
    for match in [*LINK.finditer(prose), *REFERENCE.finditer(prose)]:
        target = match["target"]
        if EXTERNAL.match(target):
            continue
        name, _, fragment = target.partition("#")
        goal = path.parent / name if name else path
        where = f"{path}:{prose.count(chr(10), 0, match.start()) + 1}"
        if not goal.exists():
            yield f"{where}: link to {target}: no such file"
        elif fragment and goal.suffix == ".md" and fragment not in anchors(goal.read_text(encoding="utf-8")):
            yield f"{where}: link to {target}: no such heading"


def check_tables(path: Path, text: str) -> Iterator[str]:
    """Yield a line for each table of one Markdown file without a header, and for each row of other cells."""
    prose, _ = split(text)
    for match in TABLE.finditer(prose):
        first, rows = prose.count("\n", 0, match.start()) + 1, match[0].splitlines()
        cells = [row.replace("\\|", "").count("|") for row in rows]
        if len(rows) < 2 or not RULE.fullmatch(rows[1]):
            yield f"{path}:{first}: rows of a table without a header"
        for line, number in enumerate(cells, start=first):
            if number != cells[0]:
                yield f"{path}:{line}: a row of {number - 1} cells in a table of {cells[0] - 1}"


def check_blocks(path: Path, text: str) -> Iterator[str]:
    """Yield a line for each Python block of one Markdown file that fails."""
    to_run: list[str] = []
    for first, info, code in split(text)[1]:
        where, words = f"{path}:{first}", info.split()
        padded = "\n" * (first - 1) + code  # so that tracebacks name the line in the document
        if info == "unclosed":
            yield f"{where}: a fenced block is never closed"
        elif words[:1] == ["python"]:
            try:
                compile(padded, str(path), "exec")
            except SyntaxError as error:
                yield f"{path}:{error.lineno}: {error.msg}"
                continue
            if "run" in words[1:]:
                to_run.append(f"exec(compile({padded!r}, {str(path)!r}, 'exec'))")
        elif words[:1] == ["pycon"]:
            to_run.append(DOCTEST.format(code=code, name=path.name, path=str(path), line=first - 1))
    if to_run:
        yield from _run(path, "\n".join(to_run))


def _run(path: Path, program: str) -> Iterator[str]:
    """Run one document's blocks in a process of their own, in an empty folder, with warnings as errors."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-W", "error", "-c", program]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        tail = "\n    ".join((done.stdout + done.stderr).strip().splitlines()[-12:])
        yield f"{path}: a block fails\n    {tail}"


def check_mentions(path: Path, text: str, root: Path) -> Iterator[str]:
    """Yield a line for each ``docs/....md`` a Python file mentions that does not exist."""
    for match in DOC_PATH.finditer(text):
        if not (root / match[0]).exists():
            yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: mentions {match[0]}: no such file"


def check(root: Path) -> tuple[list[str], int]:
    """Check everything below ``root``; return the failures and how many documents were read."""
    failures: list[str] = []
    documents = list(files(root, ".md"))
    for path in documents:
        text = path.read_text(encoding="utf-8")
        failures += [*check_links(path, text), *check_tables(path, text), *check_blocks(path, text)]
    for path in files(root, ".py"):
        if "tests" not in path.relative_to(root).parts:
            failures += check_mentions(path, path.read_text(encoding="utf-8"), root)
    return failures, len(documents)


def main(arguments: list[str]) -> int:
    """Print the failures; 1 if there are any, or nothing to check."""
    root = Path(arguments[0]) if arguments else Path(__file__).parents[1]
    failures, documents = check(root)
    for failure in failures:
        print(failure)
    print(f"{documents} documents, {len(failures)} failures")
    return int(bool(failures) or not documents)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
