"""The same calls in new interpreters, with other seeds of text's hashes and other places in memory.

What stands in the order of a set of names, or of objects' places in memory, is the same in every fork of a process, and
another in the next one; so is what a module draws, or the time it notes, as it is imported. Only files whose code
speaks of hashes, sets or identities, or of chance and time outside functions, are started anew: it takes seconds.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import attrs
import numpy as np

from dpframe.testing.battery.lab import fingerprint
from dpframe.testing.battery.registered import registers
from dpframe.testing.battery.replacing import set_clock
from dpframe.testing.battery.reporting import Failure, Report

NAMES = {"hash", "id", "set", "frozenset", "repr", "dir", "__hash__", "weakref"}
AT_IMPORT = {
    "secrets",
    "token_bytes",
    "token_hex",
    "urandom",
    "random",
    "default_rng",
    "SystemRandom",
    "uuid4",
    "uuid1",
}
AT_IMPORT |= {"today", "now", "utcnow", "time", "time_ns", "monotonic", "perf_counter", "getpid"}
"""What a module asks for as it is imported that is another in the next process."""
SECONDS, SHAPES = 60, ((40, 1), (40, 2), (7, 3), (40, 5), (40, 8))
MOST_WAYS = 24
SEEDS = ("1", "20260501", "3")
"""Three: two orders of forty objects have one of them at the same place by chance, once in forty."""
LATER = 400 * 86_400.0 + 25 * 3_600
"""Seconds by which clocks are ahead in the second of them."""


def speaks_of_hashes(path: Path) -> bool:
    """Whether its code has a set, or asks for a hash or an identity; or for chance or the time as it is imported."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError):
        return False
    return any(isinstance(node, (ast.Set, ast.SetComp)) or _names(node) & NAMES for node in ast.walk(tree)) or any(
        _names(node) & AT_IMPORT for node in _at_import(tree)
    )


def _names(node: ast.AST) -> set[str]:
    return {getattr(node, "id", ""), getattr(node, "attr", "")}


def _at_import(tree: ast.AST) -> Iterator[ast.AST]:
    """What runs as the module is imported: all but the bodies of functions."""
    for node in ast.iter_child_nodes(tree):
        yield node
        inside = node.args if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else node
        yield from _at_import(inside)


def compared(path: Path, reports: Sequence[Report]) -> list[Report]:
    """The reports, with a failure for what answers otherwise in another interpreter."""
    if not speaks_of_hashes(path):
        return [*reports]
    found = [_asked(path, seed) for seed in SEEDS]
    if any(answers is None for answers in found):
        return [*reports]  # what can't be started anew was attacked in forks
    told = [{**answers} for answers in found if answers is not None]
    return [_refuted(r) if len({answers.get(r.name) for answers in told}) > 1 else r for r in reports]


def _refuted(report: Report) -> Report:
    words = "the same input has another answer in another interpreter: it looks at hashes, memory, chance or the time"
    failure = Failure("purity", words, {})
    return attrs.evolve(
        report, failures=(*report.failures, failure), layers=tuple(dict.fromkeys((*report.layers, "purity")))
    )


def _asked(path: Path, seed: str) -> Mapping[str, str] | None:
    code = f"from dpframe.testing.battery.fresh import tell; tell({str(path)!r}, {seed!r})"
    told = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    try:
        done = subprocess.run(  # noqa: S603  this interpreter, on a file that the user named
            [sys.executable, "-c", code], capture_output=True, env=told, timeout=SECONDS, check=False
        )
        answers: Mapping[str, str] = json.loads(done.stdout.decode().splitlines()[-1])
    except (OSError, ValueError, IndexError, subprocess.TimeoutExpired):
        return None
    return answers


# -------------------------------------------------------------------------------- in the new interpreter


def tell(path: str, seed: str) -> None:
    """Import the file among objects that lie elsewhere, and print digests of answers by name."""
    from dpframe.kernel import registry

    registry.discover()
    if seed == SEEDS[1]:
        set_clock(LATER)
    kept = [object() for _ in range(200_000)]
    random.Random(int(seed)).shuffle(kept)  # noqa: S311  of places in memory
    while len(kept) > 100_000:
        kept.pop()  # what is made next lies where these lay, in the same disorder
    registry.import_file(Path(path))
    answers = {name: digest(made) for name, made in calls(Path(path))}
    sys.stdout.write(f"\n{json.dumps(answers)}\n")


def digest(calls: Iterable[Callable[[], Any]]) -> str:
    """Of all that the calls answer or raise."""
    told = hashlib.sha256()
    for call in calls:
        try:
            with np.errstate(all="ignore"):
                told.update(fingerprint(call()))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  what it raises is its answer
            told.update(type(error).__name__.encode())
    return told.hexdigest()


Called: TypeAlias = Iterator[tuple[str, Iterator[Callable[[], Any]]]]


def calls(path: Path) -> Called:
    """Of each function that the file registers, calls with fixed inputs, not all of which it need take."""
    return itertools.chain(private_calls(path), _public_calls(path))


def private_calls(path: Path, size: float = 1.0) -> Called:
    """Of those that are given rows or private values, with inputs so large."""
    from dpframe.kernel import registry
    from dpframe.kernel.owned import OWNED

    for name, (kind, function) in [*registry.others().items()]:
        if registers(path, kind, name, function):
            yield name, _of_others(kind, getattr(function, "function", function), size)
    for kind, table in (("learner", registry._learners), ("row function", registry._row_functions)):
        for name, function in table.items():
            if registers(path, kind, name, function):
                yield name, _of_rows(function, {}, size)
    for name, known in OWNED.items():
        if registers(path, "own operation", name, known.function):
            yield name, _of_rows(known.function, known.examples, size)


def _public_calls(path: Path) -> Called:
    """Of those that are given released values, or none."""
    from dpframe.kernel import registry
    from dpframe.kernel.post_processing import Post

    for name, cls in [*registry.operations().items()]:  # what is imported for one may register more
        if registers(path, "operation", name, cls) and issubclass(cls, Post):
            yield name, _of_a_post(cls)
    for name, function in [*registry.composites().items()]:
        if registers(path, "composite", name, function):
            yield name, iter([functools.partial(_graph, name, function)])


def _rows(shape: tuple[int, int], size: float) -> Any:
    return np.round(np.random.default_rng(shape).standard_normal(shape) * 8) / 4 * size


def _of_rows(function: Callable[..., Any], keywords: Mapping[str, Any], size: float) -> Iterator[Callable[[], Any]]:
    from dpframe.kernel.noise import SeededSource
    from dpframe.kernel.own.sampler import Sampler

    for shape in SHAPES:
        yield functools.partial(function, _rows(shape, size), **keywords)
        yield functools.partial(function, _rows(shape, size), np.random.default_rng(0), **keywords)
    for m in (1, 2, 3, 8):
        numbers = (np.arange(m) * 3 + 2) * int(size)
        yield functools.partial(function, numbers, **keywords)
        yield functools.partial(function, numbers, 2.5, Sampler(SeededSource(0)), **keywords)
    yield functools.partial(function, 2.0 * size, **keywords)


def _of_others(kind: str, function: Callable[..., Any], size: float) -> Iterator[Callable[[], Any]]:
    for _, d in SHAPES:
        a, b = _rows((1, d), size)[0] + 3.0, _rows((2, d), size)[1] + 3.0
        if kind == "mask":
            yield functools.partial(function, a.copy(), 0.7, np.random.default_rng(0).standard_normal)
        else:
            yield functools.partial(function, a, b)
            yield functools.partial(function, a, b[None])


def _of_a_post(cls: type[Any]) -> Iterator[Callable[[], Any]]:
    """Of drawn values, noise of one step each."""
    from dpframe.testing.battery.attack_posts import drawn
    from dpframe.testing.battery.case import check_drawable
    from dpframe.testing.battery.cases import cases_of

    for case in [case for case in cases_of(cls) if check_drawable(case)][:2]:
        for values, noise in drawn(case):
            yield functools.partial(case.operation.apply_noisy, values, noise)  # type: ignore[attr-defined]


def _graph(name: str, function: Any) -> Any:
    """The graph of the first plan that there is of it."""
    from dpframe.testing.battery.attack_composites import graph_of
    from dpframe.testing.battery.composite_ways import ADJACENCIES, groups_of, plan_of

    ways = itertools.chain.from_iterable(groups_of(name, function))
    for way in itertools.islice(ways, MOST_WAYS):
        with contextlib.suppress(Exception):  # a guess that does not fit
            return graph_of(plan_of(name, function, ADJACENCIES[0], way))
    return "none"
