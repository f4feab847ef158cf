"""Kernel operations on rows answer the same whatever was asked before, when, and among how many threads.

`dpframe check` asks this of plugins' functions; of the kernel's own the suite does, in fresh processes.
"""

from __future__ import annotations

import time
from typing import Any

import attrs
import numpy as np
import pytest

from dpframe.kernel import registry
from dpframe.kernel.operations import Batch, Operation, Statistic, Transform
from dpframe.testing.battery import pasts
from dpframe.testing.battery.attack_rows import bits_of
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.cases import cases_of
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.tables import batch, pool

FAST = {"clip_ball", "sum"}


def of_rows() -> list[str]:
    """Names of the kernel's transforms and statistics."""
    found = [cls for cls in registry.operations().values() if cls.__module__.startswith("dpframe.kernel.")]
    own = ("own_contribution", "own_statistic", "own_transform")  # their functions are plugins', and attacked as such
    return sorted(cls.name for cls in found if issubclass(cls, (Transform, Statistic)) and cls.name not in own)


def different(case: Case, seconds: float = 0.2) -> list[str]:
    """What the kit says of a case whose batches are asked for in other worlds and after other batches."""
    lab = Lab(np.random.default_rng(5), 1, 0.2, 0.0)
    operation: Any = case.operation
    params = lab.params(case, 0)
    rows = pool(case.domains[0], bits_of(case), params, lab.rng)

    def made(places: Any) -> Batch:
        return batch([rows[int(i)] for i in places], case.domains[0], bits_of(case))

    def answer(given: Batch) -> Any:
        if isinstance(operation, Transform):
            out = operation.apply(given, *params)
            return out.values, out.valid, out.weights
        fold = operation.start(case.domains[0], *params)
        operation.update(fold, given, *params)
        return operation.value(fold).integers

    every = np.arange(len(rows))
    probes = [made(every[:5]), made(every[:1]), made(np.resize(every, 300)), made(every[5:12])]
    histories = [
        ("after other batches", [made(every[::-1]), made(every[3:4]), made(np.resize(every[::2], 3000))]),
        ("after the same batches many times", probes * 20),
    ]
    pasts.attack(lab, answer, probes, histories, seconds=seconds)
    return [failure.message for failure in lab.failures]


def cases(name: str) -> list[Case]:
    return cases_of(registry.operations()[name])[:2]


@pytest.mark.parametrize("name", [n if n in FAST else pytest.param(n, marks=pytest.mark.slow) for n in of_rows()])
def test_a_kernel_operation_has_no_past(name: str) -> None:
    assert cases(name)
    for case in cases(name):
        assert different(case) == []


def twin(name: str, **methods: Any) -> Case:
    """The first case of an operation with some methods replaced."""
    case = cases(name)[0]
    cls: type[Operation] = type(case.operation)
    made = attrs.frozen(type(cls.__name__, (cls,), {"__doc__": cls.__doc__, "__module__": __name__, **methods}))
    fields = {field.name: getattr(case.operation, field.name) for field in attrs.fields(cls)}
    return attrs.evolve(case, operation=made(**fields))


def frozen_scale() -> Case:
    """A clip that divides by the largest number of the first batch that it sees."""
    first: list[float] = []
    real: Any = cases("clip_ball")[0].operation

    def apply(self: Any, given: Batch, *params: Any) -> Batch:
        first.append(float(np.abs(given.values).max(initial=1.0)))
        return real.apply(attrs.evolve(given, values=given.values / first[0]), *params)  # type: ignore[no-any-return]

    return twin("clip_ball", apply=apply)


def counting() -> Case:
    """A clip that gives zeros from its thirtieth call on."""
    calls: list[int] = []
    real: Any = cases("clip_ball")[0].operation

    def apply(self: Any, given: Batch, *params: Any) -> Batch:
        calls.append(1)
        out: Batch = real.apply(given, *params)
        return out if len(calls) < 30 else attrs.evolve(out, values=out.values * 0.0)

    return twin("clip_ball", apply=apply)


def at_night() -> Case:
    """A sum that is another one in the first half of the day."""
    real: Any = cases("sum")[0].operation

    def update(self: Any, fold: Any, given: Batch, *params: Any) -> None:
        values = given.values * (time.localtime().tm_hour >= 12)
        real.update(fold, attrs.evolve(given, values=values), *params)

    return twin("sum", update=update)


@pytest.mark.parametrize("made", [frozen_scale, counting, at_night])
def test_one_that_has_is_seen(made: Any) -> None:
    assert different(made())
