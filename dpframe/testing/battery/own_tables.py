"""Neighbouring tables on which statistics of a plugin's own are compared with their claims.

Of every size in their code, of equal rows, of rows at its numbers, beside released values that are such a number.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Exact
from dpframe.kernel.own.claims import LARGEST
from dpframe.proof.spaces import ADD, REMOVE, REPLACE_ONE, Edits
from dpframe.testing.battery import compared, derived, metrics, own_filled, sizes, special
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.clocks import LONG, spent
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.own_climb import climb_tables
from dpframe.testing.battery.own_graphs import claimed, graphs, unlike
from dpframe.testing.battery.own_inputs import of_table, params_of
from dpframe.testing.battery.own_rare import attack_rare
from dpframe.testing.battery.own_reports import report
from dpframe.testing.battery.released_kinds import at_numbers
from dpframe.testing.battery.shapes import DIGITS, almost_whole, coarse, heaps, in_order, links, odd_ones, shapes

TABLES = (0, 1, 2, 7, 30, 100, 300, 1000, 3000)
MOST_ROWS, STRIDE = 20_000, 7
"""Rows of tables, and equal ones that are added at a time."""
FULL, BRIEF = 4.0, 1.0
"""How many times its seconds tables that fill a type may take, and where it is brief."""
DEAR = 6.0
"""CPU seconds that tables of one size may take, guessed from smaller ones as their square."""
FAR = (0.0, 1.0, -1.0, DIGITS, 1e3, -1e6, 1e12)
"""One of them has as many digits as a number can have."""
COUNTERS, MOST_NEAR, COUNTED = (2**15 - 1, 2**16 - 1), 12, 2100
"""Equal rows of which one more no longer fits into two bytes; rows, and numbers, of which its code speaks together.

And equal rows up to which all numbers of them are tried: half precision skips every other one from 2048 on.
"""
SCOUT = 2000
"""Rows that tell what more of them take."""
DOUBLINGS = 14
STEPS = tuple((2**i, 2 ** (i + 1)) for i in range(DOUBLINGS))[::-1]
"""Numbers of different rows, the largest first."""
MANY = tuple(Edits(*pair) for k in (5, 17, 60) for pair in ((k, k), (k, 0), (0, k)))
"""Units of many rows: a claim may be right up to a few of them."""


def tables_of(case: Case, counts: Iterable[int]) -> list[tuple[Exact, ...]]:
    """Tables of these sizes."""
    d = int(getattr(case.domains[0], "d", 1))
    pools = sizes.tables(d, np.random.default_rng(d))
    return [(Exact(np.resize(pools[i % len(pools)][1], (m, d))),) for i, m in enumerate(counts)]


def attack_tables(lab: Lab, case: Case, function: Any, seconds: float, *, brief: bool = False) -> None:
    """Neighbours of every size that its code speaks of, with rows at its constants and far away.

    ``function`` is what these numbers are looked for in; ``brief`` leaves out what takes longer than a moment.
    """
    lab.ran("sensitivity")
    d, end = int(getattr(case.domains[0], "d", 1)), spent() + seconds
    code = sizes.numbers(function)
    own = [*_met(case, d, code), *code]
    declared = metrics.by_edits(case.operation, case.domains, (REPLACE_ONE, REMOVE, ADD))
    if _numbered(lab, case, declared, function, seconds / 2):
        return
    several = metrics.by_edits(case.operation, case.domains, MANY)
    rare = attack_rare(lab, case, declared, own, seconds / 8)
    if (
        rare
        or _at_released(lab, case, declared, own)
        or any(_apart(lab, case, several, "no rows", *table) for table in _units(d))
    ):
        return
    until = spent() + seconds + LONG * (not brief)
    for words, others, row, other in itertools.takewhile(lambda _: spent() < until, shapes(d, [*code, *own])):
        if _apart(lab, case, declared, words, others, row, other):
            return
    began = spent()
    if _filled(lab, case, declared, code, seconds, brief=brief):
        return
    end += spent() - began  # what large tables take, the others have too
    if not brief and (_counted(lab, case, declared, seconds / 4) or _doubled(lab, case, seconds)):
        return
    lattice = float(of_table(case, np.zeros((0, d))).step)
    most = LARGEST * lattice
    numbers = sizes.numbers(function, 2.0**53)
    beside = coarse(d, numbers)
    placed = itertools.chain(links(d), in_order(d, own), odd_ones(d), almost_whole(d), special.tables(d), beside)
    until = spent() + LONG + seconds / 4
    totals = derived.totals(d, code, int(own_filled.affordable(case, d, seconds)))
    made = itertools.takewhile(lambda _: spent() < until, totals)
    known: Any = case.operation
    joined = graphs(d, claimed(declared, known.known.claim))
    added = () if brief else unlike(d, numbers, lattice)
    beyond = itertools.takewhile(lambda _: spent() < until, itertools.chain(joined, added))
    if any(_apart(lab, case, declared, *table) for table in itertools.chain(placed, beyond, made)):
        return
    if any(_apart(lab, case, declared, *table, first=True) for table in heaps(d, own, most)):
        return
    if not _climbed(lab, case, declared, own, seconds / 2, brief=brief):
        _of_all_sizes(lab, case, declared, function, end, brief=brief)


def _filled(lab: Lab, case: Case, declared: Any, code: Sequence[float], seconds: float, *, brief: bool) -> bool:
    """Whether rows of its numbers that fill a type of numbers tell neighbours apart; the fewest rows first."""
    d, end = int(getattr(case.domains[0], "d", 1)), spent() + (BRIEF if brief else FULL) * max(seconds, 1.0)
    full = sorted(own_filled.full(d, code), key=lambda table: len(table[1]))
    reach = own_filled.reach(case, max((len(table[1]) for table in full), default=0), seconds)
    for table in full:
        if len(table[1]) > reach or spent() > end:
            lab.note("it takes long: tables of many rows were not tried")
            break
        if _apart(lab, case, declared, *table):
            return True
    return False


def _at_released(lab: Lab, case: Case, declared: Any, own: Sequence[float]) -> bool:
    """Whether rows beside released values that are numbers of the code, or lie between, tell neighbours apart."""
    d = int(getattr(case.domains[0], "d", 1))
    for params in at_numbers(case.domains[case.private :], own):
        known = [float(x) for value in params for x in np.ravel(value)[:1]]
        for x in (*known, *(1.5 * x + 1 for x in known), *FAR[1:4]):
            words = f"3 rows of {x:g}"
            one = np.full((1, d), x)
            if _apart(lab, case, declared, words, np.repeat(one, 3, axis=0), one, -one - 1, params=params):
                return True
    return False


def _met(case: Case, d: int, own: list[float]) -> list[float]:
    """Numbers that rows meet in a call and that are not among the code's own."""
    operation: Any = case.operation
    function, told = operation.known.function, params_of(case)
    plain = np.random.default_rng(5).standard_normal((14, d))
    return compared.compared(lambda rows: function(rows, *told, **operation.keywords), (plain[:7], 3 * plain[7:]), own)


def _units(d: int) -> Iterable[tuple[Any, Any, Any]]:
    """No others, a unit's rows and those in their place: all equal, on both sides of 0."""
    for x in FAR[1:3]:
        yield np.zeros((0, d)), np.full((1, d), x), np.full((1, d), -x)


def _of_all_sizes(lab: Lab, case: Case, declared: Any, function: Any, end: float, *, brief: bool) -> None:
    """Tables of every size, of rows of every kind; the first round of them however long it takes, unless ``brief``."""
    d, rng = int(getattr(case.domains[0], "d", 1)), np.random.default_rng(3)
    pools, seconds = sizes.tables(d, rng), end - spent()
    known = sizes.constants(function)
    counts = [*dict.fromkeys([*TABLES, *sizes.around(known, MOST_ROWS)])]
    special = [*FAR, *(x for c in known[:20] for x in (c, c + 1, c - 0.5, -c - 1))]
    special += [x for c in sizes.numbers(function)[:20] for x in (c, 1.25 * c)]
    dear = (1, 0.0)
    for round_ in range(4):
        for i, m in enumerate(counts):
            began = spent()
            if ((round_ or brief) and began > end) or began > end + LONG:
                return
            if m > dear[0] and dear[1] * (m / dear[0]) ** 2 > DEAR * max(seconds, 1.0):
                lab.note("it takes long: tables of many rows were not tried")
                continue
            words, pool = pools[(i + round_) % len(pools)]
            base = pool[rng.integers(len(pool), size=m)] if i % 3 else np.full((m, d), special[i % len(special)])
            rows = [
                np.full((1, d), special[int(rng.integers(len(special)))]),
                (base if m else pool)[:1],
                np.zeros((1, d)),
            ]
            for one in rows:
                other = rows[int(rng.integers(3))] if i % 2 else -one
                if _apart(lab, case, declared, f"{m} {words} rows", base, one, other):
                    return
            if m >= dear[0]:
                dear = (m, spent() - began)


def _numbered(lab: Lab, case: Case, declared: Any, function: Any, seconds: float) -> bool:
    """Whether so many equal rows of such a number, both of its code, tell neighbours apart; counters' ends too."""
    d, end = int(getattr(case.domains[0], "d", 1)), spent() + seconds
    counts = sizes.around(sizes.constants(function), MOST_ROWS)[:MOST_NEAR]
    near = [x for c in sizes.numbers(function)[::-1] for x in (1.25 * c, c, -1.25 * c)][:MOST_NEAR]
    plain = [(m, x) for m in (0, 3) for x in FAR if x]
    tried = [*plain, *itertools.product(counts, near), (SCOUT, FAR[1]), *((m, x) for m in COUNTERS for x in FAR[1:3])]
    took = 0.0
    for i, (m, x) in enumerate(tried):
        began = spent()
        dear = took * m / SCOUT > seconds or took * (m / SCOUT) ** 2 > DEAR * max(seconds, 1.0)
        if (i >= len(plain) and m < SCOUT and began > end) or (m > MOST_ROWS and dear):
            continue
        one, other = np.full((1, d), x), np.full((1, d), FAR[2] if x > 0 else FAR[1])
        if _apart(lab, case, declared, f"{m} equal rows", np.full((m, d), x), one, other):
            return True
        took = spent() - began if m == SCOUT else took
    return False


def _counted(lab: Lab, case: Case, declared: Any, seconds: float) -> bool:
    """Whether one more of so many equal rows, every number of them in turn, tells neighbours apart; for a while.

    Before that :data:`STRIDE` more at a time, where the claim is one of several rows too: a few sizes may be special.
    """
    edits = next((e for e in (ADD, REPLACE_ONE) if e in declared), None)
    if edits is None:
        return False
    end = spent() + seconds
    several = attrs.evolve(edits, removed=edits.removed * STRIDE, added=edits.added * STRIDE)
    far = metrics.by_edits(case.operation, case.domains, (several,))
    coarse = range(0, COUNTED - COUNTED % STRIDE, STRIDE)
    if far and _one_more(lab, case, coarse, several, far[several], end):
        return True
    fine = (*range(SCOUT, COUNTED), *range(SCOUT))  # what half precision skips first
    return _one_more(lab, case, fine, edits, declared[edits], end)


def _one_more(lab: Lab, case: Case, counts: Iterable[int], edits: Edits, claimed: Any, end: float) -> bool:
    d = int(getattr(case.domains[0], "d", 1))
    table = np.full((COUNTED, d), FAR[1])
    before: tuple[int, Exact] | None = None
    for m in counts:
        rows = np.vstack([table[:m], -table[m:]]) if edits.removed else table[:m]
        made = of_table(case, rows)
        if before is not None and m == before[0] + edits.added:
            found = metrics.excess(metrics.difference(before[1], made), claimed)
            if found[0] > 1:
                words = f"neighbours are too far apart: {found[1]}"
                less = f"and {edits.added} less"
                lab.fail("sensitivity", words, case=case.text, rows=f"{m} of {FAR[1]:g}, {less}", edits=edits)
                return True
        if spent() > end:
            break
        before = m, made
    return False


def _doubled(lab: Lab, case: Case, seconds: float) -> bool:
    """Whether tables of ever more different rows are further apart than is declared of as many edits; for a while.

    Sizes made by arithmetic, and numbers of different rows, need not stand in its code. Between sizes a power of two
    apart the half that moves more, by what is declared of so many edits, is halved again, down to neighbours.
    """
    d, end = int(getattr(case.domains[0], "d", 1)), spent() + seconds
    most = own_filled.affordable(case, d, seconds)
    counted = np.arange(2.0**DOUBLINGS)[:, None] + 1
    pools = (counted + np.arange(d), np.random.default_rng(21).standard_normal((len(counted), d)))
    grown = [_Grown(case, pool, replaced) for pool in pools for replaced in (False, True)]
    for (less, more), tables in itertools.product([step for step in STEPS if step[1] <= most], grown):
        for low, high in tables.down(less, more):
            words, ratio = tables.moved(low, high)
            if ratio > 1:
                rows = f"{high} different ones" + ", and others that are equal" * tables.replaced
                edits = f"{high - low} {'replaced' if tables.replaced else 'added'}"
                told = {"rows": rows, "edits": edits, "last": tables.pool[high - 1]}
                who = "neighbours" if high - low == 1 else f"tables {high - low} edits apart"
                lab.fail("sensitivity", f"{who} are too far apart: {words}", case=case.text, **told)
                return True
            if spent() > end:
                return False
    return False


@attrs.define(eq=False)
class _Grown:
    """Tables of the first rows of a pool, by how many these are; where rows are replaced beside others, all equal.

    Those have ``size`` rows in all.
    """

    case: Case
    pool: Any
    replaced: bool
    size: int = attrs.field(default=0, init=False)
    known: dict[tuple[int, int], Exact] = attrs.field(factory=dict, init=False)

    def of(self, m: int) -> Exact:
        """What the statistic says of so many."""
        if (m, self.size) not in self.known:
            rest = np.repeat(self.pool[:1], max(0, self.size - m), axis=0)
            self.known[m, self.size] = of_table(self.case, np.concatenate([self.pool[:m], rest]))
        return self.known[m, self.size]

    def moved(self, less: int, more: int) -> tuple[str, float]:
        """In what words, and how far by what is declared, two are apart; 0 if nothing is."""
        edits = Edits((more - less) * self.replaced, more - less)
        declared = metrics.by_edits(self.case.operation, self.case.domains, (edits,))
        if not declared:
            return "", 0.0
        ratio, words = metrics.excess(metrics.difference(self.of(less), self.of(more)), declared[edits])
        return words, float(ratio)

    def down(self, less: int, more: int) -> Iterable[tuple[int, int]]:
        """Two sizes, and those between them where it moves most, down to neighbours."""
        self.size = more * self.replaced
        yield less, more
        while more - less > 1 and self.moved(less, more)[1]:
            middle = (less + more) // 2
            less, more = max(((less, middle), (middle, more)), key=lambda half: self.moved(*half)[1])
            yield less, more


def _climbed(lab: Lab, case: Case, declared: Any, own: Sequence[float], seconds: float, *, brief: bool) -> bool:
    """Whether tables of few codes, changed row by row, come further apart than is declared, which it reports."""
    rng, d = np.random.default_rng(13), int(getattr(case.domains[0], "d", 1))
    pools = (
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
        sorted({0.0, 1.0, 0.5, -1.0, *(c + s for c in own[:6] for s in (-1, 0, 1))}),
    )
    for e, made in declared.items():
        for numbers in pools:
            worst: list[tuple[Any, Any, str]] = []

            def height(one: Any, two: Any, made: Any = made, worst: Any = worst) -> float:
                ratio, words = metrics.excess(metrics.difference(of_table(case, one), of_table(case, two)), made)
                worst[:] = [(one, two, words)] if ratio > 1 else worst
                return float(ratio)

            if climb_tables(height, e, d, numbers, seconds / (2 * len(declared)), rng, brief=brief):
                one, two, _ = worst[0]
                common, ends = one[: len(one) - e.removed], (one[len(one) - e.removed :], two[len(two) - e.added :])
                report(lab, case, made, "rows of few codes", common, *ends)
                return True
    return False


def _apart(
    lab: Lab,
    case: Case,
    declared: Any,
    words: str,
    base: Any,
    one: Any,
    other: Any,
    *,
    first: bool = False,
    params: tuple[Any, ...] | None = None,
) -> bool:
    """Whether tables with these common rows are further apart than is declared, which it reports.

    ``first`` puts the rows in which they differ before the common ones.
    """

    def table(row: Any, times: int) -> Any:
        return np.concatenate([*([row] * times * first), base, *([row] * times * (not first))])

    for e, made in declared.items():
        before, second = table(one, e.removed), table(other, e.added)
        for added in (second, table(one, e.added)) if not e.removed else (second,):
            apart = metrics.difference(of_table(case, before, params), of_table(case, added, params))
            found = metrics.excess(apart, made)
            if found[0] > 1:
                rows = one[: e.removed], added[: e.added] if first else added[len(base) :]
                report(lab, case, made, words, base, *rows, first=first, params=params)
                return True
    return False
