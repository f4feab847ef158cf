"""What all attacks of the battery share: a generator, an effort, a deadline, and a place for what they find."""

from __future__ import annotations

import struct
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.families.density_scores import FamilyMixtures
from dpframe.kernel.families.hypotheses import Hypotheses
from dpframe.kernel.operations import Batch
from dpframe.kernel.statistics.cells import Grids
from dpframe.proof.spaces import Domain
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.endless import TooLong
from dpframe.testing.battery.reporting import Failure, plain
from dpframe.testing.battery.values import SCALES, draw

NEAREST = "worst neighbours found"
"""How notes begin that tell how close neighbours come to a sensitivity."""
ENDS = "the function ends its process, or crashes it: what it is given shows in that"
AGAIN = "its value is not the same each time"
"""Why neighbours that were too far apart are not, once they are made smaller."""


class Crash(Exception):  # not an error of ours: what an operation did when it was called
    """An operation raised or warned."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(f"{type(error).__name__}: {error}")
        self.refusal = isinstance(error, DpframeError)


@attrs.define(eq=False)
class Lab:
    """One run of the battery on one operation.

    Attributes
    ----------
    rng : numpy.random.Generator
    trials : int
        How many random tries an attack makes.
    seconds : float
        For all random attacks together.
    deadline : float
        The attacks on one case stop there.
    clock : callable
        Its clock, which a busy machine does not move: the processor's, or :func:`.clocks.spent`.
    """

    rng: np.random.Generator
    trials: int
    seconds: float
    deadline: float
    failures: list[Failure] = attrs.Factory(list)
    notes: list[str] = attrs.Factory(list)
    layers: list[str] = attrs.Factory(list)
    skipped: list[str] = attrs.Factory(list)
    clock: Callable[[], float] = time.process_time

    def fail(self, layer: str, message: str, **counterexample: Any) -> None:
        """Put a failure on record: the first of its layer."""
        if layer == "sensitivity":  # whose neighbours are further apart than those that were found before it
            self.notes = [note for note in self.notes if not note.startswith(NEAREST)]
        if not any(f.layer == layer for f in self.failures):
            self.failures.append(Failure(layer, message, plain(counterexample)))

    def ran(self, *layers: str) -> None:
        """Put layers on record."""
        self.layers += [layer for layer in layers if layer not in self.layers]

    def note(self, text: str) -> None:
        """Something worth knowing; how far neighbours were apart is not, beside some that are too far."""
        if text.startswith(NEAREST) and any(f.layer == "sensitivity" for f in self.failures):
            return
        if text not in self.notes:
            self.notes.append(text)

    def skip(self, why: str) -> None:
        """Something that was not attacked, which refutes nothing."""
        if why not in self.skipped:
            self.skipped.append(why)

    def lost(self, error: Any, before: str = "", *, apart: bool = False) -> None:
        """A fork without an answer: a failure where the function ended it, or does not return; else what was left out.

        ``apart``: runs call it in processes of their own.
        """
        given, endless = getattr(error, "given", {}), getattr(error, "words", "")
        if error.ended and not apart:
            self.fail("totality", ENDS, **given)
        elif endless:
            self.fail("totality", endless, **given)
        else:
            self.skip(f"{before}{error}")

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return self.clock() > self.deadline

    def rounds(self, count: int | None = None) -> Iterator[int]:
        """Numbers of tries, until the time is up; two at least, however slow the machine is."""
        for i in range(self.trials if count is None else count):
            if i > 1 and self.late:
                return
            yield i

    def params(self, case: Case, i: int) -> tuple[Any, ...]:
        """Released inputs of the i-th try: recorded ones, then drawn ones of every scale."""
        released = case.domains[case.private :]
        if case.values is not None:
            return case.values
        return tuple(fitted(self.value(domain, SCALES[i % len(SCALES)]), case.columns) for domain in released)

    def value(self, domain: Domain, scale: float) -> Any:
        """A released value; at scale 1 where this scale has none."""
        try:
            return draw(domain, self.rng, scale)
        except (DpframeError, ValueError, ArithmeticError, np.linalg.LinAlgError):
            return draw(domain, self.rng, 1.0)


def fitted(value: Any, d: int) -> Any:
    """Grids and hypotheses of as many columns as the rows have: their record does not say how many."""
    if d and isinstance(value, Hypotheses):
        shape = (len(value.means), d)
        return attrs.evolve(value, means=np.resize(value.means, shape), variances=np.resize(value.variances, shape))
    if d and isinstance(value, FamilyMixtures):
        return attrs.evolve(value, components=np.resize(value.components, (len(value.components), d)))
    return attrs.evolve(value, offset=np.resize(value.offset, d)) if d and isinstance(value, Grids) else value


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call an operation with warnings as errors; whatever it raises is a :class:`Crash`."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return function(*arguments)
        except (KeyboardInterrupt, TooLong):
            raise
        except BaseException as error:  # noqa: BLE001  whatever it raises is what the battery is looking for
            raise Crash(error) from None


def copied(batch: Batch) -> Batch:
    """A batch with arrays of its own."""
    return attrs.evolve(
        batch,
        values=batch.values.copy(),
        valid=batch.valid.copy(),
        weights=None if batch.weights is None else batch.weights.copy(),
        rows=None if batch.rows is None else batch.rows.copy(),
    )


def fingerprint(value: Any) -> bytes:
    """The bits of a value: equal if and only if it is the same to the last bit."""
    return _PLAIN.get(type(value), _bits)(value)


def _bits(value: Any) -> bytes:
    """Of whatever type it is."""
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return repr((value.shape, value.tolist())).encode()
        return repr((value.shape, value.dtype.str)).encode() + np.ascontiguousarray(value).tobytes()
    if isinstance(value, (list, tuple)):
        return _parts(value)
    if isinstance(value, dict):
        return fingerprint([[k, v] for k, v in value.items()])
    if isinstance(value, float):
        return np.float64(value).tobytes()
    if attrs.has(type(value)):
        fields = [getattr(value, a.name) for a in attrs.fields(type(value))]
        return type(value).__name__.encode() + fingerprint(fields)
    return _said(value)


def _said(value: Any) -> bytes:
    return repr(value).encode()


def _parts(value: Any) -> bytes:
    return b"[" + b",".join(map(fingerprint, value)) + b"]"


_PLAIN: dict[type[Any], Callable[[Any], bytes]] = {
    **dict.fromkeys((int, bool, str, type(None)), _said),
    **dict.fromkeys((list, tuple), _parts),
    float: struct.Struct("d").pack,
}
"""Most of what is asked, without a look at what else it could be."""


def shrink(items: Sequence[Any], fails: Callable[[list[Any]], bool], simpler: Callable[[Any], list[Any]]) -> list[Any]:
    """A smaller list on which ``fails`` still holds: fewer items first, then simpler ones."""
    best, changed, budget = list(items), True, 200
    while changed and budget > 0:
        changed = False
        for candidate in _smaller(best, simpler):
            budget -= 1
            if budget < 0:
                break
            if fails(candidate):
                best, changed = candidate, True
                break
    return best


def _smaller(items: list[Any], simpler: Callable[[Any], list[Any]]) -> Iterator[list[Any]]:
    for i in range(len(items)):
        yield [*items[:i], *items[i + 1 :]]
    for i, item in enumerate(items):
        for other in simpler(item):
            yield [*items[:i], other, *items[i + 1 :]]
