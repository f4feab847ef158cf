"""What writer and checker of a certificate agree on: its version, its values, digests of files."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

SCHEMA_VERSION = 2


def digest(data: bytes) -> str:
    """SHA-256 of a file's bytes, as the certificate gives it."""
    return hashlib.sha256(data).hexdigest()


def plain(value: Any) -> Any:
    """JSON values only: lists for tuples, Python numbers for NumPy's, ``"inf"`` for an infinite bound."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value
