"""scikit-learn's base classes where it is installed, and what stands in for them where it is not."""

from __future__ import annotations

import contextlib
import inspect
import re
import shlex
from collections.abc import Iterator
from typing import Any

from dpframe.errors import BudgetError, DataError, DpframeError, PlanError, SpecError, nearest

try:
    from sklearn.base import (
        BaseEstimator,
        ClassifierMixin,
        ClusterMixin,
        DensityMixin,
        RegressorMixin,
        TransformerMixin,
    )
    from sklearn.exceptions import NotFittedError
except ImportError:  # everything works without it, but for what is scikit-learn's own

    class BaseEstimator:  # type: ignore[no-redef]
        """Parameters by name, as the constructor lists them; ``a__b`` is b of the estimator that is parameter a."""

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            """The constructor's arguments; ``deep``, those of estimators among them, too."""
            own = {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}
            held = {n: v for n, v in own.items() if deep and hasattr(v, "get_params") and not isinstance(v, type)}
            return own | {f"{n}__{inner}": v for n, held_ in held.items() for inner, v in held_.get_params().items()}

        def set_params(self, **params: Any) -> Any:
            """Change the constructor's arguments, then those of estimators among them, and return self."""
            names = list(inspect.signature(type(self)).parameters)
            inner: dict[str, dict[str, Any]] = {}
            for given, value in params.items():
                name, below, rest = given.partition("__")
                if name not in names or (below and not hasattr(getattr(self, name), "set_params")):
                    raise ParameterError(f"{type(self).__name__} has no parameter {given!r}", fix=nearest(name, names))
                if below:
                    inner.setdefault(name, {})[rest] = value
                else:
                    setattr(self, name, value)
            for name, values in inner.items():
                getattr(self, name).set_params(**values)
            return self

    class _Mixin:
        """In place of scikit-learn's mixins."""

    class TransformerMixin(_Mixin):  # type: ignore[no-redef]
        """Fit and transform at once."""

        def fit_transform(self, X: Any, y: Any = None) -> Any:
            """Fit, and transform the same rows: they are not private in what comes back."""
            return self.fit(X, y).transform(X)  # type: ignore[attr-defined]

    class ClusterMixin(_Mixin):  # type: ignore[no-redef]
        """Fit and predict at once."""

        def fit_predict(self, X: Any, y: Any = None) -> Any:
            """Fit, and label the same rows: the labels are not private."""
            return self.fit(X).predict(X)  # type: ignore[attr-defined]

    class _Scored(_Mixin):
        def score(self, X: Any, y: Any) -> float:
            """R², or the share of labels that are right."""
            import numpy as np

            found, y = self.predict(X), np.asarray(y)  # type: ignore[attr-defined]
            if isinstance(self, ClassifierMixin):
                return float(np.mean(found == y))
            return float(1.0 - np.sum((y - found) ** 2) / np.sum((y - y.mean()) ** 2))

    class ClassifierMixin(_Scored):  # type: ignore[no-redef]
        """Accuracy as the score."""

    class RegressorMixin(_Scored):  # type: ignore[no-redef]
        """R² as the score."""

    class DensityMixin(_Mixin):  # type: ignore[no-redef]
        """A density estimator."""

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """Asked before it was fitted."""


__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "ClusterMixin",
    "DensityMixin",
    "NotFittedError",
    "RegressorMixin",
    "TransformerMixin",
    "Unfitted",
    "polite",
]


class Unfitted(SpecError, NotFittedError):  # type: ignore[misc]
    """Asked before it was fitted."""


class ParameterError(SpecError, ValueError):
    """A parameter is malformed."""


class TableError(DataError, ValueError):
    """A table is malformed."""


class UnplannedError(PlanError, ValueError):
    """What was asked can't be planned."""


class OverBudgetError(BudgetError, ValueError):
    """What was asked costs more than the budget."""


COLUMNS_OPTION = "--set columns="
_KINDS: dict[type[DpframeError], type[DpframeError]] = {
    SpecError: ParameterError,
    DataError: TableError,
    PlanError: UnplannedError,
    BudgetError: OverBudgetError,
}


@contextlib.contextmanager
def polite() -> Iterator[None]:
    """Refusals as scikit-learn knows them: the same errors, that are ValueErrors too."""
    try:
        yield
    except DpframeError as error:
        kind = _KINDS.get(type(error))
        if kind is None:
            raise
        raise kind(error.message, fix=_said_here(error.fix)) from None


def _said_here(fix: str | None) -> str | None:
    """What to do, for one who has a table in Python and no command line."""
    if fix is None or not fix.startswith(COLUMNS_OPTION) or fix.startswith(f"{COLUMNS_OPTION}..."):
        return fix and re.sub(r"--set (\w+)=", r"\1=", fix.partition(", on the command line ")[0])
    chosen = shlex.split(fix.removeprefix(COLUMNS_OPTION))[0]
    return f"give columns of numbers alone: {chosen.replace(',', ', ')}"
