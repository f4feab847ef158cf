"""Collect the pages of the documentation site and build it into ``docs/_build/html``, warnings as errors.

usage: build_site.py [ROOT]

The site is what ``docs/`` holds, the files of the project that it links to, and a reference that is made here from
the public names and their docstrings. The pages are collected in ``build/site``, with links rewritten to where they
are there, so that the same Markdown reads well in the repository.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from inspect import getdoc, isclass, isroutine
from pathlib import Path
from types import ModuleType
from typing import Any

from check_docs import EXTERNAL, LINK, split

ROOT = Path(__file__).parents[1]
OUTSIDE = {name: f"project/{name.lower()}" for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")}
"""Pages of the site that are not in docs/."""
LISTINGS = {"LICENSE": "project/license.md", "CITATION.cff": "project/citation.md"}
PICTURES = tuple(f"bench/results/{name}.png" for name in ("arbas23_calibrations", "bks22", "claims", "limits"))
"""What the gallery shows beside docs/pictures."""
PLAIN = "dpframe.front.verbs."


def collect(root: Path, source: Path) -> None:
    """Copy every page to where it is on the site, its links rewritten."""
    pages = {path: path.relative_to("docs").as_posix() for path in _pages(root)}
    pages |= {Path(name): place for name, place in OUTSIDE.items()}
    listings = {Path(name): place for name, place in LISTINGS.items()}
    listings |= {path: f"worked/{path.stem}.md" for path in _worked(root)}
    places = pages | listings | {Path("docs/worked"): "worked/index.md"}
    pictures = [Path(name) for name in PICTURES]
    pictures += [path.relative_to(root) for path in sorted((root / "docs/pictures").glob("*.*"))]
    places |= {path: f"pictures/{path.name}" for path in pictures}
    for path, place in pages.items():
        _write(source / place, _relinked((root / path).read_text(encoding="utf-8"), path, place, places))
    for path, place in listings.items():
        text = (root / path).read_text(encoding="utf-8")
        _write(source / place, f"# {_titled(path, text)}\n\n`{path}`:\n\n````{_language(path)}\n{text}````\n")
    listed = "\n".join(path.stem for path in _worked(root))
    _write(source / "worked/index.md", f"# Worked plugins\n\nEach is one file.\n\n```{{toctree}}\n{listed}\n```\n")
    for path in pictures:
        (source / places[path]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, source / places[path])


def _pages(root: Path) -> list[Path]:
    found = sorted((root / "docs").rglob("*.md"))
    return [path.relative_to(root) for path in found if "_build" not in path.parts]


def _worked(root: Path) -> list[Path]:
    return [path.relative_to(root) for path in sorted((root / "docs/worked").glob("*.py"))]


def _titled(path: Path, text: str) -> str:
    """A listing's title: the first sentence of a module, else its name."""
    found = re.match(r'"""(.+?)[.:](?:\s|""")', text, re.DOTALL)
    return " ".join(found[1].split()) if found else path.stem.capitalize()


def _language(path: Path) -> str:
    return {".py": "python", ".cff": "yaml"}.get(path.suffix, "text")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _relinked(text: str, path: Path, place: str, places: dict[Path, str]) -> str:
    """The text with each relative link leading to where its target is on the site."""
    prose, _ = split(text)
    lines, kept = text.splitlines(), prose.splitlines()

    def moved(match: re.Match[str]) -> str:
        target = match["target"]
        name, _, fragment = target.partition("#")
        if EXTERNAL.match(target):
            return match[0]
        asked = Path(os.path.normpath(path.parent / name)) if name else path
        goal = places.get(asked)
        if goal is None:  # a file that the site does not have is named, not linked to
            return f"{match[0].rpartition('](')[0][1:]} (`{asked}`)" if (ROOT / asked).exists() else match[0]
        new = Path(os.path.relpath(goal, Path(place).parent)).as_posix() + (f"#{fragment}" if fragment else "")
        return match[0].replace(f"({target}", f"({new}")

    # A link may run over a line's end, so that a paragraph is rewritten as one.
    out: list[str] = []
    paragraph: list[str] = []
    for line, seen in zip(lines, [*kept, *[""] * (len(lines) - len(kept))], strict=True):
        if line == seen and line.strip():
            paragraph.append(line)
            continue
        out += [LINK.sub(moved, "\n".join(paragraph))] * bool(paragraph)
        paragraph = []
        out.append(line)
    out += [LINK.sub(moved, "\n".join(paragraph))] * bool(paragraph)
    return "\n".join(out) + "\n"


def reference(source: Path) -> None:
    """Write a page for each group of public names; nothing that is public is left out."""
    import dpframe
    import dpframe.estimators
    import dpframe.plugin
    import dpframe.testing

    public = sorted(dpframe.__all__)
    homes = {name: _home(getattr(dpframe, name)) for name in public}
    verbs = sorted({home for home in homes.values() if home.startswith(PLAIN)})
    pages = [("programs", "Programs, plans, budgets", dpframe, [n for n in public if homes[n] not in verbs])]
    pages += [
        (
            f"verbs-{home.removeprefix(PLAIN)}",
            _heading(import_module(home)),
            dpframe,
            [n for n in public if homes[n] == home],
        )
        for home in verbs
    ]
    own = sorted(set(dpframe.plugin.__all__) - set(public))
    pages += [
        ("plugin", "dpframe.plugin: what plugins need besides", dpframe.plugin, own),
        ("estimators", "dpframe.estimators", dpframe.estimators, sorted(dpframe.estimators.__all__)),
        ("testing", "dpframe.testing", dpframe.testing, sorted(dpframe.testing.__all__)),
    ]
    for name, title, module, names in pages:
        _write(source / f"reference/{name}.rst", _page(title, module, names))
    listed = "\n".join(name for name, *_ in pages)
    _write(
        source / "reference/index.md",
        "# Reference\n\nEvery public name, from its docstring. `import dpframe as dp` has programs and verbs; what\n"
        f"plugins need besides is in `dpframe.plugin`.\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n",
    )


def _home(thing: Any) -> str:
    return getattr(thing, "__module__", None) or ""


def _heading(module: ModuleType) -> str:
    first = (getdoc(module) or "").split("\n")[0].rstrip(".")
    return f"Verbs: {first[:1].lower()}{first[1:]}"


def _page(title: str, module: ModuleType, names: list[str]) -> str:
    title = title.replace("``", "").replace("`", "")
    blocks = [f"{title}\n{'=' * len(title)}", f".. py:currentmodule:: {module.__name__}"]
    return "\n\n".join([*blocks, *(_entry(module, name) for name in names)]) + "\n"


def _entry(module: ModuleType, name: str) -> str:
    thing = getattr(module, name)
    if isinstance(thing, ModuleType):  # a function that shares its name with the package it lives in
        thing = getattr(import_module(f"{thing.__name__}.{name}s"), name)
        return f".. autofunction:: {thing.__module__}.{name}"
    if isclass(thing) and thing.__name__ == name:
        return f".. autoclass:: {module.__name__}.{name}\n   :members:\n   :show-inheritance:"
    if isroutine(thing) and thing.__name__ == name:
        return f".. autofunction:: {module.__name__}.{name}"
    if isclass(thing) or isroutine(thing):
        return f".. py:data:: {name}\n\n   Short for ``{thing.__module__}.{thing.__qualname__}``. {_first(thing)}"
    value = repr(thing)
    return f".. py:data:: {name}" + (f"\n   :value: {value}" if len(value) < 60 else "")


def _first(thing: Any) -> str:
    return (getdoc(thing) or "").split("\n")[0]


HREF = re.compile(r'href="(?P<page>[^":?#]*)(?:#(?P<anchor>[^"]*))?"')
ANCHOR = re.compile(r' (?:id|name)="([^"]+)"')


def dead_links(site: Path) -> list[str]:
    """Links inside a built site that lead to no page, or to no place on it."""
    texts = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    anchors = {path: set(ANCHOR.findall(text)) for path, text in texts.items()}
    found = []
    for path, text in texts.items():
        for match in HREF.finditer(text):
            goal = Path(os.path.normpath(path.parent / match["page"])) if match["page"] else path
            if not goal.exists() or (match["anchor"] and goal in anchors and match["anchor"] not in anchors[goal]):
                found.append(f"{path.relative_to(site)}: a link to {match[0][6:-1]} leads nowhere")
    return sorted(set(found))


def main(arguments: list[str]) -> int:
    """Collect and build; 0 where nothing warned and every link inside the site leads somewhere."""
    root = Path(arguments[0]) if arguments else ROOT
    source = root / "build/site"
    for old in (source, root / "docs/_build"):
        shutil.rmtree(old, ignore_errors=True)
    collect(root, source)
    reference(source)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-c", str(root / "docs")]
    places = ["-d", str(root / "docs/_build/doctrees"), str(source), str(root / "docs/_build/html")]
    status = subprocess.run([*command, *places], check=False).returncode
    dead = [] if status else dead_links(root / "docs/_build/html")
    for line in dead:
        print(line)
    return status or int(bool(dead))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
