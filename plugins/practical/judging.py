"""What the passes of the practical mixture tell of their result: a function of released values, with no new release."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpframe.plugin import Failed, Quality

from .bounds import words
from .goodness import FARTHER, Fit
from .records import Floats, Mixture

NOISY, MOVING = 0.85, 0.085
"""Poor above this much noise in a covariance, or where the last pass moved components by more nats a row than this. Of
93 results of bench/verdicts.py (half ``tuning``, three bases) within 0.05 nats of EM one had more: 0.61 and 0.178; the
next had 0.79 and 0.081. Of the 60 that were 0.2 nats behind, without rows far outside, these limits call 3 more than
1 and 0.14 do."""
UNEXPLAINED = 0.06
"""Poor where the last pass moved components by so many nats a row, and noise does not explain it (`settled`): 0.07 to
0.11 on R's movies at ε=1, 0.6 to 1 nats behind EM; on flights, level, 0.003 to 0.02; 0.1 in one of 7 runs."""
NOISES = 4.0
"""Moves of more than this times both passes' noise are no noise: 0.2 to 1.9 on benchmark G, 7 to 32 on a table of the
weather whose clusters are thin sheets."""
DRIFT, STILL = 0.25, 0.01
"""Poor where components diverged by so many nats a row from what they were eight passes ago, and still move by so many
a pass. Of 26 results for ε from 4 to 1000 the six that were .155 nats or more behind EM had .40 to 2.7; of the others
18 had at most .15, two .32 and 1.4. A table that moved by 3.3 and then by .002 a pass was at EM's optimum."""
GAIN, WIDE = 0.03, 0.05
"""Poor where other sizes of all covariances would surely gain so many nats a row, or one more component for rows far
outside: an optimum is farther still. On R's movies at ε=16, level with EM, such a component would gain 0.04."""
COSTLY = 0.06
"""Poor where the noise of covariances costs so many nats a row (`cost`). Of results called good so far, eight with
.015 to .047 were .008 to .034 nats behind EM; .061, .084, .12 and .14 were .07 to .15 behind; .052 (parallel clusters,
ε=.3), .066 (thin ones in six columns), .095 and .14 (blobs of a few thousand rows) were .24, 1.4, .28 and .33."""
ELSEWHERE = 0.08
"""Poor where the released cells prefer a start to the result by so many nats a row, beyond chance (`alternatives`): an
S in three columns at ε=16, settled .26 nats behind EM, had .097; of 40 results within 0.05 nats none more than 0; on
flights, ahead of EM, whose thin sheets cells do not show, .05, .02 and .01."""
HOPELESS = 1.5
"""Failed where even the component that is known best carries this much noise. Of 30 results on tables of 150 to 6000
rows the 10 with more were worse than one Gaussian, by 3 to 1e5 nats a row; with 1.1 one was better by 3 nats."""
MEND = ": more rows, fewer components or a larger budget make it better"
LOST = 1.0
"""Where passes are gathered, shapes that are noise are not believed, and means can be right all the same: failed only
where some component found no rows, or has noise of so many deviations in its mean."""


def drowned(model: Mixture, nearest: float = 0.0) -> Failed | None:
    """What to say where the last pass was noise alone, for every component; None where one stands out.

    ``nearest`` is what no method can do better (`bounds`), 0 where that is not said.

    Examples
    --------
    >>> drowned(Mixture([0.5, 0.5], [[0.0], [1.0]], [[[1.0]], [[1.0]]], [0.3, 9.0])) is None
    True
    """
    least = float(model.noise.min(initial=np.inf))
    if not HOPELESS < least < np.inf or _means_are_known(model):
        return None
    return Failed(
        f"noise drowns the table: it is at least {least:.2g} of every component's covariance{words(nearest)}",
        "use more rows, fewer components or columns, or a larger epsilon",
    )


def _means_are_known(model: Mixture) -> bool:
    """Whether gathered passes know the mean of every component."""
    seen = model.gathered
    if seen is None or not seen.known.all():
        return False
    return bool(np.sqrt(model.means.shape[1] * seen.mean_variances).max() <= LOST)


def drifts(model: Mixture, before: Mixture) -> Floats:
    """Move of each component between two passes, in its own deviations: of its mean or of a log variance.

    Examples
    --------
    >>> unit = Mixture([1.0], [[0.0]], [[[1.0]]])
    >>> drifts(unit, Mixture([1.0], [[3.0]], [[[2.0]]])).tolist()
    [3.0]
    """
    moves = np.zeros(model.weights.size)
    for j in range(model.weights.size):
        inverse = np.linalg.inv(model.cholesky[j])
        shift = float(np.linalg.norm(inverse @ (before.means[j] - model.means[j])))
        widths = np.linalg.svd(inverse @ before.cholesky[j], compute_uv=False)
        moves[j] = max(shift, float(np.abs(2.0 * np.log(widths)).max()))
    return moves


def settled(models: Sequence[Mixture]) -> int:
    """How many of the last passes' mixtures differ by their noise alone, and may be averaged: at least one.

    Where passes still move by more than noise, an average lags behind the last one: it never reaches EM's
    optimum, however little noise there is.
    """
    last = models[-1]
    count = 1
    for before in reversed(models[:-1]):
        if (drifts(last, before) > NOISES * (last.noise + before.noise)).any():
            break
        count += 1
    return count


def divergence(model: Mixture, before: Mixture) -> float:
    """Nats a row by which each component diverges from what it was, in the mean (Kullback and Leibler).

    Examples
    --------
    >>> unit = Mixture([1.0], [[0.0]], [[[1.0]]])
    >>> divergence(Mixture([1.0], [[2.0]], [[[1.0]]]), unit)
    2.0
    """
    total, d = 0.0, model.means.shape[1]
    for j, weight in enumerate(model.weights):
        inverse = np.linalg.inv(before.cholesky[j])
        root, shift = inverse @ model.cholesky[j], inverse @ (model.means[j] - before.means[j])
        half = float(np.log(np.abs(np.diagonal(root))).sum())
        total += float(weight) * (0.5 * (float((root**2).sum()) - d + float(shift @ shift)) - half)
    return total


def cost(model: Mixture) -> float:
    """Nats a row that the noise of the covariances costs by itself: of E in whitened coordinates, |E|² / 4 in the mean.

    With spectral norm ν a diagonal entry has the deviation ν/√(2d), the others that over √2, so that |E|² / 4 is
    ν² (d + 1) / 16. Shapes are pulled towards spheres where that is less; what is lost then is what they hide.

    Examples
    --------
    >>> cost(Mixture([0.5, 0.5], [[0.0], [1.0]], [[[1.0]], [[1.0]]], [0.4, 0.8]))
    0.05
    """
    squares = float(model.weights @ model.noise**2)
    return squares * (int(model.means.shape[1]) + 1) / 16.0


def judge(
    models: Sequence[Mixture],
    *,
    early: Sequence[Mixture] = (),
    fit: Fit | None = None,
    nearest: float = 0.0,
    elsewhere: float = 0.0,
) -> Quality:
    """The verdict on an average of the last passes' mixtures, in their order.

    Poor where the noise of the last pass is more than `NOISY` of some component's covariance (spectral norm, in its
    own metric), or where components still move: by more than `MOVING` nats a row in the last pass, or less far but by
    more than noise explains (`UNEXPLAINED`), or slowly over many
    passes (``early``: a mixture of some passes before); or where rows are so much less likely than the mixture's own
    would be that other sizes of its covariances, or one more and wide component, would surely gain `GAIN` or `WIDE`. It
    sees noise, passes that have not settled, outliers and wrong sizes. Poor, too, where that noise costs more than
    `COSTLY` nats a row in all, or where the cells prefer a start by ``elsewhere`` nats a row, more than `ELSEWHERE`; of
    better optima that no start was near it sees nothing.
    """
    last = models[-1]
    at = int(last.noise.argmax())
    noise = float(last.noise[at])
    moved = max((divergence(last, before) for before in models[-2:-1]), default=0.0)
    numbers = f"the noise is {noise:.2g} of the covariance of a component with weight {last.weights[at]:.2g}"
    numbers += f" (poor above {NOISY:g}), and the last pass moved components by {moved:.2g} nats a row "
    numbers += f"(poor above {MOVING:g}, or above {UNEXPLAINED:g} where noise does not explain it)"
    drift = max((divergence(last, before) for before in early), default=0.0)
    if drift > DRIFT and moved > STILL:
        numbers += f"; in the passes before, components drifted by {drift:.2g} nats a row (poor above {DRIFT}): "
        return Quality("poor", numbers + "passes have not come to rest, a larger budget brings more of them")
    if fit is not None and fit.wide > WIDE:
        numbers += (
            f"; {fit.outside:.2g} of the rows are more than {FARTHER[0]:g} nats less likely than rows of the mixture "
            f"itself, and one more, wide component would gain at least {fit.wide:.2g} nats a row (poor above {WIDE}): "
        )
        return Quality("poor", numbers + "tail=true, one component more, or clip such rows")
    if fit is not None and fit.gain > GAIN:
        numbers += (
            f"; rows are {fit.shortfall:.3g} nats less likely in the mean than rows of the mixture itself would be, "
        )
        numbers += (
            f"and other sizes of its covariances would gain at least {fit.gain:.2g} nats a row (poor above {GAIN}): "
        )
        return Quality("poor", numbers + "a larger budget, or tail=true where few rows lie far outside")
    if elsewhere > ELSEWHERE:
        numbers += (
            f"; the cells prefer a start that passes left, by {elsewhere:.2g} nats a row (poor above {ELSEWHERE})"
        )
        return Quality("poor", numbers + ": a larger budget, or fewer components")
    costs = cost(last)
    if noise <= NOISY and costs > COSTLY:
        numbers += f"; the noise of all covariances costs some {costs:.2g} nats a row (poor above {COSTLY})"
        return Quality("poor", numbers + words(nearest) + MEND)
    unexplained = moved > UNEXPLAINED and settled(models) == 1
    if noise <= NOISY and moved <= MOVING and not unexplained:
        return Quality("good", numbers)
    return Quality("poor", numbers + words(nearest) + MEND)
