"""What audits find, as a table, as JSON and as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from dpframe.errors import SpecError
from dpframe.testing.estimation import as_percent

AS_JSON, AS_TEXT, PICTURE = "audit.json", "audit.txt", "audit.png"
OF_A_RUN = ("attempt.json", "spec.toml", "certificate.json", "result.json", "simulated.json")


@attrs.frozen
class Finding:
    """One line of an audit: what was attacked, where, what is claimed and what was found."""

    subject: str
    case: str
    delta: float
    claimed: float
    found: float
    event: str
    samples: int
    note: str = ""

    @property
    def refuted(self) -> bool:
        """Whether more was found than is claimed."""
        return self.found > self.claimed

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {**attrs.asdict(self), "refuted": self.refuted}


def table(findings: Sequence[Finding]) -> str:
    """Claimed against found, and what there is to say of it."""
    header = ("what", "case", "delta", "claimed", "found", "", "event")
    rows = [header]
    for f in findings:
        verdict = "REFUTED" if f.refuted else as_percent(f.found, f.claimed)
        rows.append((f.subject, f.case, f"{f.delta:.0e}", f"{f.claimed:.4f}", f"{f.found:.4f}", verdict, f.event))
    widths = [max(len(r[i]) for r in rows) for i in range(len(header))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows]
    notes = dict.fromkeys(f"{f.subject}: {f.note}" for f in findings if f.note)
    return "\n".join([*lines, *notes])


def draw(findings: Sequence[Finding], path: Any) -> None:
    """A bar a finding, with the claim as a mark."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 0.5 * len(findings) + 1.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    at = np.arange(len(findings))
    axes.barh(at, [f.found for f in findings], color=["#b03a2e" if f.refuted else "#2e6da4" for f in findings])
    axes.plot([f.claimed for f in findings], at, "k|", markersize=14, label="claimed")
    axes.set_yticks(at, [f"{f.subject}: {f.case}, δ={f.delta:.0e}" for f in findings])
    axes.set_xlabel("ε, lower bound with confidence")
    axes.invert_yaxis()
    figure.legend(loc="outside lower right")
    figure.savefig(path)


def checked_folder(out: str) -> Path:
    """A folder for an audit's files.

    Raises
    ------
    SpecError
        When it can't be one, or holds a run or an earlier audit: simulated values never lie beside a release.
    """
    folder = Path(out)
    try:
        str(folder).encode()
        usable = (folder.is_dir() or not folder.exists()) and "\0" not in out
        held = [name for name in (*OF_A_RUN, AS_JSON, AS_TEXT, PICTURE) if usable and (folder / name).exists()]
    except (OSError, ValueError):
        usable, held = False, []
    if not usable:
        raise SpecError(f"{out!r} can't be used as a folder", fix="give another --out")
    if held:
        raise SpecError(f"{out!r} holds {held[0]} already", fix="give another --out")
    return folder


def write(findings: Sequence[Finding], folder: Path, texts: Mapping[str, str]) -> None:
    """Write an audit's texts and its picture; without matplotlib there is no picture.

    Raises
    ------
    SpecError
        When the folder can't be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text + "\n", encoding="utf-8")
    except (OSError, ValueError):
        raise SpecError(f"{str(folder)!r} can't be written to", fix="give another --out") from None
    try:
        import matplotlib  # noqa: F401, ICN001
    except ImportError:
        return
    draw(findings, folder / PICTURE)
