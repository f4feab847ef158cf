"""Attacks on composites: planned and certified under both adjacencies, run on small tables, the same graph every time.

Its parts (functions and operations that other files of users register) are attacked with it.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import traceback
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DpframeError
from dpframe.planning.plan import Plan
from dpframe.runtime import run
from dpframe.runtime.run import ENDED
from dpframe.testing.battery import pasts
from dpframe.testing.battery.attack_semimetrics import documented
from dpframe.testing.battery.composite_ways import ADJACENCIES, BUDGETS, Way, groups_of, guessed, plan_of
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.replacing import USER_MODULE
from dpframe.testing.battery.worlds import Lost, elsewhere

TABLES = ("two clusters", "equal rows", "missing rows", "far rows")
HALVES = {"replace_one": TABLES[::2], "add_remove": TABLES[1::2]}
"""What ships with dpframe, and has tests of its own, is run on one of these, by its name: in all on each many times."""
FUNCTIONS = ("function", "learner", "semimetric", "mask")


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
        seen = elsewhere(functools.partial(_look, name, function, brief), share=brief)
    except Lost as error:
        lab.lost(error)
        return ()
    for adjacency, why in seen.refused.items():
        if seen.ways:
            lab.note(f"no plan under {adjacency}: {why}")
    if not seen.ways:
        why = next(filter(None, seen.refused.values()), "nothing was tried")
        lab.skip(f"no plan was found that uses it: {why}{guessed(name, function)}")
        return ()
    lab.ran("roundtrip", "totality", "purity")
    for layer, message in seen.wrong:
        lab.fail(layer, message)
    probes = [*seen.ways]
    others = [(adjacency, attrs.evolve(way, budget=(way.budget + 1) % len(BUDGETS))) for adjacency, way in probes]

    def answer(probe: Any) -> Any:
        return graph_of(plan_of(name, function, *probe))

    pasts.attack(lab, answer, probes, [("after other plans", others + probes)], seconds=0.2, brief=brief, private=False)
    return seen.parts


def _look(name: str, function: Callable[..., Any], brief: bool) -> _Seen:
    ways: list[tuple[str, Way]] = []
    refused: dict[str, str] = {}
    wrong: list[tuple[str, str]] = []
    parts: dict[str, None] = {}
    for adjacency, group in itertools.product(ADJACENCIES, groups_of(name, function)):
        if brief and any(known == adjacency for known, _ in ways):
            continue
        why, tables, known = "", False, [way for _, way in ways]
        for way in sorted(group, key=lambda way: way not in known):
            try:
                plan = plan_of(name, function, adjacency, way)
            except Exception as error:  # noqa: BLE001  a guess that does not fit, or a composite that can't be planned
                if not why or (
                    way.extra == "public" and not tables
                ):  # of a second input the guess that fits most often
                    why, tables = _first_line(error), way.extra == "public"
                continue
            ended = _runs(plan, way, adjacency, _tables(name, plan, adjacency) if brief else TABLES)
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


def _first_line(error: Exception) -> str:
    """The first line of an error; of one that is not ours, which may be a bare key, with its type."""
    said = (str(error).splitlines() or [""])[0]
    return said if isinstance(error, DpframeError) else f"{type(error).__name__}: {said}".rstrip(": ")


def graph_of(plan: Plan) -> Any:
    """The graph of a plan, as bytes."""
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


def _tables(name: str, plan: Plan, adjacency: str) -> Sequence[str]:
    """For what ships with dpframe; one where learners have a process a block, which takes long."""
    blocks = any(node.operation.kind == "blocks" for node in plan.graph.walk())
    at = 1 if blocks else zlib.crc32(f"{name} {adjacency}".encode()) % 2
    return HALVES[adjacency][at : at + 1]


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
