"""No kernel operation raises, whatever it meets: extreme parameters are refused when declared, all else is served.

Over every registered operation of the kernel, with parameters at and beyond the ends of their ranges, released values
at the ends of their domains, and private values of any size: an exception that a private value decides would tell of
it, and even one that always comes tells that the run got there. Floating-point warnings are silent where the engine
silences them, and errors elsewhere.
"""

from __future__ import annotations

import contextlib
import functools
import math
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from dpframe.errors import DpframeError
from dpframe.kernel.families.mixture_mask import MixtureMask
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.noise.parameters import LARGEST_SCALE
from dpframe.kernel.operations import Exact, Gather, Mechanism, Operation, Partition, Query, Statistic, Transform
from dpframe.kernel.post_processing import Failed, Post
from dpframe.kernel.registry import operations
from dpframe.proof.spaces import (
    AffineMap,
    AffineValue,
    Array,
    Ball,
    BallValue,
    Blocks,
    Domain,
    ListOf,
    Mixture,
    Record,
    Rows,
    SparseCounts,
    Symmetric,
    WeightedRows,
    Whitening,
    WhiteningValue,
)
from dpframe.testing import parametrize_registry
from dpframe.testing.battery import metrics
from dpframe.testing.battery.attack_mechanisms import scaled
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.cases import cases_of
from dpframe.testing.battery.lab import Crash, call, fitted
from dpframe.testing.battery.strategies import numbers, rows, values
from dpframe.testing.battery.tables import batch

LARGEST = float(np.finfo(np.float64).max)
WHOLE = (0, -1, 1, 2, 26, 27, 63, 64, 2**20, 2**31, 2**40, 2**53, 2**63 - 1, 2**63, 2**70, 10**400)
REAL = (0.0, -0.0, 5e-324, 1e-300, 1e-12, 0.999, 1.0, 1 + 2.0**-52, 2.0**60, 1e300, LARGEST, -LARGEST, 10**400, -1.0)
NO_NUMBERS = (float("nan"), float("inf"), float("-inf"))
INTEGERS = (0, 1, -1, 7, 2**53 + 1, 2**62, -(2**62), 2**63 - 1, -(2**63), 2**63, -(2**80), 2**1200, -(2**1200))
STEPS = (Fraction(1), Fraction(1, 2**20), Fraction(1, 2**52), Fraction(1, 9), Fraction(3, 2**70), Fraction(1, 2**1074))
MOST = 2**12
"""Numbers of a result that a test holds."""
KERNEL = ("dpframe.kernel.",)


@functools.cache
def found(name: str) -> list[Case]:
    cases: list[Case] = cases_of(operations()[name])
    return cases


# --------------------------------------------------------------------------------------- parameters


def extremes(value: Any) -> Any:
    """What to put in place of a parameter."""
    if isinstance(value, (bool, str)):
        return st.just(value)
    if isinstance(value, int):
        return st.sampled_from(WHOLE)
    if isinstance(value, tuple):
        return st.lists(extremes(value[0] if value else 1.0), min_size=1, max_size=3).map(lambda v: tuple(sorted(v)))
    return st.sampled_from((*REAL, *NO_NUMBERS))


@st.composite
def declared(draw: Any, name: str) -> Case:
    """A case with some parameters at extremes that is accepted; a refusal is a :class:`DpframeError`, nothing else."""
    case = draw(st.sampled_from(found(name)))
    fields = [a.name for a in attrs.fields(type(case.operation)) if a.init]
    if Record("hypotheses") in case.domains:  # how long a record may be is between it and its reader
        fields = [f for f in fields if f != "size"]
    if isinstance(case.operation, Mechanism):
        fields = [f for f in fields if f != "noise_multiplier"]
    chosen = draw(st.lists(st.sampled_from(fields), max_size=2, unique=True)) if fields else []
    changes = {f: draw(extremes(getattr(case.operation, f))) for f in chosen}
    try:
        operation = attrs.evolve(case.operation, **changes)
        made = operation.output(*case.domains)
        if isinstance(operation, Query):
            metrics.rule(operation, case.domains, [metrics.of_value(d) for d in case.domains[: case.private]])
        if isinstance(operation, Statistic):
            metrics.by_edits(operation, case.domains)
    except DpframeError:
        return case
    return attrs.evolve(case, operation=operation) if size(made) <= MOST else case


def size(domain: Domain) -> int:
    shape = getattr(domain, "shape", (getattr(domain, "m", getattr(domain, "d", 1)),))
    return math.prod(shape) * int(getattr(domain, "levels", 1))


# ------------------------------------------------------------------------------------------- values


def ends(shape: tuple[int, ...]) -> Any:
    """Arrays of numbers up to the largest."""
    count = int(np.prod(shape))
    entry = st.one_of(numbers(), st.sampled_from([LARGEST, -LARGEST, 5e-324, 1e154, -1e154]))
    return st.lists(entry, min_size=count, max_size=count).map(lambda v: np.array(v, dtype=np.float64).reshape(shape))


SIZES = st.sampled_from([1.0, 5e-324, 1e-300, 1e-154, 1e154, 1e300, LARGEST])


def released(domain: Domain) -> Any:
    """Released values out to the ends of their domain."""
    if isinstance(domain, Ball):
        return st.one_of(values(domain), st.builds(BallValue, ends((domain.d,)), SIZES))
    if isinstance(domain, AffineMap):
        return st.one_of(values(domain), st.builds(AffineValue, ends((domain.d,)), ends((domain.d, domain.p)), SIZES))
    if isinstance(domain, Whitening):
        maps = st.tuples(*[released(AffineMap(domain.d, domain.d))] * domain.k)
        wide = st.builds(WhiteningValue, maps, ends((domain.k,)), SIZES, st.sampled_from([0.0, 5e-324, 1.0, LARGEST]))
        return st.one_of(values(domain), wide)
    if isinstance(domain, ListOf):
        return st.lists(released(domain.item), max_size=domain.max_length)
    if isinstance(domain, Array):
        return ends(domain.shape)
    return values(domain)


def params(data: st.DataObject, case: Case) -> tuple[Any, ...]:
    if case.values is not None:
        return case.values
    return tuple(fitted(data.draw(released(domain)), case.columns) for domain in case.domains[case.private :])


def table(data: st.DataObject, domain: Domain, bits: int) -> Any:
    return batch(data.draw(rows(domain, bits=bits, max_rows=5)), domain, bits)


def exact(domain: Domain) -> Any:
    """Private values of any size; of blocks: failures, extremes, shapes no mixture has."""
    if isinstance(domain, Blocks):
        return st.lists(result(domain.item), min_size=domain.t, max_size=domain.t).flatmap(
            lambda some: st.sampled_from(
                [Exact(some), Exact([some[0]] * len(some)), Exact([*some[:1] * (len(some) - 1), some[-1]])]
            )
        )
    if isinstance(domain, SparseCounts):
        cells = st.lists(st.integers(1, 2**40), max_size=3).map(
            lambda counts: (
                np.arange(len(counts) * domain.p).reshape(-1, domain.p) * 2**51,
                np.array(counts, dtype=np.int64),
            )
        )
        return st.lists(cells, max_size=domain.levels).map(Exact)
    shape = getattr(domain, "shape", (getattr(domain, "m", getattr(domain, "d", 1)),))

    def made(entries: list[int], step: Fraction, wide: bool) -> Exact:
        fits = not wide and all(-(2**63) <= v < 2**63 for v in entries)
        array = np.array(entries, dtype=np.int64 if fits else object).reshape(shape)
        if isinstance(domain, Symmetric):
            array = np.tril(array) + np.swapaxes(np.tril(array, -1), -1, -2)
        return Exact(array, step)

    count = int(np.prod(shape))
    entry = st.one_of(st.sampled_from(INTEGERS), st.integers(-9, 9))
    return st.builds(made, st.lists(entry, min_size=count, max_size=count), st.sampled_from(STEPS), st.booleans())


def result(item: Domain) -> Any:
    """What a block's learner returns: ⊥, or finite arrays of any shape."""
    if isinstance(item, Mixture):
        k, d = item.k, item.d
        sizes = st.sampled_from([1.0, 0.0, -1.0, 5e-324, 1e-60, 1e-61, 2.0**200, 1e60, 1e61, 1e-300, LARGEST])
        shapes = st.builds(
            lambda s, e: np.tile(np.eye(d), (k, 1, 1)) * s + e, sizes, ends((k, d, d)).map(lambda m: m * 2.0**-1000)
        )
        weights = st.sampled_from([np.full(k, 1 / k), np.eye(k)[0], np.full(k, 5e-324), np.full(k, -1.0)])
        good = st.tuples(weights, ends((k, d)), st.one_of(shapes, ends((k, d, d))))
    else:
        good = st.tuples(ends(getattr(item, "shape", (getattr(item, "d", 1),))))
    return st.one_of(st.none(), st.just((np.zeros((3, 1)),)), st.just(()), good)


# --------------------------------------------------------------------------------------- operations


def silent(function: Any, *arguments: Any) -> Any:
    """As the engine calls it on private values: warnings of NumPy are off, any other warning is an error."""
    with np.errstate(all="ignore"):
        return call(function, *arguments)


def on_rows(data: st.DataObject, case: Case, given: tuple[Any, ...]) -> None:
    operation, domain = case.operation, case.domains[0]
    bits = data.draw(st.sampled_from([1, 6, 20, 26]))
    if isinstance(operation, Transform):
        out = silent(operation.apply, table(data, domain, bits), *given)
        assert out.values.shape[-2:-1] == out.valid.shape
        summed(out, operation.output(*case.domains))
    elif isinstance(operation, Gather):
        order = silent(operation.indices, data.draw(st.integers(0, 9)), SeededSource(1))
        held = table(data, domain, bits)
        order = order[(order < len(held.valid)).all(axis=1)]
        silent(operation.combine, attrs.evolve(held, values=held.values[order], valid=held.valid[order]))
    elif isinstance(operation, Partition):
        held = table(data, domain, bits)
        draw = operation.draw if operation.declaration().draws else None
        labels = silent(draw, len(held.valid), SeededSource(1)) if draw else silent(operation.assign, held, 9, *given)
        assert ((labels >= -1) & (labels < operation.parts())).all()
    elif isinstance(operation, Statistic):
        folded(data, case, given, bits)


def summed(held: Any, domain: Domain) -> None:
    """What a transform makes goes through every statistic that needs nothing else."""
    for name, cls in operations().items():
        if issubclass(cls, Statistic) and cls.__module__.startswith(KERNEL) and len(cls.slots) == 1:
            statistic: Any = found(name)[0].operation
            if takes(statistic, domain):
                fold = call(statistic.start, domain)
                silent(statistic.update, fold, held)
                assert silent(statistic.value, fold).step > 0


def folded(data: st.DataObject, case: Case, given: tuple[Any, ...], bits: int) -> None:
    operation: Statistic = case.operation  # type: ignore[assignment]
    folds = []
    for _ in range(2):
        folds.append(call(operation.start, case.domains[0], *given))
        silent(operation.update, folds[-1], table(data, case.domains[0], bits), *given)
    silent(folds[0].merge, folds[1])
    assert silent(operation.value, folds[0]).step > 0


def on_values(data: st.DataObject, case: Case, given: tuple[Any, ...]) -> None:
    operation = case.operation
    private = [data.draw(exact(d)) for d in case.domains[: case.private]]
    if isinstance(operation, Query):
        made = silent(operation.evaluate, *private, *given)
        released_by_all(data, operation.output(*case.domains), made)
    elif isinstance(operation, Mechanism):
        if isinstance(operation, MixtureMask):
            private = [Exact(data.draw(roots(case.domains[0])))]
        release(data, operation, case.domains[0], private[0])


def roots(domain: Any) -> Any:
    """Parameters as ``read_blocks`` lets them through: all within 2^±200."""
    k, d = domain.k, domain.d
    sizes = st.sampled_from([1.0, 2.0**-100, 2.0**100])
    means = st.sampled_from([0.0, 2.0**200, -(2.0**200), 5e-324])
    return st.builds(
        lambda m, s: (np.full(k, 1 / k), np.full((k, d), m), np.tile(np.eye(d), (k, 1, 1)) * s), means, sizes
    )


def released_by_all(data: st.DataObject, domain: Domain, value: Exact) -> None:
    """Through one mechanism that takes it."""
    mechanisms = {
        n for n, cls in operations().items() if issubclass(cls, Mechanism) and cls.__module__.startswith(KERNEL)
    }
    names = sorted(mechanisms - set(OWN))
    name = data.draw(st.sampled_from(names))
    mechanism: Any = found(name)[0].operation
    if takes(mechanism, domain):
        release(data, mechanism, domain, value)


def takes(operation: Operation, domain: Domain) -> bool:
    with contextlib.suppress(DpframeError):
        return bool(operation.output(domain))
    return False


def release(data: st.DataObject, mechanism: Any, domain: Domain, value: Exact) -> None:
    unit = scaled(metrics.of_value(domain), data.draw(st.sampled_from([1.0, 1e-9, 1e9])))
    rho = data.draw(st.sampled_from([1e-9, 0.1, 1.0, 1e3, 1e9]))
    delta = data.draw(st.sampled_from([1e-300, 1e-7, 0.4])) * mechanism.delta_fraction
    try:
        calibration = mechanism.calibrate(rho, delta, unit, domain)
        mechanism.loss(calibration, unit, domain)
    except DpframeError:
        return
    finest = value.step if isinstance(value.step, Fraction) else Fraction(1)
    widest = max([float(v) for k, v in calibration.items() if k in ("sigma", "scale", "sensitivity")], default=0.0)
    widest = max(widest, 4 / calibration.get("rate", np.inf))
    assume(Fraction(widest) / finest * 2**20 < LARGEST_SCALE)  # what the sampler can't draw the planner refuses
    if mechanism.name == "truncated_laplace_test":  # rejection takes as long as the cut is narrow
        assume(calibration["half_width"] * calibration["epsilon"] > 0.1 * calibration["sensitivity"])
    made = mechanism.output(domain)
    for released_value in (
        call(mechanism.release, value, calibration, domain, SeededSource(1)),
        *call(mechanism.release_many, value, calibration, domain, SeededSource(2), 2),
    ):
        call(made.check, released_value)


OWN = ("own_contribution", "own_statistic", "own_query", "own_transform", "own_partition", "own_mechanism")
"""They run a plugin's function: tests/kernel/own."""
CONTROLS = ("branch", "by_category", "for_each", "recurse", "worklist", "block_learner", "declared", *OWN)
"""What the engine runs itself, a stub that can't be run, and what stands for a plugin's."""


def attack(data: st.DataObject, name: str) -> None:
    """One operation on one draw of everything it takes."""
    case = data.draw(declared(name))
    given = params(data, case)
    if isinstance(case.operation, Post):
        made = call(case.operation.apply_noisy, given, (1.0,) * len(given))
        if not isinstance(made, Failed):
            call(case.operation.output(*case.domains).check, made)
    elif isinstance(case.domains[0], (Rows, WeightedRows)):
        on_rows(data, case, given)
    else:
        on_values(data, case, given)


@parametrize_registry("name", modules=KERNEL)
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_no_operation_raises(name: str, data: st.DataObject) -> None:
    if name not in CONTROLS:
        attack(data, name)


@pytest.mark.slow
@parametrize_registry("name", modules=KERNEL)
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_no_operation_raises_in_more_draws(name: str, data: st.DataObject) -> None:
    if name not in CONTROLS:
        attack(data, name)


def old_cap(self: Any, value: Exact) -> Exact:
    return Exact(np.minimum(value.integers, int(self.t / value.step)), value.step)


def test_the_cap_that_raised_below_a_size_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations()["cap"], "evaluate", old_cap)

    @settings(max_examples=500, database=None, derandomize=True, phases=[Phase.generate])
    @given(data=st.data())
    def attacked(data: st.DataObject) -> None:
        attack(data, "cap")

    with pytest.raises(Crash, match="OverflowError"):
        attacked()
