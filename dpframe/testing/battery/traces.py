"""Released values from simulated runs of the shipped specs: inputs for posts whose records only other posts make."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from dpframe.errors import DpframeError
from dpframe.front.composites import Example, examples_of
from dpframe.front.declarations import RowsDeclaration
from dpframe.front.program import Composite, Program, apply
from dpframe.front.program import plan as planned
from dpframe.kernel import registry
from dpframe.kernel.graphs import Planned
from dpframe.kernel.post_processing import Post
from dpframe.planning.plan import Plan
from dpframe.proof.losses import ApproxDP
from dpframe.proof.spaces import Kind
from dpframe.proof.typed import Ref
from dpframe.runtime import blocks, engine
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.composite_ways import GUESSES, ONES, needed_of, plans_of
from dpframe.testing.battery.replacing import USER_MODULE

SETTINGS: Mapping[str, Any] = {"k": 2, "d": 2, "n": 600, "bound": 50.0, "epsilon": 30.0}
"""What the keys of a shipped spec are set to, where it has them."""
WIDTHS = (2, 1, 8, 4)
MOST_OF_A_NAME, MOST_BLOCKS = 4, 8
SELECTIONS = ("exponential_mechanism", "permute_and_flip")
"""They choose one of the candidates always."""


def traced(name: str, module: str) -> list[Case]:
    """Cases of a post from runs of the shipped specs, none of which uses a user's, else of its package's composites."""
    from dpframe.front.specs import shipped

    for spec in () if module.startswith(USER_MODULE) else shipped():
        found = _cases(name, _run_of_spec(spec) if name in _used(_planned(spec)) else ())
        if found:
            return found
    recipes = [r for r, f in sorted(registry.composites().items()) if _package(f.__module__) == _package(module)]
    for recipe in recipes:
        used = (i for i, plan in enumerate(_plans(recipe)) if name in _used(plan))
        found = _cases(name, itertools.chain.from_iterable(_run_of_composite(recipe, i) for i in used))
        if found:
            return found
    return []


def _cases(name: str, run: Iterable[Case]) -> list[Case]:
    return list(itertools.islice((c for c in run if c.operation.name == name), MOST_OF_A_NAME))


def _package(module: str) -> str:
    return module.rpartition(".")[0]


@functools.lru_cache(maxsize=64)
def _planned(name: str) -> Plan | None:
    from dpframe.front.specs import load_spec

    spec = load_spec(name)
    for key, value in SETTINGS.items():
        with contextlib.suppress(DpframeError):
            spec = spec.set({key: value})
    try:
        return spec.plan(allow_asserted=True)
    except DpframeError:
        return None


def _used(plan: Plan | None) -> frozenset[str]:
    return frozenset() if plan is None else frozenset(n.operation.name for n in plan.graph.walk())


@functools.lru_cache(maxsize=64)
def _run_of_spec(name: str) -> tuple[Case, ...]:
    plan = _planned(name)
    return () if plan is None else _run(plan)


@functools.lru_cache(maxsize=64)
def _plans(name: str) -> tuple[Plan, ...]:
    """The recipe on a small table, by its examples, else with guessed parameters; nothing where none fit."""
    found: list[Plan] = []
    for example in examples_of(name) or ({},):
        program = Program(_use(name, example))
        for d in WIDTHS:
            with contextlib.suppress(Exception):  # a guess that does not fit, or a composite that can't be planned
                rows = RowsDeclaration(d, SETTINGS["n"], Kind.PRIVATE)
                found.append(planned(program, x=rows, adjacency="replace_one", budget=ApproxDP(8.0, 1e-6)))
                break
    function = registry.find_composite(name)
    if not found and function.__module__.startswith(USER_MODULE):  # the ways in which it is attacked itself
        found += plans_of(name, function)
    return tuple(found)


@functools.lru_cache(maxsize=64)
def _run_of_composite(name: str, example: int) -> tuple[Case, ...]:
    return _run(_plans(name)[example])


def _use(name: str, example: Example) -> Callable[[Any], Any]:
    """A program of one table that releases something by a recipe."""
    needed = needed_of(registry.find_composite(name))
    handles = [p for p in needed if p.kind is not p.KEYWORD_ONLY]
    usual = {p.name: GUESSES.get(p.name, 1.0) for p in needed if p.kind is p.KEYWORD_ONLY}

    def program(x: Any) -> Any:
        if callable(example):
            made = example(x)
        else:
            more = [apply(f"more{i}", registry.build("constant", ONES)) for i, _ in enumerate(handles[1:])]
            made = apply("made", Composite(name, {**usual, **example}), x, *more)
        return dict(made) if isinstance(made, Mapping) else {"made": made}

    return program


def _run(plan: Plan) -> tuple[Case, ...]:
    found: list[Case] = []
    tables = {i.name: _two_clusters(i.n or SETTINGS["n"], getattr(i.domain, "d", 2)) for i in plan.graph.inputs}
    with _watching(found), contextlib.suppress(DpframeError):
        plan.run(simulate=1, **tables)
    return tuple(found)


def _two_clusters(n: int, d: int) -> Any:
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((n, d))
    rows[::2] += 8.0
    return rows


@contextlib.contextmanager
def _watching(found: list[Case]) -> Iterator[None]:
    """Keep the inputs of every post that runs; simulated runs only ever happen inside."""
    evaluate = engine.Scope._post

    def watch(scope: engine.Scope, node: Planned, operation: Post, inputs: list[Any]) -> Any:
        domains = tuple(scope.graph.edges[r].domain for r in node.inputs)
        public = all(scope.graph.edges[r].kind is not Kind.PRIVATE for r in node.inputs)
        noise = tuple(scope._std(r) for r in node.inputs)
        noise = (*noise, *(scope._std(Ref(name)) for name in operation.told()))
        if public and node.inputs:
            makers = [scope._nodes[r.node].operation.name if r.node in scope._nodes else "" for r in node.inputs]
            chosen = tuple(i for i, maker in enumerate(makers) if maker in SELECTIONS)
            found.append(Case(operation, domains, tuple(inputs), noise, chosen=chosen))
        return evaluate(scope, node, operation, inputs)

    isolated = blocks.run_isolated
    engine.Scope._post = watch  # type: ignore[method-assign,assignment]
    blocks.run_isolated = _in_process  # type: ignore[assignment]
    try:
        yield
    finally:
        engine.Scope._post = evaluate  # type: ignore[method-assign]
        blocks.run_isolated = isolated


def _in_process(name: str, seed: int, found: list[tuple[int, Any]], **_: Any) -> list[Any]:
    """Results of a learner on the first blocks, here and now: a trace needs values, no isolation."""
    return [_learned(name, seed, number, rows) if i < MOST_BLOCKS else None for i, (number, rows) in enumerate(found)]


def _learned(name: str, seed: int, number: int, rows: Any) -> Any:
    try:
        result = registry.find_learner(name)(rows, np.random.default_rng([seed, number]))
        return tuple(np.array(part, dtype=np.float64) for part in result)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  whatever a learner does is ⊥
        return None
