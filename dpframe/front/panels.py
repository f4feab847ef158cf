"""Every pair of columns of a released mixture, as small drawings in a page: where one picture has no room for them.

Examples
--------
>>> model = Model.of({"mean": [3.0, 1.0], "covariance": [[4.0, 0.0], [0.0, 1.0]]})
>>> panels(model, ["height", "age"]).count("<svg")
1
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpframe.front.pictures import COLOURS, Model
from dpframe.shown import folded, safe

MOST = 64
"""Columns of which all pairs are drawn; of more, the first."""
SIDE, MARGIN, REACH = 120.0, 4.0, 2.2
"""Of a drawing, in pixels; and how many standard deviations of each component it shows."""


def panels(model: Model, columns: Sequence[str]) -> str:
    """A folded list: each column against every one before it.

    Parameters
    ----------
    model : Model
        Of at least two columns.
    columns : sequence of str
        One name a column.
    """
    shown = min(model.d, MOST)
    seen = np.flatnonzero(model.weights > 0)[::-1]  # the heaviest is painted last
    means, covariances = model.means[seen], model.covariances[seen]
    reach = REACH * np.sqrt(np.einsum("kii->ki", covariances))
    low, high = (means - reach).min(axis=0), (means + reach).max(axis=0)
    scale = (SIDE - 2.0 * MARGIN) / np.maximum(high - low, np.finfo(np.float64).tiny)
    at, spread = (means - low) * scale + MARGIN, covariances * scale[:, None] * scale
    colours = [COLOURS[i % len(COLOURS)] for i in seen]
    rows = []
    for up in range(1, shown):
        cells = [_panel(columns, (across, up), at, spread, colours) for across in range(up)]
        told = f"{columns[up]}, upwards from {low[up]:.4g} to {high[up]:.4g}, against:"
        rows.append(f'<p>{safe(told)}</p><div class="panels">{"".join(cells)}</div>')
    left = f" of the first {shown} of {model.d} columns" if shown < model.d else " of columns"
    lead = '<p class="note">Ellipses at two standard deviations, in the colours of the picture.</p>'
    return folded(f"All {shown * (shown - 1) // 2:,} pairs{left}", lead + "".join(rows))


def _panel(columns: Sequence[str], pair: tuple[int, int], at: Any, spread: Any, colours: Sequence[str]) -> str:
    index = list(pair)
    across, up = (columns[i] for i in pair)
    sizes, axes = np.linalg.eigh(spread[:, index][:, :, index])
    long = axes[:, :, 1]
    turned = -np.degrees(np.arctan2(long[:, 1], long[:, 0]))  # pictures count downwards
    radii = 2.0 * np.sqrt(np.maximum(sizes, 0.0))
    drawn = "".join(
        f'<ellipse rx="{b:.1f}" ry="{a:.1f}" fill="{c}" stroke="{c}" '
        f'transform="translate({x:.1f} {SIDE - y:.1f}) rotate({t:.1f})"/>'
        for c, (x, y), (a, b), t in zip(colours, at[:, index], radii, turned, strict=True)
    )
    return (
        f'<figure><svg class="panel" viewBox="0 0 {SIDE:.0f} {SIDE:.0f}" role="img"><title>{safe(up)} against '
        f"{safe(across)}</title>{drawn}</svg><figcaption>{safe(across)}</figcaption></figure>"
    )
