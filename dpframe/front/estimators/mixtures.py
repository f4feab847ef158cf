"""Gaussians and mixtures of them: densities, samples and classes of what was released, and the papers' learners.

Every choice that privacy rests on (``epsilon``, ``delta``, ``adjacency``, ``bound``) has no default, and None is
refused. Fitted attributes are released values; ``predict`` and its kin take rows that the caller may see.

A table with column names (a data frame, CSV, Parquet) is asked for the columns of the fit by name; without ``columns``
they must stand in the order of the fit. An array must have as many columns as were selected, and is taken in that
order.

Examples
--------
>>> import numpy as np
>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(20_000, 2)) + 10.0 * rng.integers(0, 2, size=(20_000, 1))
>>> gm = PrivateGaussianMixture(2, epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=100.0).fit(X)
>>> gm.means_.shape, gm.privacy_["adjacency"]
((2, 2), 'replace_one')
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from dpframe.errors import SpecError
from dpframe.front.estimators.base import Floats
from dpframe.front.estimators.construction import whole
from dpframe.front.estimators.densities import Density
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import LInf, MixtureValue


class PrivateGaussianMixture(Density):
    """A Gaussian mixture with weights, means and covariances, learned privately.

    Parameters
    ----------
    n_components : int, optional
        How many components; or give ``k_max``.
    epsilon, delta : float
        The budget; no default.
    adjacency : {"replace_one", "add_remove"}
        What is protected; no default. Under ``replace_one`` the number of rows is public.
    k_max : int, optional
        In place of ``n_components`` the most that there may be: how many there are is chosen inside the budget, by an
        exponential mechanism (``choice_``).
    bound : float
        ℓ₂ radius around 0 that rows are promised to lie in, in their own units; rows beyond are projected onto
        it. Generous is fine. No default.
    covariance_type : {"full", "diag", "spherical"}
        Form of ``covariances_``. Full matrices are learned whatever it is; the other forms are read off them.
    seed : int
        Public seed of the pairs of rows, the grids and the restarts; it has nothing to do with the noise.
    tail : bool
        Append eight wide components that share a weight of 0.02, so that rows far out do not ruin the mean log
        density; they come last in all results, and cost nothing.
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
    weights_ : (k,), means_ : (k, d)
        The released mixture, in the units of X; with ``tail``, k + 8 components.
    covariances_, precisions_ : (k, d, d), (k, d) or (k,)
        By ``covariance_type``.
    n_components_ : int
        How many components the release has, those of the tail not counted.
    choice_ : dict
        With ``k_max`` alone: the number chosen (``k``), of which (``candidates``), and what is public of the scores.
        Each row says at most ``range`` nats for or against a candidate; with probability ``confidence`` no candidate's
        score was more than ``margin`` nats above the chosen one's. The scores, private sums, are not released.
    standard_errors_ : dict
        For ``weights_``, ``means_`` and ``covariances_``: ``noise`` and ``sampling``, for components far apart. Empty
        with ``tail`` and where components were merged. A private number of rows is taken as it was released.
    privacy_ : dict
        Adjacency, accountant and the proved loss of all fits of this estimator and its clones.
    quality_ : dict
        What released values say of the fit: ``verdict`` (good, poor, unchecked) and ``why``.
    certificate_ : dict
        The proof, for :func:`dpframe.proof.checker.verify`.
    plan_ : Plan
        What ran; ``plan_.explain()`` says what is spent on what.
    simulated_ : bool
    n_features_in_ : int
        How many columns were used.
    feature_names_in_ : (d,) array of str
        Their names, in the order they were used; only for tables whose columns have names.

    Notes
    -----
    *Formal guarantees.* ``fit`` releases one plan of the spec ``practical_gmm`` at (epsilon, delta) under the
    adjacency; each call of ``fit`` spends anew. A ``fit`` that raises :class:`~dpframe.errors.RunError` has
    spent too.
    """

    SPEC = "practical_gmm"
    CLUSTERS: ClassVar[str] = "n_components"
    OWN: ClassVar[Mapping[str, Any]] = {
        "n_components": None,
        "k_max": None,
        "covariance_type": "full",
        "seed": 0,
        "tail": False,
    }
    n_components: int | None
    k_max: int | None
    n_components_: int
    choice_: dict[str, Any]
    covariance_type: str
    seed: int
    tail: bool
    weights_: Floats
    means_: Floats
    covariances_: Floats

    def _keys(self) -> dict[str, Any]:
        if self.covariance_type not in tuple(FORMS):
            raise SpecError(
                f"covariance_type must be one of {', '.join(FORMS)}, not {self.covariance_type!r}",
                fix='give covariance_type="full"',
            )
        if (self.n_components is None) == (self.k_max is None):
            given = "neither is" if self.k_max is None else "both are"
            raise SpecError(
                f"a mixture takes n_components or k_max, and {given} given",
                fix="give n_components=... where it is known, k_max=... where it is to be chosen",
            )
        if self.n_components is not None:
            whole("n_components", self.n_components)
        if self.tail and self.k_max is not None:
            raise SpecError("a tail is for a given number of components", fix="give n_components, or leave tail out")
        return {"k": self.n_components, "k_max": self.k_max, "seed": self.seed, "tail": self.tail}

    @property
    def _model(self) -> MixtureValue:
        self._check_fitted()
        return MixtureValue(self.weights_, self.means_, _full(self.covariances_, self.means_.shape[1]))

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from private rows: an array, a data frame or a path; ``y`` is ignored.

        Raises
        ------
        SpecError, PlanError, DataError
            Refused; nothing was spent.
        RunError
            Failed after spending; ``privacy_`` says what.
        """
        value = self._value(X)
        self.weights_, self.means_ = value.weights, value.means
        self.n_components_ = len(value.weights) if self.n_components is None else int(self.n_components)
        self.__dict__.pop("choice_", None)
        if self.k_max is not None:
            self.choice_ = choice(self.plan_, len(value.weights), int(self.k_max))
        self.covariances_ = FORMS[self.covariance_type](value.covariances)
        form = ERRORS[self.covariance_type]
        for kind, errors in self.standard_errors_.get("covariances_", {}).items():
            self.standard_errors_["covariances_"][kind] = form(errors)
        return self

    def fit_predict(self, X: Any, y: Any = None) -> npt.NDArray[np.int64]:
        """Fit, and the most probable component of the same rows: the labels are not private."""
        return self.fit(X).predict(X)

    @property
    def precisions_(self) -> Floats:
        """Inverse covariances, in the form of ``covariances_``."""
        model = self._model
        if self.covariances_.ndim == 3:
            return np.asarray(np.linalg.inv(model.covariances))
        return np.asarray(1.0 / self.covariances_)

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities (n, k) of the components for rows that the caller may see."""
        joint = self._log_joint(X)
        shares = np.exp(joint - joint.max(axis=1, keepdims=True))
        found: Floats = shares / shares.sum(axis=1, keepdims=True)
        return found

    def predict(self, X: Any) -> npt.NDArray[np.int64]:
        """Most probable component of each row that the caller may see."""
        return np.asarray(self._log_joint(X).argmax(axis=1), dtype=np.int64)

    def sample(self, n_samples: int = 1, *, seed: int | None = None) -> tuple[Floats, npt.NDArray[np.int64]]:
        """Synthetic rows of the released model (n, d), and the component each came from."""
        return self._draw(n_samples, seed)

    def _free(self) -> int:
        """The number of free parameters."""
        k, d = map(int, self.means_.shape)
        each = {3: d * (d + 1) // 2, 2: d, 1: 1}[self.covariances_.ndim]
        return k * (d + each) + k - 1

    def bic(self, X: Any) -> float:
        """Bayesian information criterion of rows that the caller may see; of private rows it is private."""
        scores = self.score_samples(X)
        return float(-2.0 * scores.sum() + self._free() * math.log(len(scores)))

    def aic(self, X: Any) -> float:
        """Akaike's information criterion of rows that the caller may see; of private rows it is private."""
        return float(-2.0 * self.score_samples(X).sum() + 2.0 * self._free())


CONFIDENCE = 0.99


def choice(plan: Plan, k: int, most: int) -> dict[str, Any]:
    """What is public of a choice of the number of components: the number, its rivals, and the mechanism's margin.

    Of m scores an exponential mechanism of rate r picks one that is more than ln(m/β)/r below the largest with
    probability at most β (McSherry and Talwar 2007).
    """
    told: dict[str, Any] = {"k": k, "candidates": list(range(1, most + 1)), "confidence": CONFIDENCE}
    chosen = [path for path in plan.calibrations if path[-1].endswith("chosen_k")]
    if not chosen:  # of one at most there is no choice
        return told | {"range": 0.0, "margin": 0.0}
    (path,) = chosen
    apart = next(m.bound for m in plan.weighings[path].worst if isinstance(m, LInf))
    scored = 2 * most - 1  # of each smaller number two: components merged, and left out
    margin = math.log(scored / (1.0 - CONFIDENCE)) / float(plan.calibrations[path]["rate"])
    return told | {"range": 0.5 * apart, "margin": margin}


def _diagonals(covariances: Floats) -> Floats:
    return np.array(np.diagonal(covariances, axis1=1, axis2=2))


FORMS: Mapping[str, Callable[[Floats], Floats]] = {
    "full": lambda found: found,
    "diag": _diagonals,
    "spherical": lambda found: _diagonals(found).mean(axis=1),
}
"""Forms of covariances, read off full ones: the closest in Kullback-Leibler divergence of what was released."""
ERRORS: Mapping[str, Callable[[Floats], Floats]] = {
    **FORMS,
    "spherical": lambda found: np.sqrt((_diagonals(found) ** 2).sum(axis=1)) / found.shape[1],
}
"""Their standard errors, of those of the entries: for columns whose errors are about independent."""


def _full(covariances: Floats, d: int) -> Floats:
    """Covariances of any form as matrices."""
    if covariances.ndim == 3:
        return covariances
    each = covariances if covariances.ndim == 2 else np.repeat(covariances[:, None], d, axis=1)
    return np.asarray(each[:, :, None] * np.eye(d))


class PrivateGaussian(Density):
    """A single Gaussian with mean and full covariance, learned privately.

    Parameters and attributes as for :class:`PrivateGaussianMixture`, with ``mean_`` (d,) and ``covariance_``
    (d, d). Runs the spec ``coinpress_gaussian``.

    Notes
    -----
    *Formal guarantees.* As for :class:`PrivateGaussianMixture`, of the spec ``coinpress_gaussian``.
    """

    SPEC = "coinpress_gaussian"
    POSITIONAL: ClassVar[int] = 0
    mean_: Floats
    covariance_: Floats

    @property
    def _model(self) -> MixtureValue:
        self._check_fitted()
        return MixtureValue(np.ones(1), self.mean_[None], self.covariance_[None])

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from private rows; see :meth:`PrivateGaussianMixture.fit`."""
        value = self._value(X)
        self.mean_, self.covariance_ = value.means[0], value.covariances[0]
        return self

    def sample(self, n_samples: int = 1, *, seed: int | None = None) -> Floats:
        """Synthetic rows (n, d) of the released model."""
        return self._draw(n_samples, seed)[0]
