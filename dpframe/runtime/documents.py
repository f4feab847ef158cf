"""What a run released as files: the shapes of the outside contract."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from dpframe.errors import RunError
from dpframe.proof.certificates import digest
from dpframe.proof.spaces import GaussianValue, MixtureValue

if TYPE_CHECKING:
    from dpframe.runtime.run import RunResult

SCHEMA_VERSION = 1


def plain(value: Any) -> Any:
    """A released value as JSON: objects for named values, lists for arrays, numbers, text.

    Covariances come out exactly symmetric.

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
    found = {a.name: getattr(value, a.name) for a in attrs.fields(type(value))}
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


def document(result: RunResult) -> dict[str, Any]:
    """The content of ``result.json``."""
    found: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "status": result.status,
        "simulated": result.simulated,
        "outputs": {name: plain(value) for name, value in result.outputs.items()},
        "columns": list(result.columns),
        "loss": as_spent(result.loss),
        "warnings": result.warnings,
        "quality": plain(result.quality),
    }
    if errors := result.uncertainty:
        found["uncertainty"] = plain(errors)
    if used := result.used:
        found["used"] = as_spent(used)
    if result.centres:
        found["centres"] = plain(result.centres)
    if result.status == "failed":
        found |= {"reason": result.reason, "advice": result.advice}
    return found


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


def save(result: RunResult, path: str | os.PathLike[str]) -> Path:
    """Write a result: with its certificate into a folder, or by itself into a ``.json`` file.

    Raises
    ------
    RunError
        Where either file is there already, or can't be written.
    """
    place = Path(path)
    alone = place.suffix == ".json"
    target = place if alone else place / result_name(simulated=result.simulated)
    proof = None if alone else place / "certificate.json"
    content = to_bytes(document(result))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() or (proof is not None and proof.exists()):
            raise RunError(f"{str(target)!r} is there already, or its certificate", fix="save to another place")
        if proof is not None:
            result.sealed(digest(content)).save(proof)
        partial = target.with_name(target.name + ".part")
        partial.write_bytes(content)
        partial.replace(target)
    except OSError as error:
        raise RunError(f"{str(target)!r} can't be written: {error.strerror}", fix="save to another place") from None
    return target
