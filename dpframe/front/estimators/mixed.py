"""Mixtures of columns of numbers and of declared categories."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError, SpecError
from dpframe.front.estimators import units
from dpframe.front.estimators.base import Floats, PrivateEstimator, Sizes
from dpframe.front.estimators.construction import REQUIRED, whole
from dpframe.front.estimators.manners import polite
from dpframe.front.estimators.mixtures import PrivateGaussianMixture
from dpframe.front.estimators.naming import column_of, names_of
from dpframe.front.estimators.tables import as_fitted, as_table, read_rows
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import MixtureValue
from dpframe.proof.spaces.checks import plain
from dpframe.runtime.sources import Declared, Joined, Piece, in_memory, open_source

MOST = 1000


class PrivateMixedMixture(PrivateGaussianMixture):
    """A mixture whose components are a Gaussian of the numbers and, independent of it, a table of each category.

    The Gaussians are learned from the numbers alone: categories do not help to find components. Then each row's
    categories are counted for every released component, in proportion to the row's probability of it.

    Parameters
    ----------
    n_components : int
    epsilon, delta, adjacency, bound, seed, columns, ledger, simulate, on
        As for :class:`~dpframe.estimators.PrivateGaussianMixture`; ``bound`` holds the numbers alone, and ``columns``
        are the numbers' columns, all others by default.
    categorical : dict of str or int to sequence
        The categories of each column that has some, declared: ``{"colour": ["red", "blue"]}``. They may be texts or
        numbers. A row with another value, or without one, counts for nothing.

    Attributes
    ----------
    weights_ : (k,), means_ : (k, d), covariances_ : (k, d, d)
    n_components_ : int
    categories_ : dict of (k, categories) arrays
        For each column of categories their shares in every component, in the declared order.
    standard_errors_ : dict
        As for the Gaussian mixture, and for ``categories_``, by column.
    privacy_, certificate_, plan_, quality_, simulated_, n_features_in_, feature_names_in_
        As for every estimator; features are the numbers.

    Notes
    -----
    *Formal guarantees.* One plan of ``tabular.mixed``. The counts of categories are an *enforced* operation: the kernel
    clips what each row gives, and the certificate lists one hypothesis, that this depends on that row alone.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> second = rng.integers(0, 2, size=(20_000, 1))
    >>> X = np.column_stack([rng.normal(size=(20_000, 2)) + 9.0 * second, rng.random((20_000, 1)) < 0.2 + 0.6 * second])
    >>> how = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 100.0, "simulate": 0}
    >>> model = PrivateMixedMixture(2, categorical={2: [0, 1]}, **how).fit(X)
    >>> np.sort(model.categories_[2][:, 1]).round(1).tolist()
    [0.2, 0.8]
    """

    OWN: ClassVar[Mapping[str, Any]] = {"n_components": REQUIRED, "categorical": REQUIRED, "seed": 0}
    covariance_type = "full"
    tail = False
    categorical: Mapping[str | int, Sequence[Any]]
    categories_: dict[str | int, Floats]

    def _levels(self) -> dict[str | int, list[Any]]:
        """The declared categories of each column, checked."""
        given: Any = self.categorical
        if not isinstance(given, Mapping) or not given:
            raise SpecError("categorical declares columns with categories", fix='give {"colour": ["red", "blue"]}')
        found = {}
        for column, listed in given.items():
            if isinstance(listed, (str, bytes)) or np.ndim(listed) != 1 or not 1 <= len(listed) <= MOST:
                raise SpecError(f"column {column!r} needs a list of 1 to {MOST} categories", fix='give ["a", "b"]')
            found[column] = [plain(value) for value in listed]
            Declared(found[column])
        return found

    def _check(self) -> None:
        whole("seed", self.seed, 0)
        whole("n_components", self.n_components, 1, 1000)
        self._levels()

    def _plan(self, sizes: Sizes, choices: dict[str, Any]) -> Plan:
        return PrivateEstimator._plan(self, sizes, choices)

    def _program(self, sizes: Sizes, choices: dict[str, Any]) -> Callable[[Any], Any]:
        return PrivateEstimator._program(self, sizes, choices)

    def _composite(self) -> tuple[str, dict[str, Any]]:
        levels = [len(listed) for listed in self._levels().values()]
        k = whole("n_components", self.n_components, 1, 1000)
        given = {"k": k, "bound": float(self.bound), "seed": int(self.seed), "levels": levels}
        return "tabular.mixed", given

    def _pieces(self, X: Any, numbers: Any) -> Joined:
        """Numbers, and last a column of places for each column of categories."""
        names = names_of(X)
        coded = []
        for column, listed in self._levels().items():
            at = _place(column, names)
            coded.append(Piece(column_of(X, at), None, Declared(listed)))
        return Joined((Piece(X, numbers), *coded))

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from private rows; ``y`` is ignored."""
        with polite():
            self._choices()
            self._check()
            X = in_memory(as_fitted(X))
            taken = [_place(column, names_of(X)) for column in self._levels()]
            twice = next((name for name in taken if taken.count(name) > 1), None)
            if twice is not None:
                raise DataError(f"categorical names column {twice!r} twice", fix="give each column once")
            chosen = units.data_of(self.unit, X, self.columns, *taken)
            source = open_source(X, columns=chosen)
            if set(taken) & set(source.columns):
                raise DataError("the table needs columns of numbers besides those of categories", fix="give columns=")
            width = source.d + len(taken)
            found = self._fit(units.beside(self.unit, X, self._pieces(X, chosen)), columns=range(width))
            self._keep_names(source.labels)
        value: MixtureValue = found["mixture"]
        self.weights_, self.means_, self.covariances_ = value.weights, value.means, value.covariances
        self.n_components_ = len(value.weights)
        self.categories_ = self._by_column(found["categories"])
        errors = self.standard_errors_.pop("categories_", None)
        if errors:
            parts = {kind: self._by_column(each) for kind, each in errors.items()}
            self.standard_errors_["categories_"] = parts  # type: ignore[assignment]
        return self

    def _by_column(self, shares: Any) -> dict[str | int, Floats]:
        levels = self._levels()
        cuts = np.cumsum([len(listed) for listed in levels.values()])[:-1]
        return dict(zip(levels, np.split(np.asarray(shares), cuts, axis=1), strict=True))

    def _log_joint(self, X: Any) -> Floats:
        self._check_fitted()
        with polite():
            X = in_memory(as_table(X))
            taken = {_place(column, names_of(X)) for column in self._levels()}
            numbers: Any = list(self._columns)
            if not hasattr(self, "feature_names_in_"):
                beside = taken | {str(self.unit)}
                numbers = lambda names, named: [name for name in names if name not in beside]  # noqa: E731
            both = read_rows(self._pieces(X, numbers).open(None))
            if np.isnan(both).any():
                raise DataError(
                    "X has rows with missing values, or categories that are not declared", fix="drop them before"
                )
        d = self.means_.shape[1]
        if both.shape[1] != d + len(taken):
            raise DataError(
                f"X has {both.shape[1] - len(taken)} columns of numbers, the model was fitted on {d}",
                fix="pass the columns of the fit",
            )
        joint = super()._log_joint(both[:, :d])
        for i, shares in enumerate(self.categories_.values()):
            joint += np.log(shares).T[both[:, d + i].astype(np.int64)]
        return joint

    def _rows(self, X: Any) -> Floats:
        """The numbers, which are read already."""
        return np.asarray(X, dtype=np.float64)

    def sample(self, n_samples: int = 1, *, seed: int | None = None) -> Any:
        """Synthetic numbers (n, d), a dict of category labels by column, and the component each row came from."""
        rows, components = self._draw(n_samples, seed)
        rng = np.random.default_rng(None if seed is None else [seed, 1])
        labels: dict[str | int, npt.NDArray[Any]] = {}
        for column, listed in self._levels().items():
            below = np.cumsum(self.categories_[column], axis=1)[components]
            places = (rng.random(len(rows))[:, None] > below).sum(axis=1)
            labels[column] = np.asarray(listed)[np.minimum(places, len(listed) - 1)]
        return rows, labels, components

    def _free(self) -> int:
        """The number of free parameters."""
        return super()._free() + sum(shares.size - len(shares) for shares in self.categories_.values())


def _place(column: str | int, names: tuple[str, ...]) -> str:
    """The name of a column of categories."""
    if str(column) in names:
        return str(column)
    if isinstance(column, (int, np.integer)) and not isinstance(column, bool) and 0 <= column < len(names):
        return names[int(column)]
    raise DataError(f"categorical names {column!r}, which is no column of the table", fix=f"it has {', '.join(names)}")
