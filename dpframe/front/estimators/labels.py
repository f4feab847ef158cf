"""Which classes there are: declared, or found by a stable histogram inside the budget; never by looking at y."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError, SpecError

PART = 0.1
"""Part of ε and δ that finding the classes costs."""
WORD, WORDS = 5, 5
"""Text labels are read five bytes a column, in five columns: up to 25 bytes of UTF-8."""
MOST = 100


def declared(classes: Any) -> npt.NDArray[Any]:
    """Declared classes, in increasing order as scikit-learn keeps them."""
    if isinstance(classes, (str, bytes)) or np.ndim(classes) != 1 or not 1 <= len(classes) <= MOST:
        raise SpecError(f"classes must be a list of 1 to {MOST} labels", fix='give classes=["a", "b"]')
    listed = np.asarray(classes)
    if listed.dtype.kind not in "iufbUO" or len(set(listed.tolist())) < len(listed):
        raise SpecError("classes must be distinct numbers or texts", fix='give classes=["a", "b"]')
    return np.sort(listed)


def label_rows(target: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Labels as rows of numbers, one to one: whole numbers as they are, texts by their bytes. NaN for all others."""
    if target.dtype.kind in "iub":
        return target.astype(np.float64)[:, None]
    if target.dtype.kind == "f":
        return np.where(target == np.rint(target), target, np.nan)[:, None]
    if target.dtype.kind not in "UO":
        raise DataError(f"labels of type {target.dtype} can't be found privately", fix="declare classes=[...]")
    size = WORD * WORDS
    texts = target.astype(f"U{size + 1}") if target.dtype.kind == "O" else target
    raw = np.char.encode(texts, "utf-8")
    long = np.char.str_len(raw) > size
    padded = np.array(np.where(long | (np.char.str_len(raw) == 0), b"", raw), dtype=f"S{size}")
    letters = np.frombuffer(padded.tobytes(), dtype=np.uint8).reshape(len(target), WORDS, WORD)
    rows: npt.NDArray[np.float64] = letters.astype(np.float64) @ (256.0 ** np.arange(WORD))
    rows[~letters.any(axis=(1, 2))] = np.nan
    return rows


def labels_of(cells: Any, like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Published cells as labels of the type of y."""
    rows = np.asarray(cells, dtype=np.int64).reshape(len(cells), -1)
    if rows.shape[1] == 1:
        return np.sort(rows[:, 0].astype(like.dtype))
    letters = (rows[:, :, None] // 256 ** np.arange(WORD)) % 256
    texts = [bytes(row.ravel().astype(np.uint8)).rstrip(b"\0").decode("utf-8", "replace") for row in letters]
    return np.sort(np.array(texts, dtype=object if like.dtype.kind == "O" else str))
