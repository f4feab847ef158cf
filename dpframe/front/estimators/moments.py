"""Mean, covariance, standard scaler and principal components: all read off one noisy matrix of second moments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from dpframe.errors import DataError, SpecError
from dpframe.front.estimators.base import Floats, PrivateEstimator
from dpframe.front.estimators.construction import whole
from dpframe.front.estimators.manners import TransformerMixin, polite
from dpframe.front.estimators.rowwise import products
from dpframe.front.estimators.tables import as_table, read_rows
from dpframe.runtime.sources import open_source

TIGHT: Mapping[str, Any] = {"tight": False, "seed": 0}


class _Moments(PrivateEstimator):
    """Runs ``tabular.moments`` and keeps number, mean and covariance with their standard errors.

    ``standard_errors_`` maps each attribute to ``noise`` and ``sampling``. The first is the plan's; the second is
    estimated from released moments, for independent rows, and of variances and covariances for Gaussian ones. What
    clipping far rows did is in neither.
    """

    OWN: ClassVar[Mapping[str, Any]] = TIGHT
    POSITIONAL: ClassVar[int] = 0
    POWER: ClassVar[int] = 2
    tight: bool
    seed: int
    count_: float
    standard_errors_: dict[str, dict[str, Floats]]

    def _composite(self) -> tuple[str, dict[str, Any]]:
        given = {"bound": self.bound, "power": self.POWER, "tight": self.tight, "seed": int(self.seed)}
        return "tabular.moments", given

    def _check(self) -> None:
        whole("seed", self.seed, 0)
        if not isinstance(self.tight, (bool, np.bool_)):
            raise SpecError(f"tight must be True or False, not {self.tight!r}", fix="give tight=False")

    def _released(self, X: Any) -> dict[str, Any]:
        """Moments, with the sampling error of each."""
        with polite():
            found = dict(self._fit(X))
        count, covariance = float(found["count"][0]), found["covariance"]
        variances = np.diagonal(covariance)
        found["mean_sampling"] = np.sqrt(variances / count)
        sizes = np.sqrt(variances)
        found["covariance_sampling"] = np.hypot(np.outer(sizes, sizes), covariance) / np.sqrt(count)
        self.count_ = count
        return found


def _errors(found: dict[str, Any], what: str) -> dict[str, Floats]:
    return {"noise": found[f"{what}_noise"], "sampling": found[f"{what}_sampling"]}


class PrivateMean(_Moments):
    """The mean of every column, of any distribution, from a generous bound.

    Parameters
    ----------
    epsilon, delta : float
        The budget; no default. With ``rho`` both are None.
    adjacency : {"replace_one", "add_remove"}
        What is protected; no default. Under ``replace_one`` the number of rows is public.
    bound : float
        ℓ₂ radius around 0 that rows are promised to lie in, in their own units. Generous is fine. No default.
    tight : bool
        The bound is about as small as it can be: no budget is spent on finding where rows lie.
    seed : int
        Public seed of the pairs of rows that tell the columns' units.
    rho : float, optional
        A zCDP budget in place of epsilon and delta.
    columns : sequence of str or int, optional
        Columns to use.
    unit : str or int, optional
        Column that says which unit a row belongs to, and is no data: all rows of a unit are protected together.
    unit_rows : int, optional
        How many rows of each unit count, with ``unit``.
    ledger : path, Ledger or Session, optional
        An existing ledger, in which each fit is reserved before the first row is read.
    simulate : int, optional
        Draws the noise from this seed: for trying out, never a release (``simulated_`` is then true).
    on : str or distributed.Client, optional
        A Dask cluster that takes the passes over tables in files. Clones of the estimator need an address.

    Attributes
    ----------
    mean_ : (d,)
    count_ : float
        The noisy number of rows with all values.
    standard_errors_ : dict
        For ``mean_``: ``noise`` and ``sampling``, (d,) each.
    privacy_, certificate_, plan_, quality_, simulated_, n_features_in_, feature_names_in_
        As for every estimator: :class:`PrivateEstimator`.

    Notes
    -----
    *Formal guarantees.* ``fit`` releases one plan of ``tabular.moments`` at the budget under the adjacency; each call
    of ``fit`` spends anew. A ``fit`` that raises :class:`~dpframe.errors.RunError` has spent too.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).exponential(size=(20_000, 2)) + 1000.0
    >>> found = PrivateMean(epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=1e6, simulate=0).fit(X)
    >>> found.mean_.round(1).tolist()
    [1001.0, 1001.0]
    """

    POWER: ClassVar[int] = 1
    mean_: Floats

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from private rows: an array, a data frame or a path; ``y`` is ignored."""
        found = self._released(X)
        self.mean_ = found["mean"]
        self.standard_errors_ = {"mean_": _errors(found, "mean")}
        return self


class PrivateCovariance(_Moments):
    """The covariance matrix, of any distribution, from a generous bound.

    Parameters and attributes as for :class:`PrivateMean`, with ``covariance_`` (d, d), positive semi-definite, and
    ``location_`` (d,), the mean.

    Notes
    -----
    *Formal guarantees.* As for :class:`PrivateMean`.
    """

    covariance_: Floats
    location_: Floats

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from private rows; ``y`` is ignored."""
        found = self._released(X)
        self.location_, self.covariance_ = found["mean"], found["covariance"]
        self.standard_errors_ = {"location_": _errors(found, "mean"), "covariance_": _errors(found, "covariance")}
        return self


class _Transformer(TransformerMixin, _Moments):  # type: ignore[misc]
    """Transforms rows that the caller may see."""


class PrivateStandardScaler(_Transformer):
    """Removes the mean and scales to unit variance, both learned privately.

    Parameters and attributes as for :class:`PrivateMean`, with ``mean_``, ``var_`` and ``scale_`` (d,). A column
    whose variance does not stand out of its noise is left unscaled; its standard error of ``scale_`` is NaN.

    Notes
    -----
    *Formal guarantees.* As for :class:`PrivateMean`. What ``transform`` gives of private rows is private rows:
    ``fit_transform`` protects nothing but what it learned.
    """

    mean_: Floats
    var_: Floats
    scale_: Floats

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from private rows; ``y`` is ignored."""
        found = self._released(X)
        noise, sampling = (np.diagonal(found[f"covariance_{k}"]).copy() for k in ("noise", "sampling"))
        self.mean_, self.var_ = found["mean"], np.diagonal(found["covariance"]).copy()
        known = self.var_ > noise  # what does not stand out of the noise is left unscaled, like a constant column
        self.scale_ = np.sqrt(np.where(known, self.var_, 1.0))
        self.standard_errors_ = {
            "mean_": _errors(found, "mean"),
            "var_": {"noise": noise, "sampling": sampling},
            "scale_": {
                "noise": np.where(known, noise / (2 * self.scale_), np.nan),
                "sampling": np.where(known, sampling / (2 * self.scale_), np.nan),
            },
        }
        return self

    def transform(self, X: Any) -> Floats:
        """Rows that the caller may see, or that a pipeline hands on, in standard units; NaN where a cell is missing."""
        rows = self._rows_or_nan(X)
        with np.errstate(all="ignore"):
            return np.asarray((rows - self.mean_) / self.scale_)

    def inverse_transform(self, X: Any) -> Floats:
        """Rows in standard units, back in the units of the fit."""
        rows = self._rows(X)
        with np.errstate(all="ignore"):
            return np.asarray(rows * self.scale_ + self.mean_)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the columns of the fit."""
        self._check_fitted(by_group=True)
        return np.array([str(name) if isinstance(name, str) else f"x{name}" for name in self._columns], dtype=object)


class PrivatePCA(_Transformer):
    """Principal components of a covariance matrix that was learned privately.

    Parameters and attributes as for :class:`PrivateMean`, and:

    Parameters
    ----------
    n_components : int, optional
        How many to keep; all by default.

    Attributes
    ----------
    components_ : (k, d)
        Orthonormal rows, by decreasing variance; the entry of the largest size of each is positive.
    mean_ : (d,)
    explained_variance_, explained_variance_ratio_ : (k,)
    noise_floor_ : float
        The largest variance that noise alone is expected to show in any direction, in the units of the table.

    Notes
    -----
    *Formal guarantees.* As for :class:`PrivateMean`.
    """

    OWN: ClassVar[Mapping[str, Any]] = {"n_components": None, **TIGHT}
    POSITIONAL: ClassVar[int] = 1
    n_components: int | None
    components_: Floats
    mean_: Floats
    explained_variance_: Floats
    explained_variance_ratio_: Floats
    noise_floor_: float

    def _check(self) -> None:
        super()._check()
        if self.n_components is not None:
            whole("n_components", self.n_components)

    def _sizes(self, source: Any, choices: dict[str, Any]) -> Any:
        sizes = super()._sizes(source, choices)
        if self.n_components is not None and self.n_components > sizes.d:
            raise SpecError(
                f"n_components={self.n_components} is more than the {sizes.d} columns", fix=f"at most {sizes.d}"
            )
        return sizes

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from private rows; ``y`` is ignored."""
        found = self._released(X)
        spread, vectors = np.linalg.eigh(found["covariance"])
        kept = len(spread) if self.n_components is None else int(self.n_components)
        order = np.argsort(spread)[::-1][:kept]
        rows = vectors.T[order]
        signs = np.sign(rows[np.arange(len(rows)), np.abs(rows).argmax(axis=1)])
        self.components_, self.mean_ = rows * signs[:, None], found["mean"]
        self.explained_variance_ = spread[order]
        self.explained_variance_ratio_ = spread[order] / max(float(spread.sum()), np.finfo(float).tiny)
        noise = found["covariance_noise"]
        size = float(noise.max()) or 1.0  # squares of units, which are within float64 wherever these are
        units = (noise / size) ** 2
        along = size * np.sqrt(
            np.einsum("ki,kj,ij->k", rows**2, rows**2, units) * 2.0 - ((rows**2) ** 2 @ np.diagonal(units))
        )
        self.noise_floor_ = float(np.linalg.norm(noise, 2))
        self.standard_errors_ = {
            "mean_": _errors(found, "mean"),
            "explained_variance_": {"noise": along, "sampling": spread[order] * np.sqrt(2.0 / self.count_)},
        }
        return self

    def transform(self, X: Any) -> Floats:
        """Rows that the caller may see, or that a pipeline hands on, along the components; NaN for a missing cell."""
        rows = self._rows_or_nan(X)
        with np.errstate(all="ignore"):
            return products(rows - self.mean_, self.components_.T)

    def inverse_transform(self, X: Any) -> Floats:
        """Scores along the components, back in the units of the table."""
        self._check_fitted()
        with polite():
            scores = read_rows(open_source(as_table(X)))
            if scores.shape[1] != len(self.components_):
                raise DataError(
                    f"X has {scores.shape[1]} columns, there are {len(self.components_)} components",
                    fix="give what transform gave",
                )
        return products(scores, self.components_) + self.mean_

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """One name a component."""
        count = len(self._one().components_)
        return np.array([f"{type(self).__name__.lower()}{i}" for i in range(count)], dtype=object)
