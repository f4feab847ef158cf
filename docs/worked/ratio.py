"""A mean ratio of two columns, and of the rows below and above it: written in row expressions, nothing is asserted."""

from __future__ import annotations

from typing import Any

import numpy as np

import dpframe.plugin as dp

DPFRAME_API = 1


@dp.own_contribution(
    "worked.log_ratio", gives=2, norm="linf", bound=lambda reach: reach, expressed=True, examples={"reach": 4.0}
)
def log_ratio(row: Any, *, reach: float) -> list[Any]:
    """The logarithm of the ratio of the first two columns, with a one beside it where there is one."""
    log = np.log(row[0] / row[1])
    there = np.isfinite(log)
    return [np.where(there, log, 0.0), there * reach]


@dp.own_partition("worked.sides", parts=2, expressed=True)
def sides(row: Any, centre: Any) -> Any:
    """Rows below and above a released ratio."""
    return np.log(row[0] / row[1]) > centre[0]


@dp.post_function("worked.centre_of", gives=lambda sums, reach: dp.Vector(1))
def centre_of(sums: Any, *, reach: float) -> Any:
    """The mean log ratio, from its sum and from the number of rows that have one."""
    return np.array([sums[0] / max(sums[1] / reach, 1.0)])


@dp.post_function("worked.beside", gives=lambda centre, below, above: dp.Vector(3))
def beside(centre: Any, below: Any, above: Any) -> Any:
    """The mean log ratio, and the counts on both sides of it."""
    return np.concatenate([centre, below, above])


@dp.composite("worked.ratio")
def ratio(x: dp.Handle, *, reach: float = 4.0, share: float = 1.0) -> dp.Handle:
    """The mean log ratio of two columns, and how many rows lie below and above it.

    Parameters
    ----------
    x : Handle
        The private table: two positive columns.
    reach : float
        Logarithms of ratios are clipped to this size.
    share : float
        Of ρ.

    Formal guarantees
    -----------------
    All proved: each row's ratio is computed by the kernel from that row alone, and no assertion is counted.
    """
    sums = dp.release("sums", dp.gaussian(share=0.7 * share), dp.own("worked.log_ratio", x, reach=reach))
    centre = centre_of(sums, reach=reach)
    below, above = dp.parts("worked.sides", x, centre)
    counts = [
        dp.release(name, dp.laplace(share=0.3 * share), dp.count(part))
        for name, part in (("below", below), ("above", above))
    ]
    return beside(centre, *counts)


def plain(rows: Any) -> float:
    """The non-private answer."""
    return float(np.log(rows[:, 0] / rows[:, 1]).mean())
