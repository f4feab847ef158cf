"""Many releases of a plugin's mechanism: its draws are drawn ahead by the thousand, and handed out one by one."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from dpframe.kernel.noise import Source
from dpframe.kernel.noise.parameters import Size, shape_of
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.kernel.own import claims
from dpframe.kernel.own.sampler import Sampler

STOCK = 4096
"""Draws that are drawn at once."""
Stock: TypeAlias = dict[tuple[str, Any], tuple[Any, int]]


class Stocked(Sampler):
    """The same exact samplers, of which it keeps a stock: draws are independent, so who is handed which is all one.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> noise = Stocked(SeededSource(1))
    >>> noise.laplace(2.0).shape, noise.laplace(2.0, (2, 3)).shape, noise.geometric(2.0, 4).shape
    ((), (2, 3), (4,))
    """

    __slots__ = ("_stock",)

    def __init__(self, source: Source, stock: Stock | None = None) -> None:
        super().__init__(source)
        self._stock: Stock = {} if stock is None else stock

    def laplace(self, scale: float, size: Size = ()) -> Any:
        """See :class:`Sampler`."""
        return self._handed("laplace", super().laplace, scale, size)

    def gaussian(self, sigma: float, size: Size = ()) -> Any:
        """See :class:`Sampler`."""
        return self._handed("gaussian", super().gaussian, sigma, size)

    def rounded_gaussian(self, sigma: float, size: Size = ()) -> Any:
        """See :class:`Sampler`."""
        return self._handed("rounded_gaussian", super().rounded_gaussian, sigma, size)

    def geometric(self, scale: float, size: int = 1) -> Any:
        """See :class:`Sampler`."""
        return self._handed("geometric", super().geometric, scale, size)

    def _handed(self, name: str, draw: Callable[[Any, int], Any], scale: Any, size: Size) -> Any:
        shape = shape_of(size)
        count = math.prod(shape)
        drawn, at = self._stock.get((name, scale), (None, 0))
        if drawn is None or at + count > len(drawn):
            drawn, at = draw(scale, max(STOCK, count)), 0
        self._stock[name, scale] = drawn, at + count
        return drawn[at : at + count].reshape(shape).copy()


def releases(
    operation: Mechanism, exact: Exact, calibration: Mapping[str, Any], domain: Any, source: Source, times: int
) -> list[Any]:
    """Independent releases of one value, as ``operation.release_many`` gives them."""
    kept = vars(claims)["Sampler"]
    vars(claims)["Sampler"] = functools.partial(Stocked, stock={})
    try:
        return [operation.release(exact, calibration, domain, source) for _ in range(times)]
    finally:
        vars(claims)["Sampler"] = kept
