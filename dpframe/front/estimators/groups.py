r"""``by=COLUMN``: one fit for each declared category of a column, all of them one plan with one certificate.

The plan has one node, ``by_category``: each declared category has a table of its own, on which the estimator's program
runs. Which rows are a category's depends on each row by itself and on the declared list, and is decided by the kernel's
sources. A replaced row has one category before and one after, so that two tables change; an added or removed row has
one: the proof, and what it costs, is theorem ``categories`` (``docs/theory/composition.md``, 8), which the checker
recomputes. A fit of an estimator is one call of ``_fit`` with the table it wants; here that call hands over its
category's share of one run, which the first of them makes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import attrs
import numpy as np

from dpframe.errors import DataError, RunError, SpecError
from dpframe.front import api as dp
from dpframe.front.declarations import rows as declared_rows
from dpframe.front.estimators import units
from dpframe.front.estimators.account import as_ledger
from dpframe.front.estimators.naming import column_of, names_of
from dpframe.front.estimators.tables import as_fitted, as_table, check_apart, read_rows, target_of
from dpframe.front.program import Program
from dpframe.front.program import plan as plan_program
from dpframe.front.specs.budgets import as_budget
from dpframe.planning.results import RunResult
from dpframe.planning.uncertainty import of_category
from dpframe.runtime.sources import Declared, Joined, Piece, in_memory, open_source

MOST = 1000
NODE = "groups"
"""The plan's one node and output."""


class Model(Protocol):
    """What is asked of an estimator: its choices, its program, and where the fits are kept."""

    by: Any
    categories: Any
    columns: Any
    groups_: dict[Any, Any]
    failed_: dict[Any, str]
    plan_: Any
    certificate_: Any
    simulated_: bool
    quality_: Any
    _account: Any
    _check: Callable[[], None]
    _check_fitted: Callable[..., None]
    _choices: Callable[[], dict[str, Any]]
    _keep_errors: Callable[[Any], None]
    _keep_names: Callable[[Any], None]
    ledger: Any
    _program: Callable[[Any, Any], Callable[..., Any]]
    _run: Callable[[Any, Any, Any, Any], RunResult]
    _sizes: Callable[[Any, Any], Any]
    get_params: Callable[..., dict[str, Any]]


def categories_of(model: Model) -> list[Any]:
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


def by_column(model: Model, X: Any, listed: list[Any]) -> Piece:
    """The column of categories, as places in the declared list."""
    return Piece(column_of(X, _place(model.by, names_of(X))), None, Declared(listed))


def features_of(model: Model, drop: Any) -> Any:
    """Which columns are features: those asked for, or all but the categories', the target's and those of a mixture."""
    if model.columns is not None:
        return model.columns
    beside = [model.by, *getattr(model, "categorical", ())]
    return lambda names, named: units.others((*(_place(b, names) for b in beside), drop), names, named)


def _place(by: Any, names: tuple[str, ...]) -> str:
    """The name of the column of categories."""
    if isinstance(by, str) and by in names:
        return by
    if isinstance(by, (int, np.integer)) and not isinstance(by, bool) and 0 <= by < len(names):
        return names[int(by)]
    raise DataError(f"by={by!r} is no column of the table", fix="give the name or the 0-based place of a column")


def fit_groups(model: Model, X: Any, y: Any, more: dict[str, Any]) -> None:
    """Fit one clone a category, and keep them in ``groups_``."""
    listed = categories_of(model)
    if "classes" in model.get_params(deep=False) and model.get_params(deep=False)["classes"] is None:
        raise SpecError("with by=... classes must be declared", fix="give classes=[...]")
    if "public" in more:
        raise SpecError("with by=... a learner takes no public rows: they have no categories", fix="fit each by itself")
    check_apart(X, y)
    table = in_memory(as_fitted(X))
    whole = Groups(model, by_column(model, table, listed), len(listed))
    features = features_of(model, y if isinstance(y, str) else None)
    args = () if y is None else (target_of(table, y),)
    groups, failed = {}, {}
    for place, category in enumerate(listed):
        sub = _sub(model)
        sub.__dict__["_group"] = attrs.evolve(whole, place=place)
        try:
            sub.set_params(columns=features).fit(table, *args)
        except RunError as error:  # decided by released values
            if not whole.ran:
                raise
            failed[category] = error.message
            continue
        finally:
            sub.set_params(columns=None)
            del sub.__dict__["_group"]
        groups[category] = sub
    model.groups_, model.failed_ = groups, failed
    if not groups:
        raise RunError("no category's fit was released", fix="use more rows or a larger budget")
    (first, *_) = groups.values()
    model._keep_names(first._columns)


@attrs.frozen(eq=False)
class Groups:
    """One run for all categories, and the place of one of them."""

    model: Model
    by: Piece
    count: int
    place: int = 0
    ran: list[RunResult] = attrs.field(factory=list)

    def outputs(self, sub: Model, X: Any, columns: Any) -> Mapping[str, Any]:
        """What the run released of this category, once it was made for the table that a fit asks for."""
        if not self.ran:
            self.ran.append(self._run(sub, X, columns))
        (result,) = self.ran
        sub.plan_, sub.certificate_, sub.simulated_ = self.model.plan_, result.certificate, result.simulated
        found = result[NODE][self.place]
        if found.status == "failed":
            raise RunError(f"the fit failed after spending its budget: {found.reason}", fix=found.advice)
        sub.quality_ = {"verdict": found.quality.verdict, "why": found.quality.why}
        sub._keep_errors(of_category(result.plan, NODE, found))
        sub._keep_names(open_source(in_memory(as_fitted(X)), columns=columns).labels)
        outputs: Mapping[str, Any] = found.outputs
        return outputs

    def _run(self, sub: Model, X: Any, columns: Any) -> RunResult:
        """Plan, reserve and run for all categories."""
        model = self.model
        choices, ledger = model._choices(), as_ledger(model.ledger)
        sub._check()
        X = in_memory(as_fitted(X))
        sizes = sub._sizes(open_source(X, columns=columns), choices)
        body, count = sub._program(sizes, choices), self.count

        def part(x: Any) -> Any:
            return body(x)

        def program(x: Any) -> Any:
            return {NODE: dp.by_category(NODE, x, part, categories=count)}

        written = {k: float(v) for k, v in choices.items() if k in ("epsilon", "delta", "rho")}
        declared = declared_rows(d=sizes.d + 1, n=sizes.n) if sizes.n is not None else declared_rows(d=sizes.d + 1)
        plan = plan_program(Program(program), adjacency=choices["adjacency"], budget=as_budget(written), x=declared)
        return model._run(plan, {"x": Joined((Piece(X, columns), self.by))}, None, ledger)


def _sub(model: Model) -> Any:
    """A clone for one category; what it costs is in the family's account, and in its own the certificate of all.

    It keeps the ledger, in which its share of this fit is not entered anew, but a later fit of its own is.
    """
    own = {"by": None, "categories": None, "columns": None}
    sub = type(model)(**{**model.get_params(deep=False), **own})
    sub.__dict__["_held"] = model._account
    return sub


def routed(model: Model, method: str, X: Any) -> Any:
    """What each row's own category answers, for rows that the caller may see; a transform of others is NaN.

    A pipeline lets transformers see private rows: whether one is of another category may not decide an exception.
    """
    model._check_fitted(by_group=True)
    if hasattr(model, "categorical"):
        raise DataError("rows with categories of their own are asked about by group", fix="ask groups_[category]")
    X = in_memory(as_table(X))
    by = by_column(model, X, categories_of(model))
    column = read_rows(Joined((by,)).open(None))[:, 0]
    rows = read_rows(open_source(X, columns=features_of(model, None) if model.columns is None else model.columns))
    found: Any = None
    done = np.zeros(len(rows), dtype=bool)
    for place, category in enumerate(categories_of(model)):
        mine = np.asarray(column == place, dtype=bool)
        sub = model.groups_.get(category)
        if sub is None or not (mine.any() or method == "transform"):
            continue
        given = np.asarray(getattr(sub, method)(rows[mine]))
        if found is None:
            found = np.zeros((len(rows), *given.shape[1:]), dtype=given.dtype)
        found[mine], done = given, done | mine
    if method == "transform" and found is not None:
        found[~done] = np.nan
    elif not done.all():
        raise DataError("X has rows of no category that was fitted", fix="drop them before asking about them")
    return found
