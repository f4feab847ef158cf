"""What a run released as files: the shapes of the outside contract."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from dpframe.proof.spaces import GaussianValue, MixtureValue

SCHEMA_VERSION = 1


def plain(value: Any) -> Any:
    """A released value as JSON: objects for named values, lists for arrays, numbers, text.

    Covariances come out exactly symmetric. Attributes that a value's ``repr`` leaves out are left out.

    Examples
    --------
    >>> from dpframe.proof.spaces import Outcome
    >>> plain(Outcome(True, 2.5)), plain(np.arange(3))
    ({'passed': True, 'value': 2.5}, [0, 1, 2])
    """
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return {k: plain(v) for k, v in _fields(value).items()} if _has_fields(value) else value


def _has_fields(value: Any) -> bool:
    return isinstance(value, Mapping) or attrs.has(type(value))


def _fields(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return {str(k): v for k, v in value.items()}
    found = {a.name: getattr(value, a.name) for a in attrs.fields(type(value)) if a.repr}
    if isinstance(value, MixtureValue):
        found["covariances"] = symmetric(value.covariances)
    if isinstance(value, GaussianValue):
        found["covariance"] = symmetric(value.covariance)
    return found


def symmetric(matrices: Any) -> Any:
    """Half the sum with the transpose, halved first so that nothing overflows."""
    array = np.asarray(matrices, dtype=np.float64)
    return 0.5 * array + 0.5 * np.swapaxes(array, -1, -2)


def as_spent(total: Mapping[str, Any]) -> dict[str, Any]:
    """A total as a result gives it: for a budget without δ it has none."""
    loss = dict(total)
    if "epsilon" not in loss:
        loss.pop("delta", None)
    return loss


def result_name(*, simulated: bool) -> str:
    """A simulated result never has a release's name."""
    return "simulated.json" if simulated else "result.json"


def to_bytes(content: Mapping[str, Any]) -> bytes:
    r"""The bytes of a JSON file; the same content gives the same bytes.

    A name of a column that is no UTF-8 in its file holds lone surrogates; JSON has an escape for them.

    Examples
    --------
    >>> to_bytes({"columns": ["caf\udce9"]})
    b'{\n "columns": [\n  "caf\\udce9"\n ]\n}\n'
    """
    text = json.dumps(content, indent=1, allow_nan=False, ensure_ascii=False) + "\n"
    return text.encode(errors="backslashreplace")
