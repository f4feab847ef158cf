"""Masks of one number on the same Gaussians for two near values: how often an event holds for one of them alone.

Each run is handed the same numbers for both, so that P(release of the first in A) − P(release of the second in A) is
the share of runs in which A holds for the first alone, less that in which it holds for the second alone, whatever the
mask does. Where a value moves the release by little both are few, and a difference of one part in a hundred shows in
tens of thousands of runs. Some runs choose an interval A, fresh ones count it, more of them while they promise
something. All places together refute a mask that holds with a chance of at most :data:`FALSE_ALARM`.
"""

from __future__ import annotations

import functools
import itertools
import math
import time
from typing import Any

import numpy as np

from dpframe.testing.battery.mask_draws import Priced, priced_pairs
from dpframe.testing.battery.mask_tails import LONGEST, Again, Release, Tape, affine
from dpframe.testing.limits import clopper_pearson

FALSE_ALARM = 1e-10
PLACES = ((0.02, 0.5), (0.08, 0.5), (0.5, 0.5))
"""ρ and r: a law with a peak differs most from a Gaussian one where values are as far apart as a third of its width."""
LEAST_PLACES, LEAST_LENGTH = 2, 3
"""Places looked at however slow the machine; Gaussians from which on a mask is: what is made of one or two has its law
computed."""
PILOT, ROUNDS, CUTS = 3000, (12_000, 48_000), 17
"""Runs that choose an interval; those that count it, round after round; cuts among which the interval lies."""
LOOKED = 8
"""Runs that tell how many Gaussians a mask asks for."""
PROMISING = 2.0
"""Deviations by which more than is allowed has to show, that more runs are made."""
SLOW = 60.0
"""Times its seconds that counting may take where it promises something."""


def attack_shared(mask: Priced, seconds: float) -> tuple[str, dict[str, Any]]:
    """What refutes its price, in words and numbers; empty where nothing does."""
    rng, end = np.random.default_rng(31), time.process_time() + seconds
    for rho, r, noise, event, pair in priced_pairs(mask, PLACES, rng, end, sure=LEAST_PLACES):
        release = functools.partial(mask.release, noise)
        if _length(release, pair[0], rng) < LEAST_LENGTH or affine(release, pair[0], rng) is not None:
            return "", {}
        limit = mask.allowed(event, 0.0)
        found = _more_often(release, pair, limit, rng, end + SLOW * seconds)
        if found is not None:
            least, only, runs, words = found
            words = (
                f"P({words}) is larger by at least {least:.4g} for one of two near values, and {event} allows "
                f"{limit:.4g}: with the same Gaussians it holds for that one alone in {only[0]} of {runs}, for the "
                f"other alone in {only[1]}"
            )
            return words, {"values": list(pair), "noise": noise, "rho": rho, "r": r}
    return "", {}


def _length(release: Release, value: Any, rng: np.random.Generator) -> int:
    """How many Gaussians it asks for at most in a few runs; 0 where it asks for too many in each of them."""
    used = [0]
    for _ in range(LOOKED):
        tape = Tape(rng.standard_normal(LONGEST))
        try:
            release(value, tape)
        except Again:
            continue
        used.append(tape.used)
    return max(used)


def _more_often(
    release: Release, pair: tuple[Any, Any], limit: float, rng: np.random.Generator, end: float
) -> tuple[float, tuple[int, int], int, str] | None:
    """By how much an interval is at least more probable for one value, in how many runs alone, of how many; words."""
    pilot = _runs(release, pair, rng, PILOT, end)
    if np.isnan(pilot).all():
        return None
    cuts = np.nanquantile(pilot, np.linspace(0, 1, CUTS)[1:-1])
    ends = [-math.inf, *cuts.tolist(), math.inf]
    shares = {ab: _only(pilot, *ab) for ab in itertools.combinations(ends, 2)}
    chosen = max(shares, key=lambda ab: abs(shares[ab][0] - shares[ab][1]))
    turned = shares[chosen][0] < shares[chosen][1]
    if not _promises(shares[chosen], len(pilot), limit):
        return None
    for runs in ROUNDS:
        fresh = _runs(release, pair, rng, runs, end)
        one, two = _only(fresh, *chosen)[:: -1 if turned else 1]
        alpha = FALSE_ALARM / (2 * len(PLACES) * len(ROUNDS))
        made = max(len(fresh), 1)
        least = float(clopper_pearson(np.array(one), made, alpha)[0] - clopper_pearson(np.array(two), made, alpha)[1])
        if least > limit * (1 + 1e-6):
            return least, (one, two), made, f"a release above {chosen[0]:.6g}, at most {chosen[1]:.6g}"
        if not _promises((one, two), made, limit) or time.process_time() > end:
            return None
    return None


def _promises(only: tuple[int, int], runs: int, limit: float) -> bool:
    """Whether more than is allowed seems to be shown."""
    deviation = math.sqrt(sum(only) + 1.0)
    return abs(only[0] - only[1]) - limit * runs > PROMISING * deviation


def _only(drawn: Any, low: float, high: float) -> tuple[int, int]:
    """Runs in which the first alone lies above ``low`` and not above ``high``, and those in which the second does.

    What asked for too many numbers may be either: it is counted on the side that shows less.
    """
    one, two = ((drawn > low) & (drawn <= high)).T
    found, unknown = (int((one & ~two).sum()), int((two & ~one).sum())), int(np.isnan(drawn).any(axis=1).sum())
    return (found[0], found[1] + unknown) if found[0] >= found[1] else (found[0] + unknown, found[1])


def _runs(release: Release, pair: tuple[Any, Any], rng: np.random.Generator, runs: int, end: float) -> Any:
    """Releases of both values, a row a run; no numbers where a run asks for too many Gaussians."""
    made = np.full((runs, 2), np.nan)
    for row in range(runs):
        numbers = rng.standard_normal(LONGEST)
        for side, value in enumerate(pair):
            try:
                made[row, side] = release(value, Tape(numbers))[0]
            except Again:
                made[row] = np.nan
                break
        if row % 512 == 0 and time.process_time() > end:
            return made[: row + 1]
    return made
