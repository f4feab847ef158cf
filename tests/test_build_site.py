"""The site's builder moves links to where pages are on the site, and leaves no public name out of the reference."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

import dpframe
import dpframe.estimators
import dpframe.plugin
import dpframe.testing

ROOT = Path(__file__).parents[1]


def loaded(monkeypatch: pytest.MonkeyPatch, path: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(path.parent))
    spec = importlib.util.spec_from_file_location(f"site_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules.pop("check_docs", None)
    return module


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return loaded(monkeypatch, ROOT / ".ci/build_site.py")


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("[a](docs/runs.md#the-ledger), [b](LICENSE)", "[a](../runs.md#the-ledger), [b](license.md)"),
        ("[two\nlines](docs/runs.md)", "[two\nlines](../runs.md)"),
        ("[same page](#here)", "[same page](changelog.md#here)"),
        (
            "[w](https://example.org/docs/runs.md) [x](absent.md)",
            "[w](https://example.org/docs/runs.md) [x](absent.md)",
        ),
        ("[the `build`](Makefile)", "the `build` (`Makefile`)"),
        ("```\n[a](docs/runs.md)\n```", "```\n[a](docs/runs.md)\n```"),
    ],
)
def test_links_move_with_their_pages(site: ModuleType, text: str, moved: str) -> None:
    places = {Path("docs/runs.md"): "runs.md", Path("LICENSE"): "project/license.md"}
    places[Path("CHANGELOG.md")] = "project/changelog.md"
    assert site._relinked(text, Path("CHANGELOG.md"), "project/changelog.md", places) == moved + "\n"


def test_every_page_is_collected(site: ModuleType, tmp_path: Path) -> None:
    site.collect(ROOT, tmp_path)
    pages = [p.relative_to(ROOT / "docs") for p in (ROOT / "docs").rglob("*.md") if "_build" not in p.parts]
    assert [p for p in pages if not (tmp_path / p).is_file()] == []
    assert all((tmp_path / place).is_file() for place in (*site.OUTSIDE.values(), *site.LISTINGS.values()))


def test_every_public_name_has_an_entry(site: ModuleType, tmp_path: Path) -> None:
    site.reference(tmp_path)
    text = "".join(p.read_text() for p in (tmp_path / "reference").glob("*.rst"))
    entries = {line.rpartition(" ")[2].rpartition(".")[2] for line in text.splitlines() if line.startswith(".. ")}
    public = {n for m in (dpframe, dpframe.plugin, dpframe.estimators, dpframe.testing) for n in m.__all__}
    assert public - entries == set()


def test_dead_links_are_found(site: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<p id="x"></p> <a href="b.html#y"> <a href="#x"> <a href="https://x.org/#z">')
    (tmp_path / "b.html").write_text('<p id="y"></p> <a href="absent.html"> <a href="a.html#absent">')
    assert site.dead_links(tmp_path) == [
        "b.html: a link to a.html#absent leads nowhere",
        "b.html: a link to absent.html leads nowhere",
    ]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("Moves by |r − a| in means_.", "Moves by \\|r − a\\| in means\\_."),
        ("``|x|`` and ``means_`` stay; :attr:`means_` too", "``|x|`` and ``means_`` stay; :attr:`means_` too"),
        (".. attribute:: means_", ".. attribute:: means_"),
        (">>> model.means_ | x", ">>> model.means_ | x"),
        ("snake_case and means\\_", "snake_case and means\\_"),
    ],
)
def test_docstrings_are_plain_text(monkeypatch: pytest.MonkeyPatch, line: str, plain: str) -> None:
    assert loaded(monkeypatch, ROOT / "docs/conf.py").plain(line) == plain
