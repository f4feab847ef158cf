"""The abstract operations: transform, statistic, query, mechanism, reduction, control.

Those of released values alone are in :mod:`dpframe.kernel.post_processing`.

An operation is a frozen value: its fields are its declared parameters (numbers, strings, lists), so it
can be written to a spec or a certificate and read back by its registered name. What it takes and makes, and the
theorem it cites, are declared beside that theorem (:mod:`dpframe.proof.theorems.declaring`); its own file, one to an
operation, adds what runs. Private values enter only the methods of this module's classes, and only the executor calls
those.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

import attrs
import numpy as np

import dpframe.proof.families  # noqa: F401  what it declares is known to operations
from dpframe.errors import PlanError
from dpframe.kernel.exact.values import Batch as Batch
from dpframe.kernel.exact.values import Exact as Exact
from dpframe.kernel.exact.values import lattice_step as lattice_step
from dpframe.kernel.proposals import Proposed, ProposedNoise, ProposedStep
from dpframe.kernel.proposals import Steps as Steps
from dpframe.kernel.shares import check_share
from dpframe.proof.spaces import Domain
from dpframe.proof.spaces.checks import scalar
from dpframe.proof.theorems import DECLARATIONS, THEOREMS, Declaration, Theorem
from dpframe.proof.theorems import Slot as Slot
from dpframe.proof.theorems.declaring import FREE
from dpframe.proof.theorems.declaring import ROWS as ROWS
from dpframe.proof.theorems.declaring import VALUE as VALUE

PARAM = FREE
"""Kinds of values that a parameter may have: released and public ones."""
D = TypeVar("D", bound=Domain)
IntArray = np.ndarray[Any, np.dtype[Any]]


@attrs.frozen
class Operation(Proposed):
    """Base of all operations.

    ``name``, ``kind``, ``theorem`` and ``slots`` are set when it is registered: from its declaration where it touches
    private values, else (a post) as the class gives them.
    """

    name: ClassVar[str] = ""
    theorem: ClassVar[str] = ""
    slots: ClassVar[tuple[Slot, ...]] = ()
    kind: ClassVar[str] = "operation"

    @classmethod
    def declaration(cls) -> Declaration:
        """What is declared of it beside its theorem; raises :class:`PlanError` where nothing is."""
        if cls.name not in DECLARATIONS:
            raise PlanError(
                f"operation {cls.name!r} is declared beside no theorem",
                fix="build it from kernel operations: only they are proved",
            )
        return DECLARATIONS[cls.name]

    def admit(self, *inputs: Domain) -> None:
        """What planning refuses beyond shapes: a name that is not registered, say. The checker does not ask."""

    def parameters(self) -> dict[str, Any]:
        """Declared parameters as JSON values."""
        return {name: _plain(getattr(self, name)) for name in _fields(type(self))}  # type: ignore[arg-type]

    def cited(self) -> Theorem:
        """The theorem this operation rests on."""
        return THEOREMS[self.theorem]


@functools.cache
def _fields(kind: type[Operation]) -> tuple[str, ...]:
    return tuple(a.name for a in attrs.fields(kind) if a.init)


def _plain(value: Any) -> Any:
    """Tuples to lists, NumPy numbers to Python's."""
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


def wants(domain: Domain, kind: type[D], what: str) -> D:
    """``domain`` if it is of the wanted type, else a :class:`PlanError` naming both.

    Examples
    --------
    >>> from dpframe.proof.spaces import Ball, Vector
    >>> wants(Ball(3), Ball, "classic.frame").d
    3
    >>> wants(Vector(3), Ball, "classic.frame")
    Traceback (most recent call last):
    dpframe.errors.PlanError: classic.frame takes Ball, not Vector(d=3). Fix: give it a value of Ball
    """
    if not isinstance(domain, kind):
        raise PlanError(f"{what} takes {kind.__name__}, not {domain}", fix=f"give it a value of {kind.__name__}")
    return domain


def same(a: int, b: int, what: str) -> None:
    """Raise unless two dimensions agree."""
    if a != b:
        raise PlanError(f"{what}: dimensions differ, {a} and {b}", fix="make them agree")


@attrs.frozen
class Transform(Operation):
    """Rows to rows, each row alike. ``apply`` must give a row the same bits whatever its batch."""

    kind: ClassVar[str] = "transform"

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Map one batch; ``params`` are released or public values."""
        raise PlanError(f"transform {self.name!r} has no apply")


@attrs.frozen
class Gather(Operation):
    """Rows to rows through the original row index (pairs): needs two rows at once, kernel-owned.

    Groups are disjoint, and the image of one is as wide as a row.
    """

    kind: ClassVar[str] = "gather"
    most_rows: ClassVar[int | None] = None
    """The most rows it can order, where that is less than any table has."""

    def indices(self, n: int, source: Any) -> IntArray:
        """Row indices (groups, size) to gather; from a public seed, or from ``source`` when secret."""
        raise PlanError(f"gather {self.name!r} has no indices")

    def combine(self, groups: Batch) -> Batch:
        """Map gathered groups, ``values`` (m, size, d) and ``valid`` (m, size), to rows."""
        raise PlanError(f"gather {self.name!r} has no combine")


@attrs.frozen
class Blocks(Operation):
    """Rows to the results of a black box on blocks of them, cut by the original row index."""

    kind: ClassVar[str] = "blocks"

    def split(self, n: int, *, part: bool = False) -> IntArray:
        """Original row indices of the blocks of a table, or of a part of it, shape (blocks, rows a block)."""
        raise PlanError(f"operation {self.name!r} has no split")

    def accepts(self, result: Any) -> bool:
        """Whether a block's result is one; otherwise it is ⊥."""
        raise PlanError(f"operation {self.name!r} has no accepts")


@attrs.frozen
class Partition(Operation):
    """Rows to disjoint parts. How edits are allocated to them is the cited theorem's rule of composition."""

    kind: ClassVar[str] = "partition"

    def parts(self) -> int:
        """Static number of parts; rows of no part are dropped."""
        declared = self.declaration().parts
        if declared is None:
            raise PlanError(f"partition {self.name!r} declares no parts")
        return declared(self.parameters())

    def draw(self, n: int, source: Any) -> IntArray:
        """Secret part of each of n rows, drawn once a run, where the declaration says that it draws."""
        raise PlanError(f"partition {self.name!r} draws no labels")

    def assign(self, batch: Batch, n: int | None, *params: Any) -> IntArray:
        """Part of each row, −1 for none."""
        raise PlanError(f"partition {self.name!r} has no assign")

    def sizes(self, n: int) -> tuple[int, ...]:
        """Rows of each part of n rows, where parts are cut by index: equal ones."""
        return (n // self.parts(),) * self.parts()


@attrs.frozen(eq=False)
class Folds:
    """Folds that one statistic fills beside each other."""

    each: tuple[Any, ...]

    def merge(self, other: Folds) -> None:
        """Merge each with its like."""
        for mine, theirs in zip(self.each, other.each, strict=True):
            mine.merge(theirs)


@attrs.frozen
class Statistic(Operation):
    """Rows to one exact value: a fold with an enforced per-row bound."""

    kind: ClassVar[str] = "statistic"

    def start(self, domain: Domain, *params: Any) -> Any:
        """A fresh fold for rows of this domain."""
        raise PlanError(f"statistic {self.name!r} has no start")

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Fold one batch in; order of batches never matters."""
        raise PlanError(f"statistic {self.name!r} has no update")

    def step(self) -> Fraction:
        """Step of the lattice of the exact value."""
        return Fraction(1)

    def value(self, fold: Any) -> Exact:
        """The exact value, in units of its step."""
        return Exact(fold.value, self.step())


@attrs.frozen
class Query(ProposedStep, Operation):
    """Private values to a private value, with a proved sensitivity."""

    kind: ClassVar[str] = "query"

    def evaluate(self, *values: Any) -> Exact:
        """Evaluate on exact private values and released parameters, in slot order."""
        raise PlanError(f"query {self.name!r} has no evaluate")


def _share(instance: Mechanism, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value is not None:
        check_share(attribute.name, value)


@attrs.frozen
class Mechanism(ProposedNoise, Operation):
    """Private to released. Noise comes from a *share* of the budget's ρ, or from a fixed multiplier.

    Parameters
    ----------
    share : float, optional
        Relative weight of ρ; one common factor for all shares is solved by the planner.
    noise_multiplier : float, optional
        Noise scale over sensitivity, fixed. Exactly one of the two is given.
    """

    kind: ClassVar[str] = "mechanism"
    share: float | None = attrs.field(default=None, kw_only=True, converter=scalar, validator=_share)
    noise_multiplier: float | None = attrs.field(default=None, kw_only=True, converter=scalar, validator=_share)

    def __attrs_post_init__(self) -> None:
        if (self.share is None) == (self.noise_multiplier is None):
            raise PlanError(
                f"mechanism {self.name or type(self).__name__!r} takes exactly one of share and noise_multiplier",
                fix="give share=... to let the planner solve the noise",
            )

    @property
    def delta_fraction(self) -> float:
        """Fraction of the budget's δ that this mechanism spends on tails of its own."""
        return 0.0

    def noise_std(self, calibration: Mapping[str, Any]) -> float:
        """Standard deviation of the noise in units of the released value: public, for post-processing.

        As given for calibrations with ``sigma`` or ``scale``; others override it, or post-processing is told 0.
        """
        return float(calibration.get("sigma", calibration.get("scale", 0.0)))

    def release(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """Add noise from ``source`` (a :class:`dpframe.kernel.noise.Source`) and return the released value."""
        if type(self).release_many is Mechanism.release_many:
            raise PlanError(f"mechanism {self.name!r} has no release")
        return self.release_many(exact, calibration, domain, source, 1)[0]

    def release_many(
        self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any, times: int
    ) -> list[Any]:
        """Independent releases of one exact value; a mechanism overrides this or `release`, each gives the other.

        Audits alone ask for several, and only of a seeded source.
        """
        return [self.release(exact, calibration, domain, source) for _ in range(times)]


@attrs.frozen
class Control(Operation):
    """A node that runs bodies, graphs of their own: branches, loops, divisions."""

    kind: ClassVar[str] = "control"
