r"""``by=COLUMN``: one fit for each declared category of a column, composed in parallel.

Every category has a table of its own. Under replace-one it is the whole table with all other rows *empty*, so that the
number of rows is public and stays what it was; under add/remove it holds the category's rows alone. Which rows are a
category's depends on each row by itself and on the declared list, and is decided by the kernel's sources
(:class:`~dpframe.runtime.sources.Kept`).

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
from dpframe.front.estimators.tables import as_fitted, as_table, check_rows, read_rows, target_of
from dpframe.front.ledger import new_key
from dpframe.proof.losses import Loss, compose, tightest_epsilon
from dpframe.proof.spaces import adjacency as find_adjacency
from dpframe.runtime.gate import admit
from dpframe.runtime.sources import (
    Declared,
    Joined,
    Kept,
    Piece,
    column_of,
    in_memory,
    names_of,
    open_source,
)

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


def by_column(model: PrivateEstimator, X: Any, listed: list[Any]) -> Piece:
    """The column of categories, as places in the declared list."""
    return Piece(column_of(X, _place(model.by, names_of(X))), None, Declared(listed))


def features_of(model: PrivateEstimator, drop: Any) -> Any:
    """Which columns are features: those asked for, or all but the categories' and the target's."""
    if model.columns is not None:
        return model.columns
    return lambda names, named: [n for n in names if n not in (_place(model.by, names), drop)]


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
    table = in_memory(as_fitted(X))
    by = by_column(model, table, listed)
    features = features_of(model, y if isinstance(y, str) else None)
    target = None if y is None else target_of(table, y)
    source = open_source(table, columns=features)
    if source.d < 1:
        raise DataError(f"the table has no column besides {model.by!r}", fix="give features")
    replaces = find_adjacency(choices["adjacency"]).n_is_public
    beside = [] if target is None else [Piece(target, None, Declared([]))]
    rows = Joined((by, *beside, Piece(table, features))).open(None).count_rows()
    if replaces:
        check_rows(rows)
    budget: dict[str, Any] = {k: choices[k] for k in ("epsilon", "delta", "rho") if k in choices}
    subs, loss, spent = _planned(model, listed, budget, width=source.d + len(beside), n=rows if replaces else None)
    key = new_key()
    if ledger is not None:
        relation = find_adjacency(choices["adjacency"])
        ledger.reserve(loss, adjacency=relation, spec=type(model).__name__, stated=spent, key=key,
                       simulated=model.simulate is not None)  # fmt: skip
    model._account.enter(spent)
    model.groups_, model.failed_ = {}, {}
    for place, (category, sub) in enumerate(zip(listed, subs, strict=True)):
        mine = Kept(table, by, place, drops=not replaces)
        args = () if target is None else (Kept(target, by, place, drops=not replaces),)
        try:
            sub.set_params(columns=features).fit(mine, *args, **more)
        except RunError as error:  # decided by released values
            model.failed_[category] = error.message
            continue
        finally:
            sub.set_params(columns=None)
        sub._keep_names(source.labels)
        model.groups_[category] = sub
    if ledger is not None:
        ledger.settle(key, "released" if model.groups_ else "failed")
    if not model.groups_:
        raise RunError("no category's fit was released", fix="use more rows or a larger budget")
    model._keep_names(source.labels)
    model.certificate_ = {category: sub.certificate_ for category, sub in model.groups_.items()}
    model.simulated_ = model.simulate is not None


def _planned(
    model: PrivateEstimator, listed: list[Any], budget: dict[str, Any], *, width: int, n: int | None
) -> tuple[list[Any], Loss, dict[str, Any]]:
    """One estimator a category with its part of the budget, the loss of all, and the total to put on record."""
    replaces = n is not None
    for factor in FACTORS if replaces else (1.0,):
        part = parted(budget, factor) if replaces else budget
        subs = [_sub(model, part, place) for place in range(len(listed))]
        checked = admit(subs[0]._plan_for(width, n), simulated=model.simulate is not None).checked
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
    X = in_memory(as_table(X))
    by = by_column(model, X, categories_of(model))
    column = read_rows(Joined((by,)).open(None))[:, 0]
    rows = read_rows(open_source(X, columns=features_of(model, None) if model.columns is None else model.columns))
    found: Any = None
    done = np.zeros(len(rows), dtype=bool)
    for place, category in enumerate(categories_of(model)):
        mine = np.asarray(column == place, dtype=bool)
        sub = model.groups_.get(category)
        if sub is None or not mine.any():
            continue
        given = np.asarray(getattr(sub, method)(rows[mine]))
        if found is None:
            found = np.empty((len(rows), *given.shape[1:]), dtype=given.dtype)
        found[mine], done = given, done | mine
    if not done.all():
        raise DataError("X has rows of no category that was fitted", fix="drop them before asking about them")
    return found
