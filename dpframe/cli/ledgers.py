"""What ``dpframe ledger create | add | show | verify`` do."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Mapping
from typing import Any

from dpframe.cli.commands import NOT_VERIFIED, OK
from dpframe.cli.saying import answer, complaint, say
from dpframe.errors import DpframeError, SpecError
from dpframe.front.ledger import LedgerError, State, create_ledger, open_ledger
from dpframe.front.ledger.checking import check_ledger
from dpframe.front.ledger.filters import as_terms
from dpframe.planning.booked_events import booked_loss
from dpframe.proof.losses import (
    ZCDP,
    ApproxDP,
    Budget,
    Concentrated,
    Event,
    Gaussian,
    Loss,
    Pure,
    PureDP,
    compose,
    tightest_epsilon,
)
from dpframe.proof.spaces import unit_level
from dpframe.proof.spaces.documents import parse_json

PLAIN: Mapping[str, Callable[[Any], Event]] = {"epsilon": Pure, "rho": Concentrated, "mu": Gaussian}
EXAMPLE = """for example '{"type": "gaussian", "mu": 0.1}' or '{"epsilon": 0.5, "delta": 1e-7}'"""


def ledger(arguments: Namespace) -> int:
    """Run the subcommand of ``dpframe ledger``."""
    return {"create": create, "add": add, "show": show, "verify": verify}[arguments.action](arguments)


def create(arguments: Namespace) -> int:
    """Make a ledger."""
    budget = _budget(arguments.epsilon, arguments.delta, arguments.rho)
    unit = arguments.unit
    made = create_ledger(
        arguments.file,
        table=arguments.table,
        budget=budget,
        adjacency=arguments.adjacency if unit is None else unit_level(arguments.adjacency, unit=unit, rows=1),
        own_delta=arguments.own_delta,
    )
    answer(_text(made.read()))
    return OK


def _budget(epsilon: float | None, delta: float | None, rho: float | None) -> Budget:
    if rho is not None and epsilon is None and delta is None:
        return ZCDP(rho)
    if rho is None and epsilon is not None and delta is not None:
        return ApproxDP(epsilon, delta) if delta else PureDP(epsilon)
    raise SpecError("a ledger has one budget", fix="give --epsilon and --delta (0: pure), or --rho alone")


def add(arguments: Namespace) -> int:
    """Book what another tool spends."""
    ledger, loss = open_ledger(arguments.file), read_event(arguments.event)
    state = ledger.read()
    stated = _stated(loss, state)
    if state.adjacency is not None:
        stated = {"adjacency": state.adjacency.name, **_unit(state), **stated}
    state.admit(loss, None, stated)
    ledger.reserve(loss, adjacency=None, spec=arguments.name, stated=stated, status="released")
    answer(_text(ledger.read()))
    return OK


def _stated(loss: Loss, state: State) -> dict[str, Any]:
    """What the loss is in the terms of the ledger's budget, by itself."""
    budget = state.filter.budget
    if not isinstance(budget, ApproxDP):
        return {"accountant": state.filter.view, **state.filter.spent([state.filter.charge(loss)])}
    epsilon, accountant = tightest_epsilon(loss, budget.delta)
    return {"accountant": accountant, "epsilon": epsilon, "delta": budget.delta}


def read_event(text: str) -> Loss:
    """A loss from what another tool says of itself.

    Parameters
    ----------
    text : str
        JSON: an event as certificates write it (``type`` and its parameters), with ``times`` and ``delta`` where it has
        them; a list of such; ``events`` and ``delta`` of an ``attempt.json``; or ``epsilon``, ``rho`` or ``mu`` alone,
        with a ``delta``.

    Raises
    ------
    DpframeError

    Examples
    --------
    >>> read_event('{"type": "gaussian", "mu": 0.1, "times": 4}').mu
    0.2
    >>> read_event('{"epsilon": 0.5, "delta": 1e-7}').delta
    1e-07
    """
    try:
        data = parse_json(text.encode(errors="replace"))
        return compose(*map(_one, data)) if isinstance(data, list) and data else _one(data)
    except DpframeError as error:  # of a reader that knows neither the option nor what to write in it
        raise SpecError(f"--event: {error.message}", fix=error.fix or EXAMPLE) from None


def _one(data: Any) -> Loss:
    if not isinstance(data, dict):
        raise SpecError("an event is a JSON object", fix=EXAMPLE)
    rest = dict(data)
    delta = rest.pop("delta", 0.0)
    if set(rest) == {"events"}:
        return booked_loss({"events": rest["events"], "delta": delta})
    times = rest.pop("times", 1)
    if len(rest) == 1 and set(rest) <= set(PLAIN):
        ((word, value),) = rest.items()
        rest = PLAIN[word](value).to_json()
    if "type" not in rest:
        raise SpecError("an event has a type, or is an epsilon, a rho or a mu", fix=EXAMPLE)
    return booked_loss({"events": [[rest, times]], "delta": delta})


def show(arguments: Namespace) -> int:
    """Print a ledger."""
    try:
        state = open_ledger(arguments.file).read()
    except LedgerError as error:
        say(complaint(error))
        return NOT_VERIFIED
    answer(json.dumps(_json(state), indent=1, ensure_ascii=False) if arguments.json else _text(state))
    return OK


def verify(arguments: Namespace) -> int:
    """Check every entry against its certificate where that can be found, and the total against the budget."""
    try:
        reasons, found = check_ledger(open_ledger(arguments.file))
    except LedgerError as error:
        reasons, found = [complaint(error)], 0
    if arguments.json:
        told = {"verified": not reasons, "reasons": reasons, "certificates": found}
        answer(json.dumps(told, indent=1, ensure_ascii=False))
        return NOT_VERIFIED if reasons else OK
    answer("not verified" if reasons else f"verified: the total is within the budget; certificates found: {found}")
    for reason in reasons:
        answer(f"  {reason}")
    return NOT_VERIFIED if reasons else OK


def _json(state: State) -> dict[str, Any]:
    return {
        "table": state.table,
        "adjacency": None if state.adjacency is None else state.adjacency.name,
        **_unit(state),
        "budget": as_terms(state.filter.budget),
        "own_delta": state.filter.own_delta,
        "spent": state.spent,
        "remaining": state.remaining,
        "entries": [{**entry.to_json(), "spent": state.filter.spent([entry.charge])} for entry in state.entries],
    }


def _unit(state: State) -> dict[str, Any]:
    unit = None if state.adjacency is None else state.adjacency.unit
    return {} if unit is None else {"unit": unit}


def _text(state: State) -> str:
    found = _json(state)
    relation = found["adjacency"] or "adjacency of the first plan"
    unit = f" of units (rows of one {found['unit']!r})" if "unit" in found else ""
    lines = [f"table      {found['table']}, {relation}{unit}"]
    lines += [f"{word:<10} {_words(found[word])}" for word in ("budget", "spent", "remaining")]
    for entry, booked in zip(state.entries, found["entries"], strict=True):
        cost = _words(booked["spent"])
        mark = ", simulated" if entry.simulated else ""
        lines.append(f"{entry.id:>5}  {entry.status}{mark}  {entry.spec}  {cost}  {entry.started}  {entry.out or '-'}")
    return "\n".join(lines)


def _words(values: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value:.6g}" for key, value in values.items())
