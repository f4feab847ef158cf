"""What a run holds while it goes on: what all its graphs share, and of each its values, place and share.

The engine evaluates it; control nodes only ask for a body to be run in another one.
"""

from __future__ import annotations

import abc
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Self

import attrs

from dpframe.kernel.graphs import Planned, Typed
from dpframe.kernel.post_processing import Failed, Quality
from dpframe.proof.typed import Path, Ref
from dpframe.runtime.cluster import Pool
from dpframe.runtime.gate import Admitted
from dpframe.runtime.guard import Guard
from dpframe.runtime.progress import Progress


class Stop(Exception):  # not an error: the run ends with status failed
    """A post node found that the released values allow no answer."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.reason)
        self.failed = failed


@attrs.frozen(eq=False)
class Session:
    """What all scopes of one run share."""

    admitted: Admitted
    source: Any
    guard: Guard
    progress: Progress
    threads: int | None = None
    chunk: int | None = None
    pool: Pool | None = None
    once: bool = False
    remarks: list[str] = attrs.field(factory=list)
    judged: dict[Path, Quality] = attrs.field(factory=dict)
    taken: dict[Path, dict[Path, bool]] = attrs.field(factory=dict)


@attrs.define(eq=False)
class Evaluation(abc.ABC):
    """One graph being evaluated: its values so far, its place in loops and divisions, its share of a loop's total."""

    session: Session
    graph: Typed
    place: Path = ()
    share: Fraction = Fraction(1)
    values: dict[Ref, Any] = attrs.Factory(dict)
    stds: dict[Ref, float] = attrs.Factory(dict)
    noise: dict[str, Mapping[str, Any]] = attrs.Factory(dict)

    @property
    def path(self) -> Path:
        """Names of the nodes and labels of the bodies that the graph is in."""
        return self.graph.path

    def inner(self, node: Planned, label: str, inputs: list[Any], place: Path) -> Self:
        """The evaluation of a control node's body at a place of its own: of its values only the inputs are known."""
        graph = node.bodies[label]
        made = attrs.evolve(self, graph=graph, place=(*self.place, *place), values={}, stds={}, noise={})
        made.values.update({Ref(i.name): value for i, value in zip(graph.inputs, inputs, strict=True)})
        return made

    @abc.abstractmethod
    def run(self, wanted: tuple[Ref, ...]) -> list[Any]:
        """Evaluate every node and return the wanted values."""
