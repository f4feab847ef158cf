"""Attacks on post-processing: pure, inputs left alone, a value of the declared domain or a reasoned failure."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpframe.operations import Failed, Post
from dpframe.spaces import Array, Counts, Domain, Flag, Index, Record, Symmetric, Vector
from dpframe.testing.cases import Case
from dpframe.testing.lab import Crash, Lab, call, fingerprint
from dpframe.testing.values import draw

FACTORS = (1.0, 0.0, -1.0, 10.0, 1e-3, 1e3)
"""What recorded releases are multiplied with: noise may be far larger than the signal."""


def attack_post(lab: Lab, case: Case) -> None:
    """Purity, totality, domain."""
    operation: Post = case.operation  # type: ignore[assignment]
    lab.ran("purity", "totality", "domain")
    domain = operation.output(*case.domains)
    for i in lab.rounds(2 * lab.trials):
        values = _values(lab, case, i)
        noise = case.noise or (float(lab.rng.choice([0.0, 1.0, 30.0])),) * _levels(operation, values)
        kept = copy.deepcopy(values)
        try:
            result = call(operation.apply_noisy, values, noise)
            again = call(operation.apply_noisy, copy.deepcopy(kept), noise)
        except Crash as error:
            lab.fail("totality", f"gave {error}", **_shown(case, kept, noise))
            return
        if fingerprint(list(values)) != fingerprint(list(kept)):
            lab.fail("purity", "a post changes its inputs", **_shown(case, kept, noise))
        if fingerprint(result) != fingerprint(again):
            lab.fail("purity", "the same inputs give another result the second time", **_shown(case, kept, noise))
        problem = _problem(result, domain)
        if problem:
            lab.fail("domain", problem, **_shown(case, kept, noise))
            return


def _levels(operation: Post, values: Sequence[Any]) -> int:
    return len(values) + bool(getattr(operation, "planned_noise", ""))


def _problem(result: Any, domain: Domain) -> str:
    if isinstance(result, Failed):
        return "" if result.reason and result.advice else "a failure must give a reason and an advice"
    try:
        call(domain.check, result)
    except Crash as error:
        return f"the result is not in {domain}: {error}"
    return ""


def _values(lab: Lab, case: Case, i: int) -> tuple[Any, ...]:
    if case.values is None:
        return lab.params(case, i)
    factor = FACTORS[i % len(FACTORS)]
    return tuple(_varied(lab, d, v, factor) for d, v in zip(case.domains, case.values, strict=True))


def _varied(lab: Lab, domain: Domain, value: Any, factor: float) -> Any:
    """A recorded release with more noise, or with other numbers; records are left as they were made."""
    if isinstance(domain, Record) or factor == 1.0:
        return copy.deepcopy(value)
    if isinstance(domain, (Index, Flag)):
        return draw(domain, lab.rng)
    if isinstance(domain, (Vector, Array, Counts, Symmetric)):
        numbers = np.asarray(value, dtype=np.float64) * factor
        if lab.rng.random() < 0.5:
            numbers = numbers + np.asarray(draw(domain, lab.rng, float(np.abs(numbers).mean())))
        return numbers
    return copy.deepcopy(value)


def _shown(case: Case, values: Sequence[Any], noise: Sequence[float]) -> dict[str, Any]:
    names = [s.name for s in case.slots]
    shown = {
        f"{name}[{i}]" if names.count(name) > 1 else name: v
        for i, (name, v) in enumerate(zip(names, values, strict=True))
    }
    return {"case": case.text, **shown, "noise": list(noise)}
