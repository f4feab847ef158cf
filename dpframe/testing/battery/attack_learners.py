"""Attacks on a plugin's own functions: which of the two kinds it is, and learners, which must forget."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from dpframe.kernel import registry
from dpframe.testing.battery import memos, pasts, sizes
from dpframe.testing.battery.attack_row_maps import attack_row_map, uses_of
from dpframe.testing.battery.clocks import spent
from dpframe.testing.battery.endless import Calls, TooLong, followed
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.worlds import Lost, elsewhere

BLOCKS = (9, 40, 200, 1000, 4000)
"""Rows of the blocks that a learner is tried on."""
GENERATORS = ("generator", "rng", "gen", "random_state", "random")
SECONDS, THOROUGH_SECONDS = 0.3, 8.0
LIKE, SAMPLED = 3, 60
"""Blocks that come after such as are like them: the first, and as many of which a memo may know a sample of rows."""
FEW = 4
"""Blocks of which what ships with dpframe is asked, which tests of its own attack as well."""
MOST_BLOCK, MOST_BLOCKS, MOST_OWN, TRYING = 20_000, 6, 12, 0.15
NEARLY = (2.0**-12, 2.0**-18, 2.0**-24)
"""How far columns that are nearly equal differ: ratios of variances from 1e-7 to 1e-14."""
SLOWLY = 4000
"""Rows of blocks in which steps settle slowly: two means may cut Laplace's law anywhere, almost as well."""
_CALLS = Calls()
"""In each fork anew."""
MOST_SHOWN = 60
"""Numbers of a block that is shown."""
MOST_WIDENED = 1000
"""Rows of blocks that are made wide."""
DECLARED = "a tuple of arrays of numbers"
EMPTY = "in a run no block would have a result; return a tuple, of one array (vector,), say"


@attrs.frozen
class _Kind:
    """What a function was found to be: its kind, and blocks that it learns from, or uses of a row map.

    ``wrong`` says what it gives of a block, where that is never a tuple of arrays.
    """

    kind: str
    blocks: tuple[Any, ...] = ()
    uses: tuple[Any, ...] = ()
    why: str = ""
    wrong: str = ""


def attack_learner(
    lab: Lab, name: str, function: Callable[..., Any], *, thorough: bool = False, brief: bool = False
) -> str:
    """Find out what a registered function is by calling it, and attack it as that; returns the kind."""
    lab.ran("docstring")
    if not (inspect.getdoc(function) or "").strip():
        lab.fail("docstring", f"function {name!r} has no docstring: say what it does")
    try:
        most, learns = FEW if brief else MOST_OWN + MOST_BLOCKS, name in registry._learners
        with followed():
            found = elsewhere(functools.partial(_kind, function, most, learns=learns))
    except Lost as error:
        lab.lost(error, apart=_takes_a_generator(function) is not False)
        return "function"
    if found.kind == "learner":
        lab.ran("purity")
        seconds = THOROUGH_SECONDS if thorough else SECONDS
        pasts.attack(
            lab,
            functools.partial(_learned, function),
            found.blocks[:FEW] if brief else [*found.blocks, *_unclear(found.blocks[0]), *_degenerate(found.blocks[0])],
            _histories(found.blocks),
            seconds=seconds,
            brief=brief,
            apart=True,
            private=False,
            label=rows_of,
        )
    elif found.kind == "row map":
        lab.ran("rowwise", "purity")
        attack_row_map(lab, function, found.uses, thorough=thorough)
    elif found.wrong:
        lab.ran("domain")
        lab.fail("domain", f"learner {name!r} gives {found.wrong}, declared {DECLARED}: {EMPTY}")
        return "learner"
    else:
        lab.skip(found.why)
    return found.kind


def _kind(function: Callable[..., Any], most: int, *, learns: bool) -> _Kind:
    """``learns``: it is registered as a learner, so that what it gives of a block may be called wrong."""
    named = _takes_a_generator(function)
    blocks, why = (_blocks(function, most), "") if named is not False else ((), "")
    if blocks:
        return _Kind("learner", blocks)
    if learns and named is not False and (wrong := _wrong(function, surely=named is True)):
        return _Kind("function", wrong=wrong)
    uses = uses_of(function) if named is not True else []
    if uses:
        return _Kind("row map", uses=tuple(uses))
    why = _last_error(function)
    return _Kind(
        "function",
        why=f"no rows were found that it takes as a row map (values, *params) or a learner (rows, generator) that "
        f"gives a tuple of arrays{why}",
    )


def _takes_a_generator(function: Callable[..., Any]) -> bool | None:
    """By the name of its second parameter; None where that does not tell."""
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        return None
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(positional) == 1 and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return False
    return True if len(positional) == 2 and positional[1].name in GENERATORS else None


def _last_error(function: Callable[..., Any]) -> str:
    rows = np.random.default_rng(2).standard_normal((200, 2))
    for arguments in ((rows,), (rows, np.random.default_rng(0))):
        try:
            made = function(*arguments)
        except TypeError:
            continue
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  shown to whoever wrote it
            return f"; on 200 rows of 2 columns it raised {type(error).__name__}: {error}"
        if made is None:
            return "; on 200 rows of 2 columns it gave nothing"
    return ""


def _blocks(function: Callable[..., Any], most: int) -> tuple[Any, ...]:
    """Blocks that it learns from, some ``most``: the least that do, more rows, sizes in its code, other widths."""
    first = _first_block(function)
    if first is None:
        return ()
    words, m, d = first
    found = [_block(words, m, d)]
    own = sizes.around(sizes.constants(function), MOST_BLOCK)[:MOST_OWN]
    others = [(n, d) for n in own] + [(2 * m, d), (1000, d), (m + 1, d), (4000, d), (MOST_BLOCK, d)]
    others += [(max(m, 40), c) for c in sizes.columns(function)[:8] if c != d]
    begin = spent()
    for n, c in others:
        block = _block(words, n, c)
        if _is_learned(function, block):
            found.append(block)
        if spent() - begin > TRYING or len(found) > most:
            break
    return tuple(found)


def _first_block(function: Callable[..., Any]) -> tuple[str, int, int] | None:
    for words in ("clusters", "positive", "whole"):
        for d in sizes.columns(function):
            for m in BLOCKS if d <= 8 or words == "clusters" else BLOCKS[1:3]:
                if _is_learned(function, _block(words, m, d)):
                    return words, m, d
    return None


def _block(words: str, m: int, d: int) -> Any:
    rng = np.random.default_rng([m, d])
    rows = rng.standard_normal((m, d))
    if words == "whole":
        return rng.integers(0, 4, (m, d)).astype(np.float64)
    rows[::2] += 8.0
    return np.abs(rows) + 0.5 if words == "positive" else np.round(rows * 8) / 8


def _is_learned(function: Callable[..., Any], block: Any) -> bool:
    return _unlike(function, block) == ""


def _unlike(function: Callable[..., Any], block: Any) -> str | None:
    """What it gives of a block that is no tuple of arrays, in words; empty if it is one, None if there is no answer."""
    try:
        with np.errstate(all="ignore"):
            given, shown = (block.copy(), np.random.default_rng(0)), (lambda: rows_of(block))
            made = _CALLS.ask(function, *given, size=block.size, shown=shown)
    except (KeyboardInterrupt, TooLong):
        raise
    except BaseException:  # noqa: BLE001  a learner that raises is ⊥ for its block
        return None
    return None if made is None else misfit(made)


def rows_of(block: Any) -> dict[str, Any]:
    """What is shown of a block: of a large one, how large it is, and how its rows begin."""
    if block.size <= MOST_SHOWN:
        return {"rows": block}
    return {"shape": block.shape, "first rows": block[:5]}


def misfit(made: Any) -> str:
    """What a learner's answer is, in words, if not a tuple of arrays of numbers; else empty.

    Examples
    --------
    >>> misfit((np.zeros(2),)), misfit(np.zeros(2)), misfit(None)
    ('', 'an array of shape (2,)', 'nothing')
    >>> misfit((np.zeros(2), {"k": 2}))
    'a tuple whose entry 1 is a dict, no array of numbers'
    """
    if isinstance(made, np.ndarray):
        return f"an array of shape {made.shape}"
    if not isinstance(made, (tuple, list)):
        return "nothing" if made is None else f"a {type(made).__name__}"
    for i, part in enumerate(made):
        try:
            np.array(part, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            return f"a {type(made).__name__} whose entry {i} is a {type(part).__name__}, no array of numbers"
    return ""


def _wrong(function: Callable[..., Any], *, surely: bool) -> str:
    """What it gives of the first block that it answers, where that is no tuple of arrays; else empty.

    Unless it is ``surely`` none, one that gives as many images as it has rows is a row map.
    """
    for d in sizes.columns(function):
        for m in BLOCKS:
            found = _unlike(function, _block("clusters", m, d))
            if found is None:
                continue
            mapped = not surely and found.startswith(f"an array of shape ({m},")
            return "" if mapped or not found else f"{found} for a block of {m} rows and {d} column{'s' * (d > 1)}"
    return ""


def _learned(function: Callable[..., Any], block: Any) -> Any:
    """What the kernel takes of a learner's answer: its arrays as floats."""
    return [np.array(part, dtype=np.float64) for part in function(block.copy(), np.random.default_rng(7))]


def _unclear(block: Any) -> list[Any]:
    """Blocks without clusters, with more than are looked for, of rows that are mostly equal, and ever farther apart.

    There a search that starts by chance ends in many places, parts are empty, and steps take long to settle.
    """
    rng = np.random.default_rng(5)
    plain = rng.standard_normal((60, block.shape[1]))
    mostly = [np.where(np.arange(60)[:, None] % share, 1.0, np.round(30 * plain)) for share in (3, 4, 5)]
    rough = 1.0 + rng.uniform(-0.01, 0.01, (SLOWLY, block.shape[1]))
    apart, balanced = (line[:, None] * rough for line in (np.geomspace(1.0, 1e4, SLOWLY), rng.laplace(size=SLOWLY)))
    return [plain, plain + 9.0 * rng.integers(0, 2, plain.shape), *mostly, apart, balanced]


def _degenerate(block: Any) -> list[Any]:
    """Blocks of which a learner may find nothing: equal rows, a first column of one number, equal columns, few, huge.

    Of others two columns are nearly equal, or one is nearly of one number: their covariance is nearly singular.
    """
    flat = block.copy()
    flat[:, 0] = block[0, 0]
    rough = np.random.default_rng(6).standard_normal(len(block))
    close, thin = ([block.copy() for _ in NEARLY] for _ in range(2))
    for part, other, width in zip(close, thin, NEARLY, strict=True):
        part[:, -1] = block[:, 0] + width * rough
        other[:, -1] = block[0, -1] + width * rough
    return [
        *close,
        *thin,
        np.full_like(block, 3.0),
        flat,
        np.repeat(block[:, :1], block.shape[1], axis=1),
        block[:2],
        block[:1],
        1e-200 * block,
        np.zeros_like(block),
        1e12 * block,
        np.repeat(block[:2], 20, axis=0),
    ]


def _histories(blocks: tuple[Any, ...]) -> list[tuple[str, list[Any]]]:
    first = blocks[0]
    several = [block for block in blocks if len(block) <= MOST_WIDENED][:MOST_BLOCKS]
    wide = [factor * block for block in several for factor in (30.0, -1e4)]
    return [
        ("after other blocks", [10.0 * first + 5.0, -3.0 * first, *blocks[1:3]]),
        ("after blocks of equal rows and of none", [np.zeros_like(first), first[:0], first[:1], first[:1] * 1e9]),
        ("after wide blocks of each size, twice", [*wide, *wide]),
        ("after blocks of far smaller and larger numbers", [1e-12 * first, 1e12 * first]),
        ("after blocks that are like these", _like(blocks)),
        ("after many blocks", [first[:: 1 + i % 2] + float(i) for i in range(60)]),
    ]


def _like(blocks: tuple[Any, ...]) -> list[Any]:
    """Blocks like the first, and like larger ones, in turn."""
    larger = [block for block in blocks[LIKE:] if SAMPLED < len(block) <= MOST_WIDENED][-LIKE:]
    turns = itertools.zip_longest(*(memos.alike(block)[::-1] for block in (*larger, *blocks[:LIKE])))
    return [other for turn in turns for other in turn if other is not None]
