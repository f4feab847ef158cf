"""What shapes are built from: a domain of some kind, rows of some region, equal dimensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpframe.errors import PlanError
from dpframe.spaces import Domain, Rows
from dpframe.theorems.base import Params

Domains = tuple[Domain, ...]
Shape = Callable[[Params, Domains], Domain]


def is_kind(domain: Domain, *kinds: type[Domain]) -> Any:
    """The domain, if it is of one of the kinds."""
    if not isinstance(domain, kinds):
        raise PlanError(f"takes {' or '.join(k.__name__ for k in kinds)}, not {domain}")
    return domain


def rows_of(domain: Domain, region: str | None = None) -> Any:
    """Rows, of that region where one is asked for."""
    rows = is_kind(domain, Rows)
    if region is not None and rows.region != region:
        raise PlanError(f"takes rows of region {region!r}, not {rows.region!r}")
    return rows


def alike(a: int, b: int) -> None:
    """Raise where two numbers of columns differ."""
    if a != b:
        raise PlanError(f"dimensions differ, {a} and {b}")
