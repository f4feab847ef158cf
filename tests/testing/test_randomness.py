"""Every pair of releases of a run consumes disjoint randomness: once with the secure source, once seeded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.mechanisms.additive import Additive
from dpframe.kernel.mechanisms.gaussian import GaussianMechanism
from dpframe.kernel.noise import SecureSource
from dpframe.kernel.noise.sources import SeededSource
from dpframe.runtime.engine import Scope
from dpframe.testing.audit.randomness import disjoint_randomness
from tests.planning.examples import plan_of
from tests.testing.neighbours import MORE, RUNNABLE, rows

QUICK = {"for_each", "recurse", "branch", "secret pairs and labels"}
SOURCES = [None, 7]


@pytest.mark.parametrize("simulate", SOURCES, ids=["secure", "seeded"])
@pytest.mark.parametrize(
    "case", [pytest.param(c, marks=[] if c in QUICK else [pytest.mark.slow]) for c in (*RUNNABLE, *MORE)]
)
def test_releases_share_no_randomness(case: str, simulate: int | None) -> None:
    assert disjoint_randomness(plan_of(case), {"x": rows()}, simulate=simulate) == []


noise, words, label_of = Additive.noise, SecureSource.words, Scope._noise


def memo(key: Callable[[Any, Any, float], Any]) -> Callable[[], Any]:
    """Noise that is kept by a key of source, shape and scale."""

    def make() -> Any:
        kept: dict[Any, Any] = {}

        def drawn(self: Any, shape: Any, scale: float, domain: Any, source: Any) -> Any:
            at = key(source, shape, scale)
            if at not in kept:
                kept[at] = (source, noise(self, shape, scale, domain, source))
            return kept[at][1]

        return drawn

    return make


def memo_after_drawing() -> Any:
    """Noise is drawn, and what was drawn first is used."""
    kept: dict[Any, Any] = {}

    def drawn(self: Any, shape: Any, scale: float, domain: Any, source: Any) -> Any:
        fresh = noise(self, shape, scale, domain, source)
        return kept.setdefault((shape, scale), fresh)

    return drawn


def pooled() -> Any:
    """Words of the operating system, read once and handed out again from the start."""
    pool = np.frombuffer(np.random.default_rng(0).bytes(8 * 4096), dtype=np.uint64)
    return lambda self, count: np.resize(pool, count)


def without_place(self: Scope, node: Any, use: str) -> Any:
    """A label that forgets the item of a loop and the place in a tree."""
    return self.session.source.child("/".join((*self.path, node.name, use)))


def without_path(self: Scope, node: Any, use: str) -> Any:
    """One label for all nodes."""
    return self.session.source.child(use)


def from_the_seed(self: Any, source: Any, scale: float, size: int) -> Any:
    """A stream of its own for a scale."""
    from dpframe.kernel.noise import rounded_gaussian

    return rounded_gaussian(SeededSource(int(scale)), scale, size)


MUTANTS: list[tuple[str, Any, str, Callable[[], Any], tuple[Any, ...]]] = [
    ("kept by the source", Additive, "noise", memo(lambda source, shape, scale: (id(source), shape, scale)), (None,)),
    ("kept by shape and scale", Additive, "noise", memo(lambda source, shape, scale: (shape, scale)), (None, 7)),
    ("drawn and not used", Additive, "noise", memo_after_drawing, (None, 7)),
    ("words from a pool", SecureSource, "words", pooled, (None,)),
    ("labels without a place", Scope, "_noise", lambda: without_place, (7,)),
    ("labels without a path", Scope, "_noise", lambda: without_path, (7,)),
    ("a seed of the scale", GaussianMechanism, "draw", lambda: from_the_seed, (None, 7)),
]


@pytest.mark.parametrize(("cls", "attribute", "make", "seeds"), [m[1:] for m in MUTANTS], ids=[m[0] for m in MUTANTS])
def test_shared_randomness_is_found(cls: Any, attribute: str, make: Any, seeds: Any, monkeypatch: Any) -> None:
    plan = plan_of("for_each")
    for seed in seeds:
        monkeypatch.setattr(cls, attribute, make())
        assert disjoint_randomness(plan, {"x": rows()}, simulate=seed), seed
