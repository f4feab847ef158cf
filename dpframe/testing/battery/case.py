"""An operation and what goes in, which domains there are, and whether it accepts them."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Mechanism, Operation, Slot
from dpframe.kernel.post_processing import Failed, Post
from dpframe.proof.spaces import (
    AffineMap,
    Array,
    Ball,
    Blocks,
    Counts,
    Domain,
    Flag,
    Gaussian,
    Index,
    Kind,
    ListOf,
    Mixture,
    Record,
    Rows,
    SparseCounts,
    Subspace,
    Symmetric,
    Vector,
    WeightedRows,
    Whitening,
)
from dpframe.testing.battery import metrics
from dpframe.testing.battery.endless import Calls, TooLong
from dpframe.testing.battery.values import draw, drawable


@attrs.frozen(eq=False)
class Case:
    """An operation and what goes in.

    Attributes
    ----------
    operation : Operation
    domains : tuple of Domain
        One an input.
    values : tuple, optional
        Released values of the inputs, for a post whose inputs can't be drawn.
    noise : tuple of float
        The planned noise that a post is told.
    leading : int, optional
        How many leading inputs are private, where the slots take either kind.
    chosen : tuple of int
        Places of inputs that are an index always: of a selection that never answers ``None``.
    """

    operation: Operation
    domains: tuple[Domain, ...]
    values: tuple[Any, ...] | None = None
    noise: tuple[float, ...] = ()
    leading: int | None = None
    chosen: tuple[int, ...] = ()

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slot of each input."""
        slots = list(self.operation.slots)
        while slots and len(slots) < len(self.domains):
            slots.append(slots[-1])
        return tuple(slots[: len(self.domains)])

    @property
    def private(self) -> int:
        """How many leading inputs are private."""
        return self.leading if self.leading is not None else sum(1 for s in self.slots if Kind.PRIVATE in s.kinds)

    @property
    def columns(self) -> int:
        """Columns of the first private input, for released records that do not say theirs; 0 without one."""
        if not self.private:
            return 0
        item = getattr(self.domains[0], "item", self.domains[0])
        shape = item.shape if isinstance(item, Array) else ()
        return int(shape[-1] if shape else getattr(item, "d", 1))

    @property
    def text(self) -> str:
        """For people."""
        if "of" in (said := self.operation.parameters()):
            return f"{said['of']}({said['settings']}) on {', '.join(str(d) for d in self.domains)}"
        parameters = ", ".join(f"{k}={v!r}" for k, v in self.operation.parameters().items() if v is not None)
        return f"{self.operation.name}({parameters}) on {', '.join(str(d) for d in self.domains) or 'no inputs'}"


def accepted(operation: Operation, domains: tuple[Domain, ...], *, running: bool = True) -> bool:
    """Whether it takes these domains; where rows go in, also whether its theorem does; a post may have to run."""
    try:
        operation.output(*domains)
        if isinstance(operation, Post):
            return not running or _runs(operation, domains)
        private = [d for d, s in zip(domains, Case(operation, domains).slots, strict=True) if Kind.PRIVATE in s.kinds]
        if isinstance(operation, Mechanism):
            unit = metrics.of_value(private[0])
            return bool(unit) and bool(
                operation.loss(operation.calibrate(0.1, 1e-7, unit, private[0]), unit, private[0])
            )
        return metrics.allowed(operation, domains, len(private))
    except (Exception, SystemExit):  # noqa: BLE001  a search: what it does not take is left out, or what ends the program
        return False


def _runs(operation: Post, domains: tuple[Domain, ...]) -> bool:
    rng = np.random.default_rng(0)
    values = tuple(draw(d, rng) for d in domains)
    noise = (1.0,) * (len(values) + len(operation.told()))

    def told() -> dict[str, Any]:  # where it ends its process
        case = Case(operation, domains)
        return {"case": case.text, **{s.name: v for s, v in zip(case.slots, values, strict=True)}}

    try:
        with np.errstate(all="ignore"):
            result = Calls(trying=True).ask(operation.apply_noisy, values, noise, shown=told)
    except TooLong:  # for an attack to tell
        return True
    return isinstance(result, Failed) or _belongs(result, operation.output(*domains))


def _belongs(value: Any, domain: Domain) -> bool:
    domain.check(value)
    return True


def private_domains(d: int) -> list[Domain]:
    """Domains of private values with ``d`` columns."""
    return [
        Rows(d),
        Rows(d, "unit_ball"),
        Rows(d, "unit_box"),
        WeightedRows(2, d + 1),
        Counts(d + 1),
        Counts(1),
        Vector(d),
        Symmetric(d),
        Symmetric(d, 2),
        Array((2, d)),
        SparseCounts(d, 2),
        SparseCounts(d, 1, 2),
        Blocks(5, Vector(d)),
        Blocks(5, Array((2, d))),
        Blocks(5, Array((2, d + 1))),
        Blocks(5, Mixture(2, d)),
        Mixture(2, d),
    ]


def released_domains(d: int, records: tuple[str, ...] = ()) -> list[Domain]:
    """Domains of released values with ``d`` columns, and the records somebody can make."""
    plain: list[Domain] = [
        Ball(d),
        Ball(1),
        ListOf(Ball(d), 2),
        ListOf(Mixture(2, d), 2),
        Vector(d),
        Vector(d + 1),
        Array((2, d)),
        Array((2, 2)),
        Array((1, 3)),
        Array((3, d)),
        Counts(1),
        Counts(d),
        Symmetric(d),
        Symmetric(d, 2),
        Symmetric(d + 1, 2),
        AffineMap(d, d),
        AffineMap(d, 1),
        Subspace(d, 1),
        Whitening(2, d),
        Gaussian(d),
        Mixture(2, d),
        Mixture(1, d),
        Flag(),
        Index(2),
        SparseCounts(d, 2),
    ]
    return [*dict.fromkeys(plain), Record("grids"), Record("hypotheses"), *(Record(name) for name in records)]


def check_drawable(case: Case) -> bool:
    """Whether every released input has a value."""
    return case.values is not None or all(drawable(d) for d in case.domains[case.private :])
