"""What the passes of the practical mixture tell of their result: a function of released values, with no new release."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import attrs
import numpy as np

from dpframe.plugin import Failed, Quality

from .bounds import words
from .goodness import FARTHER, SAMPLES, Fit, drawn, log_densities
from .records import Floats, Mixture, conditioned

NOISY = 0.85
"""Poor where a component's covariance carries more noise than this (spectral norm in its own metric; 1 is noise as
large as the covariance). All results of R's tables with more that were level with EM lack a component of EM's.
Numbers: RECIPE.md, "Noise is judged in nats a row"."""
SPARED, LEFT = 2.0, 0.5
"""A component with noise of up to `SPARED` is no reason for `poor`, if a shape that components share (`pooling`)
leaves at most `LEFT` of noise. Above `SPARED` components were seen that had found no rows. Numbers: RECIPE.md,
"False alarms"."""
MOVING = 0.034
"""Poor where the last passes changed the density by more nats a row than this (`changes`), beyond what noise costs
and in one direction, not to and fro. Good results seldom move by more (the limit lies just above the largest move of
most). It is the density's move that counts, since components that overlap trade rows without harm. Numbers:
RECIPE.md, "Movement is how far the density moves"."""
NOISES = 4.0
"""A move of more than this times both passes' noise is no noise: moves lie below 2 where passes have settled, and
above 7 on slow tables. Numbers: RECIPE.md, "Movement is how far the density moves"."""
DRIFT, STILL = 0.25, 0.007
"""Poor where the density changed by `DRIFT` nats a row in eight passes, and still changes by `STILL` a pass. Good
results can drift as far, but have slowed down by then. Numbers: RECIPE.md, "Movement is how far the density moves"."""
GAIN, WIDER, WIDE = 0.01, 0.1, 0.05
"""Poor where the histogram shows that the result could be better by so many nats a row; an optimum is farther still.

- `GAIN`: other sizes of all covariances would surely gain so much, and rows are less likely than the mixture's own;
- `WIDER`: the same, and rows are likelier (a mixture that is a little too wide is no fault);
- `WIDE`: one more component for rows far outside would surely gain so much.

Good results stay below each. Numbers: RECIPE.md, "Other sizes need gain .01"."""
SHORT, BEYOND = 0.1, 0.02
"""Poor where rows are `SHORT` nats less likely in the mean than the mixture's own, and one more, wide component
would gain `BEYOND` for those of all bins far outside: covariances lack what clips took off. Neither tells alone:
EM's optimum leaves rows far outside too, and other sizes gain least where all components lack as much. Numbers:
RECIPE.md, "Other sizes need gain .01"."""


@attrs.frozen
class Limits:
    """Of movement and of the histogram: see `MOVING`, `WIDER`, `SHORT` and `BEYOND`."""

    moving: float = MOVING
    narrower: float = GAIN
    wider: float = WIDER
    short: float = SHORT
    beyond: float = BEYOND


STRICT = Limits(0.015, GAIN, 0.03, -math.inf, 0.06)
"""The limits where the last pass clipped farther out, and none before it had settled. Movement is then that of the
passes before, which see less, and the histogram is compared with the result, which has taken up what it found. With
them as many bad results are called and fewer good ones. Numbers: RECIPE.md, "The verdict is told that the last pass
clipped farther out"."""
TAILED = 0.06
"""`GAIN` where a tail follows, which takes up rows that are less likely: what is called by sizes alone below this is
mostly level with EM. Numbers: RECIPE.md, "Other sizes need gain .01"."""
OPEN, POSSIBLE = 0.2, 0.5
"""Unchecked where both hold, in nats a row:

- `OPEN`: noise does not exclude that rows are less likely than the mixture's own by so much;
- `POSSIBLE`: the few rows that surely are 3 to 30 nats below would make it so much if all of them were 30 below. In
  more than four columns it is larger (`open_from`), since a shortfall of s gains s²/d by other sizes.

At these limits hardly any good result is left open. Numbers: RECIPE.md, "Few far rows leave the verdict open"."""
COSTLY = 0.06
"""Poor where the noise of covariances costs so many nats a row (`cost`): results with less were at most .034 nats
behind EM with few exceptions, those with more .07 and farther. Numbers: RECIPE.md, "Noise is judged in nats a row"."""
SHARED, LESS = 0.1, 0.75
"""The limit `SHARED` in place of `COSTLY`, where a shape that components share (`pooling`) brings what noise costs
below `LESS` times what it was: of such noise as much costs less. Numbers: RECIPE.md, "Noise is judged in nats a
row"."""
ELSEWHERE = 0.08
"""Poor where the released cells prefer a start to the result by so many nats a row, beyond chance (`alternatives`).
Results level with EM stay below. Numbers: RECIPE.md, "Noise is judged in nats a row"."""
FEWER = 0.3
"""`ELSEWHERE` where fewer components were chosen than there may be: more of them fit the edges of published cells,
too, so good results have more. Numbers: RECIPE.md, "Noise is judged in nats a row"."""
FLAT = 2.0**-10
"""A deviation below this share of the component's largest counts as this share where moves are judged. Where columns
determine one another each pass finds a smaller one, and the density grows without end, as EM's would without its
`reg_covar`."""
HOPELESS = 1.5
"""Failed where even the component that is known best carries this much noise: such results were worse than one
Gaussian. Numbers: RECIPE.md, "Noise is judged in nats a row"."""
MEND = ": more rows, fewer components or a larger budget make it better"
REST = (
    ": passes have not come to rest: a larger budget brings more of them, fewer components need fewer, and columns "
    "that repeat others or hold one value in many rows are better left out"
)
LOST = 1.0
"""Where passes are gathered, shapes that are noise are not believed, and means can be right all the same. Such a
result has failed only where some component found no rows, or where the noise of its mean is more than this many
deviations."""


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


def changes(model: Mixture, befores: Sequence[Mixture]) -> list[float]:
    """Nats a row by which the density diverges from each that was (Kullback and Leibler), by rows drawn from it.

    Components that trade places, or share rows in another way, change no density. Drawn rows err by the root of
    2/`SAMPLES` times it: .002 where it is .04.

    Examples
    --------
    >>> unit = Mixture([1.0], [[0.0]], [[[1.0]]])
    >>> [round(nats, 2) for nats in changes(unit, [Mixture([1.0], [[0.2]], [[[1.0]]])])]
    [0.02]
    >>> halves = Mixture([0.3, 0.7], [[0.0], [0.0]], [[[1.0]], [[1.0]]])
    >>> abs(changes(halves, [unit])[0]) < 1e-9
    True
    """
    model, *befores = (attrs.evolve(each, cholesky=conditioned(each.cholesky, FLAT)) for each in (model, *befores))
    rows = drawn(model, SAMPLES, np.random.default_rng(0))
    own = log_densities(model, rows)
    return [float((own - log_densities(before, rows)).mean()) for before in befores]


def cost(model: Mixture) -> float:
    """Nats a row that the noise of the covariances costs by itself: of E in whitened coordinates, |E|² / 4 in the mean.

    With spectral norm ν a diagonal entry has the deviation ν/√(2d), the others that over √2, so that |E|² / 4 is
    ν² (d + 1) / 16. Shapes are pulled towards spheres where that is less; what is lost then is what they hide.

    Examples
    --------
    >>> cost(Mixture([0.5, 0.5], [[0.0], [1.0]], [[[1.0]], [[1.0]]], [0.4, 0.8]))
    0.05
    """
    return float(model.weights @ model.noise**2) * (int(model.means.shape[1]) + 1) / 16.0


def movement(models: Sequence[Mixture], early: Sequence[Mixture] = ()) -> tuple[float, float]:
    """Nats a row by which the last of these changed the density, beyond what its noise costs, and by which all did.

    By the less of what it changed since each of the two before.
    """
    last, recent = models[-1], models[-3:-1]
    found = changes(last, [*recent, *early])
    moved = max(min(found[: len(recent)], default=0.0) - cost(last), 0.0)
    return moved, max(found[len(recent) :], default=0.0)


def settling(models: Sequence[Mixture]) -> float:
    """Nats a row by which the last of these passes changed the density beyond what noise of both its mixtures costs.

    That of the first counts as well where it comes of a trial pass, whose share is small: its noise costs two to ten
    times as much, and the next pass, which doesn't share it, moves away from it. 0 where there is one mixture.

    Examples
    --------
    >>> first, then = (Mixture([1.0], [[m]], [[[1.0]]], [noise]) for m, noise in ((0.4, 0.6), (0.0, 0.2)))
    >>> round(settling([first, then]), 2), round(movement([first, then])[0], 2), settling([then])
    (0.03, 0.07, 0.0)
    """
    if len(models) < 2:
        return 0.0
    before, model = models[-2:]
    return max(changes(model, [before])[0] - cost(model) - cost(before), 0.0)


def told(noise: Floats, left: Floats | None) -> Floats:
    """The noise of components as it is judged: what a shared shape leaves of it, where that is little (`SPARED`).

    Examples
    --------
    >>> told(np.array([0.3, 1.2, 1.2, 9.0]), np.array([0.5, 0.9, 0.2, 0.0])).round(2).tolist()
    [0.3, 1.2, 0.24, 9.0]
    """
    if left is None:
        return noise
    return np.where((noise > NOISY) & (noise <= SPARED) & (noise * left <= LEFT), noise * left, noise)


def open_from(dimension: int) -> float:
    """Nats a row by which rows that may be less likely leave a verdict open: see `POSSIBLE`.

    Examples
    --------
    >>> open_from(2), open_from(16)
    (0.5, 1.0)
    """
    return POSSIBLE * math.sqrt(max(dimension, 4) / 4.0)


def judge(
    models: Sequence[Mixture],
    left: Floats | None = None,
    *,
    early: Sequence[Mixture] = (),
    fit: Fit | None = None,
    nearest: float = 0.0,
    elsewhere: float = 0.0,
    widened: bool = False,
    tail: bool = False,
    kept: Callable[[Mixture], Mixture] | None = None,
) -> Quality:
    """The verdict on an average of the last passes' mixtures, in their order.

    Poor where the noise of the last pass is more than `NOISY` of some component's covariance (spectral norm, in its
    own metric), or where the density still moves: by more than `MOVING` nats a row in the last pass beyond what noise
    costs (`cost`), and not back to where it was two passes before, or slowly over many passes (``early``: a mixture of
    some passes before); or where rows are so much less likely than the mixture's own that other sizes of its
    covariances would surely gain `GAIN`, or so much likelier that they would gain `WIDER`, or where one more and wide
    component would gain `WIDE`. Poor, too, where that noise costs more than `COSTLY` nats a row in all, or `SHARED`,
    and where the cells prefer a start by ``elsewhere`` nats a row, more than `ELSEWHERE`; of better optima that no
    start was near it sees nothing. A last pass that was ``widened`` moves by what it mends, and its noise costs rows
    with heavy tails less than Gaussian ones: movement and noise are those of the passes before (`settling`), and limits
    `STRICT` where none of them only settled. Unchecked where nothing of that holds, but rows may be less likely by
    `open_from` nats.

    ``left`` is the factor of each component's noise that its covariance has in the result (`pooling`): what it costs.
    ``kept`` gives what is released of a mixture where components are left out or merged: its noise is judged, and
    ``elsewhere`` (more than `FEWER`) of it.
    """
    limits = attrs.evolve(STRICT if widened and not early else Limits(), **({"narrower": TAILED} if tail else {}))
    still, drift = movement(models, early)
    before = models[:-1] if widened else models
    moved = settling(before) if widened else still
    released = kept or (lambda one: one)
    last = released(attrs.evolve(before[-1], noise=told(before[-1].noise, left)))
    at = int(last.noise.argmax())
    noise = float(last.noise[at])
    costs = cost(last if left is None else released(attrs.evolve(before[-1], noise=before[-1].noise * left)))
    costly = SHARED if costs < LESS * cost(released(before[-1])) else COSTLY
    numbers = f"the noise is {noise:.2g} times the covariance of a component with weight {last.weights[at]:.2g}"
    numbers += (
        f" (poor above {NOISY:g}), and the last passes changed the density by {_shown(moved, limits.moving)} nats "
    )
    numbers += "a row more than "
    numbers += f"that costs (poor above {limits.moving:g})"
    if drift > DRIFT and still > STILL:
        numbers += f"; in the passes before, it changed by {drift:.2g} nats a row (poor above {DRIFT}): "
        return Quality("poor", numbers + "passes have not come to rest, a larger budget brings more of them")
    misfit = "" if fit is None else misfits(fit, limits)
    if misfit:
        return Quality("poor", numbers + misfit)
    if elsewhere > (most := ELSEWHERE if kept is None else FEWER):
        numbers += f"; the cells prefer a start that passes left, by {elsewhere:.2g} nats a row (poor above {most})"
        return Quality("poor", numbers + ": a larger budget, or fewer components")
    if noise <= NOISY and costs > costly:
        numbers += f"; the noise of all covariances costs some {costs:.2g} nats a row (poor above {costly})"
        return Quality("poor", numbers + words(nearest) + MEND)
    if noise <= NOISY and moved <= limits.moving:
        if fit is not None and fit.most > OPEN and fit.possible > open_from(fit.dimension):
            return Quality("unchecked", numbers + open_question(fit))
        return Quality("good", numbers)
    return Quality("poor", numbers + words(nearest) + (MEND if noise > NOISY else REST))


def _shown(value: float, limit: float) -> str:
    """A number with two digits, or so many that one above a limit is seen to be.

    Examples
    --------
    >>> _shown(0.0312, 0.034), _shown(0.0252, 0.025)
    ('0.031', '0.0252')
    """
    return next(text for digits in range(2, 18) if (float(text := f"{value:.{digits}g}") > limit) == (value > limit))


def open_question(fit: Fit) -> str:
    """Words for what the histogram leaves open: rows too few to tell how unlikely they are.

    Examples
    --------
    >>> "up to 0.6 nats" in open_question(Fit(0.1, 0.1, 4, unseen=0.4))
    True
    """
    return (
        f"; some rows are {FARTHER[-1]:g} to {FARTHER[-2]:g} nats less likely than rows of the mixture itself, too few "
        f"to tell how much: all may be up to {fit.possible:.2g} nats less likely in the mean (unchecked above "
        f"{open_from(fit.dimension):.2g}): tail=true, a larger budget or more rows"
    )


def misfits(fit: Fit, limits: Limits = Limits()) -> str:
    """What the histogram of log densities says against the mixture; nothing where it says nothing.

    Examples
    --------
    >>> misfits(Fit(0.2, 0.05, 2))
    ''
    >>> "less likely" in misfits(Fit(0.4, 0.0, 2)), "likelier" in misfits(Fit(-0.5, 0.0, 2))
    (True, True)
    >>> "far outside" in misfits(Fit(0.2, 0.1, 2, beyond=0.03)), misfits(Fit(0.0, 0.1, 2, beyond=0.03))
    (True, '')
    """
    if fit.wide > WIDE:
        return (
            f"; {fit.outside:.2g} of the rows are more than {FARTHER[0]:g} nats less likely than rows of the mixture "
            f"itself, and one more, wide component would gain at least {fit.wide:.2g} nats a row (poor above {WIDE}): "
            "tail=true, one component more, or clip such rows"
        )
    if fit.shortfall > limits.short and fit.beyond > limits.beyond:
        less = (
            f"; rows are {_shown(fit.shortfall, limits.short)} nats less likely in the mean than rows of the mixture "
        )
        less += f"itself would be (poor above {limits.short:g}), and one more"
        return (less if limits.short > 0.0 else "; one more") + (
            f", wide component would gain at least {_shown(fit.beyond, limits.beyond)} nats a row for rows far outside "
            f"(poor above {limits.beyond}): tail=true, one component more, or clip such rows"
        )
    less_likely = fit.shortfall > 0.0
    if fit.gain > (most := limits.narrower if less_likely else limits.wider):
        than = f"{abs(fit.shortfall):.3g} nats {'less likely' if less_likely else 'likelier'}"
        return (
            f"; rows are {than} in the mean than rows of the mixture itself would be, and other sizes of its "
            f"covariances would gain at least {_shown(fit.gain, most)} nats a row (poor above {most}): a larger budget"
            + ", or tail=true where few rows lie far outside"
            * (less_likely and limits.narrower < TAILED)
        )
    return ""
