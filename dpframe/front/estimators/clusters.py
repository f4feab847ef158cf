"""k-means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from dpframe.front.estimators.base import PRIVATE_CELLS, Floats, PrivateEstimator
from dpframe.front.estimators.construction import REQUIRED, whole
from dpframe.front.estimators.manners import ClusterMixin, TransformerMixin, polite
from dpframe.front.estimators.rowwise import total


class PrivateKMeans(ClusterMixin, TransformerMixin, PrivateEstimator):  # type: ignore[misc]
    """k-means: starts from noisy counts of cells, then Lloyd's steps on noisy sums of the clusters.

    Parameters
    ----------
    n_clusters : int
    epsilon, delta, adjacency, bound, seed, rho, columns, ledger, simulate
        As for :class:`~dpframe.estimators.PrivateMean`.

    Attributes
    ----------
    cluster_centers_ : (k, d)
    cluster_sizes_ : (k,)
        Noisy numbers of rows.
    standard_errors_ : dict
        For ``cluster_centers_``: ``noise`` of the last step, where clusters keep their rows.
    privacy_, certificate_, plan_, quality_, simulated_, n_features_in_, feature_names_in_
        As for every estimator.

    Notes
    -----
    *Formal guarantees.* One plan of ``tabular.kmeans``: clusters are parts of the table and compose in parallel. Labels
    of private rows, as ``fit_predict`` gives them, are private rows.
    """

    OWN: ClassVar[Mapping[str, Any]] = {"n_clusters": REQUIRED, "seed": 0}
    CLUSTERS: ClassVar[str] = "n_clusters"
    _expected_failed_checks: ClassVar[Mapping[str, str]] = {
        **PRIVATE_CELLS,
        "check_clustering": "it demands labels_, a fitted attribute with a private cell for each row: not kept",
    }
    n_clusters: int
    seed: int
    cluster_centers_: Floats
    cluster_sizes_: Floats
    standard_errors_: dict[str, dict[str, Floats]]

    def _check(self) -> None:
        whole("seed", self.seed, 0)
        whole("n_clusters", self.n_clusters, 1, 200)

    def _composite(self) -> tuple[str, dict[str, Any]]:
        return "tabular.kmeans", {"k": int(self.n_clusters), "bound": float(self.bound), "seed": int(self.seed)}

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from private rows; ``y`` is ignored."""
        with polite():
            found = self._fit(X)
        self.cluster_centers_ = np.asarray(found["centres"])
        self.cluster_sizes_ = np.asarray(found["sizes"])[:, 0]
        noise = np.repeat(found["noise"], self.cluster_centers_.shape[1], axis=1)
        self.standard_errors_ = {"cluster_centers_": {"noise": noise}}
        return self

    def transform(self, X: Any) -> Floats:
        """Distances (n, k) to the centres, of rows that the caller may see or that a pipeline hands on; or NaN.

        Beyond 1e154 they are infinite.
        """
        return self._distances(self._rows_or_nan(X))

    def _distances(self, rows: Floats) -> Floats:
        columns = zip(rows.T, self.cluster_centers_.T, strict=True)
        with np.errstate(all="ignore"):
            return np.asarray(np.sqrt(total(np.square(column[:, None] - centres) for column, centres in columns)))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """One name a centre, for the columns of ``transform``."""
        count = len(self._one().cluster_centers_)
        return np.array([f"{type(self).__name__.lower()}{i}" for i in range(count)], dtype=object)

    def predict(self, X: Any) -> npt.NDArray[np.int32]:
        """The nearest centre of each row that the caller may see."""
        return np.asarray(self._distances(self._rows(X)).argmin(axis=1), dtype=np.int32)

    def fit_predict(self, X: Any, y: Any = None) -> npt.NDArray[np.int32]:
        """Fit, and the nearest centre of the same rows: the labels are not private."""
        return self.fit(X).predict(X)

    def score(self, X: Any, y: Any = None) -> float:
        """Minus the sum of squared distances to the nearest centres."""
        return float(-(self._distances(self._rows(X)).min(axis=1) ** 2).sum())
