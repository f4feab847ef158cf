"""How a row function is called, what the image of a row is, and what tells that other rows change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.foreign import rowwise
from dpframe.testing.battery import sizes

ROUNDING, BATCHES = 1e-9, (2, 3, 9, 40, 300)
"""What rounding moves an image by at most, of the largest number of its batch, and rows of batches that show it."""
FEW_POOLS, FEW_ROWS = 3, 4
"""Pools of which few are asked for, and their rows, where one call takes long."""


@attrs.frozen
class Use:
    """How a row function is called: on pools of rows of this width, with these released values.

    Attributes
    ----------
    d, p : int
        Columns in and out.
    params : tuple
    pools : tuple of (str, array)
        Rows that it takes one by one.
    other_params : tuple of tuple
        Released values of the same kinds and other sizes, zeros first.
    """

    d: int
    p: int
    params: tuple[Any, ...]
    pools: tuple[tuple[str, Any], ...]
    other_params: tuple[tuple[Any, ...], ...] = ()

    @property
    def few(self) -> bool:
        """Whether one call takes so long that few rows are asked for."""
        return len(self.pools) <= FEW_POOLS and all(len(pool) <= FEW_ROWS for _, pool in self.pools)


def effective(function: Callable[..., Any], values: Any, params: tuple[Any, ...], p: int) -> tuple[Any, Any]:
    """Image and validity as the kernel takes them."""
    image = sizes.attempt(function, values, params)
    if image is None or image.shape[1] != p:
        image = _one_by_one(function, values, params, p)
    return _as_taken(image)


def _one_by_one(function: Callable[..., Any], values: Any, params: tuple[Any, ...], p: int) -> Any:
    """What it gives for each row by itself; NaN where that is no row of p numbers."""
    images = np.full((len(values), p), np.nan)
    for i in range(len(values)):
        image = sizes.attempt(function, values[i : i + 1], params)
        if image is not None and image.shape == (1, p):
            images[i] = image[0]
    return images


def _as_taken(image: Any) -> tuple[Any, Any]:
    valid = np.isfinite(image).all(axis=1)
    return np.where(valid[:, None], image, 0.0) + 0.0, valid


def alone_of(function: Callable[..., Any], pool: Any, use: Use) -> tuple[Any, Any]:
    """Images of a pool's rows, each by itself, and which of them are valid."""
    return _as_taken(_one_by_one(function, pool, use.params, use.p))


def compare(
    function: Callable[..., Any], use: Use, pool: Any, alone: tuple[Any, Any], way: sizes.Arrangement
) -> dict[str, Any] | None:
    """What tells that a row of the pool has another image in this batch than alone, or None."""
    image = sizes.attempt(function, way.values, use.params)
    if image is None or image.shape[1] != use.p:
        return None  # the kernel calls it row by row
    valid = np.isfinite(image).all(axis=1)
    image = np.where(valid[:, None], image, 0.0)
    known = way.places >= 0
    places = way.places[known]
    same = (valid[known] == alone[1][places]) & (image[known] == alone[0][places]).all(axis=1)
    if same.all():
        return None
    at = int(np.flatnonzero(known)[np.flatnonzero(~same)[0]])
    place = int(way.places[at])
    row = pool[place]
    others = _fewest(function, use, row, way.values, at)
    return {
        "layer": "rowwise",
        "message": f"a row's image is not the same {way.words}, {len(way.values)} rows in all: other rows change it",
        "row": row,
        "other_rows": others,
        "rows": len(way.values),
        "alone": alone[0][place] if alone[1][place] else "empty",
        "among_them": image[at] if valid[at] else "empty",
        "released": list(use.params),
    }


def _fewest(function: Callable[..., Any], use: Use, row: Any, values: Any, at: int) -> Any:
    """One other row that changes the row's image, else the first few of the batch; zeros and ones first."""
    alone = effective(function, row[None], use.params, use.p)
    tries = [np.zeros(use.d), np.ones(use.d), *np.unique(np.delete(values, at, axis=0)[:50], axis=0)]
    for other in tries:
        image, valid = effective(function, np.vstack([row, other]), use.params, use.p)
        if valid[0] != alone[1][0] or not (image[0] == alone[0][0]).all():
            return other[None]
    return np.delete(values, at, axis=0)[:3]


def rounds(function: Callable[..., Any], uses: Sequence[Use]) -> bool:
    """Whether images differ between batches in their last digits, and nowhere by more: they are products, or sums.

    Of the largest number that is summed, that is; what is no number does not count.
    """
    seen = False
    for use in uses:
        for _, pool in use.pools:
            alone = _one_by_one(function, pool, use.params, use.p)
            for m in BATCHES:
                image, known = (
                    sizes.attempt(function, np.resize(pool, (m, use.d)), use.params),
                    np.resize(alone, (m, use.p)),
                )
                if image is None or image.shape != known.shape:
                    continue
                seen = seen or not np.array_equal(image, known, equal_nan=True)
                both = np.isfinite(image) & np.isfinite(known)
                largest = max(float(np.abs(some).max(initial=0.0)) for some in (pool[np.isfinite(pool)], known[both]))
                if not np.allclose(image[both], known[both], rtol=ROUNDING, atol=ROUNDING * largest):
                    return False
    return seen


def as_run(function: Callable[..., Any], uses: Sequence[Use]) -> Callable[..., Any]:
    """The same as the kernel calls it: on so many rows at once, whatever there are."""
    widths = {use.d: use.p for use in uses}

    def image(values: Any, *params: Any) -> Any:
        return rowwise(lambda rows: sizes.attempt(function, rows, params), values, widths[values.shape[1]])

    return image
