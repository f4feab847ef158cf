"""What diffprivlib and OpenDP release of the same tables, for ``bench/estimators.py``; each is told the exact range.

Neither is needed: a library that can't be imported has no column. diffprivlib 0.6.6 does not import beside scikit-learn
1.9, for two of its files use names that are gone: its forest is left out here, and ``multi_class`` is dropped. It is
pure ε; OpenDP's means and histograms take the δ. Both protect against one replaced row (2 in OpenDP's distance).
OpenDP's regression is of one feature only, and it has no logistic regression, naive Bayes or k-means.
"""

from __future__ import annotations

import contextlib
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

EPSILON, DELTA = 1.0, 1e-6
Floats = Any
Fits = dict[str, Callable[..., Any]]


def diffprivlib() -> Fits:
    """Fits by the name of our class."""
    forest: Any = types.ModuleType("diffprivlib.models.forest")
    forest.RandomForestClassifier = forest.DecisionTreeClassifier = None
    sys.modules.setdefault("diffprivlib.models.forest", forest)
    try:
        from diffprivlib import models, tools
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        return {}
    plain = LogisticRegression.__init__
    if not hasattr(plain, "shimmed"):

        def shimmed(self: Any, *args: Any, multi_class: Any = None, **more: Any) -> None:
            plain(self, *args, **more)

        shimmed.shimmed = True  # type: ignore[attr-defined]
        LogisticRegression.__init__ = shimmed

    def ends(X: Floats) -> Any:
        return X.min(axis=0), X.max(axis=0)

    def quantiles(X: Floats, asked: list[float]) -> Floats:
        each = EPSILON / X.shape[1]
        return np.array([tools.quantile(c, asked, epsilon=each, bounds=ends(c)) for c in X.T])

    def histogram(X: Floats, edges: Floats) -> Floats:
        reach = float(edges[0]), float(edges[-1])
        each = EPSILON / X.shape[1]
        return np.array([tools.histogram(c, epsilon=each, bins=len(edges) - 1, range=reach)[0] for c in X.T])

    def logistic(X: Floats, y: Floats) -> Floats:
        scale, centre = X.std(0), X.mean(0)
        Z = (X - centre) / scale
        made = models.LogisticRegression(epsilon=EPSILON, data_norm=float(np.linalg.norm(Z, axis=1).max()))
        made.multi_class = "ovr"
        return made.fit(Z, y).coef_[0] / scale

    def components(X: Floats, k: int) -> Floats:
        reach = float(np.linalg.norm(X - X.mean(0), axis=1).max())
        return models.PCA(k, epsilon=EPSILON, data_norm=reach, bounds=ends(X)).fit(X).components_

    def line(X: Floats, y: Floats) -> Floats:
        return models.LinearRegression(epsilon=EPSILON, bounds_X=ends(X), bounds_y=ends(y)).fit(X, y).coef_

    return {
        "PrivateMean": lambda X: tools.mean(X, epsilon=EPSILON, bounds=ends(X), axis=0),
        "PrivateStandardScaler": lambda X: models.StandardScaler(epsilon=EPSILON, bounds=ends(X)).fit(X).scale_,
        "PrivatePCA": components,
        "PrivateQuantiles": quantiles,
        "PrivateHistogram": histogram,
        "PrivateLinearRegression": line,
        "PrivateLogisticRegression": logistic,
        "PrivateGaussianNB": lambda X, y: models.GaussianNB(epsilon=EPSILON, bounds=ends(X)).fit(X, y).predict,
        "PrivateKMeans": lambda X, k: models.KMeans(k, epsilon=EPSILON, bounds=ends(X)).fit(X).cluster_centers_,
    }


def opendp() -> Fits:
    """Fits by the name of our class."""
    try:
        import opendp.prelude as dp
        from opendp.extras.sklearn.decomposition import PCA
    except ImportError:
        return {}
    dp.enable_features("contrib", "floating-point", "honest-but-curious")
    told = {"distance": 2}

    def space(column: Floats, bounds: Any = None) -> Any:
        atom = dp.atom_domain(T=float, nan=False) if bounds is None else dp.atom_domain(bounds=bounds, nan=False)
        return dp.vector_domain(atom, size=len(column)), dp.symmetric_distance()

    def together(made: Callable[[float], list[Any]]) -> Any:
        """Several measurements whose scales are multiples of one number, within the budget."""

        def at(scale: float) -> Any:
            whole = dp.c.make_composition(made(scale))
            return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(whole), DELTA)

        return made(dp.binary_search_param(at, told["distance"], (EPSILON, DELTA)))

    def mean(X: Floats) -> Floats:
        low, high = X.min(0), X.max(0)
        Z = np.clip((X - low) / (high - low), 0.0, 1.0)

        def made(scale: float) -> list[Any]:
            return [space(c, (0.0, 1.0)) >> dp.t.then_mean() >> dp.m.then_gaussian(scale / len(c)) for c in Z.T]

        released = np.array([m(c.tolist()) for m, c in zip(together(made), Z.T, strict=True)])
        return released * (high - low) + low

    def quantile(column: Floats, q: float, epsilon: float) -> float:
        candidates = np.linspace(column.min(), column.max(), 1024).tolist()
        scores = space(column) >> dp.t.then_quantile_score_candidates(candidates, alpha=q)
        made = dp.binary_search_chain(
            lambda scale: scores >> dp.m.then_report_noisy_max_gumbel(scale, optimize="min"), 2, epsilon, (1e-6, 1e30)
        )
        return float(candidates[made(column.tolist())])

    def quantiles(X: Floats, asked: list[float]) -> Floats:
        each = EPSILON / (X.shape[1] * len(asked))
        return np.array([[quantile(c, q, each) for q in asked] for c in X.T])

    def histogram(X: Floats, edges: Floats) -> Floats:
        names = list(range(len(edges) - 1))
        cells = [np.searchsorted(edges, c, side="right") - 1 for c in X.T]

        def made(scale: float) -> list[Any]:
            whole = dp.vector_domain(dp.atom_domain(T=int), size=len(X)), dp.symmetric_distance()
            count = dp.t.then_count_by_categories(names, null_category=True, MO=dp.L2Distance[float])
            return [whole >> count >> dp.m.then_gaussian(scale) for _ in cells]

        return np.array([m(c.tolist())[:-1] for m, c in zip(together(made), cells, strict=True)], dtype=np.float64)

    def components(X: Floats, k: int) -> Floats:
        reach = float(np.linalg.norm(X - X.mean(0), axis=1).max())
        made = PCA(
            epsilon=EPSILON, row_norm=reach, n_samples=len(X), n_features=X.shape[1], n_components=k, n_changes=2
        )
        return made.fit(X - X.mean(0)).components_

    return {"PrivateMean": mean, "PrivateQuantiles": quantiles, "PrivateHistogram": histogram, "PrivatePCA": components}


def found(fits: Fits, name: str, *given: Any) -> Any:
    """What a library releases; None where it has no such thing, or fails."""
    if name not in fits:
        return None
    with warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        return fits[name](*given)
    return None
