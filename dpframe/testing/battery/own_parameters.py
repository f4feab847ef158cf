"""Operations of one's own with other parameters than those of their examples, on which a claim may hold by chance.

A plan takes all that a plugin accepts, so a claim must hold for it, or be refused. A number that is 0, a flag, a word,
nothing at all and an empty list have no multiples: they are tried at other values of their kind, words at those that
stand in the code and at one that does not. Numbers that are not below 0 are tried there: where a claim does not follow
them, the operation has to refuse them.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import types
from collections.abc import Iterator, Mapping
from typing import Any

from dpframe.kernel import registry
from dpframe.kernel.owned import Own
from dpframe.testing.battery import sizes

FACTORS = (3.0, 1 / 3.0)
MOST, MOST_OWN, MOST_WHOLE = 6, 3, 200
MOST_SWITCHED, MOST_WORDS, LONGEST_WORD = 12, 6, 24
"""Choices of one parameter of another kind than a multiple; words of the code, and characters of one."""
LONGEST = 64
"""Entries of a list that is made longer."""
ANY = "another"
"""A word of which the code says nothing, for what it does else."""
NUMBERS = (int, float)
LITTLE = 0.5
"""What is added to a whole number of floats: what is rounded of a fraction is not what was claimed."""


def code_of(operation: Any) -> list[Any]:
    """What the numbers that an operation speaks of stand in: its function, and its parameters."""
    return [operation.known.function, dict(operation.keywords)]


def others(known: Own, operation: Any) -> Iterator[Any]:
    """The operation with one of its numbers, or all of a list, three times as large, or a third; a few of these.

    And with a whole one of them just beyond a number in the function's code, where it may do otherwise; with one of
    another kind of value; and with all numbers three times as large at once, where a claim is of one of two.
    """
    told = dict(operation.keywords)
    extra = {"share": 1.0} if known.kind == "mechanism" else {}
    scaled = [{**told, name: _scaled(value, f)} for f in FACTORS for name, value in told.items()]
    whole = [name for name, value in told.items() if type(value) is int and value > 0]
    own = [c for c in sizes.constants(known.function) if c <= MOST_WHOLE][:MOST_OWN]
    beyond = [{**told, name: math.floor(c) + 1} for c in own for name in whole[:1]]
    for other in [*[one for one in scaled if one != told][:MOST], *beyond, *switched(known, told)]:
        with contextlib.suppress(Exception):  # its parameters need not be such that they can be others
            yield registry.build(known.name, {**other, **extra})


def varied(told: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The parameters in which another choice differs from what was told, in words.

    Examples
    --------
    >>> varied({"by": 2.0, "m": 3}, {"by": 6.0, "m": 3})
    'by=6.0 in place of 2.0'
    """
    changed = (
        f"{name}={value!r} in place of {told.get(name)!r}" for name, value in other.items() if value != told.get(name)
    )
    return ", ".join(changed)


def switched(known: Own, told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parameters with one of them at other values of its kind, each in turn first; last with all numbers larger.

    Examples
    --------
    >>> def total(rows, *, signed=False, digits=0):
    ...     return rows
    >>> made = Own("example.total", "statistic", "own_statistic", total, {}, lambda settings: {})
    >>> [(one["signed"], one["digits"]) for one in switched(made, {"signed": False, "digits": 0})]
    [(True, 0), (False, -3), (False, 1), (False, 2)]
    """
    spoken = words_of([known.function, known.claim])
    own = [c for c in sizes.constants([known.function, known.claim]) if c < LONGEST][:MOST_OWN]
    each = [
        [*_below(told, name), *({**told, name: v} for v in _other_kinds(value, spoken, own))]
        for name, value in told.items()
    ]
    one = [made for turn in itertools.zip_longest(*each) for made in turn if made is not None]
    larger = {name: _scaled(value, FACTORS[0]) for name, value in told.items()}
    several = sum(larger[name] != value for name, value in told.items()) > 1
    return [*one[:MOST_SWITCHED], *([larger] if several else [])]


def _other_kinds(value: Any, spoken: list[str], own: list[float]) -> list[Any]:
    """Values of the same kind that are no multiples; of what is nothing, a number and a list.

    Lists that are longer than numbers of the code, or twice as long where it has none, go on as they begin.
    """
    if value is None:
        return [1, LITTLE, [0]]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, str):
        return [*[word for word in spoken if word != value][:MOST_WORDS], ANY]
    if isinstance(value, (list, tuple)):
        if not value:
            return [[0], [1.0, 2.0]]
        longer = [_continued(value, math.floor(c) + 1) for c in (own or [2 * len(value)]) if len(value) <= c]
        return [[*value, value[0]], *longer]
    if isinstance(value, int):
        return [] if value else [1, 2]
    if isinstance(value, float) and value == 0:
        return [1.0, LITTLE]
    return [value + LITTLE] if isinstance(value, float) and value.is_integer() else []


def _below(told: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The parameters with one that is not below 0 further below it than any is above; nothing where it is none.

    Those of its type that are below it fall with it, so that two bounds keep their order. Of a list all do, and then
    its last one alone.

    Examples
    --------
    >>> told = {"low": 0.5, "high": 2.0, "sizes": [1, 2]}
    >>> for name in told:
    ...     print(_below(told, name))
    [{'low': -6.0, 'high': 2.0, 'sizes': [1, 2]}]
    [{'low': -7.5, 'high': -6.0, 'sizes': [1, 2]}]
    [{'low': 0.5, 'high': 2.0, 'sizes': [-3.0, -6.0]}, {'low': 0.5, 'high': 2.0, 'sizes': [1, -6.0]}]
    """
    value = told[name]
    if isinstance(value, (list, tuple)):
        if not any(value) or not all(type(x) in NUMBERS and x >= 0 for x in value):
            return []
        every = [0.0 - FACTORS[0] * x for x in value]
        last = [*value[:-1], 0.0 - FACTORS[0] * max(value)]
        return [{**told, name: made} for made in ([every, last] if len(value) > 1 else [every])]
    known = {n: v for n, v in told.items() if type(v) in NUMBERS and math.isfinite(v)}
    if known.get(name, -1) < 0:
        return []
    least = type(value)(-FACTORS[0] * max(1.0, *map(abs, known.values())))
    falling = {n: v - value + least for n, v in known.items() if type(v) is type(value) and v < value}
    return [{**told, **falling, name: least}]


def _continued(value: Any, length: int) -> list[Any]:
    """A list of so many entries, which rises by its last step; one of texts begins again.

    Examples
    --------
    >>> _continued([0.0, 1.0, 3.0], 5), _continued(["a"], 2)
    ([0.0, 1.0, 3.0, 5.0, 7.0], ['a', 'a'])
    """
    made = list(value)
    while len(made) < length:
        numbers = all(type(x) in (int, float) for x in made[-2:])
        made.append(
            made[-1] + ((made[-1] - made[-2]) if len(made) > 1 else 1) if numbers else made[len(made) - len(value)]
        )
    return made


def words_of(things: list[Any]) -> list[str]:
    """The words in functions' code, in that of what they call in their own module, and in what these refer to.

    Examples
    --------
    >>> words_of([lambda rows, mode: rows if mode == "sum" else rows.any() if mode in ("any", "all") else 0])
    ['sum', 'any', 'all']
    """
    found: dict[str, None] = {}
    seen: set[int] = set()
    todo = list(things)
    while todo and len(seen) < MOST_WHOLE:
        thing = todo.pop(0)
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, str):
            found.update({thing: None} if 0 < len(thing) <= LONGEST_WORD and not any(map(str.isspace, thing)) else {})
        elif isinstance(thing, types.FunctionType):
            home = thing.__globals__
            near = [home[n] for n in thing.__code__.co_names if n in home]
            held = (dict, list, tuple, set, frozenset)
            todo += [thing.__code__, thing.__defaults__, *sizes.cells_of(thing)]
            todo += [x for x in near if isinstance(x, held) or getattr(x, "__globals__", None) is home]
        elif isinstance(thing, types.CodeType):
            todo += [x for x in thing.co_consts if isinstance(x, (str, tuple, frozenset, types.CodeType))]
        elif isinstance(thing, dict):
            todo += [*thing, *thing.values()][:50]
        elif isinstance(thing, (list, tuple, set, frozenset)):
            todo += list(thing)[:50]
    return list(found)


def _scaled(value: Any, factor: float) -> Any:
    """A larger or smaller number of the same kind: whole, a fraction, or any.

    Examples
    --------
    >>> _scaled(5, 3.0), _scaled(1.0, 3.0), round(_scaled(0.5, 3.0), 3), _scaled([1.0, 2.0], 3.0), _scaled(True, 3.0)
    (15, 3.0, 0.833, [3.0, 6.0], True)
    """
    if isinstance(value, (list, tuple)) and value and all(type(v) in (int, float) for v in value):
        return type(value)(v * factor for v in value)
    if type(value) is int and value > 0:
        return max(1, round(value * factor))
    if type(value) is float and math.isfinite(value):
        return 1 - (1 - value) / factor if 0 < value < 1 < factor else value * factor
    return value
