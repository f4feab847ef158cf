"""Attacks on composites: planned and certified under both adjacencies, run on small tables, the same graph every time.

Its parts (functions and operations that other files of users register) are attacked with it.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import os
import re
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, get_args

import attrs
import numpy as np

from dpframe.errors import DpframeError
from dpframe.front.composites import Example, examples_of
from dpframe.front.declarations import RowsDeclaration
from dpframe.front.program import Composite, Program, apply
from dpframe.front.program import plan as planned
from dpframe.kernel import registry
from dpframe.planning.plan import Plan
from dpframe.proof.losses import ZCDP, ApproxDP, Budget, PureDP
from dpframe.proof.spaces import Ball, Kind
from dpframe.runtime import run
from dpframe.runtime.run import ENDED
from dpframe.testing.battery import pasts, sizes
from dpframe.testing.battery.attack_semimetrics import documented
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.planned import public
from dpframe.testing.battery.replacing import USER_MODULE
from dpframe.testing.battery.traces import GUESSES, ONES, needed_of
from dpframe.testing.battery.worlds import Lost, elsewhere

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
MOST_TRIES, MOST_WIDTHS = 120, 9
TABLES = ("two clusters", "equal rows", "missing rows", "far rows")
HALVES = {"replace_one": TABLES[::2], "add_remove": TABLES[1::2]}
"""What ships with dpframe is run on each table under one adjacency at most: it has tests of its own."""
FUNCTIONS = ("function", "learner", "semimetric", "mask")


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


@attrs.frozen
class _Seen:
    """What a fork tells: the ways that fit under each adjacency, what was refused, what went wrong, names of parts."""

    ways: tuple[tuple[str, Way], ...]
    refused: Mapping[str, str]
    wrong: tuple[tuple[str, str], ...] = ()
    parts: tuple[str, ...] = ()


def attack_composite(lab: Lab, name: str, function: Callable[..., Any], *, brief: bool) -> tuple[str, ...]:
    """Plans, certificates, runs, and the same graph in all worlds; returns the names of its parts."""
    lab.ran("docstring")
    documented(lab, name, function)
    try:
        seen = elsewhere(functools.partial(_look, name, function, brief))
    except Lost as error:
        lab.lost(error)
        return ()
    for adjacency, why in seen.refused.items():
        if seen.ways:
            lab.note(f"no plan under {adjacency}: {why}")
    if not seen.ways:
        lab.skip(f"no plan was found that uses it: {next(iter(seen.refused.values()), 'nothing was tried')}")
        return ()
    lab.ran("roundtrip", "totality", "purity")
    for layer, message in seen.wrong:
        lab.fail(layer, message)
    probes = [*seen.ways]
    others = [(adjacency, attrs.evolve(way, budget=(way.budget + 1) % len(BUDGETS))) for adjacency, way in probes]

    def answer(probe: Any) -> Any:
        return _graph(_planned(name, function, *probe))

    pasts.attack(lab, answer, probes, [("after other plans", others + probes)], seconds=0.2, brief=brief, private=False)
    return seen.parts


def _look(name: str, function: Callable[..., Any], brief: bool) -> _Seen:
    ways: list[tuple[str, Way]] = []
    refused: dict[str, str] = {}
    wrong: list[tuple[str, str]] = []
    parts: dict[str, None] = {}
    for adjacency, group in itertools.product(ADJACENCIES, _groups(name, function)):
        if brief and any(known == adjacency for known, _ in ways):
            continue
        why, tables, known = "", False, [way for _, way in ways]
        for way in sorted(group, key=lambda way: way not in known):
            try:
                plan = _planned(name, function, adjacency, way)
            except Exception as error:  # noqa: BLE001  a guess that does not fit, or a composite that can't be planned
                if not why or (
                    way.extra == "public" and not tables
                ):  # of a second input the guess that fits most often
                    why, tables = (str(error).splitlines() or [type(error).__name__])[0], way.extra == "public"
                continue
            ended = _runs(plan, way, adjacency, _tables(plan, adjacency) if brief else TABLES)
            if ended and way.extra:  # its further inputs are guesses: they may not be what it is made for
                why = why or f"of its further inputs nothing is known, and with {way.extra} {ended[0][1]}"
                continue
            ways.append((adjacency, way))
            wrong += [*_certified(plan, adjacency), *ended]
            parts |= dict.fromkeys(_parts(plan))
            break
        else:
            refused.setdefault(adjacency, why)
    return _Seen(tuple(ways), refused, tuple(wrong), tuple(parts))


def _groups(name: str, function: Callable[..., Any]) -> list[list[Way]]:
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
    for group in _groups(name, function):
        for way in group:
            with contextlib.suppress(Exception):  # a guess that does not fit
                yield _planned(name, function, ADJACENCIES[0], way)
                break


def _guesses(parameter: inspect.Parameter) -> tuple[Any, ...]:
    key = parameter.name
    known, kind = (GUESSES[key],) if key in GUESSES else MORE.get(key, ()), _annotated(parameter)
    if kind.startswith("Literal["):
        return get_args(parameter.annotation) or known or UNKNOWN
    if LISTED.match(kind):  # whatever its name, a list of numbers
        return tuple(guess for guess in known if isinstance(guess, list)) or LISTS
    return known or OF_TYPES.get(kind, UNKNOWN)


def _annotated(parameter: inspect.Parameter) -> str:
    known = parameter.annotation
    text = known.__name__ if type(known) is type else str(known)
    return text.replace("typing.", "")


def _planned(name: str, function: Callable[..., Any], adjacency: str, way: Way) -> Plan:
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


def _graph(plan: Plan) -> Any:
    from dpframe.front.specs import dump

    return dump(plan, name="case").encode()


def _certified(plan: Plan, adjacency: str) -> list[tuple[str, str]]:
    from dpframe.planning.certificate import certificate
    from dpframe.planning.sealing import to_bytes
    from dpframe.proof.checker import verify

    try:
        proof = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
        verdict = verify(to_bytes(proof))
    except Exception as error:  # noqa: BLE001  a plan that can't be written
        return [("roundtrip", f"its plan under {adjacency} has no certificate: {type(error).__name__}: {error}")]
    if verdict.verified or plan.warnings:
        return []
    return [("roundtrip", f"its certificate under {adjacency} is not verified: {'; '.join(verdict.reasons)}")]


def _tables(plan: Plan, adjacency: str) -> Sequence[str]:
    """For what ships with dpframe; one where learners have a process a block, which takes long."""
    blocks = any(node.operation.kind == "blocks" for node in plan.graph.walk())
    return HALVES[adjacency][-1 if blocks else 0 :]


def _runs(plan: Plan, way: Way, adjacency: str, tables: Sequence[str]) -> list[tuple[str, str]]:
    """Simulated runs on clusters, equal rows, missing and far ones: released or failed, and nothing else."""
    rng = np.random.default_rng(1)
    n, d = way.n, way.d
    clusters = rng.standard_normal((n, d))
    clusters[::2] += 8.0
    missing = clusters.copy()
    missing[::3] = np.nan
    far = clusters * 10.0 ** rng.integers(-5, 12, (n, 1))
    made = {"two clusters": clusters, "equal rows": np.ones((n, d)), "missing rows": missing, "far rows": far}
    for words, table in ((words, made[words]) for words in tables):
        try:
            with contextlib.suppress(DpframeError), _told() as told:
                result = plan.run(simulate=1, **{item.name: table for item in plan.graph.inputs})
                if result.status == "failed" and result.reason == ENDED[0]:
                    ended = f"a run under {adjacency} on {words} ended by an error of the program"
                    return [("totality", ": ".join([ended, *told]))]
        except Exception as error:  # noqa: BLE001  a run may only end as released or failed
            return [("totality", f"a run under {adjacency} on {words} raised {type(error).__name__}: {error}")]
    return []


@contextlib.contextmanager
def _told() -> Iterator[list[str]]:
    """The errors that end runs, in words: tables are made here, so nothing private is told."""
    heard: list[str] = []
    kept = run._tell

    def tell(error: BaseException, *, debug: bool) -> None:
        frames = traceback.walk_tb(error.__traceback__)
        theirs = [(f.f_code, line) for f, line in frames if f.f_globals.get("__name__", "").startswith(USER_MODULE)]
        place = f", at {os.path.basename(theirs[-1][0].co_filename)}:{theirs[-1][1]}" if theirs else ""
        heard.append(f"{type(error).__name__}: {error}{place}")

    run._tell = tell
    try:
        yield heard
    finally:
        run._tell = kept


def _parts(plan: Plan) -> Iterator[str]:
    for node in plan.graph.walk():
        operation: Any = node.operation
        yield operation.name
        yield from (str(value) for key, value in operation.parameters().items() if key in FUNCTIONS)
