"""What a plan predicts of an error: from public numbers alone, and of no concern to privacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import attrs

Noises: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
"""Mechanisms in order: the name of the statistic that each releases, and its noise parameters."""


@attrs.frozen
class Expected:
    """An error that a plan predicts: how large, what it is an error of, and the instance it is predicted for."""

    error: float
    what: str
    instance: str
