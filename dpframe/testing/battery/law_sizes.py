"""What a release asks of the samplers at every size and value: many entries, candidates and bins, far leads, constants.

No law is enumerated here. The stand-ins answer with no noise at all, and what was asked for is compared with what the
certified noise needs, so a release of any size takes one call.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.mechanisms.gaussian import off_diagonal
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.proof.spaces import Counts, Domain, SparseCounts, Symmetric, Vector
from dpframe.testing.battery import metrics, sizes
from dpframe.testing.battery.case import accepted
from dpframe.testing.battery.enumerator import NoBits, Script

ENTRIES = (1, 7, 21, 65, 300, 1000, 5000)
VALUES = (0, 1, 1000, 10**6, 2**40, -(10**6))
BINS, COUNTS = (1, 60, 3000), (1, 7, 6000, 10**7)
MATRICES = ((3, 1), (2, 3), (8, 2))
"""Rows and number of symmetric matrices."""
METHODS = ("release", "release_many", "noisy", "noise", "draw")
MOST_OWN = 9


@attrs.define(eq=False)
class Silent(Script):
    """Stand-ins that answer every call with no noise, or with given noise for the first calls."""

    given: tuple[tuple[int, ...], ...] = ()

    def answer(self, name: str, scale: Any, count: int, outcomes: Any) -> Any:
        """Zeros: the first candidate, no shift."""
        self.asked.append((name, scale, count))
        at = len(self.asked) - 1
        return self.given[at] if at < len(self.given) else (0,) * count


def constants(operation: Mechanism) -> list[int]:
    """Whole numbers in the code that releases, and their neighbours."""
    found = [getattr(type(operation), name) for name in METHODS if hasattr(type(operation), name)]
    known = getattr(operation, "known", None)
    found += [known.function] if known is not None else []
    numbers = {c for function in found for c in sizes.constants(function)}
    return sizes.around(sorted(numbers), 2**62)[: 3 * MOST_OWN]


def values_of(operation: Mechanism) -> Iterator[tuple[Domain, Exact]]:
    """Values of every size that the operation accepts."""
    own = constants(operation)
    if accepted(operation, (SparseCounts(1, 1),)):
        for levels in (1, 3):
            for count in (*COUNTS, *own):
                for bins in BINS if count in COUNTS else (2,):
                    ids = np.arange(bins, dtype=np.int64).reshape(-1, 1)
                    yield SparseCounts(1, levels), Exact([(ids, np.full(bins, count, dtype=np.int64))] * levels)
        return
    for m in dict.fromkeys([*ENTRIES, *(c for c in own if c <= ENTRIES[-1])]):
        domain = next((d for d in (Counts(m), Vector(m)) if accepted(operation, (d,))), None)
        if domain is not None:
            for value in (*VALUES, *own) if m < 100 else (0, 10**6):
                for kind in (np.zeros(m), np.arange(m) % 5, np.arange(m) == m - 1):
                    numbers = kind.astype(np.int64) * value if kind.any() else np.full(m, value, dtype=np.int64)
                    yield domain, Exact(numbers)
    for d, k in MATRICES:
        if accepted(operation, (Symmetric(d, k),)):
            yield Symmetric(d, k), Exact(np.arange(k * d * d, dtype=np.int64).reshape(Symmetric(d, k).shape) * 0 + 3)


def attack_sizes(operation: Mechanism, scripts: list[Script], needs: Any, too_little: Any) -> tuple[str, Any] | None:
    """The first value on which less is asked of the samplers than the certified noise needs, and what is missing."""
    for domain, exact in values_of(operation):
        try:
            calibration = operation.calibrate(0.1, 0.01, metrics.of_value(domain), domain)
        except DpframeError:
            continue
        needed = needs(operation, calibration, domain, exact)
        if needed is None:
            return None
        script = Silent(())
        scripts[:] = [script]
        operation.release(exact, calibration, domain, NoBits())
        said = too_little(script.asked, needed)
        if said:
            shown = exact.integers if not isinstance(exact.integers, list) else exact.integers[0][1]
            return said, {"domain": str(domain), "value": np.ravel(shown)[:4], "entries": int(np.size(shown))}
    return None


def matrices(operation: Mechanism, scripts: list[Script]) -> str:
    """Two values of symmetric matrices whose noisy sums are the same must be released alike, matrix by matrix."""
    for d, k in MATRICES:
        domain = Symmetric(d, k)
        if not accepted(operation, (domain,)):
            continue
        shape = domain.shape
        on, upper = np.broadcast_to(np.eye(d, dtype=np.bool_), shape), off_diagonal(shape)
        noise = (np.arange(np.prod(shape)) * 37 % 101 - 50).reshape(shape)
        step = np.arange(np.prod(shape)).reshape(shape) % 3 - 1
        step = np.where(upper | on, step, np.swapaxes(step, -1, -2))
        calibration = operation.calibrate(0.1, 0.01, metrics.of_value(domain), domain)
        outputs = []
        for moved in (np.zeros_like(step), step):
            drawn = noise - moved
            scripts[:] = [Silent((), given=(tuple(drawn[on].tolist()), tuple(drawn[upper].tolist())))]
            value = Exact(np.full(shape, 5, dtype=np.int64) + moved, Fraction(1))
            outputs.append(np.asarray(operation.release(value, calibration, domain, NoBits())))
        if not np.array_equal(outputs[0], outputs[1]):
            return f"two values of {domain} whose noisy sums are the same are released differently"
    return ""
