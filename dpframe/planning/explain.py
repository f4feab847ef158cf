"""The ledger: what each node costs and why, as text and as JSON."""

from __future__ import annotations

import math
from typing import Any

import attrs

from dpframe.kernel.operations import Mechanism
from dpframe.kernel.post_processing import Post
from dpframe.planning.graph import describe
from dpframe.planning.predicting import predict
from dpframe.planning.priced import Priced
from dpframe.planning.refusing import describe_loss
from dpframe.planning.surveying import node_metrics
from dpframe.proof.spaces import Edits
from dpframe.proof.theorems import Metrics
from dpframe.shown import programs

WEAK = 10.0
"""An ε above which little is protected."""


def doubts(plan: Priced) -> list[str]:
    """What a budget that holds would still make a careful reader ask, by public numbers alone."""
    budget, found, rows = plan.budget, [], _public_rows(plan)
    delta, epsilon = getattr(budget, "delta", 0.0), getattr(budget, "epsilon", 0.0)
    if delta * rows >= 1.0:
        found.append(
            f"delta={delta:g} is not below 1/n: within it a release may show some of the {rows} rows as they are; "
            f"take delta well below {1.0 / rows:.1g}"
        )
    if epsilon > WEAK:
        found.append(f"epsilon={epsilon:g} protects little: one row may change odds by a factor of e^{epsilon:g}")
    return [*found, *hopeless(plan)]


def hopeless(plan: Priced) -> list[str]:
    """Which outputs a plan does not expect to find, in words, by the public number of rows."""
    rows = _public_rows(plan)
    lost = sorted(name for name, expected in predict(plan).items() if math.isinf(expected.error)) if rows else []
    why = f"with {rows} rows what they rest on is not expected to stand out of the noise"
    mend = "more rows, fewer columns or a larger budget may show it"
    return [f"no error is predicted of {', '.join(lost)}: {why}; {mend}"] if lost else []


def _public_rows(plan: Priced) -> int:
    """Rows of the largest private table whose number is public; 0 where none is."""
    return max([given.n or 0 for given in plan.graph.inputs if given.edge.private], default=0)


def plan_json(plan: Priced) -> dict[str, Any]:
    """The keys that scripts rely on: holds, loss, delta_split, nodes, passes, warnings, error."""
    return {
        "schema_version": 1,
        "holds": True,
        "loss": plan.spent,
        "budget": plan.budget.to_json(),
        "delta_split": dict(plan.delta_split),
        "nodes": (nodes := rows(plan)),
        "assertions": sum(len(row.get("assumes", ())) for row in nodes),
        "passes": max(plan.passes.values(), default=0),
        "warnings": list(plan.warnings),
        "error": None,
    }


def refusal_json(error: Exception) -> dict[str, Any]:
    """What ``dpframe plan --json`` prints of a graph that was refused: the keys that it prints of a plan."""
    return {
        "schema_version": 1,
        "holds": False,
        "loss": None,
        "delta_split": {},
        "nodes": [],
        "assertions": 0,
        "passes": 0,
        "warnings": [],
        "error": str(error),
    }


def rows(plan: Priced) -> list[dict[str, Any]]:
    """One object a node, in order, those of bodies under their path."""
    out: list[dict[str, Any]] = []
    for path, node in plan.typed.walk():
        outside = len(path) == 1
        row: dict[str, Any] = {
            "name": "/".join(path),
            "operation": node.operation.name,
            "kind": node.operation.kind,
            "inputs": [str(r) for r in node.inputs],
            "theorem": node.operation.theorem,
            "level": node.operation.cited().level,
            "pass": plan.passes.get(node.name) if outside else None,
        }
        if assumed := node.operation.cited().assumed(node.operation.parameters()):
            row["assumes"] = list(assumed)
        if own := node.operation.parameters().get("of"):
            row["own"] = own
        if isinstance(node.operation, Post) and (notes := node.operation.notes()):
            row["notes"] = notes
        if outside and node.parts is None:
            row["edge"] = describe(node.output)
        if isinstance(node.operation, Mechanism) and path in plan.weighings:
            weighing = plan.weighings[path]
            loss = plan.node_loss(path)
            row |= {
                "metric": [m.to_json() for m in weighing.worst],
                "calibration": dict(plan.calibrations[path]),
                "loss": loss.to_json(),
                "share": node.operation.share,
            }
        out.append(row)
    return out


def counted(assertions: int) -> str:
    """So many assertions, in words."""
    return f"{assertions} assertion{'' if assertions == 1 else 's'}"


def words(metrics: Metrics, kind: Any, other: Any = ()) -> str:
    """Metrics of a kind in few words."""
    chosen = [m for m in metrics if isinstance(m, kind) and not isinstance(m, other)]
    return ", ".join(
        f"{m.removed} out, {m.added} in"
        if isinstance(m, Edits)
        else f"{type(m).__name__}({', '.join(f'{v:.4g}' for v in attrs.astuple(m) if isinstance(v, (int, float)))})"
        for m in chosen
    )


def stages(plan: Priced) -> list[str]:
    """By node, as in the ledger: its body, or the program that it stands in; empty for what stands in none."""
    paths = [path for path, _ in plan.typed.walk()]
    found = programs(path[0] for path in paths if len(path) == 1)
    return ["/".join(p[:-1]) if len(p) > 1 else found[p[0]] for p in paths]


def ledger(plan: Priced) -> str:
    """The ledger as a table, the total and what it is composed of, where δ goes, notes and warnings."""
    header = ("node", "operation", "pass", "edits", "sensitivity", "noise", "loss", "theorem", "level")
    table = [header]
    known = node_metrics(plan.typed, plan.adjacency)
    for row in rows(plan):
        path = tuple(row["name"].split("/"))
        weighing = plan.weighings.get(path)
        metrics = weighing.worst if weighing is not None else known.get(path, ())
        noise = loss = ""
        if weighing is not None:
            noise = ", ".join(f"{k}={v:.4g}" for k, v in plan.calibrations[path].items() if isinstance(v, float))
            loss = describe_loss(plan.node_loss(path))
        cells = (words(metrics, Edits), words(metrics, object, Edits), noise, loss)
        shown = row.get("own", row["operation"])
        table.append((row["name"], shown, str(row["pass"] or ""), *cells, row["theorem"], row["level"]))
    widths = [max(len(line[i]) for line in table) for i in range(len(header))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in table]
    lines.insert(1, "-" * len(lines[0]))
    return "\n".join([*lines, "", f"composed of: {describe_loss(plan.loss)}", *ending(plan)])


def ending(plan: Priced, *, brief: bool = False) -> list[str]:
    """The total, where δ goes, the passes, what the proof assumes, notes and warnings, a line each.

    With ``brief``, what several nodes assume or note in the same words is said once.
    """
    spent = ", ".join(f"{k}={v:.6g}" for k, v in plan.verdict.spent.items())
    own = ", ".join(f"{k}={v:g}" for k, v in plan.budget.to_json().items() if k != "type")
    lines = [f"total: {spent} under {plan.adjacency.words}, by {plan.verdict.accountant}; budget {own}"]
    if plan.delta_split:
        lines.append("delta: " + ", ".join(f"{k} {v:.3g}" for k, v in plan.delta_split.items()))
    lines.append(f"passes over the data: {max(plan.passes.values(), default=0)}")
    listed = rows(plan)
    assumed = [(row["name"], text) for row in listed for text in row.get("assumes", ())]
    if assumed:
        lines.append(f"holds, given {counted(len(assumed))}:")
        said: dict[str, list[str]] = {}
        for i, (name, text) in enumerate(assumed):
            said.setdefault(text if brief else f"{i} {text}", []).append(name)
        for text, names in said.items():
            where = f"node {names[0]!r}" + (f" and {len(names) - 1} more" if len(names) > 1 else "")
            lines.append(f"if: {where}: {text if brief else text.partition(' ')[2]}")
    notes = [f"note: {text}" for row in listed for text in row.get("notes", ())]
    return [*lines, *(dict.fromkeys(notes) if brief else notes), *(f"warning: {w}" for w in plan.warnings)]
