"""Faults of the engine, its guard and its control flow: what is released, and what decides what runs next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import pytest

from dpframe.kernel.operations import Exact, Mechanism
from dpframe.kernel.post_processing import Failed, Post
from dpframe.proof.spaces import Outcome
from dpframe.proof.typed import Ref
from dpframe.runtime import control
from dpframe.runtime.engine import Deferred, Scope
from dpframe.runtime.gate import Admitted
from dpframe.runtime.guard import Guard
from dpframe.runtime.scope import Stop
from dpframe.testing.audit.in_situ import Twin
from tests.testing.neighbours import neighbours, observed

Patch = pytest.MonkeyPatch
release, charged, post, twin = Scope._release, Scope.charged, Scope._post, Twin._release


def twice_and_averaged(patch: Patch) -> None:
    """Charged once, drawn twice."""

    def planted(self: Scope, node: Any, operation: Mechanism, exact: Exact) -> Any:
        first = release(self, node, operation, exact)
        self.session.guard._spent.clear()
        again = operation.release(
            exact, self.calibration(node), self.graph.edges[node.inputs[0]].domain, self._noise(node, "again")
        )
        return (np.asarray(first) + np.asarray(again)) / 2 if isinstance(first, np.ndarray) else first

    patch.setattr(Scope, "_release", planted)


def charged_and_quieter(patch: Patch) -> None:
    """The guard hears of the certified noise, the release of a tenth."""

    def planted(self: Scope, node: Any) -> Any:
        return {k: v / 10 if isinstance(v, float) else v for k, v in charged(self, node).items()}

    patch.setattr(Scope, "charged", planted)


def rounded_first(patch: Patch) -> None:
    """Exact values are rounded to hundreds on their way."""

    def planted(self: Scope, node: Any, operation: Mechanism, exact: Exact) -> Any:
        coarse = np.asarray(exact.integers) // 100 * 100 if isinstance(exact.integers, np.ndarray) else exact.integers
        return release(self, node, operation, attrs.evolve(exact, integers=coarse))

    patch.setattr(Scope, "_release", planted)


def numpy_noise(patch: Patch) -> None:
    """Noise of another generator."""

    def planted(self: Scope, node: Any, operation: Mechanism, exact: Exact) -> Any:
        self.charged(node)
        return release(attrs.evolve(self, place=(*self.place, "other")), node, operation, exact)

    patch.setattr(Scope, "_release", planted)


def bare_when_large(patch: Patch) -> None:
    """Noise is left out where the value is far above it."""

    def planted(self: Scope, node: Any, operation: Mechanism, exact: Exact) -> Any:
        released = release(self, node, operation, exact)
        if isinstance(released, np.ndarray) and np.abs(exact.floats).max(initial=0) > 100:
            return exact.floats.reshape(np.shape(released))
        return released

    patch.setattr(Scope, "_release", planted)


def decided_by_the_exact_value(patch: Patch) -> None:
    """A branch looks at a value before its noise."""
    run = control.run

    def planted(scope: Scope, node: Any, operation: Any, inputs: list[Any]) -> Any:
        if isinstance(inputs[0], Outcome):
            inputs = [attrs.evolve(inputs[0], passed=_nearest(scope) % 2 == 0), *inputs[1:]]
        return run(scope, node, operation, inputs)

    patch.setattr(control, "run", planted)


def _nearest(scope: Scope) -> int:
    """Whole part of a sum of the scope's private rows."""
    for table in scope.values.values():
        if hasattr(table, "base"):
            rows = np.vstack([b.values for b in table.base.batches(1 << 16)])
            return int(np.abs(np.nan_to_num(np.clip(rows, -50, 50))).sum())
    return 0


def exact_for_posts(patch: Patch) -> None:
    """A post is given the value before its noise."""

    def planted(self: Scope, node: Any, operation: Post, inputs: list[Any]) -> Any:
        made = {Ref(n.name): n for n in self.graph.nodes if isinstance(n.operation, Mechanism)}
        given = []
        for ref, known in zip(node.inputs, inputs, strict=True):
            exact = self.values.get(made[ref].inputs[0]) if ref in made else None
            exact = exact.value() if isinstance(exact, Deferred) else exact
            close = isinstance(exact, Exact) and np.shape(known) == np.shape(exact.integers)
            given.append(exact.floats if close else known)
        return post(self, node, operation, given)

    patch.setattr(Scope, "_post", planted)


def remarks_of_rows(patch: Patch) -> None:
    """A remark on the private sum."""

    def planted(self: Scope, node: Any, operation: Mechanism, exact: Exact) -> Any:
        if isinstance(exact.integers, np.ndarray):
            self.session.remarks.append(f"about {exact.floats.max(initial=0):.3g}")
        return twin(self, node, operation, exact)  # type: ignore[arg-type]

    patch.setattr(Twin, "_release", planted)


def stopped_by_rows(patch: Patch) -> None:
    """A run ends early where a private number is odd."""

    def planted(self: Scope, nodes: list[Any]) -> None:
        passes(self, nodes)
        if _nearest(self) % 2:
            raise Stop(Failed("an odd table", "use another"))

    passes = Scope._pass
    patch.setattr(Scope, "_pass", planted)


def forgetful(patch: Patch) -> None:
    """A guard that forgets: the second release of a node is charged like a first; so items take the whole."""
    patch.setattr(Guard, "charge", lambda self, path, place, calibration, share: None)
    patch.setattr(Admitted, "proposed", lambda self, path, share: self.checked.noise[path].calibration)


PLANTED: list[tuple[Callable[[Patch], None], str]] = [
    (twice_and_averaged, "simple mean"),
    (charged_and_quieter, "simple mean"),
    (rounded_first, "simple mean"),
    (numpy_noise, "simple mean"),
    (bare_when_large, "partition by rule"),
    (decided_by_the_exact_value, "branch"),
    (exact_for_posts, "simple mean"),
    (remarks_of_rows, "simple mean"),
    (stopped_by_rows, "simple mean"),
    (forgetful, "for_each"),
]


@pytest.mark.parametrize(("plant", "case"), PLANTED, ids=[p[0].__name__ for p in PLANTED])
def test_it_is_seen(plant: Callable[[Patch], None], case: str, monkeypatch: Patch) -> None:
    plant(monkeypatch)
    assert any(observed(case, first, second) for first, second in neighbours(case))
