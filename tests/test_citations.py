"""A proof can be followed: what is cited is a section of this repository or a known publication."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpframe.proof.theorems import THEOREMS

ROOT = Path(__file__).parents[1]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]
ROOMS = ("dpframe", "plugins", "tests", "bench")
FOREIGN = re.compile(r"tests/(test_citations|test_check_docs|testing/planted/.*/.*)\.py")
"""What cites on purpose what is not there, and plugins as others write them."""
SOURCES = [
    p
    for room in ROOMS
    for p in sorted((ROOT / room).rglob("*.py"))
    if not FOREIGN.fullmatch(p.relative_to(ROOT).as_posix())
]
CITED = re.compile(r"docs/[\w/-]+\.md(?:#[\w-]+)?")
KNOWN = re.findall(r"^- \*\*(.+?)\*\*", (ROOT / "docs/theory/references.md").read_text(), re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Explicit anchors, and those that headings get: lower case, hyphens for blanks, no punctuation."""
    text = page.read_text()
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a id="([\w-]+)"></a>', text))


def unresolved(cited: str) -> str | None:
    """Why a citation of a page can't be followed, if it can't."""
    page, _, anchor = cited.partition("#")
    if not (ROOT / page).is_file():
        return f"there is no {page}"
    return f"{page} has no section {anchor!r}" if anchor and anchor not in anchors(ROOT / page) else None


def parts(source: str) -> Iterator[str]:
    yield from (part.strip() for part in source.split(";"))


@pytest.mark.parametrize("name", sorted(set(THEOREMS) - {"declared_loss"}))
def test_a_theorem_cites_a_section_or_a_publication(name: str) -> None:
    for part in parts(THEOREMS[name].source):
        if part.startswith("docs/"):
            assert "#" in part, "name the section"
            assert unresolved(part) is None, unresolved(part)
        else:
            assert any(part.startswith(known) for known in KNOWN), f"{part!r} is not in docs/theory/references.md"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_pages_that_code_cites_are_there(path: Path) -> None:
    assert [
        why for cited in CITED.findall(path.read_text()) if (why := unresolved(cited.rstrip("."))) is not None
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_sections_that_pages_cite_are_there(page: Path) -> None:
    for target in re.findall(r"\]\(([\w./-]*#[\w-]+)\)", page.read_text()):
        name, _, anchor = target.partition("#")
        other = (page.parent / name).resolve() if name else page
        assert other.is_file(), target
        assert anchor in anchors(other), target


@pytest.mark.parametrize(
    "cited", ["docs/theory/nowhere.md", "docs/theory/notation.md#nothing", "docs/theory/corrections.md#c99"]
)
def test_a_citation_of_nothing_is_caught(cited: str) -> None:
    assert unresolved(cited)


def test_every_correction_and_tightening_has_its_section() -> None:
    numbered = {f"c{i}" for i in (1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14)} | {f"t{i}" for i in range(1, 11)}
    assert numbered <= anchors(ROOT / "docs/theory/corrections.md")


def test_no_source_cites_what_is_not_here() -> None:
    """Documents beside the project are no source for its readers."""
    beside = re.compile(r"\b(papers|design|interface|peers|hard-data)\.md\b")
    assert [p.name for p in (*SOURCES, *PAGES) if beside.search(p.read_text())] == []
