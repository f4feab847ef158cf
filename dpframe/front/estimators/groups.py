r"""``by=COLUMN``: one fit for each declared category of a column, composed in parallel.

Every category has a table of its own. Under replace-one it is the whole table with all other rows *empty*, so that the
number of rows is public and stays what it was; under add/remove it holds the category's rows alone. Which rows are a
category's depends on each row by itself and on the declared list.

*Proof.* A replaced row has one category before and one after: the tables of at most two categories change, each in one
row. With losses :math:`L_a, L_b` of their fits the whole has at most :math:`L_a \circ L_b`, and all other fits are the
same function of the same table. All categories are fitted by one plan, so that the worst pair is that plan's loss
composed with itself; every fit is planned with so much less that this composition is within the budget. An added row
has one category, and no other table changes: the worst single loss. Every fit is fixed before any is run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpframe.errors import DataError, RunError, SpecError
from dpframe.front.estimators.account import Account
from dpframe.front.estimators.tables import Floats, as_fitted, as_table, check_rows, read_rows
from dpframe.front.ledger import new_key
from dpframe.proof.losses import Loss, compose, tightest_epsilon
from dpframe.proof.spaces import adjacency as find_adjacency
from dpframe.runtime.gate import admit
from dpframe.runtime.sources import in_memory, open_source

if TYPE_CHECKING:
    from dpframe.front.estimators.base import PrivateEstimator

MOST = 1000
FACTORS = (0.72, 0.7, 0.68, 0.66, 0.64, 0.6, 0.56, 0.5)
"""Parts of ε and halves of δ that are tried for one fit under replace-one; the last is basic composition."""


def categories_of(model: PrivateEstimator) -> list[Any]:
    """The declared categories, checked."""
    given = model.categories
    if given is None or isinstance(given, (str, bytes)) or np.ndim(given) != 1 or not 1 <= len(given) <= MOST:
        raise SpecError(
            f"by={model.by!r} needs its categories declared: a list of 1 to {MOST}", fix='give categories=["a", "b"]'
        )
    listed: list[Any] = np.asarray(given).tolist()
    if len(set(listed)) < len(listed):
        raise SpecError("categories must be distinct", fix="give each once")
    return listed


def split_table(model: PrivateEstimator, X: Any, drop: tuple[str, ...]) -> tuple[Any, Floats, tuple[str | int, ...]]:
    """The column of categories, the features, and what these are called."""
    by, X = model.by, in_memory(as_table(X))
    if hasattr(X, "columns") and hasattr(X, "__getitem__"):  # a frame, whose categories may be texts
        column = np.asarray(X[_place(by, tuple(map(str, X.columns)))])
    else:
        column = read_rows(open_source(X, columns=lambda names, named: [_place(by, names)]))[:, 0]
    if model.columns is not None:
        source = open_source(X, columns=model.columns)
    else:
        source = open_source(X, columns=lambda names, named: [n for n in names if n not in (_place(by, names), *drop)])
    if source.d < 1:
        raise DataError(f"the table has no column besides {by!r}", fix="give features")
    return column, read_rows(source), source.labels


def _place(by: Any, names: tuple[str, ...]) -> str:
    """The name of the column of categories."""
    if isinstance(by, str) and by in names:
        return by
    if isinstance(by, (int, np.integer)) and not isinstance(by, bool) and 0 <= by < len(names):
        return names[int(by)]
    raise DataError(f"by={by!r} is no column of the table", fix="give the name or the 0-based place of a column")


def parted(total: dict[str, Any], factor: float) -> dict[str, Any]:
    """The budget of one of two fits."""
    if "rho" in total:
        return {"rho": 0.5 * total["rho"]}
    return {"epsilon": factor * total["epsilon"]} | ({"delta": 0.5 * total["delta"]} if "delta" in total else {})


def fit_groups(model: PrivateEstimator, X: Any, y: Any, more: dict[str, Any]) -> None:
    """Fit one clone a category, and keep them in ``groups_``."""
    choices, listed = model._choices(), categories_of(model)
    ledger = model._ledger()
    if "classes" in model.get_params(deep=False) and model.get_params(deep=False)["classes"] is None:
        raise SpecError("with by=... classes must be declared", fix="give classes=[...]")
    drop: tuple[str, ...] = ()
    if isinstance(y, str):
        named = open_source(in_memory(as_fitted(X)), columns=[y])
        drop, y = (y,), (np.asarray(X[y]) if hasattr(X, "columns") else read_rows(named)[:, 0])
    column, rows, names = split_table(model, as_fitted(X), drop)
    target = None if y is None else np.asarray(y)
    check_rows(len(rows))
    replaces = find_adjacency(choices["adjacency"]).n_is_public
    budget: dict[str, Any] = {k: choices[k] for k in ("epsilon", "delta", "rho") if k in choices}
    subs, loss, spent = _planned(
        model, listed, budget, replaces=replaces, width=rows.shape[1], target=target, n=len(rows)
    )
    key = new_key()
    if ledger is not None:
        relation = find_adjacency(choices["adjacency"])
        ledger.reserve(loss, adjacency=relation, spec=type(model).__name__, stated=spent, key=key,
                       simulated=model.simulate is not None)  # fmt: skip
    model._account.enter(spent)
    model.groups_, model.failed_ = {}, {}
    for category, sub in zip(listed, subs, strict=True):
        mine = np.asarray(column == category, dtype=bool)
        table = np.where(mine[:, None], rows, np.nan) if replaces else rows[mine]
        args = () if target is None else (target if replaces else target[mine],)
        try:
            sub.fit(table, *args, **more)
        except RunError as error:  # decided by released values
            model.failed_[category] = error.message
            continue
        sub._keep_names(names)
        model.groups_[category] = sub
    if ledger is not None:
        ledger.settle(key, "released" if model.groups_ else "failed")
    if not model.groups_:
        raise RunError("no category's fit was released", fix="use more rows or a larger budget")
    model._keep_names(names)
    model.certificate_ = {category: sub.certificate_ for category, sub in model.groups_.items()}
    model.simulated_ = model.simulate is not None


def _planned(
    model: PrivateEstimator,
    listed: list[Any],
    budget: dict[str, Any],
    *,
    replaces: bool,
    width: int,
    target: Any,
    n: int,
) -> tuple[list[Any], Loss, dict[str, Any]]:
    """One estimator a category with its part of the budget, the loss of all, and the total to put on record."""
    for factor in FACTORS if replaces else (1.0,):
        part = parted(budget, factor) if replaces else budget
        subs = [_sub(model, part, place) for place in range(len(listed))]
        checked = admit(
            subs[0]._plan_for(width + (target is not None), n if replaces else None),
            simulated=model.simulate is not None,
        ).checked
        loss = compose(checked.loss, checked.loss) if replaces else checked.loss
        total = {"adjacency": checked.total["adjacency"], "accountant": "parallel"}
        if "rho" in budget:
            return subs, loss, {**total, "rho": budget["rho"]}
        delta = budget.get("delta", 0.0)
        basic = 2.0 * checked.total["epsilon"] if replaces else checked.total["epsilon"]
        found = basic
        if delta > loss.delta and replaces:
            found = min(basic, tightest_epsilon(loss, delta)[0])
        if found <= budget["epsilon"]:
            return subs, loss, {**total, "epsilon": found, "delta": delta}
    raise SpecError("no part of the budget fits two categories", fix="report this")


def _sub(model: PrivateEstimator, part: dict[str, Any], place: int) -> Any:
    """A clone for one category, with an account of its own: the family's has the total."""
    params = model.get_params(deep=False)
    budget = {"epsilon": None, "delta": None, "rho": None, **part}
    seed = None if model.simulate is None else int(model.simulate) + place
    own = {"by": None, "categories": None, "ledger": None, "columns": None, "simulate": seed}
    sub = type(model)(**{**params, **budget, **own})
    sub.__dict__["_held"] = Account()
    return sub


def routed(model: PrivateEstimator, method: str, X: Any) -> Any:
    """What each row's own category answers, for rows that the caller may see."""
    model._check_fitted()
    column, rows, _ = split_table(model, X, ())
    found: Any = None
    done = np.zeros(len(rows), dtype=bool)
    for category, sub in model.groups_.items():
        mine = np.asarray(column == category, dtype=bool)
        if not mine.any():
            continue
        given = np.asarray(getattr(sub, method)(rows[mine]))
        if found is None:
            found = np.empty((len(rows), *given.shape[1:]), dtype=given.dtype)
        found[mine], done = given, done | mine
    if not done.all():
        raise DataError("X has rows of no category that was fitted", fix="drop them before asking about them")
    return found
