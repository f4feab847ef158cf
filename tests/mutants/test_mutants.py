"""Every broken twin is caught by the layer it names, for the reason it names, and every sound twin passes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.mutants.base import LAYERS, Mutant
from tests.mutants.registry import JUDGES, MUTANTS

CORRECTIONS = {f"C{i}" for i in range(1, 15) if i != 6}


QUICK = {"mixes-rows", "raises", "sliding-pairs", "C12-query", "own-noise", "post-memory"}
"""Of the battery's mutants, of which each takes a second or two, those that the fast suite runs."""


def row(mutant: Mutant) -> Any:
    slow = mutant.layer == "contract" and mutant.name not in QUICK
    marks = [pytest.mark.slow] if slow else []
    return pytest.param(mutant, id=f"{mutant.layer}-{mutant.name}", marks=marks)


@pytest.mark.parametrize("mutant", map(row, MUTANTS))
def test_it_is_caught_and_its_twin_passes(mutant: Mutant) -> None:
    judge = JUDGES[mutant.layer]
    said = judge(mutant.broken)
    assert said, f"not caught: {mutant.fault}"
    assert mutant.reason in said
    assert not judge(mutant.sound)


def test_the_registry_is_large_and_varied() -> None:
    per_layer = Counter(mutant.layer for mutant in MUTANTS)
    assert len({m.name for m in MUTANTS}) == len(MUTANTS) >= 40
    assert set(per_layer) == set(LAYERS)
    assert per_layer["contract"] + per_layer["audit"] >= 10
    assert {m.source for m in MUTANTS} >= CORRECTIONS
