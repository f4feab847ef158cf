"""A plan in a page: what each stage releases, with which noise, in which pass and for which part of the loss.

What it leaves out, a line a node with sensitivity and theorem, is the ledger (:func:`dpframe.planning.explain.ledger`).
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dpframe.planning.explain import ending, rows, stages
from dpframe.planning.priced import Priced
from dpframe.planning.weighing import each_alone
from dpframe.shown import cut, within

WIDTH = 100
LIMITS = {"stage": 16, "releases": 21, "by": 22, "noise": 17}
"""Most signs of a column; two more take seven each, and two blanks stand between."""
OVERLAP = "parts of the table, and branches, spend beside one another: their parts of the loss don't add up"


def summary(plan: Priced) -> str:
    """The stages, the total, where δ goes, assumptions and warnings; no line is longer than 100 signs.

    What a stage releases several times is one line: names that differ in numbers alone are taken together.
    """
    part = parts(plan)
    table, free = _table(plan, part)
    header = ("stage", "releases", "by", "noise", "pass", "of loss")
    widths = [max(len(line[i]) for line in [header, *table]) for i in range(len(header))]
    right = len(header) - 1
    lines = [
        "  ".join(
            cell.rjust(w) if i == right else cell.ljust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in ([header, *table])
    ]
    lines.insert(1, "-" * len(lines[0]))
    spends = "" if table else "nothing is released from private rows; "
    more = f"{spends}{free} {'step spends' if free == 1 else 'steps spend'} nothing; every step: --full, or full=True"
    lines += [OVERLAP] if sum(part.values()) > 1.005 else []
    return "\n".join([*(line.rstrip() for line in lines), more, "", *_wrapped(ending(plan, brief=True))])


def parts(plan: Priced) -> dict[str, float]:
    """By mechanism, which part of the loss is its own: of ρ, with all the times that it may run.

    Empty where a loss has no finite ρ. Parts that exclude each other may add up to more than 1.
    """
    whole = plan.loss.rho
    if not 0 < whole < math.inf:
        return {}
    alone = each_alone(plan.typed, plan.adjacency, dict(plan.calibrations), plan.weighings)
    return {"/".join(path): loss.rho / whole for path, loss in alone.items()}


def _table(plan: Priced, part: Mapping[str, float]) -> tuple[list[tuple[str, ...]], int]:
    """A line for each group of mechanisms of a stage, and how many steps spend nothing."""
    groups: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
    listed = rows(plan)
    turns = _turns(listed)
    for row, stage in zip(listed, stages(plan), strict=True):
        if "loss" in row:
            stem = re.sub(r"\d+", "#", _last(row["name"], stage))
            groups.setdefault((stage, stem, row.get("own", row["operation"])), []).append(row)
    out, before = list[tuple[str, ...]](), ""
    order = list(dict.fromkeys(stage for stage, *_ in groups))
    for (stage, _, by), group in sorted(groups.items(), key=lambda item: order.index(item[0][0])):
        name = _last(group[0]["name"], stage)
        several, count = (re.sub(r"\d+", "*", name), f" ({len(group)}×)") if len(group) > 1 else (name, "")
        spent = sum(part.get(row["name"], math.nan) for row in group)
        shown = (
            "" if stage == before else stage,
            _ending(several, LIMITS["releases"] - len(count)) + count,
            cut(by, LIMITS["by"]),
            cut(_noise(group), LIMITS["noise"]),
            _span(turns.get(row["name"]) for row in group),
            "-" if math.isnan(spent) else _percent(spent),
        )
        out.append((_ending(shown[0], LIMITS["stage"]), *shown[1:]))
        before = stage
    return out, sum("loss" not in row for row in listed)


def _ending(name: str, most: int) -> str:
    """A name whose end is kept where it is long."""
    return name if len(name) <= most else "…" + name[len(name) - most + 1 :]


def _last(name: str, stage: str) -> str:
    """The name of a node within its stage."""
    return within(name.rpartition("/")[2], stage)


def _turns(listed: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """By node, the pass that it waits for: its own, or the last one among what it is made of."""
    found: dict[str, int] = {}
    for row in listed:
        if row["pass"] is None and "/" in row["name"]:
            continue  # passes of a body count from its own start
        made_of = [found.get(name.partition("[")[0], 0) for name in row["inputs"]]
        found[row["name"]] = row["pass"] or max(made_of, default=0)
    return found


def _span(turns: Iterable[int | None]) -> str:
    known = [turn for turn in turns if turn]
    if not known:
        return ""
    return str(min(known)) if min(known) == max(known) else f"{min(known)}-{max(known)}"


def _noise(group: Sequence[Mapping[str, Any]]) -> str:
    """The scale of the noise, from the least to the largest."""
    name = next((k for k, v in group[0]["calibration"].items() if isinstance(v, float) and "delta" not in k), None)
    if name is None:
        return ""
    found = [row["calibration"][name] for row in group if isinstance(row["calibration"].get(name), float)]
    least, most = f"{min(found):.3g}", f"{max(found):.3g}"
    return f"{name}={least} to {most}" if least != most else f"{name}={max(found):.4g}"


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %" if part >= 0.0005 else "<0.1 %"


def _wrapped(lines: Iterable[str]) -> list[str]:
    return [
        piece
        for line in lines
        for piece in textwrap.wrap(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False) or [""]
    ]
