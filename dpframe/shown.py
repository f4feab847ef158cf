"""How plans, results and proofs show themselves: a few lines of text, and pieces of HTML with everything escaped.

Examples
--------
>>> few(["a", "b", "c"], 2)
'a, b and 1 more'
>>> cut("longer than that", 10)
'longer th…'
>>> table(["name"], [["<b>"]])
'<div class="wide"><table><tr><th>name</th></tr><tr><td>&lt;b&gt;</td></tr></table></div>'
"""

from __future__ import annotations

import html
import json
import reprlib
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice, takewhile
from typing import Any

import numpy as np

LARGE = 2.0**53
OBEYED = ("Cc", "Cf", "Zl", "Zp")
"""Kinds of signs that move others or hide them: controls, formats, ends of lines and paragraphs."""
SHORT = reprlib.Repr()
SHORT.maxother = SHORT.maxstring = 200
SHORT.maxdict = SHORT.maxlist = SHORT.maxtuple = 8


def cut(text: Any, most: int = 60) -> str:
    """Text on one line and of bounded length; what can't be printed is written as an escape."""
    shown = str(text)[: most + 1]
    if not shown.isprintable():
        shown = repr(shown)[1:-1]
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def harmless(text: str, *, lines: bool = True) -> str:
    r"""Text without signs that a terminal obeys: whoever wrote a certificate or a spec could hide by them what is said.

    They are written as JSON writes them, so that JSON stays what it was; without ``lines`` ends of lines are, too.

    Examples
    --------
    >>> harmless("one\x1b[1A\ntwo"), harmless("one\ntwo", lines=False)
    ('one\\u001b[1A\ntwo', 'one\\ntwo')
    """
    if text.isprintable():
        return text
    kept = "\n" if lines else ""
    odd = {sign for sign in set(text) if unicodedata.category(sign) in OBEYED and sign not in kept}
    return text.translate({ord(sign): json.dumps(sign)[1:-1] for sign in odd})


def programs(names: Iterable[str]) -> dict[str, str]:
    """By node, the program that it stands in: what all names that begin alike have in common, else nothing.

    Examples
    --------
    >>> programs(["ball", "ball.count", "mine.mean.sum_1", "mine.mean.at.noisy", "n"])
    {'ball': 'ball', 'ball.count': 'ball', 'mine.mean.sum_1': 'mine.mean', 'mine.mean.at.noisy': 'mine.mean', 'n': ''}
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.partition(".")[0], []).append(name)
    found: dict[str, str] = {}
    for group in groups.values():
        outer = [(name.rpartition(".")[0] or name).split(".") for name in group]
        alike = takewhile(lambda words: len(set(words)) == 1, zip(*outer, strict=False))
        inside = any("." in name for name in group)
        found |= dict.fromkeys(group, ".".join(words[0] for words in alike) if inside else "")
    return found


def within(name: str, program: str) -> str:
    """A node's name without that of the program that it stands in."""
    return name.removeprefix(f"{program}.")


def few(names: Collection[Any], most: int = 6, *, width: int = 60) -> str:
    """The first of them, and how many more there are."""
    shown = ", ".join(cut(name, width) for name in islice(names, most))
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def numbers(values: Iterable[tuple[Any, Any]]) -> str:
    """The numbers among named values."""
    found = [(k, v) for k, v in values if isinstance(v, (int, float)) and (isinstance(v, float) or abs(v) < LARGE)]
    return few([f"{k}={v:.6g}" for k, v in found])


def total(spent: Any) -> str:
    """A proved total: its numbers, adjacency and accountant, as far as they are there."""
    if not isinstance(spent, Mapping):
        return "no total"
    words = [numbers((k, v) for k, v in spent.items() if k != "unit_rows") or "no total"]
    words += [f"under {cut(spent['adjacency'])}"] if "adjacency" in spent else []
    if "unit" in spent:
        words.append(f"of all rows of one {cut(spent['unit'])!r}")
    return " ".join(words) + (f", by {cut(spent['accountant'])}" if "accountant" in spent else "")


def value(content: Any) -> str:
    """A released value, cut where it is long."""
    with np.printoptions(threshold=24, edgeitems=3, precision=6):
        return cut(" ".join(SHORT.repr(content).split()), 300)


def safe(text: Any) -> str:
    """Text for HTML, quotes too; signs that move or hide others are spelt out."""
    return html.escape(harmless(str(text)))


def table(header: Sequence[str], rows: Iterable[Sequence[Any]], *, right: Collection[int] = ()) -> str:
    """An HTML table; columns ``right`` hold numbers."""

    def line(cells: Sequence[Any], tag: str) -> str:
        classes = [' class="number"' if i in right else "" for i in range(len(cells))]
        return "<tr>" + "".join(f"<{tag}{c}>{safe(v)}</{tag}>" for c, v in zip(classes, cells, strict=True)) + "</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f'<div class="wide"><table>{line(header, "th")}{body}</table></div>'


def folded(summary: str, inside: str) -> str:
    """HTML that is shown when it is clicked."""
    return f"<details><summary>{safe(summary)}</summary>{inside}</details>"


def items(texts: Iterable[str]) -> str:
    """An HTML list."""
    return "<ul>" + "".join(f"<li>{safe(text)}</li>" for text in texts) + "</ul>"
