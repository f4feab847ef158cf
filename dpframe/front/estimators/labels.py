"""Which classes there are: declared, or found by a stable histogram inside the budget; never by looking at y."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError, SpecError
from dpframe.kernel.mechanisms.stable_histogram import StableHistogram
from dpframe.planning.plan import Plan
from dpframe.planning.predicting import known_rows
from dpframe.proof.spaces import SparseCounts
from dpframe.proof.theorems import histogram_threshold
from dpframe.runtime.sources import Texts, Whole
from dpframe.runtime.sources.categories import WORD
from dpframe.runtime.sources.columns import type_name
from dpframe.runtime.sources.ids import identity

PART = 0.1
"""Part of ε and δ that finding the classes costs."""
MOST = 100


def declared(classes: Any) -> npt.NDArray[Any]:
    """Declared classes, in increasing order as scikit-learn keeps them."""
    if isinstance(classes, (str, bytes)) or np.ndim(classes) != 1 or not 1 <= len(classes) <= MOST:
        raise SpecError(f"classes must be a list of 1 to {MOST} labels", fix='give classes=["a", "b"]')
    listed = np.asarray(classes)
    try:
        if listed.dtype.kind in "iufbUO" and len(set(listed.tolist())) == len(listed):
            return np.sort(listed)
    except TypeError:  # of things of several kinds, which have no order
        pass
    raise SpecError("classes must be distinct numbers or texts", fix='give classes=["a", "b"]')


def reader_of(dtype: Any) -> Whole | Texts:
    """How labels of this type are read when they are searched for: as whole numbers, or as texts by their bytes."""
    if dtype.kind in "iubf":
        return Whole()
    if dtype.kind not in "UO":
        raise DataError(f"labels of type {type_name(dtype)} can't be found privately", fix="declare classes=[...]")
    return Texts()


def labels_of(cells: Any, dtype: Any) -> npt.NDArray[Any]:
    """Published cells as labels of the type of y."""
    found = np.asarray(cells, dtype=np.int64)
    rows = found if found.ndim == 2 else found.reshape(len(found), 1)
    if rows.shape[1] == 1:
        return np.sort(rows[:, 0].astype(dtype))
    texts = {identity(text): text for text in reversed(texts_of(rows))}  # 1 and 1.0 are one class, as when declared
    return np.sort(np.array([*texts.values()], dtype=object if dtype.kind == "O" else str))


def doubts(plan: Plan) -> list[str]:
    """Where public numbers say that a search finds no label, or one at most: two have too few rows between them."""
    rows = known_rows(plan)
    node = next((n for n in plan.typed.nodes if isinstance(n.operation, StableHistogram)), None)
    if rows is None or node is None:
        return []
    cells, noise = plan.typed.edges[node.inputs[0]].domain, plan.calibrations[node.name,]
    each = cells.each if isinstance(cells, SparseCounts) else 1
    how = (noise["scale"], 1, noise["delta"], each, noise.get("reach", 1.0))
    least = histogram_threshold(node.operation.parameters()["noise"], *how)
    if rows > 2 * least:
        return []
    found = "at most one label is" if rows > least else "no label is"
    return [f"{found} expected to be found: it takes more than {least} rows each, of {rows}; declare classes=[...]"]


def untyped(found: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """*Released* labels of a list, which has no type of its own: numbers where all of them are, else texts.

    Examples
    --------
    >>> untyped(np.array(["10", "9"], dtype=object)), untyped(np.array(["1", "a"], dtype=object)).tolist()
    (array([ 9, 10]), ['1', 'a'])
    """
    for kind in (np.int64, np.float64):
        with contextlib.suppress(ValueError, OverflowError):
            made = found.astype(kind)
            if all(identity(n) == text.encode() for n, text in zip(made.tolist(), found, strict=True)):
                return np.sort(made)
    return found


def texts_of(rows: npt.NDArray[np.int64]) -> list[str]:
    """The texts of *released* rows of numbers.

    Examples
    --------
    >>> reader = Texts()
    >>> texts_of(reader.read(reader.cells(["ab", "żółć"])).astype(np.int64))
    ['ab', 'żółć']
    """
    letters = (rows[:, :, None] // 256 ** np.arange(WORD)) % 256
    return [bytes(row.ravel().astype(np.uint8)).rstrip(b"\0").decode("utf-8", "replace") for row in letters]
