"""Attacks on a transform with batches up to the real chunk, up to 64 columns, many equal rows, sizes in its own code.

The batch is made of few distinct rows, so that the image of every row of it is compared with that row's image alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpframe.kernel.operations import Batch
from dpframe.proof.spaces import Rows
from dpframe.testing.battery import sizes
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.tables import batch, bounded, pool

SECONDS, THOROUGH_SECONDS = 0.15, 3.0
BITS, DISTINCT = 6, 16


def attack_batches(lab: Lab, case: Case) -> None:
    """Rows alone and in long batches and wide tables."""
    if not isinstance(case.domains[0], Rows):
        return
    seconds = SECONDS if lab.seconds < 1 else THOROUGH_SECONDS
    apply = type(case.operation).apply  # type: ignore[attr-defined]
    wide = sizes.wider(case, [apply])
    for at, one in enumerate([case, *wide]):
        end = time.process_time() + seconds / (1 if at == 0 else len(wide))
        if not _attack(lab, one, apply, end):
            return


def _attack(lab: Lab, case: Case, apply: Any, end: float) -> bool:
    domain: Any = case.domains[0]
    bits = int(getattr(case.operation, "bits", BITS))
    params = lab.params(case, 0)
    distinct = pool(domain, bits, params, lab.rng)[:DISTINCT]
    operation: Any = case.operation
    alone = [_row(operation.apply(batch([row], domain, bits), *params), 0) for row in distinct]
    base = batch(distinct, domain, bits)
    for i, m in enumerate(sizes.row_counts(apply, domain.d)):
        if i > 4 and time.process_time() > end:
            return True
        places = lab.rng.integers(len(distinct), size=m)
        if i % 3 == 2:
            places = np.where(np.arange(m) < m - 1, 0, places)
        given = Batch(0, base.values[places], base.valid[places], bits if bounded(domain) else 0)
        out = operation.apply(given, *params)
        bad = _different(out, alone, places)
        if bad is not None:
            row = distinct[int(places[bad])]
            words = f"a row's image is not the same in a batch of {m} rows of {domain.d} columns"
            lab.fail("rowwise", words, case=case.text, row=row.text, rows=m, released=list(params))
            return False
    return True


def _row(out: Batch, i: int) -> tuple[Any, Any, Any]:
    values = out.values[:, i] if out.weights is not None else out.values[i]
    return values, bool(out.valid[i]), None if out.weights is None else out.weights[i]


def _different(out: Batch, alone: Sequence[tuple[Any, Any, Any]], places: Any) -> int | None:
    """The first place whose image is another than alone, if any."""
    if len(out.valid) != len(places):
        return 0
    weighted = out.weights is not None
    values = np.stack([a[0] for a in alone], axis=1 if weighted else 0)
    wanted = values[:, places] if weighted else values[places]
    same = (out.values == wanted).reshape(-1, *out.values.shape[-2:]).all(axis=(0, 2))
    same &= out.valid == np.array([a[1] for a in alone])[places]
    if out.weights is not None:
        same &= (out.weights == np.array([a[2] for a in alone])[places]).all(axis=1)
    wrong = np.flatnonzero(~same)
    return int(wrong[0]) if len(wrong) else None
