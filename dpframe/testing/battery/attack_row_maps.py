"""Attacks on a plugin's row function: each row's image must be a function of that row, in every batch and after any.

What is compared is the image as the kernel takes it (``row_map``): a batch on which the function raises is called row
by row, and a row on which it raises, or whose image is not finite, is empty. So a function may refuse rows, if it
refuses each of them for itself.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.runtime.views import chunk_rows
from dpframe.testing.battery import compared, counted_calls, memos, pasts, rare, sizes, special, wholes
from dpframe.testing.battery.clocks import spent
from dpframe.testing.battery.endless import followed
from dpframe.testing.battery.first_calls import load_libraries
from dpframe.testing.battery.interleaved import attack_interleaved
from dpframe.testing.battery.lab import Lab, fingerprint
from dpframe.testing.battery.released_kinds import of_other_sizes, released_kinds, resized
from dpframe.testing.battery.row_images import FEW_POOLS, FEW_ROWS, Use, alone_of, as_run, compare, effective, rounds
from dpframe.testing.battery.values import draw
from dpframe.testing.battery.worlds import Lost, elsewhere

ROWS, MOST_SHAPES = 9, 6
SECONDS, THOROUGH_SECONDS = 0.7, 20.0
"""CPU seconds of the search over batches."""
SCOUT, DEAR, LONG = 4096, 4.0, 1.0
"""Rows of a batch that tells what larger ones take, and how many times the seconds of a search one of those may.

And seconds from which on fewer rows tell it.
"""
MOST_SPECIAL, MOST_RARE, BRIEF, WHOLE, WIDE, WIDEST = 3, 3, 0.4, 0.3, 16, 128
"""Widths of which special batches are tried, and thousands of different rows; the share of the seconds of these.

And that of batches with a figure that is a number of the code; columns of which these take long to make, in brief
searches and in others.
"""
MOST_BETWEEN, PART = 6, 0.3719
"""Numbers of the code between which rows are made, and how far from one to the next."""
SLOW, FEW_USES = 0.02, 2
"""Seconds of one call from which on few pools of few rows are asked for, and few widths: so many."""
MOST_LOADING = 4
"""Widths of which first calls tell what libraries a function imports."""


def uses_of(function: Callable[..., Any], inputs: Sequence[int] = (1, 2), *, most: int = MOST_SHAPES) -> list[Use]:
    """Ways to call it as a row map, by a search over widths and released values; none where it is no row map.

    ``inputs`` says how many values it may take, rows among them; ``most``, of how many widths.
    """
    found: list[Use] = []
    known: tuple[Any, ...] | None = None
    own = sizes.numbers(function)
    for d in sizes.columns(function, wide=True):
        rng = np.random.default_rng(d)
        pools = sizes.tables(d, rng, own)
        for kinds in [known] if known is not None else released_kinds(d, inputs):
            params = tuple(draw(k, np.random.default_rng(0)) for k in resized(kinds, d))
            use = _use(function, d, params, pools)
            if use is not None:
                use = _with_numbers(function, use, own, dict(pools)["mixed"])
                found.append(attrs.evolve(use, other_params=of_other_sizes(resized(kinds, d), own)))
                known = kinds
                break
        more = len(sizes.constants(function)) if most == MOST_SHAPES else 0
        if len(found) >= (FEW_USES if found and found[0].few else most + more):
            break
    return found


def _use(function: Callable[..., Any], d: int, params: tuple[Any, ...], pools: list[tuple[str, Any]]) -> Use | None:
    kept: list[tuple[str, Any]] = []
    width = 0
    if all(_first(function, pools[0][1][:1], params) > SLOW for _ in range(2)):  # the first may import a library
        pools = [(words, pool[:FEW_ROWS]) for words, pool in pools[:FEW_POOLS]]
    if all(sizes.attempt(function, pool[:m], params) is None for _, pool in pools for m in (ROWS, 1)):
        return None
    for words, pool in pools:
        images = [sizes.attempt(function, pool[i : i + 1], params) for i in range(len(pool))]
        taken = [i for i, image in enumerate(images) if image is not None and image.shape[1] >= 1]
        whole = sizes.attempt(function, pool[:ROWS], params)
        width = width or next((images[i].shape[1] for i in taken), 0 if whole is None else whole.shape[1])
        if taken or whole is not None:
            kept.append((words, pool[taken] if len(taken) > 1 else pool))
    return Use(d, width, params, tuple(kept)) if width else None


def _first(function: Callable[..., Any], rows: Any, params: tuple[Any, ...]) -> float:
    began = spent()
    sizes.attempt(function, rows, params)
    return spent() - began


def _with_numbers(function: Callable[..., Any], use: Use, own: Sequence[float], plain: Any) -> Use:
    """The same with rows in which each number stands that rows meet in a call, and the first few of its code."""
    rows = () if use.few else compared.rows_for(function, use.params, own, plain)
    more = _use(function, use.d, use.params, [("each number that it compares", rows)]) if len(rows) else None
    return attrs.evolve(use, pools=(*use.pools, *more.pools)) if more else use


def attack_row_map(
    lab: Lab, function: Callable[..., Any], uses: Sequence[Use], *, thorough: bool = False, past: bool = True
) -> None:
    """Rows alone and in batches of all sizes; then, if ``past``, whole calls in other worlds."""
    seconds = THOROUGH_SECONDS if thorough else SECONDS
    if past and _libraries_decide(function, uses):
        lab.fail("purity", "the same input has another answer once a library is imported that its first call imports")
        return
    try:
        with followed():
            found, left = elsewhere(functools.partial(_search, function, uses, seconds))
    except Lost as error:
        lab.lost(error, "its batches were not attacked: ")
        found, left = None, 0
    if found is not None:
        lab.fail(found.pop("layer"), found.pop("message"), **found)
    if left:
        lab.note(f"it takes long: batches of {left} rows and more were not tried")
    if not past:
        return
    use = uses[0]
    if use.few:
        lab.note("one call takes long: few rows and few batches were tried")
    probes = [_probe(use, m) for m in (1, 2, 5, 300)] + [_probe(u, 7) for u in uses[1:3]]
    probes += [(pool[:11], use.params, use.p) for _, pool in use.pools[1:]]
    pasts.attack(
        lab,
        lambda probe: _answer(function, probe),
        [*([] if use.few else _between(function, use)), *probes],
        [*_histories(function, uses, left)],
        seconds=seconds / 2,
    )
    if not lab.failures:
        attack_interleaved(lab, function, functools.partial(_answer, function), [_probe(use, 5), _probe(use, 40, 1)])
        counted_calls.attack_calls(lab, function, probes[0][:2], seconds)


def _answer(function: Callable[..., Any], probe: tuple[Any, tuple[Any, ...], int]) -> Any:
    values, params, p = probe
    image, valid = effective(function, values, params, p)
    return [image, valid]


def _probe(use: Use, m: int, start: int = 0) -> tuple[Any, tuple[Any, ...], int]:
    pool = use.pools[0][1]
    return pool[(np.arange(m) + start) % len(pool)], use.params, use.p


def _between(function: Callable[..., Any], use: Use) -> Iterator[tuple[Any, tuple[Any, ...], int]]:
    """Rows alone, of one number each: of none of the code's, but between two of them, further and further from 0.

    They come first, before a larger one was met: a limit that rises to the largest whole number so far is at its least.
    """
    ends = sorted({0.0, *(abs(x) for x in sizes.numbers(function))})[: MOST_BETWEEN + 1]
    for (low, high), sign in itertools.product(itertools.pairwise(ends), (1.0, -1.0)):
        yield np.full((1, use.d), sign * (low + PART * (high - low))), use.params, use.p


def _histories(function: Callable[..., Any], uses: Sequence[Use], left: int) -> Iterator[tuple[str, list[Any]]]:
    """Earlier batches by name; none of ``left`` rows or more, which take long, unless that is 0."""
    use = uses[0]
    shape = (use.params, use.p)
    pools = dict(use.pools)
    first = use.pools[0][1]
    smaller = [(first[np.arange(m) % len(first)] / 1024.0, *shape) for m in (1, 2, 5, 9, 300, 1)]
    yield "after batches of small rows", smaller
    same = [(pool[(np.arange(m) + 3) % len(pool)], *shape) for pool in pools.values() for m in (1, 2, 5, 300, 7)]
    yield "after batches of other rows", same
    near = [(pool * factor + step, *shape) for pool in pools.values() for factor, step in ((1.01, 0.0), (1.0, 0.01))]
    yield "after batches of rows near these", near
    yield (
        "after batches of rows that are like these",
        [(other, *shape) for pool in pools.values() for m in (5, 11) for other in memos.alike(pool[:m])],
    )
    if use.params:
        told = [tuple(p) for p in zip(*map(memos.alike, use.params), strict=False)]
        told += [*use.other_params]
        yield "after other released values", [(first[:m], params, use.p) for params in told for m in (1, 2, 5)]
    yield "after batches of extreme rows", [(_extreme(first, m), *shape) for m in (5, 300, 1)]
    rng = np.random.default_rng(5)
    many = first[rng.integers(len(first), size=SCOUT // 4 if left else chunk_rows(use.d))]
    yield "after forty whole chunks", [(many, *shape)] * 40
    other = [_probe(u, m) for u in uses for m in (3, 40)]
    yield "after batches of other widths", other


def _libraries_decide(function: Callable[..., Any], uses: Sequence[Use]) -> bool:
    """Import what its first calls import; whether the first answers otherwise where that was imported before."""
    tried = [(use.pools[0][1][:3].copy(), use.params) for use in uses[:MOST_LOADING]]
    calls = [functools.partial(sizes.attempt, function, *one) for one in tried]
    with contextlib.suppress(Lost):  # what ends its process is told by the other attacks
        first = elsewhere(calls[0]) if calls else None
        return bool(load_libraries(function, calls)) and fingerprint(elsewhere(calls[0])) != fingerprint(first)
    return False


def _extreme(pool: Any, m: int) -> Any:
    rows = np.resize(pool, (m, pool.shape[1])).copy()
    rows[::2] *= 1e6
    rows[1::3] *= -1e9
    return rows


# ----------------------------------------------------------------------------------------- batches


def first_difference(function: Callable[..., Any], use: Use, seconds: float) -> dict[str, Any] | None:
    """What refutes it in one use, with its layer and message, by a search of about so many CPU seconds, or None."""
    return _search(function, [use], seconds)[0]


def _search(function: Callable[..., Any], uses: Sequence[Use], seconds: float) -> tuple[dict[str, Any] | None, int]:
    """What :func:`_searched` finds; as the kernel calls it where only last digits differ, as of products."""
    found, left = _searched(function, uses, seconds)
    if found is not None and rounds(function, uses):
        return _searched(as_run(function, uses), uses, seconds)
    return found, left


def _searched(function: Callable[..., Any], uses: Sequence[Use], seconds: float) -> tuple[dict[str, Any] | None, int]:
    """The first batch in which a row's image is not that of the row alone; small batches first in each width.

    And the fewest rows of a batch that was left out because it takes long, 0 where none was.
    """
    started = spent()
    rng = np.random.default_rng(0)
    alone: dict[tuple[int, str], Any] = {}
    chunk = chunk_rows(uses[0].d)
    left = chunk if _seconds(function, uses[0], uses[0].pools[0][1], chunk) > DEAR * seconds else 0
    wrong = _pools(function, uses, alone, started + seconds / 2) or _special(function, uses, seconds)
    if wrong is not None:
        return wrong, 0
    for round_ in range(4):
        for at, use in enumerate(uses):
            counts = sizes.row_counts(function, use.d)
            own = len(sizes.around([c / k for c in sizes.constants(function) for k in (1, use.d)], counts[-1]))
            small = [m for m in (2, 3, 9, 17, 40) if round_ == 0]
            for i, m in enumerate([*small, *counts]):
                late = spent() - started > seconds * (at + 1 + round_ * len(uses)) / (4 * len(uses))
                if late and i > len(small) + min(own, 12) + 2:
                    break
                if spent() - started > 2.5 * seconds:
                    return None, left
                words, pool = use.pools[(round_ * 3 + i) % len(use.pools)]
                if m > SCOUT and _seconds(function, use, pool, m) > DEAR * seconds:
                    left = min(left or m, m)
                    continue
                key = (at, words)
                if key not in alone:
                    alone[key] = alone_of(function, pool, use)
                for way in sizes.arrangements(pool, m, rng):
                    found = compare(function, use, pool, alone[key], way)
                    if found is not None:
                        return found, left
    return None, left


def _pools(
    function: Callable[..., Any], uses: Sequence[Use], alone: dict[tuple[int, str], Any], end: float
) -> dict[str, Any] | None:
    """Released values; each pool as one batch, the last first, in which each row is of a kind; then that of others."""
    for use in uses[:MOST_SHAPES]:
        wrong = _released_values(function, use)
        if wrong is not None:
            return wrong
    for at, use in enumerate(uses):
        for words, pool in use.pools[::-1][: 1 if at else None]:
            if alone and spent() > end:
                return None
            alone[at, words] = alone_of(function, pool, use)
            every = sizes.Arrangement("among one of each", pool, np.arange(len(pool)))
            for way in (every, *sizes.rising(pool)):
                wrong = compare(function, use, pool, alone[at, words], way)
                if wrong is not None:
                    return wrong
    return None


def _special(function: Callable[..., Any], uses: Sequence[Use], seconds: float) -> dict[str, Any] | None:
    """Batches that are something as a whole, and many different rows in two orders and by halves; in so much time."""
    brief = spent() + BRIEF * seconds
    for use in uses[:MOST_RARE]:
        for found in () if use.few else _among_many(function, use, brief):
            return {"layer": "rowwise", **found, "released": list(use.params)}
    end = spent() + 1.5 * max(seconds, LONG)
    for use in uses[:MOST_SPECIAL]:
        for words, batch in () if use.few else special.batches(use.d, sizes.numbers(function)):
            if spent() > end:
                return None
            wrong = _whole(function, use, words, batch)
            if wrong is not None:
                return wrong
        image = functools.partial(sizes.attempt, function, params=use.params)
        for found in () if use.few else special.in_other_orders(image, use.d):
            return {"layer": "rowwise", **found, "released": list(use.params)}
    end = spent() + WHOLE * seconds
    for use in uses[:MOST_RARE]:
        wide = use.d > (WIDE if seconds < SECONDS else WIDEST)  # to make the batches takes longer than that
        wrong = None if use.few or wide else _at_numbers(function, use, end)
        if wrong is not None:
            return wrong
    return None


def _whole(function: Callable[..., Any], use: Use, words: str, batch: Any) -> dict[str, Any] | None:
    way = sizes.Arrangement(f"in a batch that is special ({words})", batch, np.arange(len(batch)))
    return compare(function, use, batch, alone_of(function, batch, use), way)


def _at_numbers(function: Callable[..., Any], use: Use, end: float) -> dict[str, Any] | None:
    """The same for hundreds of batches with a figure that is a number of the code; until then.

    Their rows are first compared with those of one batch of all of them, backwards, in which no such figure is left,
    nor what comes first: a call for each batch, not one for each row.
    """
    every = [*wholes.batches(use.d, sizes.numbers(function))]
    rows = np.concatenate([batch for _, batch in every])[::-1]
    mixed = sizes.attempt(function, rows, use.params)
    start = len(rows)
    for words, batch in every:
        start -= len(batch)
        if spent() > end:
            break
        image = sizes.attempt(function, batch, use.params)
        if image is None or image.shape[1] != use.p:
            continue  # the kernel calls it row by row
        if mixed is not None and mixed.shape[1] == use.p:
            known = mixed[start : start + len(batch)][::-1]
            if ((image == known) | ~np.isfinite(image) & ~np.isfinite(known)).all():
                continue
        wrong = _whole(function, use, words, batch) or _among(function, use, rows, start, batch)
        if wrong is not None:
            return wrong
    return None


def _among(function: Callable[..., Any], use: Use, rows: Any, start: int, batch: Any) -> dict[str, Any] | None:
    """The rows of a batch among those of all of them, where they stand from a place on, backwards."""
    places = np.full(len(rows), -1)
    places[start : start + len(batch)] = np.arange(len(batch))[::-1]
    way = sizes.Arrangement("among those of other batches", rows, places)
    return compare(function, use, batch, alone_of(function, batch, use), way)


def _among_many(function: Callable[..., Any], use: Use, end: float) -> Iterator[dict[str, Any]]:
    """What tells that one of thousands of different rows changes the images of a few plain ones; until then."""
    plain = np.resize(dict(use.pools).get("mixed", use.pools[0][1])[:: rare.PLAIN], (rare.PLAIN, use.d))

    def image(rows: Any) -> Any:
        made = sizes.attempt(function, rows, use.params)
        if made is None or made.shape[1] != use.p:
            return None
        valid = np.isfinite(made).all(axis=1)
        return np.where(valid[:, None], made, 0.0), valid

    given = rare.batches(use.d, sizes.numbers(function), sizes.texts(function), plain)
    return rare.among_many(image, given, lambda: spent() > end)


def _released_values(function: Callable[..., Any], use: Use) -> dict[str, Any] | None:
    """Whether it writes into the released values that it is given, and the rows' images with those of other sizes."""
    for params in (use.params, *use.other_params) if use.params else ():
        one = attrs.evolve(use, params=params)
        for _, pool in use.pools[:4]:
            given = copy.deepcopy(params)
            with contextlib.suppress(Exception, SystemExit), np.errstate(all="ignore"):
                function(pool.copy(), *given)
            if fingerprint(list(given)) != fingerprint(list(params)):
                message = "it writes into the released values that it is given, where others read them"
                return {"layer": "purity", "message": message, "rows": pool[:3], "before": params, "after": given}
            if params is not use.params:
                every = sizes.Arrangement("among the others", pool, np.arange(len(pool)))
                wrong = compare(function, one, pool, alone_of(function, pool, one), every)
                if wrong is not None:
                    return wrong
    return None


def _seconds(function: Callable[..., Any], use: Use, pool: Any, m: int) -> float:
    """CPU seconds that a batch of so many rows takes, by one of :data:`SCOUT`; by a smaller one where that is long."""
    took = 0.0
    for count in (SCOUT // 64, SCOUT):
        began = spent()
        sizes.attempt(function, pool[np.arange(count) % len(pool)], use.params)
        took = (spent() - began) * m / count
        if (spent() - began) * SCOUT / count > LONG:
            break
    return took
