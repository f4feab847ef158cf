"""Pages: one HTML file each, without scripts, that fetches nothing, follows a dark setting and fits narrow screens."""

from __future__ import annotations

from pathlib import Path

from dpframe.errors import SpecError
from dpframe.front.files import save
from dpframe.planning.plan import Plan
from dpframe.shown import folded, items, safe

STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --line: #e4e4e4; --soft: #666; --bad: #a40000 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #181818; --line: #3a3a3a; --soft: #a8a8a8; --bad: #ff8a80 }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.5rem; margin-bottom: .2rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums }
th, td { padding: .2rem .7rem .2rem 0; text-align: left; border-bottom: 1px solid var(--line); white-space: nowrap }
td.number, th.number { text-align: right } .wide { overflow-x: auto } summary { cursor: pointer }
img { max-width: 100%; height: auto; background: #fff }
@media (prefers-color-scheme: dark) { img { filter: invert(.91) hue-rotate(180deg) } } ul { padding-left: 1.2rem }
.panels { display: flex; flex-wrap: wrap; gap: .4rem } figure { margin: 0; width: 7.5rem; font-size: .8rem }
.panel { width: 100%; border: 1px solid var(--line); fill-opacity: .2 }
figcaption { overflow: hidden; text-align: center }
.note { color: var(--soft) } .bad { color: var(--bad); font-weight: 600 } code { font-size: .85em }
@media (max-width: 40rem) { body { margin: 1rem auto; font-size: 14px } th, td { padding-right: .4rem } }
"""

FORMS = (".svg", ".mmd", ".html")


def shell(title: str, body: str) -> str:
    """A whole page around a body."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{safe(title)}</title>'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def scrolled(inside: str) -> str:
    """Put content that may be wider than the page into an element that scrolls by itself."""
    return f'<div class="wide">{inside}</div>'


def plan_page(plan: Plan, title: str = "A plan", *, full: bool | None = None) -> str:
    """A page about a plan: its stages, its graph and, folded, its ledger."""
    lead = "What would run, and what it would cost. It was checked and priced without reading a row."
    parts = [f"<h1>{safe(title)}</h1>", f"<p>{lead}</p>", scrolled(f"<pre>{safe(plan.explain())}</pre>")]
    parts += [items(plan.warnings)] if plan.warnings else []
    parts += ["<h2>Graph</h2>", scrolled(plan.svg(full=full))]
    parts += ["<h2>Ledger</h2>", folded("Every step", scrolled(f"<pre>{safe(plan.explain(full=True))}</pre>"))]
    return shell(title, "\n".join(parts))


def draw_plan(plan: Plan, path: str | Path, *, title: str = "A plan", full: bool | None = None) -> Path:
    """Write the graph of a plan, or a page about it, by the ending of the file's name.

    Raises
    ------
    SpecError
        For another ending, or where the file can't be written.
    """
    place = Path(path)
    if place.suffix not in FORMS:
        raise SpecError(f"a plan is not drawn as {str(path)!r}", fix=f"give a file that ends in {', '.join(FORMS)}")
    if place.suffix == ".html":
        text = plan_page(plan, title, full=full)
    else:
        text = (plan.svg(full=full) if place.suffix == ".svg" else plan.mermaid()) + "\n"
    try:
        save(place, text.encode())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no such name"
        raise SpecError(f"{str(place)!r} can't be written: {why}", fix="draw into another file") from None
    return place
