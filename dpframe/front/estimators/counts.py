"""Histograms, quantiles and densities of columns: read off noisy counts of bins."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from dpframe.errors import SpecError
from dpframe.front import api as dp
from dpframe.front.estimators.base import Floats, PrivateEstimator, Sizes
from dpframe.front.estimators.construction import drawing, whole
from dpframe.front.estimators.manners import DensityMixin, polite
from dpframe.planning.plan import Plan

MOST_BINS = 4096


class PrivateHistogram(PrivateEstimator):
    """Noisy counts of every column by declared bins.

    Parameters
    ----------
    bins : int or sequence of float
        Edges, increasing, of the bins of every column; or how many equal bins to cut from −bound to bound.
    epsilon, delta : float
        The budget; no default. With ``delta=None`` it is pure, and the noise Laplace's.
    adjacency : {"replace_one", "add_remove"}
        What is protected; no default. Under ``replace_one`` the number of rows is public.
    bound : float, optional
        Largest absolute value of a row; needed where ``bins`` is a number, and not read where it is edges.
    rho, columns, ledger, simulate, on
        As for :class:`~dpframe.estimators.PrivateMean`.

    Attributes
    ----------
    counts_ : (d, bins)
        Unbiased and so sometimes negative. Rows below the first edge and from the last one on are not in them.
    edges_ : (bins + 1,)
    below_, above_ : (d,)
        Noisy numbers of the rows outside.
    standard_errors_ : dict
        For ``counts_``: ``noise``. The counts are of these rows: there is no sampling error in them.
    privacy_, certificate_, plan_, quality_, simulated_, n_features_in_, feature_names_in_
        As for every estimator.

    Notes
    -----
    *Formal guarantees.* One release of ``marginal_counts``: d one-hot vectors a row, with exact discrete noise.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.repeat([[1.0], [3.0]], 500, axis=0)
    >>> how = {"epsilon": 1.0, "delta": None, "adjacency": "add_remove", "simulate": 0}
    >>> PrivateHistogram([0.0, 2.0, 4.0], **how).fit(X).counts_.round(-2).tolist()
    [[500.0, 500.0]]
    """

    OWN: ClassVar[Mapping[str, Any]] = {"bins": 10}
    BOUND: ClassVar[Any] = None
    PURE: ClassVar[bool] = True
    bins: Any
    counts_: Floats
    edges_: Floats
    below_: Floats
    above_: Floats
    standard_errors_: dict[str, dict[str, Floats]]

    def _check(self) -> None:
        self._edges()

    def _edges(self) -> Floats:
        """The declared edges."""
        if np.ndim(self.bins) == 0:
            count = whole("bins", self.bins, 1, MOST_BINS)
            if self.bound is None:
                raise SpecError("a number of bins needs a bound", fix="give bound=..., or bins=[edges]")
            return np.linspace(-float(self.bound), float(self.bound), count + 1)
        try:
            edges = np.asarray(self.bins, dtype=np.float64)
        except (TypeError, ValueError):
            edges = np.empty(0)
        if (
            edges.ndim != 1
            or not 2 <= len(edges) <= MOST_BINS
            or not np.isfinite(edges).all()
            or (np.diff(edges) <= 0).any()
        ):
            raise SpecError("bins must be a number, or increasing finite edges", fix="give bins=[0.0, 1.0, 2.0]")
        return edges

    def _program(self, sizes: Sizes, choices: dict[str, Any]) -> Callable[[Any], Any]:
        edges = self._edges()
        pure = not {"delta", "rho"} & set(choices)

        def program(x: Any) -> Any:
            if pure:
                each = [dp.bin_counts(x, edges=edges.tolist(), column=j) for j in range(sizes.d)]
                return {f"counts_{j}": dp.release(f"counts_{j}", dp.laplace(share=1.0), c) for j, c in enumerate(each)}
            counts = dp.marginal_counts(x, dp.constant(np.tile(edges, (sizes.d, 1))))
            return {"counts": dp.release("counts", dp.gaussian(share=1.0), counts)}

        return program

    def fit(self, X: Any, y: Any = None) -> Self:
        """Count private rows; ``y`` is ignored."""
        with polite():
            found = np.vstack([np.asarray(v, dtype=np.float64) for v in self._fit(X).values()])
        self.edges_ = self._edges()
        self.below_, self.counts_, self.above_ = found[:, 0], found[:, 1:-1], found[:, -1]
        self.standard_errors_ = {"counts_": {"noise": np.full(self.counts_.shape, _noise(self.plan_))}}
        return self


def _noise(plan: Plan) -> float:
    """Standard deviation of the noise of the plan's mechanisms, all alike: a Gaussian's σ, √2 times Laplace's scale."""
    found = next(iter(plan.calibrations.values()))
    return float(found["sigma"]) if "sigma" in found else math.sqrt(2.0) * float(found["scale"])


class _Located(PrivateEstimator):
    """Runs a composite that finds where rows lie."""

    BOUND: ClassVar[Any]
    tight: bool
    seed: int

    def _check(self) -> None:
        whole("seed", self.seed, 0)
        if not isinstance(self.tight, (bool, np.bool_)):
            raise SpecError(f"tight must be True or False, not {self.tight!r}", fix="give tight=False")


class PrivateQuantiles(_Located):
    """Quantiles of every column, any number of them for one price, from a generous bound.

    Parameters
    ----------
    quantiles : sequence of float
        Strictly between 0 and 1; quartiles by default.
    epsilon, delta, adjacency, bound, tight, seed, rho, columns, ledger, simulate, on
        As for :class:`~dpframe.estimators.PrivateMean`.

    Attributes
    ----------
    quantiles_ : (d, quantiles)
        In the order asked for.
    standard_errors_ : dict
        For ``quantiles_``: ``noise`` and ``sampling``, each read off the released distribution function.
    privacy_, certificate_, plan_, quality_, simulated_, n_features_in_, feature_names_in_
        As for every estimator.

    Notes
    -----
    *Formal guarantees.* One plan of ``tabular.quantiles``: noisy histograms.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(5.0, 1.0, size=(20_000, 1))
    >>> how = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 1e5, "simulate": 0}
    >>> PrivateQuantiles([0.5], **how).fit(X).quantiles_.round(1).tolist()
    [[5.0]]
    """

    OWN: ClassVar[Mapping[str, Any]] = {"quantiles": (0.25, 0.5, 0.75), "tight": False, "seed": 0}
    quantiles: Sequence[float]
    quantiles_: Floats
    standard_errors_: dict[str, dict[str, Floats]]

    def _check(self) -> None:
        super()._check()
        self._levels()

    def _levels(self) -> list[float]:
        try:
            found = np.atleast_1d(np.asarray(self.quantiles, dtype=np.float64))
        except (TypeError, ValueError):
            found = np.empty(0)
        if found.ndim != 1 or not len(found) or not ((found > 0) & (found < 1)).all():
            raise SpecError("quantiles must be numbers strictly between 0 and 1", fix="give quantiles=[0.25, 0.5]")
        levels: list[float] = found.tolist()
        return levels

    def _composite(self) -> tuple[str, dict[str, Any]]:
        given = {"quantiles": self._levels(), "bound": self.bound, "tight": self.tight, "seed": int(self.seed)}
        return "tabular.quantiles", given

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from private rows; ``y`` is ignored."""
        with polite():
            found = self._fit(X)
        self.quantiles_ = np.asarray(found["values"])
        self.standard_errors_ = {"quantiles_": {k: np.asarray(found[k]) for k in ("noise", "sampling")}}
        return self


class PrivateUnivariateDensity(DensityMixin, _Located):  # type: ignore[misc]
    """The density of each column, piecewise constant on bins of about equal mass, from a generous bound.

    Of several columns the density of a row is the product of theirs: they are taken for independent.

    Parameters
    ----------
    epsilon, delta, adjacency, bound, tight, seed, rho, columns, ledger, simulate, on
        As for :class:`~dpframe.estimators.PrivateMean`.

    Attributes
    ----------
    edges_ : (d, m + 1), masses_ : (d, m)
        Bins, and the share of rows in each.
    standard_errors_ : dict
        For ``masses_``: ``noise``, before the shares were made to rise, and ``sampling``.
    privacy_, certificate_, plan_, quality_, simulated_, n_features_in_, feature_names_in_
        As for every estimator.

    Notes
    -----
    *Formal guarantees.* One plan of ``tabular.density``: noisy histograms.
    """

    OWN: ClassVar[Mapping[str, Any]] = {"tight": False, "seed": 0}
    POSITIONAL: ClassVar[int] = 0
    edges_: Floats
    masses_: Floats
    count_: float
    standard_errors_: dict[str, dict[str, Floats]]

    def _composite(self) -> tuple[str, dict[str, Any]]:
        return "tabular.density", {"bound": self.bound, "tight": self.tight, "seed": int(self.seed)}

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from private rows; ``y`` is ignored."""
        with polite():
            found = self._fit(X)
        self.edges_, self.masses_ = np.asarray(found["edges"]), np.asarray(found["masses"])
        self.count_ = float(found["count"][0])
        sampling = np.sqrt(self.masses_ * (1.0 - self.masses_) / self.count_)
        self.standard_errors_ = {"masses_": {"noise": np.asarray(found["noise"]), "sampling": sampling}}
        return self

    def score_samples(self, X: Any) -> Floats:
        """Log density at rows that the caller may see; −inf outside of all bins."""
        rows = self._rows(X)
        total = np.zeros(len(rows))
        for column, edges, masses in zip(rows.T, self.edges_, self.masses_, strict=True):
            place = np.searchsorted(edges, column, side="right") - 1
            inside = (place >= 0) & (place < len(masses))
            with np.errstate(divide="ignore", invalid="ignore"):
                logs = np.where(masses > 0, np.log(masses) - np.log(np.diff(edges)), -np.inf)
            total += np.where(inside, logs[np.clip(place, 0, len(masses) - 1)], -np.inf)
        return total

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log density of rows that the caller may see; ``y`` is ignored."""
        return float(self.score_samples(X).mean())

    def sample(self, n_samples: int = 1, *, seed: int | None = None) -> Floats:
        """Synthetic rows (n, d), of independent columns."""
        self._check_fitted()
        count, rng = drawing(n_samples, seed)
        columns = []
        for edges, masses in zip(self.edges_, self.masses_, strict=True):
            place = rng.choice(len(masses), size=count, p=masses)
            columns.append(rng.uniform(edges[place], edges[place + 1]))
        return np.column_stack(columns)
