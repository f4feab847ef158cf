"""Which private passes are made: fewer and better ones where a trial pass would be noise, from public numbers only."""

from __future__ import annotations

import math
from typing import Any

import attrs

from dpframe.plugin import Handle
from dpframe_plugins.classic.sizing import public_numbers

from .clipping import ANCHOR, clip_radius, entry_noise, gaussian_radius
from .dense import MOST_COLUMNS
from .gathering import MENDED
from .nodes import COUNTED
from .recipe import AVERAGED, BRIEF, SHARES
from .sampling import sample_rows
from .starting import PLACES, RANGE, TRIALS
from .subspace import subspace_dimension
from .truncation import response

SCARCE = 0.2
"""Rows are scarce from so much spectral noise in a component's covariance after a last pass: trial passes then drown
clusters that the cells show. Numbers: RECIPE.md, "One start, and passes that gather what they see"."""
SURER = 0.08
"""`SCARCE` in few columns, where the start is the likeliest by the counts of all cells: noise that trial passes add
to it loses more clusters than a second start finds. Numbers: RECIPE.md, "In at most three columns rows count as
scarce"."""
FEW = tuple(1.1**t / sum(1.1**u for u in range(12)) for t in range(12))
"""Shares of the twelve passes where rows are scarce, for one start. What passes see is gathered, so more passes cost
nothing but time; the last ones, with the best metric, have more. Numbers: RECIPE.md, "Twelve gathered passes"."""
WIDENED = 2
"""How many of them, the last, may clip farther out: one alone has too much noise, and three, which must be told by
an earlier mixture, come less near to EM. Numbers: RECIPE.md, "Where rows are scarce the last two"."""
AMPLE = 0.03
"""The budget is ample up to this noise over sampling error of a covariance's entry, squared. Half of it can then go
to passes before the last two: the other half's noise adds at most 1.5 % to the error."""
MANY = (0.03, 0.03, 0.04, 0.05, *(0.35 / 16,) * 16, 0.25, 0.25)
"""Shares of the passes there: four trial passes, sixteen to settle, two to be averaged. EM goes on gaining for a
dozen steps after six passes on some tables. Numbers: RECIPE.md, "Sixteen passes more where the budget is ample"."""

ENOUGH, PASSES_ARE_CHEAP = 0.12, 2e5
"""`AMPLE` for eight passes that settle, with a quarter of the budget: their noise adds 1 % to the error. And the
rows up to which this is done: with more, a pass takes seconds. Numbers: RECIPE.md, "Eight passes to settle"."""
LONG = 8
"""Where there are passes that settle, the verdict compares the last mixture with that of so many passes before."""
SOME = (0.03, 0.03, 0.04, 0.06, *(0.03,) * 8, 0.3, 0.3)
MANY_COMPONENTS = 7
"""Components from which on planes are counted beside the cells, where rows are not scarce: the cells' starts of
fewer come right in trial passes. Numbers: RECIPE.md, "Planes beside the cells"."""
WIDER, WIDER_PLACES = 2, 3
"""Where there are passes that settle: directions beyond those that components span, in which cells are counted as
well, and how many starts are tried. Numbers: RECIPE.md, "Starts from k + 1 directions"."""
WIDER_CHOICE, CHOICE_NOISE = 0.03, 0.01
"""Of the choice among these: its share, and the nats a row that its noise may be. Rows speak by as many nats as that
allows: by three nats a row narrow components win that cost the tails more."""
LONG_TRIALS = {MANY: 12, SOME: 6}
"""Trial passes where passes settle: starts from other directions are chosen too early after four."""
MANY_ROWS = 8e5
"""From so many rows on a pass takes a second, so whatever can be is read beside something else. Numbers: RECIPE.md,
"Few passes where rows are many"."""
SAMPLED_NOISE = 0.1
"""Trial passes over so many rows read a sample, unless the spectral noise that this puts into a component's
covariance is larger: they find which optimum, and the passes on all rows find where it is. Numbers: RECIPE.md, "A
sample finds the optimum"."""
FARTHEST = 1e-7
"""Part of what the rows span that two rounds of the search may err by: a hundredth of a deviation where rows lie 1e5
deviations from 0."""


@attrs.frozen
class Schedule:
    """How many starts are tried, in how many passes, the shares of all passes, and how many of the last are averaged.

    Where rows are scarce passes are gathered (`gathering`), and no radii are counted. Passes `mend` only what starts
    from published cells can lack: after starts from all counts a count that is low by noise alone would lose a cluster.
    A ``brief`` schedule reads what the starts are chosen by in their last pass. A ``sample`` of the
    rows is enough for the Gram matrix, trial passes and what the starts are chosen by where that is said.
    """

    places: int
    trials: int
    shares: tuple[float, ...]
    averaged: int = AVERAGED
    gathers: bool = False
    radii: bool = True
    mends: bool = True
    brief: bool = False
    sample: bool = False
    choice: float = SHARES.choice
    wide: bool = False

    @property
    def settles(self) -> bool:
        """Whether there are passes that only settle, of which the verdict needs to see none."""
        return not self.gathers and len(self.shares) > self.trials + self.averaged

    @property
    def widened(self) -> int:
        """How many of the last passes, where no tail follows, wait for the histogram of log densities (`widening`)."""
        return 0 if self.brief else WIDENED if self.gathers else 1

    def update(self, t: int, seed: int) -> tuple[str, dict[str, Any]]:
        """Name and parameters of the node that follows the pass at place t.

        Examples
        --------
        >>> few = Schedule(1, 0, FEW, 1, gathers=True)
        >>> [sum(few.update(t, 0)[1].values()) for t in range(len(FEW))]
        [0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 1, 0]
        """
        if not self.gathers:
            return "practical.update", {"seed": seed + t}
        end = len(self.shares) - MENDED
        return "practical.gather", {
            "mends": self.mends and MENDED <= t <= end,
            "cuts": self.mends and MENDED <= t < end,
        }


def predicted_noise(rows: float, dimension: int, components: int, rho: float) -> float:
    """Spectral norm of the noise in a component's covariance of one pass, for equal weights.

    Examples
    --------
    >>> round(predicted_noise(8406, 18, 6, 0.0075), 2), round(predicted_noise(1e5, 10, 4, 0.0075), 2)
    (1.65, 0.04)
    """
    multiplier = 1.0 / math.sqrt(2.0 * rho)
    clip = clip_radius(dimension, rows, components, multiplier)
    std = multiplier * math.sqrt(2.0) * (1.0 + ANCHOR**2) * clip**2
    return std * math.sqrt(2.0 * dimension) * components / (max(rows, 1.0) * response(dimension, clip).shape)


def noise_share(rows: float, dimension: int, components: int, rho: float) -> float:
    """Noise over sampling error of a covariance's entry in one pass, squared, for equal weights and Gaussian tails.

    Examples
    --------
    >>> round(noise_share(1e6, 10, 4, 0.0075), 3), round(noise_share(3e4, 6, 3, 0.7), 3)
    (0.113, 0.023)
    """
    multiplier, each = 1.0 / math.sqrt(2.0 * rho), max(rows, 1.0) / components
    noise = entry_noise(dimension, gaussian_radius(dimension, rows, components, multiplier), each, multiplier)
    return noise**2 * each


def is_scarce(x: Handle, components: int, share: float) -> bool:
    """Whether passes of this share of ρ in all have more noise in a component's covariance than `SCARCE` or `SURER`."""
    public, last = public_numbers(x, share), SHARES.passes[-1] / sum(SHARES.passes)
    most = SURER if public.d <= MOST_COLUMNS else SCARCE
    return components > 1 and predicted_noise(public.rows, public.d, components, last * public.rho) > most


def seeks_briefly(x: Handle, scale: float) -> bool:
    """Whether passes are dear, and two rounds of the search find the centre; ``scale`` is what shares are shares of."""
    public = public_numbers(x, scale)
    noise = 2.0 * math.sqrt(public.d / (2.0 * public.rho * BRIEF.centers[0])) / public.rows
    return public.rows >= MANY_ROWS and noise**2 <= FARTHEST


def counts_show(x: Handle, components: int, share: float, times: float = COUNTED) -> bool:
    """Whether components of equal weight stand out of the noise of counts that are released with this share of ρ."""
    public = public_numbers(x, share)
    return public.rows / components >= times / math.sqrt(public.rho)


def wider_rank(x: Handle, components: int, share: float) -> int:
    """Directions in which cells are counted beside those of the leading ones; 0 where they are not."""
    planned = schedule(x, components, share)
    return min(subspace_dimension(x.d, components) + WIDER, x.d) if planned.wide else 0


def choice_range(x: Handle, share: float) -> float:
    """Nats by which one row can speak for or against a start where noise of a choice of this share of ρ allows it."""
    public = public_numbers(x, share)
    return max(RANGE, CHOICE_NOISE * public.rows * math.sqrt(2.0 * public.rho) / 2.0)


def _looks_wider(d: int, components: int) -> bool:
    """Whether there are more directions than components span, and cells alone show the components."""
    return d > max(subspace_dimension(d, components), MOST_COLUMNS) and components < MANY_COMPONENTS


def schedule(x: Handle, components: int, share: float, *, one: bool = False) -> Schedule:
    """The schedule for this share of ρ: from n, d, k and the budget.

    ``one`` says that there is one start: a second place would see the rows once more, and halve the share of each.
    """
    usual = tuple(w / sum(SHARES.passes) for w in SHARES.passes)
    public = public_numbers(x, share)
    places = PLACES if components > 1 and not one else 1
    if is_scarce(x, components, share):
        return Schedule(1, 0, FEW, 1, gathers=True, radii=False, mends=public.d > MOST_COLUMNS)
    if components == 1:
        return Schedule(places, TRIALS, usual)
    noise = noise_share(public.rows, public.d, components, usual[-1] * public.rho)
    some = noise <= ENOUGH and public.rows <= PASSES_ARE_CHEAP
    shares = MANY if noise <= AMPLE else SOME if some else usual
    if public.rows < MANY_ROWS:
        wider = (
            shares != usual and places > 1 and public.rows <= PASSES_ARE_CHEAP and _looks_wider(public.d, components)
        )
        if wider:
            return Schedule(WIDER_PLACES, LONG_TRIALS[shares], shares, choice=WIDER_CHOICE, wide=True)
        return Schedule(places, TRIALS, shares)
    noise = predicted_noise(sample_rows(x), public.d, components, min(shares[: TRIALS - 1]) / places * public.rho)
    return Schedule(places, TRIALS, shares, brief=True, sample=noise <= SAMPLED_NOISE)
