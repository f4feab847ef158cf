"""Pipelines without a step that learned from private rows unprotected, and a choice of parameters inside the budget."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from dpframe.errors import RunError, SpecError
from dpframe.front import api as dp
from dpframe.front.estimators.base import PrivateEstimator
from dpframe.front.estimators.manners import BaseEstimator, Unfitted, polite
from dpframe.front.estimators.moments import PrivateMean
from dpframe.front.estimators.tables import Floats, as_fitted, read_rows, with_target
from dpframe.front.program import plan as plan_program
from dpframe.front.specs.budgets import as_budget
from dpframe.front.specs.keys import Key
from dpframe.planning.plan import Plan
from dpframe.runtime.sources import in_memory, open_source

MOST = 200
INSTEAD = {"Scaler": "PrivateStandardScaler", "PCA": "PrivatePCA"}


def make_private_pipeline(*steps: Any) -> Any:
    """A scikit-learn pipeline in which nothing learns from private rows but private estimators.

    Parameters
    ----------
    *steps : estimator
        Private estimators, and transformers that learn nothing (``FunctionTransformer``, ``Normalizer``).

    Raises
    ------
    SpecError
        For a step that learns, or has learned, without privacy.

    Notes
    -----
    *Formal guarantees.* Steps that learn nothing map each row by itself, *if* they are what their tags say; the loss
    of the pipeline is that of its private steps together: add their ``privacy_``.
    """
    from sklearn.pipeline import make_pipeline

    if not steps:
        raise SpecError("a pipeline needs steps", fix="give at least one private estimator")
    with polite():
        for place, step in enumerate(steps):
            if not isinstance(step, (PrivateEstimator, PrivateSearch)):
                _check_step(place, step)
    return make_pipeline(*steps)


def _check_step(place: int, step: Any) -> None:
    name = type(step).__name__
    fitted = [a for a in vars(step) if a.endswith("_") and not a.startswith("_")] if hasattr(step, "__dict__") else []
    tags = getattr(step, "__sklearn_tags__", None)
    learns = step not in ("passthrough", None) if tags is None or isinstance(step, type) else tags().requires_fit
    if learns or fitted:
        private = next((p for word, p in INSTEAD.items() if word in name), "a private estimator")
        raise SpecError(
            f"step {place}, {name}, {'was fitted' if fitted else 'learns from its rows'} without privacy",
            fix=f"use {private} in its place, or a transformer that learns nothing",
        )


class _Scores(PrivateMean):
    """Noisy sums of scores of private rows, each score clipped to [0, 1] by the kernel."""

    def _plan(self, sizes: Any, choices: dict[str, Any]) -> Plan:
        written = {k: float(v) for k, v in choices.items() if k in ("epsilon", "delta", "rho")}
        centre, radius = [0.5] * sizes.d, 0.5 * sizes.d**0.5

        def program(x: Any) -> Any:
            inside = dp.clip(x, dp.ball(centre=centre, radius=radius * (1 + 1e-6)))
            return {"scores": dp.release("scores", dp.gaussian(share=1.0), dp.sum(inside))}

        table = dp.rows(d=sizes.d, n=sizes.n) if sizes.n is not None else dp.rows(d=sizes.d)
        return plan_program(program, adjacency=choices["adjacency"], budget=as_budget(written), x=table)


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
        As for every estimator.

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
    √m/2. Scoring maps each row by itself, through released models.
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

    def _candidates(self) -> list[dict[str, Any]]:
        grids: Sequence[Any] = [self.param_grid] if isinstance(self.param_grid, Mapping) else list(self.param_grid)
        found = [dict(zip(g, values, strict=True)) for g in grids for values in itertools.product(*g.values())]
        if not 1 <= len(found) <= MOST:
            raise SpecError(f"a search needs 1 to {MOST} candidates, not {len(found)}", fix="give a smaller param_grid")
        fixed = {"epsilon", "delta", "rho", "adjacency", "ledger", "simulate"}
        for name in {name for params in found for name in params} & fixed:
            raise SpecError(f"param_grid can't hold {name!r}: it is the search's own", fix="leave it out")
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
            X = in_memory(as_fitted(X))
            common = {"adjacency": self.adjacency, "ledger": self.ledger}
            models = []
            for i, params in enumerate(candidates):
                seed = None if self.simulate is None else int(self.simulate) + i
                model = self.estimator.__sklearn_clone__().set_params(
                    **params, **each, rho=None, **common, simulate=seed
                )
                models.append(model)
            scorer = _Scores(**rest, adjacency=self.adjacency, bound=1.0, ledger=self.ledger, simulate=self.simulate)
            scorer.__dict__["_held"] = models[0]._account
            for model in models:
                model.__dict__["_held"] = models[0]._account
            self._account = models[0]._account
            done = [self._fitted(model, X, y) for model in models]
            if not any(done):
                raise RunError("no candidate's fit was released", fix="use more rows or a larger budget")
            table = self._scored(models, done, X, y, low, high)
            self.scores_ = np.asarray(scorer._fit(table)["scores"], dtype=np.float64)
        self.best_index_ = int(np.argmax(np.where(done, self.scores_, -np.inf)))
        self.best_estimator_, self.best_params_ = models[self.best_index_], candidates[self.best_index_]
        return self

    def _range(self) -> tuple[float, float]:
        if hasattr(self.estimator, "predict_proba") and hasattr(self.estimator, "classes"):
            return 0.0, 1.0
        if not self.estimator._learns_y and not hasattr(self.estimator, "score_samples"):
            name = type(self.estimator).__name__
            raise SpecError(
                f"{name} has no score of a row", fix="search one with predict(X) of a target or score_samples"
            )
        given = self.score_range
        if given is None or len(given) != 2 or not np.isfinite(given).all() or not given[0] < given[1]:
            raise SpecError("the score of a row needs a public range", fix="give score_range=(low, high)")
        return float(given[0]), float(given[1])

    def _fitted(self, model: Any, X: Any, y: Any) -> bool:
        """Whether the fit was released; that it was not is told by released values."""
        try:
            model.fit(X, y) if "y" in inspect.signature(model.fit).parameters else model.fit(X)
        except RunError:
            return False
        return True

    def _scored(self, models: list[Any], done: list[bool], X: Any, y: Any, low: float, high: float) -> Floats:
        """Scores of every row by every candidate, in [0, 1]; NaN, an empty row, where a cell is missing."""
        target, tables = None, []
        for model in models:
            if model._learns_y:
                rows, target, _ = with_target(X, y, model.columns)
            else:
                rows = read_rows(open_source(X, columns=model.columns))
            tables.append(rows)
        whole = np.all([np.isfinite(rows).all(axis=1) for rows in tables], axis=0)
        table = np.full((len(whole), len(models)), np.nan)
        table[whole] = 0.5
        for i, model in enumerate(models):
            if done[i] and whole.any():
                scores = _row_scores(model, tables[i][whole], None if target is None else target[whole])
                table[whole, i] = np.clip((np.nan_to_num(scores, nan=low, neginf=low) - low) / (high - low), 0.0, 1.0)
        return table

    @property
    def privacy_(self) -> dict[str, Any]:
        """What fits, scores and choice cost together."""
        account = self.__dict__.get("_account")
        if account is None or not account.entries:
            raise Unfitted("the search is not fitted", fix="call fit first")
        found: dict[str, Any] = account.total
        return {k: v for k, v in found.items() if k != "note"} | {"note": "covers the fits, the scores and the choice"}

    def __getattr__(self, name: str) -> Any:
        if name in (
            "predict",
            "predict_proba",
            "transform",
            "score_samples",
            "decision_function",
            "classes_",
            "sample",
        ):
            if "best_estimator_" not in self.__dict__:
                raise Unfitted("the search is not fitted", fix="call fit first")
            return getattr(self.best_estimator_, name)
        raise AttributeError(name)


def _row_scores(model: Any, rows: Floats, target: Any) -> Floats:
    """One score a row: right or wrong, minus the absolute error, or the log density."""
    names = getattr(model, "feature_names_in_", None)
    if names is not None:  # rows stand in the order of the fit
        del model.feature_names_in_
    try:
        if target is None:
            return np.asarray(model.score_samples(rows), dtype=np.float64)
        found = model.predict(rows)
        if hasattr(model, "classes_"):
            return np.asarray(found == target, dtype=np.float64)
        return np.asarray(-np.abs(found - np.asarray(target, dtype=np.float64)))
    finally:
        if names is not None:
            model.feature_names_in_ = names
