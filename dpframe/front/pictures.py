"""A released mixture as a table and as a picture.

Examples
--------
>>> model = Model.of({"weights": [1.0], "means": [[3.0]], "covariances": [[[4.0]]]})
>>> print(table(model, ["height"]))
  weight  mean height    sd height
   1.000            3            2
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.errors import SpecError

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
            content = {"weights": [1.0], "means": [content["mean"]], "covariances": [content["covariance"]]}
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


# ------------------------------------------------------------------------------------------ tables


def table(model: Model, columns: Sequence[str]) -> str:
    """Weights, means and standard deviations, a line a component; with two columns their correlation too."""
    header, rows = cells(model, columns)
    widths = [max(8, *(len(row[i]) for row in (header, *rows))) for i in range(len(header))]
    lines = ["  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)) for row in (header, *rows)]
    return "\n".join(lines)


def cells(model: Model, columns: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """The table's header and its rows."""
    header = ["weight", *(f"mean {c}" for c in columns), *(f"sd {c}" for c in columns)]
    rows = []
    for weight, mean, sd, cov in zip(model.weights, model.means, model.deviations, model.covariances, strict=True):
        row = [f"{weight:.3f}", *(f"{v:.4g}".rjust(11) for v in mean), *(f"{v:.4g}".rjust(11) for v in sd)]
        rows.append([*row, f"{cov[0, 1] / (sd[0] * sd[1]):.3f}"] if model.d == 2 else row)
    return ([*header, "correlation"] if model.d == 2 else header), rows


# ----------------------------------------------------------------------------------------- picture


MOST = 7
"""So many columns are drawn, by pairs."""


def draw(model: Model, columns: Sequence[str], *, title: str = "", axes: tuple[int, int] | None = None) -> bytes:
    """The model as a PNG: each component's ellipses of one and two standard deviations, for every pair of columns.

    Parameters
    ----------
    model : Model
    columns : sequence of str
        One name a column.
    title : str
    axes : pair of int, optional
        One pair only. A model of one column is a curve; of more than seven columns the first seven are drawn
        (a report has all pairs beside it).

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
    shown = min(model.d, MOST)
    side = 1 if axes is not None or shown < 3 else shown - 1
    size = (7.0, 5.0) if side == 1 else (2.6 * side, 2.2 * side + 0.4)
    figure = Figure(figsize=size, dpi=150 if side == 1 else 100, layout="constrained")
    FigureCanvasAgg(figure)
    if model.d == 1:
        _labelled(_plot(figure), columns[0], "density", lambda plot: _curve(plot, model))
    elif side == 1:
        x, y = axes or (0, 1)
        _labelled(_plot(figure), columns[x], columns[y], lambda plot: _ellipses(plot, _marginal(model, (x, y))))
    else:
        _pairs(figure, model, columns[:shown])
    if side == 1:
        figure.axes[0].set_title(title, loc="left", fontsize=11)
    else:
        figure.suptitle(title, x=0.02, ha="left", fontsize=11)
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _plot(figure: Any, *place: int) -> Any:
    plot = figure.add_subplot(*place)
    plot.spines[["top", "right"]].set_visible(False)
    return plot


def _labelled(plot: Any, across: str, up: str, paint: Callable[[Any], None]) -> None:
    paint(plot)
    plot.set_xlabel(across)
    plot.set_ylabel(up)


def _pairs(figure: Any, model: Model, columns: Sequence[str]) -> None:
    """A triangle: columns from left to right against those from top to bottom, weights told once."""
    side = len(columns) - 1
    for up in range(1, side + 1):
        for across in range(up):
            plot = _plot(figure, side, side, (up - 1) * side + across + 1)
            _ellipses(plot, _marginal(model, (across, up)), told=False)
            plot.tick_params(labelsize=7)
            if across == 0:
                plot.set_ylabel(columns[up], fontsize=9)
            if up == side:
                plot.set_xlabel(columns[across], fontsize=9)
    figure.legend(*figure.axes[0].get_legend_handles_labels(), frameon=False, loc="upper right", fontsize=9)


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


def _ellipses(plot: Any, model: Model, *, told: bool = True) -> None:
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
    if told:
        plot.legend(frameon=False, fontsize=9, loc="best", title="1 and 2 sd", title_fontsize=9)


def _ring(mean: Any, covariance: Any, size: float) -> Any:
    angle = np.linspace(0.0, 2.0 * np.pi, 181)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    return mean + size * (np.linalg.cholesky(covariance) @ circle).T
