"""Every broken twin is caught by the layer it names, for the reason it names, and every sound twin passes.

Audits are seeded, so that a run gives the same verdict every time; over seeds a sound twin is caught with
probability at most 1e-6 each.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dpframe.proof.checker import Noise
from dpframe.runtime.guard import Guard
from tests.mutants import law, law_sizes, law_vectors
from tests.mutants.base import LAYERS, Mutant
from tests.mutants.registry import JUDGES, MUTANTS

CORRECTIONS = {f"C{i}" for i in range(1, 15) if i != 6}


CORRECT = [*law.CORRECT, *law_sizes.CORRECT, *law_vectors.CORRECT]
QUICK = {"mixes-rows", "raises", "sliding-pairs", "C12-query", "own-noise", "post-memory"}
QUICK |= {"rate-rounded", "best-of-two", "no-permutation", "candidates-many", "leads-clear"}
QUICK |= {"three-still", "three-summed"}
"""Of the battery's mutants, of which each takes a second or two, those that the fast suite runs."""


def row(mutant: Mutant) -> Any:
    slow = mutant.layer in ("contract", "law") and mutant.name not in QUICK
    marks = [pytest.mark.slow] if slow else []
    return pytest.param(mutant, id=f"{mutant.layer}-{mutant.name}", marks=marks)


@pytest.mark.parametrize("mutant", [row(mutant) for mutant in MUTANTS])
def test_it_is_caught_and_its_twin_passes(mutant: Mutant) -> None:
    judge = JUDGES[mutant.layer]
    said = judge(mutant.broken)
    assert said, f"not caught: {mutant.fault}"
    assert mutant.reason in said
    assert not judge(mutant.sound)


@pytest.mark.slow
@pytest.mark.parametrize(("twin", "name", "patch"), CORRECT, ids=[f"{row[1]}: {row[0]}" for row in CORRECT])
def test_a_correct_twin_is_not_refuted(twin: str, name: str, patch: law.Patch) -> None:
    assert not law.judged(name, patch)


def calls(work: Callable[[], object]) -> int:
    """Calls of functions that ``work`` makes: a measure of effort without a clock."""
    made = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal made
        made += event == "call"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return made


ONCE = Noise("gaussian_mechanism", "{}", {"sigma": 1.0}, ())


class Recomposing(Guard):
    """The broken twin: a filter that adds up everything it charged before at each charge (opendp #2909)."""

    def charge(self, path: Any, place: Any, calibration: Any, share: Fraction = Fraction(1)) -> None:
        super().charge(path, place, calibration, share)
        sum(self._spent.values(), Fraction(0))


def effort(guard: type[Guard], queries: int) -> int:
    paths = [(f"q{i}",) for i in range(queries)]
    made = guard(dict.fromkeys(paths, ONCE))
    return calls(lambda: [made.charge(path, (), ONCE.calibration) for path in paths])


def test_a_filter_is_linear_in_the_number_of_queries() -> None:
    assert effort(Guard, 400) < 5 * effort(Guard, 100)
    assert effort(Recomposing, 400) > 10 * effort(Recomposing, 100)


def test_the_registry_is_large_and_varied() -> None:
    per_layer = Counter(mutant.layer for mutant in MUTANTS)
    assert len({m.name for m in MUTANTS}) == len(MUTANTS) >= 40
    assert set(per_layer) == set(LAYERS)
    assert per_layer["contract"] + per_layer["audit"] >= 10
    assert {m.source for m in MUTANTS} >= CORRECTIONS
