"""Functions of released values, of noise and of blocks that take nothing are refused before anything is spent."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.cli import trying
from dpframe.cli.trying import try_out
from dpframe.errors import SpecError
from dpframe.kernel.reductions.blocks import BlockLearner
from dpframe.proof.spaces import Rows
from dpframe.runtime.gate import admit

Program = Callable[[dp.Handle], Any]


@dp.post_function("released.raises", gives=dp.Vector(2))
def raises(count: Any) -> Any:
    """It has no such name."""
    return count.total


@dp.post_function("released.wide", gives=dp.Vector(2))
def wide(count: Any) -> Any:
    """Three numbers, declared two."""
    return [1.0, 2.0, 3.0]


@dp.post_function("released.flag", gives=dp.Flag())
def flag(count: Any) -> Any:
    """An array of a truth value."""
    return np.asarray(count) > 3


@dp.post_function("released.index", gives=dp.Index(3))
def index(count: Any) -> Any:
    """A text."""
    return "first"


@dp.post_function("released.particular", gives=dp.Vector(1))
def particular(count: Any) -> Any:
    """Refuses what is made up."""
    return {1e9: 1.0}[float(count[0])]


@dp.post_function("released.leaves", gives=dp.Vector(1))
def leaves(count: Any) -> Any:
    """Ends the program."""
    raise SystemExit(0)


@dp.post_function("released.sometimes", gives=dp.Vector(1))
def sometimes(count: Any) -> Any:
    """Fits."""
    return np.maximum(count, 0.0)


def mechanism(name: str, gives: Any, function: Callable[..., Any], takes: str = "linf") -> str:
    def run(value: Any, scale: float, noise: Any) -> Any:
        """Noise."""
        return function(value, scale, noise)

    def loss(scale: float, *distances: float) -> Any:
        return dp.Pure(1.0)

    dp.own_mechanism(name, gives=gives, takes=takes, loss=loss, source="x")(run)
    return name


MECHANISMS = {
    "no such name": mechanism("released.m.name", dp.Index(2), lambda v, s, noise: noise.gumbel(s)),
    "floats": mechanism("released.m.floats", 2, lambda v, s, noise: v + 1.0 * noise.laplace(s, 2)),
    "too large": mechanism("released.m.large", dp.Index(2), lambda v, s, noise: 7),
    "rows": mechanism("released.m.rows", 1, lambda v, s, noise: v.missing, takes="edits"),
}
FITS = [
    mechanism("released.m.fits", 2, lambda v, s, noise: v + noise.laplace(s, 2)),
    mechanism("released.m.first", dp.Index(2), lambda v, s, noise: int(np.argmax(v + noise.laplace(s, 2)))),
]


@dp.learner("released.mean")
def mean(rows: Any, generator: Any) -> Any:
    """The mean."""
    return (rows.mean(axis=0),)


@dp.learner("released.array")
def array(rows: Any, generator: Any) -> Any:
    """An array in place of a tuple of one."""
    return rows.mean(axis=0)


@dp.learner("released.moments")
def moments(rows: Any, generator: Any) -> Any:
    """A matrix."""
    return (rows.T @ rows,)


@dp.learner("released.found")
def found(rows: Any, generator: Any) -> Any:
    """As many points as there are: blocks of made-up rows need not have as many as the user's."""
    return (rows[: len(np.unique(np.round(rows / 50.0), axis=0))],)


@dp.semimetric("released.far", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def far(a: Any, b: Any) -> Any:
    """It has no such name."""
    return np.linalg.distance(a, b)


@dp.semimetric("released.near", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r, many=True)
def near(a: Any, b: Any) -> Any:
    """Of vectors."""
    return np.sqrt(np.square(a - b).sum(axis=-1))


def noisy(name: str, semimetric: str, function: Callable[..., Any]) -> str:
    def run(value: Any, noise: float, normals: Any) -> Any:
        """Noise."""
        return function(value, noise, normals)

    dp.mask(name, semimetric=semimetric, cost=lambda noise, r: dp.GaussianEvent(2.0 * r / noise))(run)
    return name


GAUSSIAN = noisy("released.gaussian", "released.near", dp.lattice_gaussian)
FAR = noisy("released.far.gaussian", "released.far", dp.lattice_gaussian)
SHORT = noisy("released.short", "released.near", lambda value, noise, normals: value[:1])
TYPO = noisy("released.typo_mask", "released.near", lambda value, noise, normals: normals.draw(2))


def counted(what: Callable[[dp.Handle], Any]) -> Program:
    return lambda x: what(dp.release("count", dp.laplace(share=1.0), dp.count(x)))


def released(name: str) -> Program:
    def program(x: dp.Handle) -> dp.Handle:
        takes_rows = name.endswith("rows")
        value = dp.all_rows(x) if takes_rows else dp.bin_counts(x, edges=[0.0])
        return dp.release("made", dp.own(name, noise_multiplier=1), value)

    return program


def on_blocks(semimetric: str = "released.near", mask: str = GAUSSIAN) -> Program:
    def program(x: dp.Handle) -> dp.Handle:
        names = {"learner": "released.mean", "semimetric": semimetric, "mask": mask}
        return dp.release("made", dp.recipe("arbas23.averaged", size=2, r=1.0, t=200, view="mu", **names), x)

    return program


def branched(test: dp.Handle, x: dp.Handle) -> dp.Handle:
    def body(rows: dp.Handle) -> dp.Handle:
        return dp.release("again", dp.laplace(share=1.0), dp.count(rows))

    return dp.branch("made", test, body, body, x)


def try_program(program: Program) -> None:
    budget = dp.approx_dp(4.0, 1e-6)
    choices: dict[str, Any] = {"adjacency": dp.REPLACE_ONE, "budget": budget, "allow_asserted": True}
    plan = dp.plan(dp.program(program), x=dp.rows(n=20_000, d=2), **choices)
    try_out(admit(plan, simulated=True).graph)


REFUSED: list[tuple[Program, str]] = [
    (counted(raises), r"'released.raises' answers none of some made-up released values: AttributeError"),
    (counted(wide), r"'released.wide' .*it gives an array of shape \(3,\), not numbers of the declared shape \(2,\)"),
    (counted(index), r"'released.index' .*it gives a str, not a whole number"),
    (lambda x: branched(flag(dp.release("c", dp.laplace(share=1.0), dp.count(x))), x), "not True or False"),
    (released(MECHANISMS["no such name"]), "made-up values: AttributeError"),
    (released(MECHANISMS["floats"]), "it gives floats, not whole steps"),
    (released(MECHANISMS["too large"]), "it gives a int, not a whole number below 2"),
    (released(MECHANISMS["rows"]), "made-up tables: AttributeError"),
    (on_blocks(semimetric="released.far", mask=FAR), "'released.far' .*vectors of 2 numbers: AttributeError"),
    (on_blocks(mask=SHORT), r"'released.short' .*it gives an array of shape \(1,\)"),
    (on_blocks(mask=TYPO), "'released.typo_mask' .*values of 2 numbers: AttributeError"),
]


@pytest.mark.parametrize(("program", "words"), REFUSED, ids=[str(i) for i in range(len(REFUSED))])
def test_what_answers_nothing_is_refused(program: Program, words: str) -> None:
    with pytest.raises(SpecError, match=f"(?s){words}"):
        try_program(program)


@dp.learner("released.endless")
def endless(rows: Any, generator: Any) -> Any:
    """In a run it is ended after its time, in a process of its own."""
    while True:
        pass


def test_a_learner_that_does_not_end_is_not_waited_for() -> None:
    """What it does in a run is for the run's limits to say."""

    def program(x: dp.Handle) -> dp.Handle:
        names = {"learner": "released.endless", "semimetric": "released.near", "mask": GAUSSIAN}
        return dp.release("made", dp.recipe("arbas23.averaged", size=2, r=1.0, t=200, view="mu", **names), x)

    try_program(program)


@pytest.mark.parametrize(
    ("learner", "item", "size", "words"),
    [
        ("array", "vector", (2,), r"it gives an array of shape \(2,\), not a tuple of 1 array of shape \(2,\)$"),
        ("moments", "vector", (2,), r"it gives 1 array of shape \(2, 2\), not a tuple of 1 array of shape \(2,\)$"),
        ("mean", "points", (3, 2), r"it gives 1 array of shape \(2,\), not a tuple of 1 array of shape \(3, 2\)$"),
        ("mean", "mixture", (1, 2), r"not a tuple of 3 arrays of shape \(1,\), \(1, 2\), \(1, 2, 2\)$"),
        ("mean", "vector", (2,), ""),
        ("moments", "points", (2, 2), ""),
        ("found", "points", (3, 2), ""),
    ],
)
def test_a_learner_gives_what_its_plan_declares(learner: str, item: str, size: tuple[int, ...], words: str) -> None:
    """Or no block would have a result, once all is spent; how many it finds may hang on the rows."""
    blocks = BlockLearner(learner=f"released.{learner}", t=200, item=item, size=size)
    if not words:
        trying._try(blocks, [Rows(2)])
        return
    with pytest.raises(SpecError) as refused:
        trying._try(blocks, [Rows(2)])
    shown = f"^'released.{learner}' answers none of some made-up blocks of 2 columns, item='{item}', size=.*: .*"
    assert re.search(shown + words, refused.value.message)


FINE = [counted(sometimes), counted(particular), counted(leaves), on_blocks(), *map(released, FITS)]


@pytest.mark.parametrize("program", FINE, ids=[str(i) for i in range(len(FINE))])
def test_what_answers_or_may_refuse_made_up_values_is_not(program: Program) -> None:
    try_program(program)
