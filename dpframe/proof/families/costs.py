"""What a mask of a plugin costs, in the view in which it is known, as numbers that a certificate lists.

A mask need not be known as zCDP. Its cost may be one event with a dominating pair (Gaussian, Laplace, bounded range,
pure), or Rényi divergences at some orders: any :class:`~dpframe.proof.losses.Event` that is named here.
"""

from __future__ import annotations

import math
from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.losses import BoundedRange, Concentrated, Event, Gaussian, Laplace, Loss, Pure, Renyi
from dpframe.proof.spaces import finite_number
from dpframe.proof.theorems.base import Params

SINGLE: dict[str, Any] = {
    "rho": Concentrated,
    "mu": Gaussian,
    "pure": Pure,
    "laplace": Laplace,
    "bounded_range": BoundedRange,
}
VIEWS = (*SINGLE, "renyi")
"""``rho``: zCDP. ``mu``: the pair of two Gaussians. ``pure``, ``laplace``, ``bounded_range``: the pairs of these, by ε.
``renyi``: an order and the divergence there, in turn."""


def numbers_of(cost: Any, view: str) -> tuple[float, ...]:
    """A cost as the numbers of its view; a plain number is ρ.

    Raises
    ------
    PlanError
        For a cost that is known in another view, or nowhere.

    Examples
    --------
    >>> numbers_of(0.5, "rho"), numbers_of(Gaussian(0.25), "mu")
    ((0.5,), (0.25,))
    >>> numbers_of(Renyi((2.0, 4.0), (0.5, float("inf"))), "renyi")
    (2.0, 0.5)
    """
    event = Concentrated(cost) if not isinstance(cost, Event) and finite_number(cost) and cost >= 0 else cost
    kind = SINGLE.get(view, Renyi)
    if view not in VIEWS or type(event) is not kind:
        known = {cls: name for name, cls in SINGLE.items()} | {Renyi: "renyi"}
        found = known.get(type(event))
        if found is None:
            raise PlanError(f"a mask costs a number or an event of {', '.join(VIEWS)}, not {cost!r}", fix="give one")
        raise PlanError(f"its cost is known as {found!r}, not {view!r}", fix=f"use view={found!r}")
    if isinstance(event, Renyi):
        pairs = zip(event.orders, event.values, strict=True)
        numbers = tuple(float(x) for pair in pairs if pair[1] < math.inf for x in pair)
    else:
        numbers = (float(getattr(event, view if view in ("rho", "mu") else "epsilon")),)
    if not numbers or not all(0 < x < math.inf for x in numbers):
        raise PlanError("a mask's cost must be positive and finite", fix="use more noise, or a smaller r")
    return numbers


def event_of(params: Params) -> Event:
    """The event that the parameter ``view`` and the noise parameter ``cost`` stand for."""
    view, cost = params.get("view"), params.get("cost")
    if view not in VIEWS or not isinstance(cost, (tuple, list)) or not all(finite_number(x) and x > 0 for x in cost):
        raise PlanError(f"no cost is known by the view {view!r}", fix=f"use one of {', '.join(VIEWS)}")
    if view == "renyi":
        if len(cost) < 2 or len(cost) % 2:
            raise PlanError("a Rényi cost has an order and a value, in turn", fix="give pairs")
        return Renyi(tuple(cost[0::2]), tuple(cost[1::2]))
    if len(cost) != 1:
        raise PlanError(f"a cost in the view {view!r} is one number", fix="give one")
    event: Event = SINGLE[view](cost[0])
    return event


def size(cost: tuple[float, ...], view: str) -> float:
    """Roughly its ρ, for choosing the noise: nothing rests on it."""
    if view == "renyi":
        return min(value / order for order, value in zip(cost[0::2], cost[1::2], strict=True))
    return cost[0] if view == "rho" else cost[0] ** 2 / 2


def no_dearer(cost: tuple[float, ...], certified: tuple[float, ...], view: str) -> bool:
    """Whether a cost is at most the certified one, number by number; of Rényi costs at the same orders."""
    if len(cost) != len(certified) or (view == "renyi" and cost[0::2] != certified[0::2]):
        return False
    return all(a <= b for a, b in zip(cost, certified, strict=True))


def lifted(component: Event, k: int, delta: float = 0.0) -> Loss:
    """The loss of masking k components by a mask of this cost, in random order (``docs/theory/masks.md``, 3)."""
    return Loss.of(component, times=k, delta=delta)
