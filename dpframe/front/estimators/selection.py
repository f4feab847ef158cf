"""Pipelines without a step that learned from private rows unprotected, and a choice of parameters inside the budget."""

from __future__ import annotations

import contextlib
import copy
import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self

import numpy as np

from dpframe.errors import RunError, SpecError
from dpframe.front import api as dp
from dpframe.front.estimators import units
from dpframe.front.estimators.account import Account, as_ledger
from dpframe.front.estimators.base import PrivateEstimator
from dpframe.front.estimators.construction import forget, rehearsed, whole
from dpframe.front.estimators.manners import BaseEstimator, Unfitted, polite
from dpframe.front.estimators.moments import PrivateMean
from dpframe.front.estimators.steps import checked
from dpframe.front.estimators.tables import Floats, as_fitted, check_apart, numbers_of, with_target
from dpframe.front.ledger import Booking
from dpframe.front.program import plan as plan_program
from dpframe.front.specs.budgets import as_budget
from dpframe.front.specs.keys import Key
from dpframe.kernel import registry
from dpframe.planning.plan import Plan
from dpframe.proof.spaces.checks import finite_number, plain
from dpframe.runtime.sources import Declared, Joined, Piece, Whole, in_memory

MOST = 200
OF_THE_BEST = (
    *("predict", "predict_proba", "predict_log_proba", "decision_function", "score_samples", "transform", "sample"),
    *("classes_", "n_features_in_", "feature_names_in_"),
)
"""What a fitted search answers as its best estimator does."""
_NUMBERS = itertools.count()


def make_private_pipeline(*steps: Any) -> Any:
    """A scikit-learn pipeline in which nothing learns from private rows but private estimators.

    Parameters
    ----------
    *steps : estimator
        Private estimators, and transformers that learn nothing (``FunctionTransformer``, ``Normalizer``), each of which
        stands in the pipeline as the ``step`` of a :class:`~dpframe.front.estimators.steps.RowStep`.

    Raises
    ------
    SpecError
        For a step that learns, or has learned, without privacy; for units of rows in more steps than one.

    Notes
    -----
    *Formal guarantees.* Steps that learn nothing map each row by itself, *if* they are what their tags say; the loss
    of the pipeline is that of its private steps together: add their ``privacy_``. A row with a missing or infinite cell
    does not reach them, and one at which they fail has no image: it is empty for the next step, and nothing is raised.
    """
    from sklearn.pipeline import make_pipeline

    if not steps:
        raise SpecError("a pipeline needs steps", fix="give at least one private estimator")
    ours = (PrivateEstimator, PrivateSearch)
    with polite():
        taken = [step if isinstance(step, ours) else checked(place, step) for place, step in enumerate(steps)]
        _check_units([step for step in steps if isinstance(step, ours)])
    made = make_pipeline(*steps)
    made.steps = [(name, step) for (name, _), step in zip(made.steps, taken, strict=True)]
    return made


def _check_units(private: list[Any]) -> None:
    """What a step hands on has no ids, so that the next one could not protect the same units."""
    models = [step.estimator if isinstance(step, PrivateSearch) else step for step in private]
    if len(models) > 1 and any(getattr(model, name, None) is not None for model in models for name in units.KEYS):
        raise SpecError(
            "rows that one step hands on have lost their unit, so the next can't protect it",
            fix="let one private step have unit=..., with no other private step",
        )


class _Scores(PrivateMean):
    """Noisy sums of scores of private rows: a row function, whose images the kernel clips to a ball."""

    candidates: int
    function: str

    def _plan(self, sizes: Any, choices: dict[str, Any]) -> Plan:
        written = {k: float(v) for k, v in choices.items() if k in ("epsilon", "delta", "rho")}
        m = self.candidates
        centre, radius = [0.5] * m, 0.5 * m**0.5

        def program(x: Any) -> Any:
            scores = dp.row_map(x, function=self.function, p=m)
            inside = dp.clip(scores, dp.ball(centre=centre, radius=radius * (1 + 1e-6)))
            return {"scores": dp.release("scores", dp.gaussian(share=1.0), dp.sum(inside))}

        table = dp.rows(d=sizes.d, n=sizes.n) if sizes.n is not None else dp.rows(d=sizes.d)
        return plan_program(program, adjacency=units.relation(choices), budget=as_budget(written), x=table)


class PrivateSearch(BaseEstimator):  # type: ignore[misc]
    """The best of several parameters of a private estimator, fits, scores and choice all inside one budget.

    Parameters
    ----------
    estimator : PrivateEstimator
        Its own budget counts for nothing: each candidate is a clone with its part of this one.
    param_grid : dict of lists, or list of dicts
        Public, fixed before any data are seen.
    epsilon, delta : float
        The budget of everything; no default.
    adjacency : {"replace_one", "add_remove"}
        No default.
    share : float
        Part of ε and δ for scoring; the rest is divided equally among the candidates' fits.
    score_range : (low, high), optional
        Public range of a row's score, needed for what is no classifier: of log densities, or of minus the absolute
        errors of a regression. Scores outside are clipped.
    ledger, simulate
        As for every estimator; without a ledger that of ``estimator``, if it has one.

    Attributes
    ----------
    best_estimator_, best_params_, best_index_
    scores_ : (candidates,)
        Noisy sums of the rows' scores, moved to [0, 1]; only differences between candidates mean something.
    privacy_ : dict
        The total of all fits and of the choice.

    Notes
    -----
    *Formal guarantees.* Basic composition of m fits of ((1 − share)·ε/m, (1 − share)·δ/m) and one Gaussian release of
    the scores' sums at (share·ε, share·δ): a row has m scores in [0, 1], which the kernel clips to a ball of radius
    √m/2. The kernel scores rows by a ``row_map``: its certificate lists the hypothesis that ``predict`` of a released
    model maps each row by itself.
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        epsilon: float,
        delta: float,
        adjacency: str,
        share: float = 0.2,
        score_range: Any = None,
        ledger: Any = None,
        simulate: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.epsilon = epsilon
        self.delta = delta
        self.adjacency = adjacency
        self.share = share
        self.score_range = score_range
        self.ledger = ledger
        self.simulate = simulate

    _accounts: Sequence[Account] = ()
    """Of all estimators that were searched, one a family."""

    def _candidates(self) -> list[dict[str, Any]]:
        grids = _grids(self.param_grid)
        count = sum(math.prod(map(len, grid.values())) for grid in grids)
        if not 1 <= count <= MOST:
            raise SpecError(f"a search needs 1 to {MOST} candidates, not {count}", fix="give a smaller param_grid")
        found = [dict(zip(g, values, strict=True)) for g in grids for values in itertools.product(*g.values())]
        fixed = {"epsilon", "delta", "rho", "adjacency", "ledger", "simulate", "by", "categories", *units.KEYS}
        for name in {name for params in found for name in params} & fixed:
            raise SpecError(f"param_grid can't hold {name!r}: it is the search's own, or none's", fix="leave it out")
        return found

    def _parts(self, m: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """The budget of one fit, and of the scores; their sum is rounded below the whole."""
        share = Key("share", "probability").check(self.share)
        for name in ("epsilon", "delta", "adjacency"):
            if getattr(self, name) is None:
                raise SpecError(f"PrivateSearch needs {name}: it has no default", fix=f"give {name}=...")
        total = {
            "epsilon": Key("epsilon", "positive").check(self.epsilon),
            "delta": Key("delta", "probability").check(self.delta),
        }
        each = {k: (1.0 - share) * v / m * (1.0 - 1e-9) for k, v in total.items()}
        return each, {k: share * v * (1.0 - 1e-9) for k, v in total.items()}

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit all candidates on private rows, and choose by noisy scores of the same rows."""
        with polite():
            if not isinstance(self.estimator, PrivateEstimator) or self.estimator.by is not None:
                raise SpecError(
                    "a private search is of a private estimator without by=", fix="give estimator=Private..."
                )
            candidates = self._candidates()
            each, rest = self._parts(len(candidates))
            low, high = self._range()
            check_apart(X, y)
            X = in_memory(as_fitted(X))
            unit = {name: getattr(self.estimator, name) for name in units.KEYS}
            ledger = self.estimator.ledger if self.ledger is None else self.ledger
            common = {"adjacency": self.adjacency, "ledger": ledger}
            models = []
            for i, params in enumerate(candidates):
                seed = None if self.simulate is None else whole("simulate", self.simulate, 0) + i
                model = self.estimator.__sklearn_clone__().set_params(
                    **params, **each, rho=None, **common, simulate=seed
                )
                models.append(model)
            scorer = _Scores(**rest, **common, **unit, bound=1.0, simulate=self.simulate)
            scorer.__dict__["_held"] = models[0]._account
            for model in models:
                model.__dict__["_held"] = models[0]._account
            asked = _table(models, X, y, Whole() if models[0]._learns_y else None)
            scorer.candidates = len(models)
            with _registered(lambda rows: np.zeros((len(rows), len(models)))) as scorer.function:
                last = rehearsed(scorer, scorer._fit, asked)
            runs = [run for model in models for run in rehearsed(model, _fit, model, X, y)] + last
            held = as_ledger(scorer.ledger)
            if held is not None:  # all that is going to be spent fits, or nothing is
                Booking(held, runs[0], type(self).__name__).check(*runs[1:])
            forget(self)
            self._accounts = [*(a for a in self._accounts if a is not models[0]._account), models[0]._account]
            done = [self._fitted(model, X, y) for model in models]
            if not any(done):
                raise RunError("no candidate's fit was released", fix="use more rows or a larger budget")
            released = [m for m, ok in zip(models, done, strict=True) if ok]
            labels = _labels(released)
            table = _table(released, X, y, None if labels is None else Declared(labels))
            with _registered(_scoring(models, done, low, high)) as scorer.function:
                self.scores_ = np.asarray(scorer._fit(table)["scores"], dtype=np.float64)
        self.best_index_ = int(np.argmax(np.where(done, self.scores_, -np.inf)))
        self.best_estimator_, self.best_params_ = models[self.best_index_], candidates[self.best_index_]
        return self

    def _range(self) -> tuple[float, float]:
        if hasattr(self.estimator, "predict_proba") and hasattr(self.estimator, "classes"):
            return 0.0, 1.0
        scored = self.estimator._learns_y or hasattr(self.estimator, "score_samples")
        if not scored or hasattr(self.estimator, "categorical"):  # categories are no numbers, as scored rows are
            name = type(self.estimator).__name__
            raise SpecError(
                f"{name} has no score of a row", fix="search one with predict(X) of a target or score_samples"
            )
        given = self.score_range
        pair = plain(given) if isinstance(given, (list, tuple, np.ndarray)) and len(given) == 2 else ()
        if not pair or not all(map(finite_number, pair)) or not pair[0] < pair[1]:
            raise SpecError("the score of a row needs a public range", fix="give score_range=(low, high)")
        return float(pair[0]), float(pair[1])

    def _fitted(self, model: Any, X: Any, y: Any) -> bool:
        """Whether the fit was released; that it was not is told by released values."""
        try:
            _fit(model, X, y)
        except RunError:
            return False
        return True

    @property
    def privacy_(self) -> dict[str, Any]:
        """What fits, scores and choice cost together."""
        accounts = self._accounts
        entries = [entry for account in accounts for entry in account.entries]
        if not entries:
            raise Unfitted("the search is not fitted", fix="call fit first")
        found = Account(entries, apart=any(account.apart for account in accounts)).total
        return {k: v for k, v in found.items() if k != "note"} | {"note": "covers the fits, the scores and the choice"}

    def __getattr__(self, name: str) -> Any:
        if name not in OF_THE_BEST:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self._best(), name)

    def _best(self) -> Any:
        if "best_estimator_" not in self.__dict__:
            raise Unfitted("the search is not fitted", fix="call fit first")
        return self.best_estimator_

    def score(self, X: Any, y: Any = None) -> float:
        """What the best estimator's ``score`` is, of rows that the caller may see."""
        best = self._best()
        return float(best.score(X, y))

    def __sklearn_tags__(self) -> Any:
        """A search of classifiers is a classifier."""
        tags = super().__sklearn_tags__()
        if isinstance(self.estimator, PrivateEstimator):
            searched = self.estimator.__sklearn_tags__()
            for name in ("estimator_type", "classifier_tags", "regressor_tags", "target_tags"):
                setattr(tags, name, getattr(searched, name))
        tags.non_deterministic = self.simulate is None
        return tags


def _grids(given: Any) -> Sequence[Mapping[str, Sequence[Any]]]:
    """A grid, or several: for each name of a parameter the values that it may have."""
    grids = [given] if isinstance(given, Mapping) else given
    if not isinstance(grids, (list, tuple)) or not all(isinstance(grid, Mapping) for grid in grids):
        raise SpecError(
            f"param_grid is a dict of lists, or a list of such, not a {type(given).__name__}",
            fix='give param_grid={"bound": [10.0, 100.0]}, say',
        )
    for name, values in (pair for grid in grids for pair in grid.items()):
        listed = np.ndim(values) == 1 if isinstance(values, np.ndarray) else isinstance(values, Sequence)
        if not isinstance(name, str) or not listed or isinstance(values, (str, bytes)):
            raise SpecError(
                f"param_grid has for {name!r} no list of values",
                fix=f"give {{{str(name)!r}: [...]}}, for one value too",
            )
    return grids


def _fit(model: Any, X: Any, y: Any) -> Any:
    return model.fit(X, y) if "y" in inspect.signature(model.fit).parameters else model.fit(X)


def _labels(models: list[Any]) -> list[Any] | None:
    """All labels that some candidate knows; None where targets are numbers."""
    if not all(hasattr(model, "classes_") for model in models):
        return None
    return list(dict.fromkeys(label for model in models for label in model.classes_.tolist()))


def _table(models: list[Any], X: Any, y: Any, reader: Any) -> Any:
    """The features of each candidate side by side, and last the target: numbers, or what a reader makes of labels."""
    if not models[0]._learns_y:
        unit = models[0].unit
        return units.beside(unit, X, Joined(tuple(Piece(X, units.data_of(unit, X, m.columns)) for m in models)))
    y = numbers_of(y) if reader is None else y
    given = [with_target(X, y, model.columns, model.unit) for model in models]
    return given[0].beside(Joined((*(one.features for one in given), Piece(given[0].target, None, reader))))


def _scoring(models: list[Any], done: list[bool], low: float, high: float) -> Callable[[Floats], Floats]:
    """What scores rows by released models, in [0, 1]; a half where a candidate's fit was not released."""
    alive = [(i, copy.copy(model)) for i, model in enumerate(models) if done[i]]
    labels = _labels([model for _, model in alive])
    for _, model in alive:
        model.__dict__.pop("feature_names_in_", None)  # rows stand in the order of the fit

    def score(rows: Floats) -> Floats:
        found, at = np.full((len(rows), len(models)), 0.5), 0
        for i, model in alive:
            features, at = rows[:, at : at + model.n_features_in_], at + model.n_features_in_
            raw = _row_scores(model, features, rows[:, -1], labels)
            found[:, i] = np.clip((np.nan_to_num(raw, nan=low, neginf=low) - low) / (high - low), 0.0, 1.0)
        return found

    return score


@contextlib.contextmanager
def _registered(function: Callable[[Floats], Floats]) -> Iterator[str]:
    """A row function under a name of its own, for as long as one plan runs."""
    name = f"search.scores_{next(_NUMBERS)}"
    registry.row_function(name)(function)
    try:
        yield name
    finally:
        registry.forget_row_function(name)


def _row_scores(model: Any, rows: Floats, target: Floats, labels: list[Any] | None) -> Floats:
    """One score a row: right or wrong, minus the absolute error, or the log density."""
    if not model._learns_y:
        return np.asarray(model.score_samples(rows), dtype=np.float64)
    found = model.predict(rows)
    if labels is None:
        return np.asarray(-np.abs(found - target))
    places = np.array([labels.index(label) for label in model.classes_.tolist()])
    return np.asarray(places[np.searchsorted(model.classes_, found)] == target, dtype=np.float64)
