"""What every estimator has: parameters, one way to fit, an account, and rows to ask about.

A fit plans a program (a shipped spec or a registered composite), has it admitted by the gate, puts the loss into the
account and the ledger, and runs it. No module of this package reads a private row: features and target, declared
classes and groups are described to :mod:`dpframe.runtime.sources`, which puts them together when the run opens them.
"""

from __future__ import annotations

import abc
import copy
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError, RunError, SpecError, nearest
from dpframe.front.declarations import rows as declared_rows
from dpframe.front.estimators import units
from dpframe.front.estimators.account import Account, as_ledger
from dpframe.front.estimators.composed import attributes_of, class_name, title_of
from dpframe.front.estimators.construction import (
    REQUIRED,
    Rehearsed,
    by_groups,
    by_row,
    check_unread,
    constructor,
    forget,
    listed,
    warn_of,
)
from dpframe.front.estimators.manners import BaseEstimator, Unfitted, polite
from dpframe.front.estimators.tables import as_fitted, as_table, check_rows, read_rows
from dpframe.front.ledger import Booking, Ledger, Session
from dpframe.front.program import Composite, Program, apply
from dpframe.front.program import plan as plan_program
from dpframe.front.specs.budgets import as_budget
from dpframe.front.specs.keys import BUILT_IN, Key
from dpframe.planning.explain import hopeless
from dpframe.planning.plan import Plan
from dpframe.planning.results import RunResult, run_plan
from dpframe.proof.spaces import ADJACENCIES, Adjacency
from dpframe.proof.spaces import adjacency as find_adjacency
from dpframe.proof.spaces.checks import scalar
from dpframe.runtime.gate import Admitted, admit
from dpframe.runtime.sources import TableSource, in_memory, open_slots, open_source
from dpframe.shown import cut, safe, table, total

Floats = npt.NDArray[np.float64]
CHUNK = 2**16
PRIVACY = {
    "epsilon": "give epsilon=..., above 0, or rho=...",
    "delta": "give delta=..., well below 1/n",
    "adjacency": 'give adjacency="replace_one" or "add_remove"',
    "bound": "give bound=..., a generous radius around 0 that holds the rows",
}
"""The choices that privacy rests on, and what to do where one is absent."""
PRIVATE_CELLS = {
    "check_estimators_nan_inf": "whether a private cell is missing may not decide an exception: its row is left out",
    "check_dtype_object": "whether a private cell is a number may not decide an exception: the dtype is refused",
}
"""The checks of scikit-learn that demand an exception decided by private cells."""
MADE: dict[tuple[Any, ...], type[Any]] = {}
"""The classes that were made of composites and specs, by their ``MADE_OF`` and their own name."""
LATER = dict.fromkeys(("rho", "columns", "by", "categories", "unit", "unit_rows", "ledger", "simulate", "on"))
ROUTED = ("predict", "predict_proba", "predict_log_proba", "decision_function", "score_samples", "transform")
"""Methods that ask each row's own category where an estimator was fitted by a column."""


@attrs.frozen(eq=False)
class Sizes:
    """What a plan needs to know of a table: its width, its number of rows where that is public."""

    d: int
    n: int | None


class PrivateEstimator(BaseEstimator, abc.ABC):  # type: ignore[misc]
    """Parameters, fitting, the account and the ledger.

    A subclass names its own parameters in ``OWN`` (a default, or ``REQUIRED``), says with ``_composite`` what it runs,
    and keeps what was released in ``_keep``.

    Attributes
    ----------
    privacy_ : dict
        Adjacency, accountant and the proved loss of *all* fits of this estimator, its clones and copies (``fits`` is
        their number). Of clones it says that it covers the fits, not the selection or the scores.
    certificate_ : Certificate
        The proof, for :func:`dpframe.proof.checker.verify`.
    plan_ : Plan
        What ran; ``plan_.explain()`` says what is spent on what.
    quality_ : dict
        What released values say of the fit: ``verdict`` (good, poor, unchecked) and ``why``.
    simulated_ : bool
    n_features_in_ : int
    feature_names_in_ : (d,) array of str
        Only for tables whose columns have names.
    groups_ : dict
        Only with ``by=COLUMN, categories=[...]``: an estimator for each declared category, composed in parallel
        (:mod:`dpframe.front.estimators.groups`); ``failed_`` says why one is not there.

    Notes
    -----
    *Formal guarantees.* With ``unit=COLUMN, unit_rows=m`` all rows that hold one value in a column are protected
    together: :mod:`dpframe.front.estimators.units`.
    """

    OWN: ClassVar[Mapping[str, Any]] = {}
    POSITIONAL: ClassVar[int] = 1
    BOUND: ClassVar[Any] = REQUIRED
    BOUNDLESS: ClassVar[bool] = False
    """Whether what it runs reads no bound."""
    _expected_failed_checks: ClassVar[Mapping[str, str]] = PRIVATE_CELLS
    """For ``sklearn.utils.estimator_checks.check_estimator(..., expected_failed_checks=...)``."""
    CLUSTERS: ClassVar[str] = ""
    """The parameter that says how many clusters rows are divided into."""
    PURE: ClassVar[bool] = False
    """Whether δ may be None: pure DP."""

    epsilon: Any
    delta: Any
    adjacency: Any
    bound: Any
    rho: Any
    columns: Sequence[str | int] | None
    ledger: Any
    simulate: int | None
    on: Any
    by: Any
    categories: Any
    unit: Any
    unit_rows: Any
    groups_: dict[Any, Any]
    failed_: dict[Any, str]
    _learns_y: ClassVar[bool] = False
    _later: Sequence[Plan] = ()
    """What the same fit runs after this plan, and must fit its ledger too."""
    _asked: list[Admitted] | None = None  # what a rehearsal learns of its runs

    plan_: Plan
    quality_: dict[str, str]
    certificate_: Any
    simulated_: bool
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    _columns: tuple[str | int, ...]

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "fit" in cls.__dict__:
            cls.fit = by_groups(cls.fit)
        for method in ROUTED:
            if method in cls.__dict__:
                setattr(cls, method, by_row(method, cls.__dict__[method]))
        if "__init__" not in cls.__dict__:
            own = dict(cls.OWN)
            first = {name: own.pop(name) for name in list(own)[: cls.POSITIONAL]}
            required = {name: own.pop(name) for name in list(own) if own[name] is REQUIRED}
            choices = dict.fromkeys(("epsilon", "delta", "adjacency"), REQUIRED) | {"bound": cls.BOUND}
            made = constructor({**first, **choices, **required, **own, **LATER}, len(first))
            cls.__init__ = made  # type: ignore[method-assign]

    # ------------------------------------------------------------------ scikit-learn's manners

    def set_params(self, **params: Any) -> Self:
        """Change constructor arguments and return self.

        Raises
        ------
        SpecError
            For an unknown one, naming the nearest known.
        """
        names = list(inspect.signature(type(self)).parameters)
        with polite():
            for name, value in params.items():
                if name not in names:
                    raise SpecError(f"{type(self).__name__} has no parameter {name!r}", fix=nearest(name, names))
                setattr(self, name, value)
        return self

    def __repr__(self, *args: Any) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.get_params(deep=False).items())})"

    def _repr_html_(self) -> str:
        """Parameters, what all fits cost together, and what released values say of the last one, for a notebook."""
        page = f"<pre>{safe(repr(self))}</pre>"
        if not self._account.entries:
            return f"{page}<p>not fitted: nothing is spent</p>"
        told = [("spent", total(self.privacy_))]
        if hasattr(self, "quality_"):
            told += [(name, cut(said, 300)) for name, said in self.quality_.items()]
        if getattr(self, "simulated_", False):
            told.append(("simulated", "made without privacy: never publish it"))
        return page + table(("what", "value"), told)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = self.simulate is None
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")

    def __sklearn_clone__(self) -> Self:
        """An unfitted copy with the same parameters, and with the same account."""
        params = self.get_params(deep=False)
        kept = {name: v if isinstance(v, (Ledger, Session)) else copy.deepcopy(v) for name, v in params.items()}
        made = type(self)(**kept)
        self._account.family = True
        made.__dict__["_held"] = self._account
        return made

    # -------------------------------------------------------------------------------- fitting

    @property
    def _account(self) -> Account:
        account: Account = self.__dict__.setdefault("_held", Account())
        return account

    @property
    def privacy_(self) -> dict[str, Any]:
        """What all fits of this estimator and of its clones cost together."""
        if not self._account.entries:
            raise Unfitted(f"{type(self).__name__} has spent nothing: it is not fitted", fix="call fit first")
        return self._account.total

    @classmethod
    def from_composite(cls, composite: str, name: str | None = None) -> Any:
        """The class of a registered composite, in one line: see :func:`~dpframe.estimators.from_composite`."""
        attributes = attributes_of(composite)
        of = (PrivateEstimator, "from_composite", composite)
        return cls._made(class_name(name, title_of(composite)), (PrivateEstimator,), attributes, of)

    @staticmethod
    def _made(name: str, bases: tuple[type[Any], ...], attributes: dict[str, Any], of: tuple[Any, ...]) -> Any:
        """A class that pickle can make again: by this method of this class, of what its name says."""
        MADE[(*of, name)] = made = type(name, bases, {**attributes, "MADE_OF": of})
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        """As any object; what is of a class that was made, and that no module holds, by what it was made of."""
        cls = type(self)
        if "MADE_OF" in vars(cls) and getattr(sys.modules.get(cls.__module__), cls.__name__, None) is not cls:
            return _of_made, (*vars(cls)["MADE_OF"], cls.__name__), self.__getstate__()
        return super().__reduce_ex__(protocol)

    def _composite(self) -> tuple[str, dict[str, Any]]:
        """The registered composite that a fit runs, and its parameters."""
        raise SpecError(f"{type(self).__name__} names no program", fix="write _composite or _plan")

    def _choices(self) -> dict[str, Any]:
        """The choices that privacy rests on, checked; None is no choice."""
        found: dict[str, Any] = {}
        forms = ("epsilon", "delta") if self.rho is None else ("rho",)
        if self.rho is not None and (self.epsilon is not None or self.delta is not None):
            raise SpecError(
                "a budget is epsilon and delta, or rho, not both", fix="give epsilon=None, delta=None with rho"
            )
        check_unread(self)
        for name in (*forms, "adjacency", "bound"):
            value = getattr(self, name)
            if value is None and not (name == "delta" and self.PURE) and not (name == "bound" and self.BOUND is None):
                raise SpecError(
                    f"{type(self).__name__} needs {name}: a choice that privacy rests on has no default",
                    fix=PRIVACY[name],
                )
            if value is not None:
                key = Key("bound", "positive", max=1e150) if name == "bound" else BUILT_IN[name]
                known = isinstance(value, Adjacency) and ADJACENCIES.get(value.name) == value
                found[name] = key.check(value.name if known else scalar(value))
        return found | units.chosen(self)

    def _plan(self, sizes: Sizes, choices: dict[str, Any]) -> Plan:
        """Plan the program for a table of this size."""
        written = {k: float(v) for k, v in choices.items() if k in ("epsilon", "delta", "rho")}
        program = Program(self._program(sizes, choices))
        declared = declared_rows(d=sizes.d, n=sizes.n) if sizes.n is not None else declared_rows(d=sizes.d)
        return plan_program(program, adjacency=units.relation(choices), budget=as_budget(written), x=declared)

    def _program(self, sizes: Sizes, choices: dict[str, Any]) -> Callable[[Any], Any]:
        """What a fit releases of a table of this size, as a function of its handle: here the composite."""
        name, given = self._composite()
        stem = name.split(".")[-1]
        return lambda x: _named(stem, apply(stem, Composite(name, given), x))

    def _fit(self, X: Any, columns: Any = None, public: Any = None) -> Mapping[str, Any]:
        """Plan, reserve and run; the released outputs."""
        columns = self.columns if columns is None else columns
        group = self.__dict__.get("_group")
        if group is not None:  # one category's share of a fit of all
            return group.outputs(self, X, columns)  # type: ignore[no-any-return]
        choices = self._choices()
        ledger = as_ledger(self.ledger)
        self._check()
        X = in_memory(as_fitted(X))
        source = open_slots(X, units.relation(choices), columns=columns)
        plan = self._plan(self._sizes(source, choices), choices)
        tables = {"x": X} if public is None else {"x": X, "public": public}
        result = self._run(plan, tables, None if columns is None else source.columns, ledger)
        self._keep_names(result.columns)
        return result.outputs

    def _plan_for(self, d: int, n: int | None) -> Plan:
        """The plan of a fit of a table of this size, checked in all but the table."""
        choices = self._choices()
        self._check()
        return self._plan(Sizes(d, n), choices)

    def _check(self) -> None:
        """Refuse parameters of the class's own that make no sense, before the table is looked at."""

    def _sizes(self, source: TableSource, choices: dict[str, Any]) -> Sizes:
        public = find_adjacency(choices["adjacency"]).n_is_public
        rows = int(source.count_rows()) if public else None
        if rows is not None:
            check_rows(rows, getattr(self, self.CLUSTERS, None) or 1)
        return Sizes(source.d, rows)

    def _doubts(self, plan: Plan) -> list[str]:
        """What a plan is not expected to find."""
        return hopeless(plan)

    def _run(self, plan: Plan, tables: Mapping[str, Any], columns: Any, ledger: Ledger | None) -> RunResult:
        admitted = admit(plan, simulated=self.simulate is not None)
        booking = None if ledger is None else Booking(ledger, admitted, type(self).__name__)
        asked = self._asked
        later = [] if booking is None else [admit(p, simulated=admitted.checked.simulated) for p in self._later]
        if booking is not None and asked is None:
            booking.check(*later)
        if asked is None:
            warn_of(self._doubts(plan))

        def reserved() -> None:  # from here on it is spent, whatever happens
            if asked is not None:
                asked.extend((admitted, *later))
                raise Rehearsed
            if booking is not None:
                booking.enter()
            self._account.enter(admitted.spent)
            self.plan_ = plan

        result = run_plan(admitted, tables, simulate=self.simulate, columns=columns, reserved=reserved, on=self.on)
        if booking is not None:
            booking.settle(result.status)
        self._record(result)
        return result

    def _record(self, result: RunResult) -> None:
        self.certificate_, self.simulated_ = result.certificate, result.simulated
        if result.status == "failed":
            forget(self)
            raise RunError(f"the fit failed after spending its budget: {result.reason}", fix=result.advice)
        self.quality_ = {"verdict": result.quality.verdict, "why": result.quality.why}
        if self.by is None:  # each category's fit keeps its own
            self._keep_errors(result.uncertainty)

    def _keep_errors(self, known: Mapping[str, Any]) -> None:
        """Keep standard errors by output, where the program's own outputs are the attributes."""

    # ------------------------------------------------------------------------- rows to ask about

    def _keep_names(self, columns: Sequence[str | int]) -> None:
        """What the columns of the fit are called, as scikit-learn keeps it: names only where there are any."""
        self.n_features_in_, self._columns = len(columns), tuple(columns)
        self.__dict__.pop("feature_names_in_", None)
        if all(isinstance(column, str) for column in columns):
            self.feature_names_in_ = np.array(columns, dtype=object)

    def _check_fitted(self, *, by_group: bool = False) -> None:
        """Refuse to be asked before a fit, or for what each category's estimator has of its own."""
        if not hasattr(self, "n_features_in_"):
            raise Unfitted(f"this {type(self).__name__} is not fitted yet", fix="call fit first")
        if not by_group and "groups_" in vars(self):
            told = f"this {type(self).__name__} was fitted by {self.by!r}: each category has attributes of its own"
            raise Unfitted(told, fix="ask groups_[category]")

    def _one(self) -> Any:
        """Itself, or of a fit by a column one of its categories': what is asked of it is the same in all."""
        self._check_fitted(by_group=True)
        return next(iter(vars(self).get("groups_", {}).values()), self)

    def _rows(self, X: Any) -> Floats:
        """Rows that the caller may see, of the columns of the fit."""
        self._check_fitted()
        with polite():
            source = open_source(as_table(X), columns=self._chosen)
            chunks = list(source.chunks(CHUNK))
            if not chunks:
                raise DataError("X has no rows: 0 sample(s), a minimum of 1 is required", fix="ask about some rows")
            if not all(chunk.valid.all() for chunk in chunks):
                raise DataError("X has rows with missing values, NaN or inf", fix="drop them before asking about them")
            return np.concatenate([chunk.values for chunk in chunks])

    def _rows_or_nan(self, X: Any) -> Floats:
        """The same for a transformer, which a pipeline lets see private rows: one with a missing cell is NaN.

        Whether there is one, or any row at all, may not decide an exception.
        """
        self._check_fitted()
        with polite():
            return read_rows(open_source(as_table(X), columns=self._chosen))

    def _chosen(self, given: tuple[str, ...], named: bool) -> list[str] | None:
        """Which columns of X are those of the fit: by name where both have names, else by number and order."""
        names = [str(label) for label in self._columns]
        own = hasattr(self, "feature_names_in_")
        if not own or not named:
            if self.unit is not None and self.columns is None and not own and len(given) == len(names) + 1:
                return [given[int(name)] for name in names]  # the table of the fit, with its ids
            if len(given) != len(names):
                raise DataError(
                    f"X has {len(given)} columns, the model was fitted on {listed(names)} "
                    f"(X has {len(given)} features, but {type(self).__name__} is expecting {len(names)} features "
                    "as input). Reshape your data or choose from it",
                    fix="pass these columns alone, in this order" + (", or a table with names" if own else ""),
                )
            return None
        missing = [name for name in names if name not in given]
        if missing:
            raise DataError(
                f"X has no column {', '.join(map(repr, missing))}; the model was fitted on {listed(names)}",
                fix="pass a table with these names, or an array of these columns in this order",
            )
        found = [name for name in given if name in names]
        if self.columns is None and found != names:
            raise DataError(
                f"X has its columns in the order {', '.join(found)}, the model was fitted on {listed(names)}",
                fix="put them in the order of the fit, or fit with columns=[...], which selects by name",
            )
        return names


def _of_made(maker: Any, method: str, of: str, name: str) -> Any:
    """An estimator of a class that was made, as pickle makes it before its state."""
    cls: Any = MADE.get((maker, method, of, name)) or getattr(maker, method)(of, name)
    return cls.__new__(cls)


def _named(stem: str, made: Any) -> Any:
    """Outputs under the names of a composite's parts."""
    return made if isinstance(made, Mapping) else {stem: made}
