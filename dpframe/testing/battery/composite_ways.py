"""Ways of calling a composite on small tables: by its examples, else with guesses at what its parameters may be."""

from __future__ import annotations

import contextlib
import inspect
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args

import attrs

from dpframe.front.composites import Example, examples_of
from dpframe.front.declarations import RowsDeclaration
from dpframe.front.program import Composite, Program, apply
from dpframe.front.program import plan as planned
from dpframe.kernel import registry
from dpframe.planning.plan import Plan
from dpframe.proof.losses import ZCDP, ApproxDP, Budget, PureDP
from dpframe.proof.spaces import Ball, Kind
from dpframe.testing.battery import sizes
from dpframe.testing.battery.planned import public

GUESSES: Mapping[str, Any] = {"bound": 50.0, "share": 1.0, "k": 2, "q": 0.5, "candidates": [-1.0, 0.0, 1.0, 9.0]}
"""What the needed parameters of a composite are called with, by their names."""
ONES = {"values": [1.0], "shape": [1]}
ONE_OF = ("k",)
"""Parameters that may be left out where another one is given in their place."""
ROWS = (600, 100_000)
ADJACENCIES = ("replace_one", "add_remove")
BUDGETS: tuple[Budget, ...] = (ApproxDP(8.0, 1e-6), ZCDP(2.0), PureDP(8.0))
MORE: Mapping[str, tuple[Any, ...]] = {
    "share": (1.0, 0.5),
    "radius": (50.0,),
    "edges": ([-1.0, 0.0, 1.0],),
    "values": ([-1.0, 0.0, 1.0],),
    "bits": (16,),
    "steps": (2, 1),
    "levels": (3, [-1.0, 0.0, 1.0]),
    "seed": (0,),
    "t": (20, 5),
    "blocks": (20,),
    "name": ("made",),
}
UNKNOWN: tuple[Any, ...] = (1.0, 2, [0.0, 1.0], "gaussian_1")
LISTS: tuple[Any, ...] = ([-1.0, 0.0, 1.0], [0.0, 1.0])
LISTED = re.compile(r"(list|tuple|(collections\.abc\.)?sequence)\[(float|int)", re.IGNORECASE)
OF_TYPES: Mapping[str, tuple[Any, ...]] = {
    "int": (2, 1, 5),
    "float": (1.0, 2.0, 0.5),
    "str": ("gaussian_1",),
    "bool": (False, True),
}
""":data:`UNKNOWN`, where the annotation says what it is."""
COMMON = ("builtins", "inspect", "typing", "collections", "numbers", "numpy")
"""Modules of classes that a guess may belong to; those of others nobody else can make."""
MOST_TRIES, MOST_WIDTHS = 120, 9


@attrs.frozen
class Way:
    """How a composite is called: width of the table, parameters, kind of its further handles, budget.

    With ``example`` at least 0 it is called by that one of its examples, if that is a function.
    """

    d: int
    parameters: Mapping[str, Any]
    extra: str
    budget: int
    n: int = 600
    example: int = -1


def needed_of(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """Parameters without a default, and those of :data:`ONE_OF` that have none in truth."""
    known = _signature(function).parameters.values()
    return [p for p in known if p.default is p.empty or (p.name in ONE_OF and p.default is None)]


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """With its annotations, those that are written as texts too, where their names are known."""
    try:
        return inspect.signature(function, eval_str=True)
    except Exception:  # noqa: BLE001  an annotation may be any text
        return inspect.signature(function)


def groups_of(name: str, function: Callable[..., Any]) -> list[list[Way]]:
    """Of each example the ways of using it; guesses where there are none."""
    shapes = list(itertools.product(ROWS, sizes.columns(function)[:MOST_WIDTHS], range(len(BUDGETS) - 1)))
    found = []
    for i, example in enumerate(examples_of(name) or ({},)):
        if callable(example):
            found.append([Way(d, {}, "", budget, n, i) for n, d, budget in shapes])
        else:
            found.append(list(itertools.islice(_ways(function, example), MOST_TRIES)))
    return found


def _ways(function: Callable[..., Any], given: Mapping[str, Any]) -> Iterator[Way]:
    """Guesses at what its parameters and further inputs may be, beside the parameters that are given."""
    needed = needed_of(function)
    keys = [p.name for p in needed if p.kind is p.KEYWORD_ONLY and p.name not in given]
    handles = [p for p in needed if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    extras = ("ball", "ones", "rows", "public") if len(handles) > 1 else ("",)
    widths = sizes.columns(function)[:MOST_WIDTHS]
    choices = [_guesses(p) for p in needed if p.name in keys]
    for values in itertools.islice(itertools.product(*choices), 12):
        for n, d, extra, budget in itertools.product(ROWS, widths, extras, range(len(BUDGETS) - 1)):
            known = {"d": d, "n": n}
            guessed = {k: known.get(k, v) for k, v in zip(keys, values, strict=True)}
            yield Way(d, {**guessed, **given}, extra, budget, n)


def plans_of(name: str, function: Callable[..., Any]) -> Iterator[Plan]:
    """A plan of each example of a composite, or of the guesses, where one fits; under replace-one."""
    for group in groups_of(name, function):
        for way in group:
            with contextlib.suppress(Exception):  # a guess that does not fit
                yield plan_of(name, function, ADJACENCIES[0], way)
                break


def _guesses(parameter: inspect.Parameter) -> tuple[Any, ...]:
    """What a parameter may be: of its annotation first; its name helps where that agrees, or says nothing."""
    key, kind = parameter.name, annotated(parameter)
    known = (GUESSES[key],) if key in GUESSES else MORE.get(key, ())
    if kind.startswith("Literal["):
        return get_args(parameter.annotation) or known or UNKNOWN
    if LISTED.match(kind):  # whatever its name, a list of numbers
        return tuple(guess for guess in known if isinstance(guess, list)) or LISTS
    words = [word for word in re.split(r"[\s|,\[\]]+", kind) if word not in ("", "None", "Optional", "Union")]
    if words and all(word in OF_TYPES for word in words):
        fits = (made for word in words for guess in known if (made := _as(guess, word)) is not None)
        return (*dict.fromkeys(fits),) or tuple(guess for word in words for guess in OF_TYPES[word])
    home = getattr(parameter.annotation, "__module__", "") if isinstance(parameter.annotation, type) else COMMON[0]
    return (known or UNKNOWN) if home.partition(".")[0] in COMMON else ()


def _as(guess: Any, word: str) -> Any:
    """A guess as one of the type of this name, if it is such a value; else None.

    Examples
    --------
    >>> _as(50.0, "int"), _as(2, "float"), _as(0.5, "int"), _as(50.0, "str"), _as([1.0], "float"), _as(1.0, "bool")
    (50, 2.0, None, None, None, None)
    """
    number = type(guess) in (int, float)
    if word == "float":
        return float(guess) if number else None
    if word == "int":
        return int(guess) if number and guess == int(guess) else None
    return guess if type(guess).__name__ == word else None


def annotated(parameter: inspect.Parameter) -> str:
    """An annotation as text; "_empty" where there is none."""
    known = parameter.annotation
    text = known.__name__ if type(known) is type else str(known)
    return text.replace("typing.", "")


def guessed(name: str, function: Callable[..., Any]) -> str:
    """Which parameters of a composite without examples are guessed, and how examples are given; empty if none are."""
    if examples_of(name):
        return ""
    keys = [p for p in needed_of(function) if p.kind is p.KEYWORD_ONLY]
    if not keys:
        return ""
    blind = [p for p in keys if not _guesses(p)]
    told = ", ".join(
        f"{p.name!r}" + (f" ({annotated(p)})" if p.annotation is not p.empty else "") for p in blind or keys
    )
    said = ", ".join(f'"{p.name}": ...' for p in keys)
    tried = "nothing can be guessed" if blind else "only guesses were tried"
    who = f"parameter{'s' * (len(blind or keys) > 1)} {told}"
    return f'; for {who} {tried}: give @dp.composite("{name}", examples={{{said}}})'


def plan_of(name: str, function: Callable[..., Any], adjacency: str, way: Way) -> Plan:
    """The plan of a composite that is called so; raises where the guess does not fit."""
    parameters = inspect.signature(function).parameters.values()
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]

    example: Example = examples_of(name)[way.example] if way.example >= 0 else {}

    def program(x: Any) -> Any:
        if callable(example):
            shown = example(x)
            return dict(shown) if isinstance(shown, Mapping) else {"made": shown}
        more = [_handle(way, x, i) for i, _ in enumerate(needed[1:])]
        made = apply("made", Composite(name, way.parameters), x, *more)
        return dict(made) if isinstance(made, Mapping) else {"made": made}

    def beside(x: Any, known: Any) -> Any:
        made = apply("made", Composite(name, way.parameters), x, *[known] * len(needed[1:]))
        return dict(made) if isinstance(made, Mapping) else {"made": made}

    rows = RowsDeclaration(way.d, way.n if adjacency == "replace_one" else None, Kind.PRIVATE)
    told: dict[str, Any] = {"x": rows, "adjacency": adjacency, "budget": BUDGETS[way.budget], "allow_asserted": True}
    if way.extra != "public":
        return planned(Program(program), **told)
    return planned(Program(beside), known=RowsDeclaration(way.d, way.n, Kind.PUBLIC), **told)


def _handle(way: Way, x: Any, i: int) -> Any:
    if way.extra == "rows":
        return x
    if way.extra == "ball":
        return public(Ball(way.d), f"more{i}")
    return apply(f"more{i}", registry.build("constant", ONES))
