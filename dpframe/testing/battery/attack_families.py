"""Attacks on a family of distributions: rows one by one, a density that is normalised, a sampler that fits it."""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.families.density_scores import log_densities
from dpframe.kernel.families.registering import Family
from dpframe.testing.battery import memos, sizes
from dpframe.testing.battery.attack_row_maps import attack_row_map
from dpframe.testing.battery.lab import Crash, Lab, call, fingerprint
from dpframe.testing.battery.replacing import USER_MODULE
from dpframe.testing.battery.row_images import Use
from dpframe.testing.battery.worlds import Lost, elsewhere

DRAWS, FALSE_ALARM = 20_000, 1e-7
COLUMNS, PAIRS = (3, 1, 2, 8), 6
"""Columns that are tried until its sampler gives as many: a family may be one of a single column."""
SEEN = (3.0, 1e3, 1e-3)
"""How large rows are that a family sees before it is asked for what no row may decide."""
FACTORS = (1e-3, 1e3, 1e-9)
"""How much narrower and wider rows are that further members are fitted to: a density may do otherwise for them."""


def attack_family(lab: Lab, known: Family, *, thorough: bool = False) -> str:
    """Row-wise and pure densities; parameters of the declared size; sampler and density of one law; the kind."""
    lab.ran("docstring", "rowwise", "purity", "totality", "density")
    if not (inspect.getdoc(known.log_density) or "").strip():
        lab.fail("docstring", f"{known.name!r} has no docstring: say what its parameters are")
    _attack_public(lab, known)  # before any rows were fitted in this process
    made: list[Any] = []
    for columns in COLUMNS:
        try:
            thetas = [_member(known, columns, lab.rng) for _ in range(4)]
            drawn = [np.asarray(call(known.sample, theta, 60, lab.rng), dtype=np.float64) for theta in thetas]
            fitted = np.asarray(call(known.fit, drawn[0], lab.rng), dtype=np.float64)
        except (Crash, ValueError) as error:
            made.append(f"family {known.name!r} gave {error}")
            continue
        if all(rows.shape == (60, columns) and np.isfinite(rows).all() for rows in drawn):
            break
        made.append(f"sample gives {drawn[0].shape}, not (60, {columns}) finite numbers")
    else:
        lab.fail("totality", made[0])
        return "family"
    if fitted.shape != thetas[0].shape or not np.isfinite(fitted).all():
        lab.fail("totality", f"fit gives {fitted.shape}, not {thetas[0].shape} finite parameters")
    more = [*_fitted_elsewhere(known, drawn[0], fitted.shape, lab.rng)]
    thetas, drawn = [*thetas, *(theta for theta, _ in more)], [*drawn, *(rows for _, rows in more)]
    before = [theta.copy() for theta in thetas]

    def image(values: Any) -> Any:
        return np.stack([np.asarray(known.log_density(values, theta), dtype=np.float64) for theta in thetas], axis=1)

    def held(values: Any) -> Any:
        return log_densities(known, values, thetas).T

    use = Use(columns, len(thetas), (), (("drawn rows", np.concatenate([rows[:10] for rows in drawn])),))
    attack_row_map(lab, image, [use], thorough=thorough)
    own = str(known.log_density.__module__).startswith(USER_MODULE)  # what ships has tests of its own
    pools = tuple(sizes.tables(columns, np.random.default_rng(0), sizes.numbers(known.log_density)))
    attack_row_map(lab, held, [attrs.evolve(use, pools=pools)], thorough=thorough, past=own)
    if not all(np.array_equal(a, b) for a, b in zip(before, thetas, strict=True)):
        lab.fail("purity", "the log-density changes its parameters", theta=before[0])
    _attack_past(lab, known, thetas, pools[0][1])
    for _ in lab.rounds(PAIRS):
        if not _normalised(lab, known, columns):
            break
    return "family"


def _attack_past(lab: Lab, known: Family, thetas: Sequence[Any], rows: Any) -> None:
    """The same members' densities, after those of members that are like them."""
    asked = thetas[:2]
    past = [near for theta in asked for near in memos.alike(theta)]

    def densities(before: Sequence[Any]) -> list[bytes]:
        made = [call(known.log_density, rows.copy(), theta.copy()) for theta in (*before, *asked)]
        return [fingerprint(np.asarray(one, dtype=np.float64)) for one in made[len(before) :]]

    with contextlib.suppress(Lost):  # what ends its process, or raises, is another attack's to find
        if elsewhere(lambda: densities(())) != elsewhere(lambda: densities(past)):
            lab.fail("purity", "a member's density is another after those of members like it", members=asked)


def _attack_public(lab: Lab, known: Family) -> None:
    """What is asked of it without a row, before and after rows were fitted and looked at: draws, a member, its size."""

    def told(columns: int, factors: Sequence[float]) -> list[bytes]:
        member = call(known.example, columns, np.random.default_rng(0))
        rows = np.random.default_rng(3).standard_normal((60, columns))
        for factor in factors:
            with contextlib.suppress(Crash):
                call(known.fit, rows * factor, np.random.default_rng(0))
            with contextlib.suppress(Crash):
                call(known.log_density, rows * factor, np.array(member))
        drawn = call(known.sample, np.array(member), 60, np.random.default_rng(1))
        again = call(known.example, columns, np.random.default_rng(0))
        return [fingerprint(np.asarray(one, dtype=np.float64)) for one in (drawn, again, known.size(columns))]

    for columns in COLUMNS:
        with contextlib.suppress(Lost):  # it is of another number of columns
            before, after = (elsewhere(functools.partial(told, columns, seen)) for seen in ((), SEEN))
            if before != after:
                words = "its draws or members are others once it has seen rows: it keeps something of them"
                lab.fail("purity", words, columns=columns)
                return


def _fitted_elsewhere(known: Family, rows: Any, shape: Any, rng: np.random.Generator) -> Iterator[tuple[Any, Any]]:
    """Members that its own learner finds for much narrower and much wider rows, and rows of theirs."""
    for factor in FACTORS:
        try:
            theta = np.asarray(call(known.fit, rows * factor, rng), dtype=np.float64)
            made = np.asarray(call(known.sample, theta, 60, rng), dtype=np.float64)
        except (Crash, ValueError):  # there need not be such members
            continue
        if theta.shape == shape and made.shape == rows.shape and np.isfinite(theta).all() and np.isfinite(made).all():
            yield theta, made


def _member(known: Family, columns: int, rng: np.random.Generator) -> Any:
    theta = np.asarray(call(known.example, columns, rng), dtype=np.float64)
    if theta.shape != (int(known.size(columns)),) or not np.isfinite(theta).all():
        raise ValueError(f"a member with parameters {theta!r}, not {known.size(columns)} finite numbers")
    return theta


def _normalised(lab: Lab, known: Family, columns: int) -> bool:
    """∫ min(f, g), estimated under either law: both estimates are means of numbers in [0, 1] (Hoeffding)."""
    pair = [_member(known, columns, lab.rng) for _ in range(2)]
    pair[1] = pair[0] + 0.5 * (pair[1] - pair[0])  # near enough to overlap
    found = []
    for own in (0, 1):
        rows = np.asarray(known.sample(pair[own], DRAWS, lab.rng), dtype=np.float64)
        logs = log_densities(known, rows, np.array(pair))
        found.append(float(np.exp(np.minimum(logs[1 - own] - logs[own], 0.0)).mean()))
    allowed = 2 * math.sqrt(math.log(4 / FALSE_ALARM) / (2 * DRAWS))
    if abs(found[0] - found[1]) > allowed:
        text = f"the overlap of two members is {found[0]:.4g} by draws of one, {found[1]:.4g} by draws of the other"
        lab.fail("density", f"{text}: the density is not normalised, or not the sampler's", members=pair)
        return False
    return True
