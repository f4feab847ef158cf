"""Who drew what: every pair of releases of a run consumes disjoint randomness, with the secure source and with a seed.

A secure source is its own child, so what is kept by the source is kept by all nodes; a seeded one has a child for each
label, so a label that is used twice is a stream that is used twice. Both are watched.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from dpframe.errors import RunError
from dpframe.kernel.graphs import Planned
from dpframe.kernel.noise import SecureSource, SeededSource, Source
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.runtime import gate
from dpframe.runtime.engine import Scope
from dpframe.runtime.guard import Guard
from dpframe.runtime.progress import Progress
from dpframe.runtime.run import open_tables
from dpframe.runtime.scope import Session, Stop
from dpframe.testing.battery.lab import fingerprint

WIDE = 2.0**12
"""Noise of so many lattice steps is the same twice with a probability that no run meets."""


@attrs.define(eq=False)
class Draws:
    """What one run drew.

    Attributes
    ----------
    words : dict
        Words by the label of the part of the run that drew them.
    noise : dict
        Of releases with wide noise what was added, by label.
    silent : list of str
        Mechanisms that released without drawing a word.
    twice : list of str
        Labels that were used twice.
    """

    words: dict[str, list[Any]] = attrs.Factory(dict)
    noise: dict[str, bytes] = attrs.Factory(dict)
    silent: list[str] = attrs.Factory(list)
    twice: list[str] = attrs.Factory(list)
    now: str = ""

    def begin(self, label: str) -> None:
        """What is drawn from here on belongs to this part."""
        if label in self.words:
            self.twice.append(label)
        self.words.setdefault(label, [])
        self.now = label

    def found(self) -> list[str]:
        """What is wrong."""
        out = [f"{label!r} is released without a word of randomness" for label in self.silent]
        out += [f"the stream of {label!r} is used twice" for label in self.twice]
        owner: dict[int, str] = {}
        for label, parts in self.words.items():
            for word in np.concatenate(parts).tolist() if parts else []:
                other = owner.setdefault(word, label)
                if other != label:
                    out.append(f"{label!r} and {other!r} draw the same words")
                    break
        seen: dict[bytes, str] = {}
        for label, noise in self.noise.items():
            other = seen.setdefault(noise, label)
            if other != label:
                out.append(f"{label!r} and {other!r} have the same noise")
        return out


class WatchedSource(Source):
    """A source whose words are put on record; its own child where the real one is."""

    __slots__ = ("_draws", "_inner")

    def __init__(self, inner: Source, draws: Draws) -> None:
        self._inner, self._draws = inner, draws

    @property
    def simulated(self) -> bool:
        """That of the real one."""
        return self._inner.simulated

    def words(self, count: int) -> Any:
        """Words of the real one."""
        given = self._inner.words(count)
        if count:
            self._draws.words.setdefault(self._draws.now, []).append(np.array(given))
        return given

    def child(self, label: str) -> Source:
        """The child of the real one, watched."""
        self._draws.begin(label)
        inner = self._inner.child(label)
        return self if inner is self._inner else WatchedSource(inner, self._draws)


@attrs.frozen(eq=False)
class Drawing(Session):
    """A session whose draws are on record."""

    draws: Draws = attrs.field(kw_only=True)


@attrs.define(eq=False)
class Watching(Scope):
    """A scope that says whose turn it is."""

    def _release(self, node: Planned, operation: Mechanism, exact: Exact) -> Any:
        if not isinstance(self.session, Drawing):
            raise RunError("a watching scope needs a session that keeps draws", fix="use disjoint_randomness()")
        draws = self.session.draws
        released = super()._release(node, operation, exact)
        label = "/".join((*self.path, node.name, *self.place, "noise"))
        if not any(len(part) for part in draws.words.get(label, [])):
            draws.silent.append(label)
        scale = operation.scale(self.calibration(node), self.graph.edges[node.inputs[0]].domain)
        if isinstance(released, np.ndarray) and not isinstance(exact.integers, (list, tuple)):
            steps = float(exact.step)
            if scale / steps > WIDE:
                noise = np.round(np.asarray(released) / steps) - np.asarray(exact.integers, dtype=np.float64)
                draws.noise[label] = fingerprint([np.round(noise).tolist(), scale])
        draws.now = ""
        return released


def disjoint_randomness(plan: Any, tables: Mapping[str, Any], *, simulate: int | None = None) -> list[str]:
    """What two releases of one run share of their randomness; nothing, where all is well.

    Parameters
    ----------
    plan : Plan
    tables : mapping
        As for :func:`~dpframe.runtime.run.run_plan`.
    simulate : int, optional
        The seed; without one the secure source is watched, as in production.

    Notes
    -----
    Two of the words of a run agree by chance with probability 2⁻⁶⁴ a pair. *Formal guarantees:* none; it finds faults.
    """
    admitted = gate.admit(plan, simulated=simulate is not None)
    opened, draws = open_tables(admitted, tables), Draws()
    source = WatchedSource(SecureSource() if simulate is None else SeededSource(simulate), draws)
    session = Drawing(admitted, source, Guard.of(admitted.checked), Progress(None), 1, draws=draws)
    scope = Watching(session, admitted.graph, values=dict(opened.values))
    with contextlib.suppress(Stop):
        scope.run(tuple(ref for _, ref in admitted.graph.outputs))
    return draws.found()
