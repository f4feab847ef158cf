"""Linear and logistic regression, and Gaussian naive Bayes: features with a target, as one table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from dpframe.errors import RunError, SpecError
from dpframe.front.estimators import labels, units
from dpframe.front.estimators.base import PRIVATE_CELLS, Floats, PrivateEstimator
from dpframe.front.estimators.construction import forget, whole
from dpframe.front.estimators.manners import ClassifierMixin, RegressorMixin, polite
from dpframe.front.estimators.rowwise import products, squared_distances
from dpframe.front.estimators.tables import Target, check_numbers, numbers_of, with_target
from dpframe.planning.plan import Plan
from dpframe.runtime.sources import Declared, Joined, Piece, open_slots

MOST_TOUCHED = 64
SEARCH: Mapping[str, Any] = {"tight": False, "seed": 0}
Y_CELLS = {
    **PRIVATE_CELLS,
    "check_supervised_y_no_nan": "whether a private target is missing may not decide an exception: its row is left out",
}
CLASS_CELLS = {
    **Y_CELLS,
    "check_classifiers_regression_target": "whether private targets are classes may not decide an exception",
}


ALIKE = 1.0
"""What tells classes apart over what noise makes of it, below which naive Bayes is poor. Of some 17 tables, made up and
bundled, those below it lost a tenth of the labels and more (of digits all: 1 in 10 was right); above, most lost at most
.06, one (wine, ε=8) .34 at 6."""


class _Supervised(PrivateEstimator):
    """Runs a composite of the features with the target as their last column."""

    POSITIONAL: ClassVar[int] = 0
    _learns_y: ClassVar[bool] = True
    tight: bool
    seed: int
    standard_errors_: dict[str, dict[str, Floats]]

    def _check(self) -> None:
        whole("seed", self.seed, 0)
        if not isinstance(self.tight, (bool, np.bool_)):
            raise SpecError(f"tight must be True or False, not {self.tight!r}", fix="give tight=False")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _fit_joined(self, given: Target, reader: Any = None) -> Mapping[str, Any]:
        """Fit the table of features and target."""
        found = self._fit(given.joined(reader), columns=range(given.d + 1))
        self._keep_names(given.names)
        return found


class PrivateLinearRegression(RegressorMixin, _Supervised):  # type: ignore[misc]
    """Least squares from noisy second moments: of features and target, then of whitened features and residuals.

    Parameters
    ----------
    epsilon, delta, adjacency, bound, tight, seed, rho, columns, ledger, simulate
        As for :class:`~dpframe.estimators.PrivateMean`; ``bound`` holds rows with their target as the last column.

    Attributes
    ----------
    coef_ : (d,)
    intercept_ : float
    standard_errors_ : dict
        For ``coef_`` and ``intercept_``: ``noise`` and ``sampling``, both to first order; the latter for homoscedastic
        errors.
    privacy_, certificate_, plan_, quality_, simulated_, n_features_in_, feature_names_in_
        As for every estimator.

    Notes
    -----
    *Formal guarantees.* One plan of ``tabular.regression``. Directions of the features whose variance does not
    stand out of the noise are shrunk.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(20_000, 2))
    >>> y = X @ [1.0, -2.0] + 3.0 + 0.1 * rng.normal(size=20_000)
    >>> how = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 1e4, "simulate": 0}
    >>> PrivateLinearRegression(**how).fit(X, y).coef_.round(1).tolist()
    [1.0, -2.0]
    """

    OWN: ClassVar[Mapping[str, Any]] = SEARCH
    _expected_failed_checks: ClassVar[Mapping[str, str]] = Y_CELLS
    coef_: Floats
    intercept_: float

    def _composite(self) -> tuple[str, dict[str, Any]]:
        return "tabular.regression", {"bound": float(self.bound), "tight": self.tight, "seed": int(self.seed)}

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from private rows and their targets: an array, or the name of a column of X."""
        with polite():
            given = with_target(X, numbers_of(y), self.columns, self.unit)
            check_numbers(given.dtype)
            found = self._fit_joined(given)
        both = np.asarray(found["coefficients"])
        self.intercept_, self.coef_ = float(both[0]), both[1:]
        errors = {kind: np.asarray(found[kind]) for kind in ("noise", "sampling")}
        self.standard_errors_ = {
            "coef_": {kind: each[1:] for kind, each in errors.items()},
            "intercept_": {kind: each[:1] for kind, each in errors.items()},
        }
        return self

    def predict(self, X: Any) -> Floats:
        """Expected targets of rows that the caller may see."""
        return np.asarray(products(self._rows(X), self.coef_[:, None])[:, 0] + self.intercept_)


class _Classifier(ClassifierMixin, _Supervised):  # type: ignore[misc]
    """Classes are declared, or found by a stable histogram of a tenth of the budget."""

    OWN: ClassVar[Mapping[str, Any]] = {"classes": None, **SEARCH}
    LEAST: ClassVar[int] = 1
    PROGRAM: ClassVar[str] = ""
    _expected_failed_checks: ClassVar[Mapping[str, str]] = CLASS_CELLS
    classes: Any
    classes_: npt.NDArray[Any]
    _searching: bool = False

    def _composite(self) -> tuple[str, dict[str, Any]]:
        if self._searching:
            return "tabular.labels", {}
        given = {"bound": float(self.bound), "tight": self.tight, "seed": int(self.seed)}
        known = self.classes_ if self.classes is None else labels.declared(self.classes)
        return self.PROGRAM, {"classes": len(known), **given}

    def _choices(self) -> dict[str, Any]:
        """The whole budget where classes are declared; else a tenth for finding them, and the rest."""
        choices = super()._choices()
        if self.classes is None:
            if "rho" in choices:
                raise SpecError(
                    "finding the classes needs a delta", fix="declare classes=[...], or give epsilon and delta"
                )
            part = labels.PART if self._searching else (1.0 - labels.PART) * (1.0 - 1e-9)
            choices |= {name: part * choices[name] for name in ("epsilon", "delta")}
        return choices

    def _doubts(self, plan: Plan) -> list[str]:
        """Of a search, that it is not expected to find two classes."""
        return labels.doubts(plan) if self._searching else super()._doubts(plan)

    def _fit_classes(self, X: Any, y: Any) -> Mapping[str, Any]:
        self._choices()
        self._check()
        found = None if self.classes is None else labels.declared(self.classes)
        if found is not None and len(found) < self.LEAST:
            raise SpecError("one class is no choice: it needs at least 2 classes", fix="declare all classes")
        given = with_target(X, y, self.columns, self.unit)
        self.classes_ = self._search(given) if found is None else found
        if found is None and isinstance(y, list | tuple):
            self.classes_ = labels.untyped(self.classes_)
        if not len(self.classes_):
            forget(self)
            raise RunError(
                "the fit failed after spending: no class stands out of the noise",
                fix="declare classes=[...], or use more rows or a larger budget",
            )
        if len(self.classes_) < self.LEAST:  # found, by what was released: the model is that one class
            self._keep_names(given.names)
            return {}
        return self._fit_joined(given, Declared(self.classes_.tolist()))

    def _judge_alone(self) -> bool:
        """Poor where the search found one class alone: others, if there are any, have too few rows."""
        if alone := self.classes is None and len(self.classes_) == 1:
            why = (
                f"one class alone stands out of the noise, {self.classes_.tolist()[0]!r}: all rows are told to be of it"
            )
            self.quality_ = {"verdict": "poor", "why": f"{why}. Declare classes=[...] where there are others"}
        return alone

    def _search(self, given: Target) -> npt.NDArray[Any]:
        """The labels that a stable histogram publishes."""
        reader = labels.reader_of(given.dtype)
        self._later = [self._model_plan(given)]
        self._searching = True
        try:
            table = given.beside(Joined((Piece(given.target, None, reader),)))
            (cells,) = self._fit(table, columns=range(reader.width)).values()
        finally:
            del self._searching, self._later
        return labels.labels_of(cells[0].ids, given.dtype)

    def _model_plan(self, given: Target) -> Plan:
        """What is to run after the search, with as many classes as a unit can touch."""
        choices = self._choices()
        self.classes_ = np.arange(min(2 * choices.get("unit_rows", 1), MOST_TOUCHED))
        try:
            source = open_slots(
                given.joined(Declared(self.classes_.tolist())), units.relation(choices), columns=range(given.d + 1)
            )
            return self._plan(self._sizes(source, choices), choices)
        finally:
            del self.classes_

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The most probable class of each row that the caller may see."""
        found = self._log_joint(X).argmax(axis=1)
        return np.asarray(self.classes_[found])

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities (n, classes) for rows that the caller may see."""
        joint = self._log_joint(X)
        raised = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))

    def predict_log_proba(self, X: Any) -> Floats:
        """Their logarithms."""
        joint = self._log_joint(X)
        top = joint.max(axis=1, keepdims=True)
        return np.asarray(joint - top - np.log(np.exp(joint - top).sum(axis=1, keepdims=True)))

    def _log_joint(self, X: Any) -> Floats:
        raise SpecError("no model", fix="write _log_joint")


class PrivateGaussianNB(_Classifier):
    """Gaussian naive Bayes: shares of the classes, and mean and variance of every column in each.

    Parameters
    ----------
    epsilon, delta, adjacency, bound, tight, seed, rho, columns, ledger, simulate
        As for :class:`~dpframe.estimators.PrivateMean`; ``bound`` holds rows with the place of their class in
        ``classes`` as the last column.
    classes : sequence, optional
        All labels, declared: rows of others count for nothing. Without it labels (whole numbers, or texts of up to 25
        bytes) are found by a stable histogram that costs a tenth of ε and δ; rare ones are missed.

    Attributes
    ----------
    classes_ : (k,)
    class_count_, class_prior_ : (k,)
    theta_, var_ : (k, d)
    standard_errors_ : dict
        For ``theta_`` and ``var_``: ``noise`` and ``sampling``, the latter for Gaussian rows.
    privacy_, certificate_, plan_, quality_, simulated_, n_features_in_, feature_names_in_
        As for every estimator. ``certificate_`` and ``plan_`` are those of the model; ``privacy_`` counts both runs.
        ``quality_`` is poor where no class's variance is seen, and, naming them, where classes have too few rows to be
        seen: these are given centre and width of the whole table, and a share of about 0.

    Notes
    -----
    *Formal guarantees.* One plan of ``tabular.classes``, whose parts compose in parallel; where classes are found,
    one of ``tabular.labels`` before it, and the two add up (basic composition).
    """

    PROGRAM: ClassVar[str] = "tabular.classes"
    class_count_: Floats
    class_prior_: Floats
    theta_: Floats
    var_: Floats

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from private rows and their labels: an array, or the name of a column of X."""
        with polite():
            found = self._fit_classes(X, y)
        places = range(len(self.classes_))
        counts = np.array([float(found[f"count_{j}"][0]) for j in places])
        self.class_count_ = np.maximum(counts, 1.0)
        self.class_prior_ = self.class_count_ / self.class_count_.sum()
        self.theta_ = np.array([found[f"mean_{j}"][:-1] for j in places])
        noise = np.array([np.diagonal(found[f"covariance_noise_{j}"])[:-1] for j in places])
        raw = np.array([np.diagonal(found[f"covariance_{j}"])[:-1] for j in places])
        floor = 1e-9 * np.maximum(raw.max(axis=0), np.finfo(float).tiny)
        self.var_ = np.maximum(raw, np.maximum(np.minimum(0.5 * noise, np.median(raw, axis=0)), floor))
        hidden = (raw <= 3.0 * noise).all(axis=0)  # as of a constant column: noise tells no class from another
        self.var_[:, hidden] = np.maximum(raw, 0.5 * noise).mean(axis=0)[hidden]
        rows = self.class_count_[:, None]
        self.standard_errors_ = {
            "theta_": {
                "noise": np.array([found[f"mean_noise_{j}"][:-1] for j in places]),
                "sampling": np.sqrt(self.var_ / rows),
            },
            "var_": {"noise": noise, "sampling": self.var_ * np.sqrt(2.0 / rows)},
        }
        self._judge(np.isclose(raw, noise, rtol=1e-9, atol=0.0).all(axis=1), nothing=bool(np.all(hidden)))
        return self

    def _judge(self, unseen: npt.NDArray[np.bool_], *, nothing: bool) -> None:
        """Say which classes have the whole table's centre and width (`TableMoment.lenient`), or that all is noise."""
        if self._judge_alone():
            return
        if unseen.any():
            few = ", ".join(repr(label) for label in self.classes_[unseen].tolist())
            why = f"the number of rows of class {few} does not stand out of its noise: nothing is known of such a class"
            self.quality_ = {"verdict": "poor", "why": why}
        elif nothing:
            why = "in no column the variance of a class stands out of its noise: more rows or a larger budget show it"
            self.quality_ = {"verdict": "poor", "why": why}
        elif (told := self._told()) < ALIKE:
            why = f"what tells the classes apart is {told:.2g} times what noise makes of classes that are alike"
            self.quality_ = {"verdict": "poor", "why": f"{why} (poor below {ALIKE:g}): more rows or fewer columns help"}

    def _told(self) -> float:
        """Mean square by which log densities differ between the classes, over that by which noise moves them."""
        parts, theta, var = self.class_prior_[:, None], self.theta_, self.var_
        if len(parts) < 2:
            return math.inf
        noise = {name: each["noise"] for name, each in self.standard_errors_.items()}
        with np.errstate(all="ignore"):
            own = np.where(np.ptp(var, axis=0) > 0.0, 0.5 * (noise["var_"] / var) ** 2, 0.0)  # else one for all classes
            blurred = float(np.sum(parts * (noise["theta_"] ** 2 / var + own)))
            middle, wide = (parts * theta).sum(axis=0), (parts * var).sum(axis=0)
            seen = float(np.sum(parts * ((theta - middle) ** 2 / wide + 0.5 * (var / wide - 1.0) ** 2)))
            return seen / blurred if blurred > 0.0 else math.inf

    def _log_joint(self, X: Any) -> Floats:
        rows = self._rows(X)
        spread = np.log(2 * np.pi * self.var_).sum(axis=1)
        each = zip(self.theta_, np.sqrt(self.var_), strict=True)
        distances = np.column_stack([squared_distances(rows, mean, np.diag(width)) for mean, width in each])
        return np.asarray(np.log(self.class_prior_) - 0.5 * (spread + distances))


class PrivateLogisticRegression(_Classifier):
    """Multinomial logistic regression: a linear discriminant, then Newton steps on noisy sums of clipped gradients.

    Parameters
    ----------
    epsilon, delta, adjacency, bound, classes, tight, seed, rho, columns, ledger, simulate
        As for :class:`PrivateGaussianNB`.

    Attributes
    ----------
    classes_ : (k,)
    coef_ : (k, d), of two classes (1, d)
    intercept_ : (k,), of two classes (1,)
    standard_errors_ : dict
        For ``coef_``: ``noise`` and ``sampling``, to first order; the former includes what has not settled, and
        directions of the features that noise hides.
    privacy_, certificate_, plan_, quality_, simulated_, n_features_in_, feature_names_in_
        As for :class:`PrivateGaussianNB`.

    Notes
    -----
    *Formal guarantees.* One plan of ``tabular.logistic``. Its gradients are an *enforced* operation: the kernel clips
    what each row gives, and the certificate lists one hypothesis, that this depends on that row alone. Where classes
    are found, one plan of ``tabular.labels`` before it, and the two add up (basic composition).
    """

    LEAST: ClassVar[int] = 2
    PROGRAM: ClassVar[str] = "tabular.logistic"
    coef_: Floats
    intercept_: Floats

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from private rows and their labels: an array, or the name of a column of X."""
        with polite():
            found = self._fit_classes(X, y)
        if self._judge_alone():
            found = dict.fromkeys(("coefficients", "noise", "sampling"), np.zeros((1, self.n_features_in_ + 1)))
        both, noise, sampling = (np.asarray(found[k]) for k in ("coefficients", "noise", "sampling"))
        if len(self.classes_) == 2:  # the second less the first: twice the second, for they sum to 0
            both, noise, sampling = 2.0 * both[1:], 2.0 * noise[1:], 2.0 * sampling[1:]
        self.coef_, self.intercept_ = both[:, 1:], both[:, 0]
        self.standard_errors_ = {"coef_": {"noise": noise[:, 1:], "sampling": sampling[:, 1:]}}
        return self

    def decision_function(self, X: Any) -> Floats:
        """Logits (n, k), of two classes (n,), for rows that the caller may see."""
        found = products(self._rows(X), self.coef_.T) + self.intercept_
        return np.asarray(found[:, 0] if len(self.classes_) <= 2 else found)

    def _log_joint(self, X: Any) -> Floats:
        found = self.decision_function(X)
        if len(self.classes_) == 1:
            return found[:, None]
        return np.column_stack([np.zeros(len(found)), found]) if found.ndim == 1 else found
