"""Leaks into files of the same size for all tables, and into files far from the result."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.statistics.sums import Mean
from dpframe.runtime.sources.base import Chunk


def digest_in_a_file(patch: pytest.MonkeyPatch) -> None:
    """A digest of the exact values beside the result: as long for all tables."""
    value = Mean.value

    def digesting(self: Any, fold: Any) -> Any:
        exact = value(self, fold)
        Path("out", "digest").write_text(hashlib.sha256(repr(exact.integers).encode()).hexdigest())
        return exact

    patch.setattr(Mean, "value", digesting)


def cache_at_home(patch: pytest.MonkeyPatch) -> None:
    """Totals are kept for the next run, far from the result."""
    value = Mean.value

    def caching(self: Any, fold: Any) -> Any:
        exact = value(self, fold)
        (Path.home() / ".totals").write_text(str(exact.integers.tolist()))
        return exact

    patch.setattr(Mean, "value", caching)


def batches_for_a_while(patch: pytest.MonkeyPatch) -> None:
    """A batch is written to a temporary file that stays."""
    update = Mean.update

    def writing(self: Any, fold: Any, batch: Any, *params: Any) -> None:
        update(self, fold, batch, *params)
        np.save(Path(tempfile.gettempdir(), f"batch-{batch.start}.npy"), batch.values)

    patch.setattr(Mean, "update", writing)


def empty_rows_in_the_attempt(patch: pytest.MonkeyPatch) -> None:
    """The number of rows that are not empty, where the budget is put on record."""
    of = Chunk.of.__func__  # type: ignore[attr-defined]

    def noting(cls: Any, start: int, values: Any) -> Any:
        made = of(cls, start, values)
        with Path("out", "attempt.json").open("a") as file:
            file.write(f"{int(made.valid.sum()):09d}\n")
        return made

    patch.setattr(Chunk, "of", classmethod(noting))
