"""A plugin's functions on a few made-up rows and values, with a plan's own parameters, before a run spends.

In a run an error of such a function is silent, for it may be private: the row that causes it is empty. One that answers
no row at all, as for a table of other columns than it is made for, would spend the budget on nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dpframe.cli.trying_released import trial
from dpframe.errors import DpframeError, SpecError
from dpframe.kernel import registry
from dpframe.kernel.foreign import array_of
from dpframe.kernel.graphs import Typed
from dpframe.kernel.own.base import shape_of, value_domain
from dpframe.kernel.own.claims import OwnQuery, OwnStatistic
from dpframe.kernel.own.rows import OwnContribution, OwnPartition, OwnTransform
from dpframe.kernel.transforms.row_map import RowMap
from dpframe.proof.spaces import Domain, Rows
from dpframe.proof.spaces.structures import Table
from dpframe.proof.theorems.own import size_of

ALWAYS = (TypeError, AttributeError, NameError, IndexError, ImportError)
"""What a function raises that can't take such rows or parameters; others may be the refusal of a row."""
MOST_SHOWN = 120
"""Characters of a plan's parameters in a refusal."""


def try_out(graph: Typed) -> None:
    """Call each function of a plugin's that a graph and its bodies use.

    Raises
    ------
    SpecError
        Where one answers nothing; nothing was read or spent.
    """
    for node in graph.nodes:
        _try(node.operation, [graph.edges[ref].domain for ref in node.inputs])
        for body in node.bodies.values():
            try_out(body)


def _try(operation: Any, domains: Sequence[Domain]) -> None:
    first = domains[0] if domains else None
    tables = _tables(first.d) if isinstance(first, (Rows, Table)) else []
    asked = trial(operation, domains, _released, tables) if domains else None
    why = asked.refusal() if asked else ""
    if asked and why:
        _refuse(asked.name, asked.what, asked.keywords, why)
    if domains and isinstance(operation, (OwnStatistic, OwnQuery)):
        _try_whole(operation, domains)
    if not domains or not isinstance(domains[0], Rows):
        return
    keywords: Mapping[str, Any] = {}
    if isinstance(operation, RowMap):
        name, function, width = operation.function, registry.find_row_function(operation.function), operation.p
    elif isinstance(operation, (OwnTransform, OwnContribution, OwnPartition)):
        name, function, keywords = operation.of, operation.known.function, operation.keywords
        width = size_of(value_domain(operation)) if isinstance(operation, OwnContribution) else 1
        width = operation.p if isinstance(operation, OwnTransform) else width
    else:
        return
    rows = [(row, _released(domains[1:], seed)) for seed, row in enumerate(_rows(domains[0].d))]
    why = _refusal(function, rows, keywords, width)
    if why:
        _refuse(name, f"rows of {_columns(domains[0].d)}", keywords, why)


def _refuse(name: str, what: str, keywords: Mapping[str, Any], why: str) -> None:
    told = "".join(f", {key}={value!r}" for key, value in keywords.items())
    shown = told if len(told) <= MOST_SHOWN else f"{told[:MOST_SHOWN]}..."
    raise SpecError(
        f"{name!r} answers none of some made-up {what}{shown}: {why}",
        fix=f"give the columns and the parameters that it is made for, or mend it ('dpframe check {name}')",
    )


def _try_whole(operation: Any, domains: Sequence[Domain]) -> None:
    """A function of a whole table, or of private values: what has another shape than declared would count as zeros."""
    wanted, why = shape_of(value_domain(operation)), ""
    tables = isinstance(domains[0], Rows)
    for seed, rows in enumerate(_tables(domains[0].d) if isinstance(domains[0], Rows) else (None, None, None)):
        others = _released(domains[1:] if tables else domains, seed)
        if others is None:
            return
        why = _misfit(operation, (rows, *others) if tables else others, wanted)
        if not why:
            return
    what = f"tables of {_columns(domains[0].d)}" if isinstance(domains[0], Rows) else "values"
    _refuse(operation.of, what, operation.keywords, why)


def _misfit(operation: Any, values: Sequence[Any], wanted: tuple[int, ...]) -> str:
    """Why it gives no numbers of the declared shape; empty if it does, or if it may have refused the values."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = operation.known.function(*values, **operation.keywords)
    except ALWAYS as error:
        return f"{type(error).__name__}: {error}"
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  values that it refuses; sys.exit() is an error like any other
        return ""
    if array_of(made, wanted) is not None:
        return ""
    shape = np.shape(made) if isinstance(made, (np.ndarray, list, tuple, int, float)) else type(made).__name__
    return f"it gives {shape}, not numbers of the declared shape {wanted}"


def _tables(d: int) -> list[Any]:
    """Tables of several sizes, numbers of both signs among them."""
    rng = np.random.default_rng(0)
    return [np.round(np.abs(rng.standard_normal((200, d))), 1), rng.standard_normal((1000, d)), np.ones((20, d))]


def _columns(d: int) -> str:
    return f"{d} columns" if d > 1 else "1 column"


def _rows(d: int) -> list[Any]:
    """Single rows: of zeros, ones, places and numbers of both signs and several sizes."""
    rng = np.random.default_rng(0)
    made = [np.zeros(d), np.ones(d), np.arange(float(d)), rng.random(d), rng.standard_normal(d)]
    return [row.reshape(1, d) for row in (*made, 1e3 * rng.random(d))]


def _released(domains: Sequence[Domain], seed: int) -> tuple[Any, ...] | None:
    """Values in place of the released ones, or None where none can be made here."""
    try:
        from dpframe.testing.battery.values import draw

        return tuple(draw(domain, np.random.default_rng(seed)) for domain in domains)
    except (ImportError, DpframeError):
        return None


def _refusal(
    function: Callable[..., Any], rows: Sequence[tuple[Any, Any]], keywords: Mapping[str, Any], width: int
) -> str:
    """Why the function gives no row an image, by its last error; empty where it gives one, or may refuse rows."""
    why = ""
    for row, released in rows:
        if released is None:
            return ""
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = np.asarray(function(row.copy(), *released, **keywords), dtype=np.float64)
        except ALWAYS as error:
            why = f"{type(error).__name__}: {error}"
            continue
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001  a row that it refuses
            return ""
        if made.shape[:1] == (1,) and made.size == width:
            return ""
        why = f"it gives an array of shape {made.shape} for one row, not of {width} number{'s' * (width > 1)}"
    return why
