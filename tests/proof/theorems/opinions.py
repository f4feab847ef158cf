"""Second opinions that need a run, or every edit of a small table; ``test_second_opinions.py`` takes their numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from dpframe.proof.spaces import Edits, LInf
from dpframe.proof.theorems import THEOREMS
from dpframe.testing.audit import reductions
from dpframe.testing.audit.in_situ import composed


def found_by_a_run(name: str) -> Callable[[], tuple[float, float]]:
    """ρ of what a run's mechanisms cost at the distances of the audits' neighbours, composed, and the certified one."""

    def pair() -> tuple[float, float]:
        case = next(case for case in reductions.CASES if case.name == name)
        first, second = case.tables()
        found, certified = composed(case.plan(), {"x": first}, {"x": second})
        return certified.rho, found.rho

    return pair


def edits_of(name: str, params: dict[str, Any], edits: Edits) -> Any:
    (found,) = THEOREMS[name].rule(params, ((edits,),))
    return found


def index_blocks() -> tuple[float, float]:
    """Replaced rows of a table cut into blocks, every choice of two rows."""
    blocks = np.arange(12).reshape(4, 3)
    found = max(len({i // 3 for i in rows}) for rows in itertools.combinations(range(12), 2))
    assert blocks.shape == (4, 3)
    return float(edits_of("index_blocks", {"t": 4}, Edits(2, 2)).changed), float(found)


def pairs_by_index() -> tuple[float, float]:
    found = max(len({i // 2 for i in rows}) for rows in itertools.combinations(range(10), 2))
    return float(edits_of("pairs_by_index", {}, Edits(2, 2)).removed), float(found)


def lipschitz() -> tuple[float, float]:
    """Minima of a few scores that move by one."""
    rng, found = np.random.default_rng(0), 0.0
    for _ in range(500):
        scores = rng.integers(-3, 4, 3)
        found = max(found, abs(float(min(scores)) - float(min(scores + rng.integers(-1, 2, 3)))))
    (bound, *_) = THEOREMS["lipschitz_scores"].rule({}, ((LInf(1.0),),))
    return bound.bound, found
