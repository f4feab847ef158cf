"""A release as tables, a picture and one HTML page: made from the released files only, never from rows.

Examples
--------
>>> model = Model.of({"weights": [1.0], "means": [[3.0]], "covariances": [[[4.0]]]})
>>> print(table(model, ["height"]))
  weight  mean height    sd height
   1.000            3            2
"""

from __future__ import annotations

import base64
import io
import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DataError, SpecError
from dpframe.front.pages import scrolled, shell
from dpframe.planning.explain import counted
from dpframe.planning.picture import svg
from dpframe.proof.checker import Verdict, verify
from dpframe.proof.shown import folded, safe
from dpframe.proof.shown import table as html_table

RESULTS = ("result.json", "simulated.json")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F6A00", "#5B4B8A")
"""Told apart with every common colour blindness (Okabe, Ito)."""


@attrs.frozen(eq=False)
class Model:
    """A released mixture; a single Gaussian is a mixture of one.

    Attributes
    ----------
    weights : (k,)
    means : (k, d)
    covariances : (k, d, d)
    """

    weights: np.ndarray[Any, np.dtype[np.float64]]
    means: np.ndarray[Any, np.dtype[np.float64]]
    covariances: np.ndarray[Any, np.dtype[np.float64]]

    @staticmethod
    def of(content: Mapping[str, Any]) -> Model:
        """From the JSON form of a ``mixture`` or a ``gaussian``, heaviest component first."""
        if "mean" in content:
            content = {
                "weights": [1.0],
                "means": [content["mean"]],
                "covariances": [content["covariance"]],
            }
        arrays = [np.asarray(content[k], dtype=np.float64) for k in ("weights", "means", "covariances")]
        order = np.argsort(-arrays[0], kind="stable")
        return Model(*(a[order] for a in arrays))

    @property
    def d(self) -> int:
        """Number of columns."""
        return int(self.means.shape[1])

    @property
    def deviations(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Standard deviations (k, d)."""
        return np.sqrt(np.diagonal(self.covariances, axis1=1, axis2=2))


@attrs.frozen(eq=False)
class Files:
    """The files of one run, read."""

    folder: Path
    result: Mapping[str, Any]
    certificate: Mapping[str, Any]
    spec: Mapping[str, Any]
    verdict: Verdict

    @staticmethod
    def read(folder: str | Path) -> Files:
        """Read a folder that ``dpframe run`` wrote, and verify it.

        Raises
        ------
        DataError
            When a file is missing or no longer what a run wrote.
        """
        place = Path(folder)
        name = next((n for n in RESULTS if (place / n).is_file()), RESULTS[0])
        try:
            result = json.loads((place / name).read_text(encoding="utf-8"))
            certificate = json.loads((place / "certificate.json").read_text(encoding="utf-8"))
            spec = tomllib.loads((place / "spec.toml").read_text(encoding="utf-8"))
        except OSError as error:
            raise DataError(f"{str(place)!r} holds no finished run: {error.strerror}", fix="give its folder") from None
        except (ValueError, RecursionError):
            raise DataError(f"a file in {str(place)!r} is malformed", fix="run again into another folder") from None
        verdict = verify(place / "certificate.json", spec=place / "spec.toml", result=place / name)
        return Files(place, result, certificate, spec, verdict)

    @property
    def model(self) -> Model | None:
        """The first released mixture or Gaussian."""
        for value in self.result["outputs"].values():
            if isinstance(value, Mapping) and ("means" in value or "covariance" in value):
                return Model.of(value)
        return None

    def columns(self, d: int) -> list[str]:
        """Names of the columns, numbers where the table has none."""
        named = self.result.get("columns")
        if not isinstance(named, list) or len(named) != d:
            named = range(d)
        return [f"column {c}" if isinstance(c, int) else str(c) for c in named]


# ------------------------------------------------------------------------------------------ tables


def table(model: Model, columns: Sequence[str]) -> str:
    """Weights, means and standard deviations, a line a component; with two columns their correlation too."""
    header, rows = _cells(model, columns)
    widths = [max(8, *(len(row[i]) for row in (header, *rows))) for i in range(len(header))]
    lines = ["  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)) for row in (header, *rows)]
    return "\n".join(lines)


def _cells(model: Model, columns: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    header = ["weight", *(f"mean {c}" for c in columns), *(f"sd {c}" for c in columns)]
    rows = []
    for weight, mean, sd, cov in zip(model.weights, model.means, model.deviations, model.covariances, strict=True):
        row = [f"{weight:.3f}", *(f"{v:.4g}".rjust(11) for v in mean), *(f"{v:.4g}".rjust(11) for v in sd)]
        rows.append([*row, f"{cov[0, 1] / (sd[0] * sd[1]):.3f}"] if model.d == 2 else row)
    return ([*header, "correlation"] if model.d == 2 else header), rows


# ----------------------------------------------------------------------------------------- picture


def draw(model: Model, columns: Sequence[str], *, title: str = "", axes: tuple[int, int] = (0, 1)) -> bytes:
    """The model as a PNG: each component's ellipses of one and two standard deviations.

    Parameters
    ----------
    model : Model
    columns : sequence of str
        One name a column.
    title : str
    axes : pair of int
        The two columns shown, where there are more; a model of one column is a curve.

    Raises
    ------
    SpecError
        Where matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise SpecError("pictures need matplotlib", fix="pip install 'dpframe[report]'") from None
    figure = Figure(figsize=(7.0, 5.0), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    plot = figure.add_subplot()
    if model.d == 1:
        _curve(plot, model)
        plot.set_xlabel(columns[0])
        plot.set_ylabel("density")
    else:
        _ellipses(plot, _marginal(model, axes))
        plot.set_xlabel(columns[axes[0]])
        plot.set_ylabel(columns[axes[1]])
    plot.set_title(title, loc="left", fontsize=11)
    plot.spines[["top", "right"]].set_visible(False)
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _marginal(model: Model, axes: tuple[int, int]) -> Model:
    index = list(axes)
    return Model(model.weights, model.means[:, index], model.covariances[:, index][:, :, index])


def _curve(plot: Any, model: Model) -> None:
    """The density of each component that has weight, and of all together."""
    seen = np.flatnonzero(model.weights > 0)
    means, deviations = model.means[seen, 0], model.deviations[seen, 0]
    x = np.linspace(float((means - 3.5 * deviations).min()), float((means + 3.5 * deviations).max()), 801)
    z = (x - means[:, None]) / deviations[:, None]
    each = (model.weights[seen] / (deviations * np.sqrt(2.0 * np.pi)))[:, None] * np.exp(-0.5 * z**2)
    for i, density in zip(seen, each, strict=True):
        plot.fill_between(x, density, color=COLOURS[i % len(COLOURS)], alpha=0.35, linewidth=0)
    plot.plot(x, each.sum(axis=0), color="#222222", linewidth=1.5)
    plot.set_xlim(x[0], x[-1])
    plot.set_ylim(bottom=0)


def _ellipses(plot: Any, model: Model) -> None:
    for i in np.flatnonzero(model.weights > 0):
        colour = COLOURS[i % len(COLOURS)]
        for size, alpha in ((2.0, 0.12), (1.0, 0.25)):
            ring = _ring(model.means[i], model.covariances[i], size)
            plot.fill(ring[:, 0], ring[:, 1], color=colour, alpha=alpha, linewidth=0)
            plot.plot(ring[:, 0], ring[:, 1], color=colour, linewidth=1.4)
        label = f"weight {model.weights[i]:.2f}"
        plot.plot(*model.means[i], "o", color=colour, markersize=4, label=label)
    plot.grid(color="#e8e8e8", linewidth=0.8)
    plot.set_axisbelow(True)
    plot.legend(frameon=False, fontsize=9, loc="best", title="1 and 2 sd", title_fontsize=9)


def _ring(mean: Any, covariance: Any, size: float) -> Any:
    angle = np.linspace(0.0, 2.0 * np.pi, 181)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    return mean + size * (np.linalg.cholesky(covariance) @ circle).T


# -------------------------------------------------------------------------------------------- HTML


def page(files: Files, *, picture: bytes | None = None) -> str:
    """One self-contained HTML page: what was promised, the ledger, the model, and whether it verifies."""
    result, certificate = files.result, files.certificate
    title = str(files.spec.get("title") or files.spec.get("name") or "A release")
    parts = [f"<h1>{safe(title)}</h1>", f'<p class="note">{safe(files.spec.get("source", ""))}</p>']
    parts.append(f"<p>{safe(_plainly(result, verified=files.verdict.verified))}</p><p>{safe(_promise(result))}</p>")
    if result["simulated"]:
        parts.append('<p class="bad">Simulated: the noise came from a seed. This is no release.</p>')
    if result["status"] == "failed":
        parts.append(f'<p class="bad">Failed: {safe(result["reason"])}</p><p>{safe(result["advice"])}</p>')
    quality = result.get("quality", {})
    if quality.get("verdict") == "poor":
        parts.append(f'<p class="bad">The result is poor: {safe(quality.get("why", ""))}</p>')
    model = files.model
    if model is not None:
        parts.append("<h2>Model</h2>" + _model_table(model, files.columns(model.d)))
    if picture is not None:
        data = base64.b64encode(picture).decode()
        parts.append(f'<p><img alt="The released model" src="data:image/png;base64,{data}"></p>')
    rows = _ledger_rows(certificate["graph"]["nodes"], "")
    spending = sum(bool(row[2]) for row in rows)
    steps = html_table(("node", "operation", "loss", "theorem"), rows, right=(2,))
    parts.append("<h2>Ledger</h2>" + folded(f"{len(rows)} steps, of which {spending} spend; the rest is free", steps))
    parts.append(folded("The graph of these steps", scrolled(svg(certificate))))
    parts.append("<h2>Proof</h2>" + _proof(files))
    return shell(title, "\n".join(parts))


def _plainly(result: Mapping[str, Any], *, verified: bool) -> str:
    """What the promise means, for a reader who knows no accountant; nothing where no proof stands behind it."""
    if result["simulated"]:
        return "This run tried the program out; its noise can be repeated, so it protects nobody."
    if not verified:
        return "Nothing shows that these results protect anybody: the proof below does not verify."
    loss = result["loss"]
    who = f"all rows of one {loss['unit']!r}" if "unit" in loss else "any one row"
    change = {"replace_one": "replaced by another", "add_remove": "added or left out"}.get(loss["adjacency"], "changed")
    return (
        f"Noise was added so that these results would be nearly as likely with {who} {change}. "
        "How nearly is what the numbers below say: smaller ones protect better."
    )


def _promise(result: Mapping[str, Any]) -> str:
    loss = result["loss"]
    numbers = ", ".join(f"{k} = {v:.6g}" for k, v in loss.items() if isinstance(v, (int, float)))
    return f"Differential privacy with {numbers} under {loss['adjacency']}, by the accountant {loss['accountant']}."


def _model_table(model: Model, columns: Sequence[str]) -> str:
    header, rows = _cells(model, columns)
    return html_table(header, rows, right=range(len(header)))


def _ledger_rows(nodes: Sequence[Mapping[str, Any]], prefix: str) -> list[list[str]]:
    rows = []
    for node in nodes:
        name = prefix + str(node["name"])
        mechanism = node.get("mechanism")
        loss = _loss_words(mechanism["worst"]["loss"]) if mechanism else ""
        rows.append([name, str(node["operation"]), loss, str(node["theorem"])])
        for label, body in node.get("bodies", {}).items():
            rows += _ledger_rows(body["nodes"], f"{name}/{label}/")
    return rows


def _loss_words(loss: Mapping[str, Any]) -> str:
    words = []
    for event, times in loss["events"]:
        inner = ", ".join(f"{k}={v:.4g}" for k, v in event.items() if isinstance(v, float))
        words.append(f"{event['type']} {inner}".strip() + (f" ×{times}" if times != 1 else ""))
    if loss.get("delta"):
        words.append(f"δ={loss['delta']:.3g}")
    return " + ".join(words) or "0"


def _proof(files: Files) -> str:
    certificate = files.certificate
    if files.verdict.verified:
        parts = ["<p>The certificate verifies, and belongs to this spec and this result.</p>"]
        if files.verdict.hypotheses:
            items = "".join(f"<li>{safe(h)}</li>" for h in files.verdict.hypotheses)
            parts.append(f"<p>It holds, given {counted(files.verdict.assertions)}:</p><ul>{items}</ul>")
    else:
        reasons = "; ".join(files.verdict.reasons)
        parts = [f'<p class="bad">The certificate does not verify: {safe(reasons)}</p>']
    digests = "".join(
        f"<li>{name}: <code>{safe(certificate.get(key))}</code></li>"
        for name, key in (("spec.toml", "spec_sha256"), ("result", "result_sha256"))
    )
    parts.append(f'<p class="note">{safe(certificate.get("statement", ""))}</p><ul>{digests}</ul>')
    return "".join(parts)


# ------------------------------------------------------------------------------------------- files


def write(folder: str | Path) -> list[Path]:
    """Draw ``model.png`` (where a model was released and matplotlib is there) and ``report.html`` into the folder.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    DataError
        When the folder holds no finished run.
    """
    files = Files.read(folder)
    written = []
    picture = None
    model = files.model
    if model is not None:
        try:
            picture = draw(model, files.columns(model.d), title=_caption(files))
        except SpecError:
            picture = None
    if picture is not None:
        written.append(files.folder / "model.png")
        written[-1].write_bytes(picture)
    written.append(files.folder / "report.html")
    written[-1].write_text(page(files, picture=picture), encoding="utf-8")
    return written


def _caption(files: Files) -> str:
    loss = files.result["loss"]
    numbers = ", ".join(f"{_GREEK.get(k, k)} = {v:.3g}" for k, v in loss.items() if isinstance(v, (int, float)))
    mark = "SIMULATED, " if files.result["simulated"] else ""
    return f"{mark}{files.spec.get('title', '')}\n{numbers}, {loss['adjacency'].replace('_', '-')}"


_GREEK = {"epsilon": "ε", "delta": "δ", "rho": "ρ", "mu": "μ"}
