"""Estimators with scikit-learn's manners: ``fit``, ``predict``, ``sample``; scikit-learn itself is not needed.

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

import abc
import inspect
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError, RunError, SpecError
from dpframe.front.specs import load_spec, nearest, prepare, shipped, tables_of
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import GaussianValue, MixtureValue
from dpframe.proof.spaces.checks import scalar
from dpframe.runtime.gate import admit
from dpframe.runtime.run import run_plan
from dpframe.runtime.sources import in_memory, open_source

__all__ = ["PrivateGaussian", "PrivateGaussianMixture"]

Floats = npt.NDArray[np.float64]
CHUNK = 2**16
MOST_SHOWN = 20
PRIVACY = {
    "epsilon": "give epsilon=..., above 0",
    "delta": "give delta=..., well below 1/n",
    "adjacency": 'give adjacency="replace_one" or "add_remove"',
    "bound": "give bound=..., a generous radius around 0 that holds the rows",
}
"""The choices that privacy rests on, and what to do where one is absent."""


def _listed(names: Sequence[str]) -> str:
    """The columns of a fit, in an error."""
    shown = ", ".join(names[:MOST_SHOWN]) + (", ..." if len(names) > MOST_SHOWN else "")
    return f"{len(names)} columns: {shown}"


class _Private(abc.ABC):
    """Parameters, fitting by a spec, densities and samples of what was released."""

    epsilon: float
    delta: float
    adjacency: str
    bound: float
    columns: Sequence[str | int] | None
    simulate: int | None

    plan_: Plan
    privacy_: dict[str, Any]
    quality_: dict[str, str]
    certificate_: Any
    simulated_: bool
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    _columns: tuple[str | int, ...]

    # ------------------------------------------------------------------ scikit-learn's manners

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's arguments; ``deep`` makes no difference."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Any:
        """Change constructor arguments and return self.

        Raises
        ------
        SpecError
            For an unknown one, naming the nearest known.
        """
        for name, value in params.items():
            if name not in self._names():
                raise SpecError(f"{type(self).__name__} has no parameter {name!r}", fix=nearest(name, self._names()))
            setattr(self, name, value)
        return self

    @classmethod
    def _names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.get_params().items())})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type="density_estimator",
            target_tags=TargetTags(required=False),
            input_tags=InputTags(allow_nan=True),
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")

    # -------------------------------------------------------------------------------- fitting

    @abc.abstractmethod
    def _spec(self) -> tuple[str, dict[str, Any]]:
        """Name of the spec and its own keys."""

    def _fit(self, X: Any) -> MixtureValue:
        name, keys = self._spec()
        keys |= {choice: self._choice(choice) for choice in PRIVACY}
        X = in_memory(X)
        spec, columns = load_spec(name, keys), None
        if self.columns is not None:
            columns = open_source(X, columns=self.columns).columns
            spec = spec.set({"columns": columns})
        spec, self.plan_ = prepare(spec, X)

        admitted = admit(self.plan_, simulated=self.simulate is not None)

        def reserved() -> None:  # from here on it is spent, whatever happens
            self.privacy_ = admitted.spent

        tables = tables_of(spec, X, None)
        result = run_plan(admitted, tables, simulate=self.simulate, columns=columns, reserved=reserved)
        self.certificate_, self.simulated_ = result.certificate, result.simulated
        if result.status == "failed":
            raise RunError(f"the fit failed after spending its budget: {result.reason}", fix=result.advice)
        self.quality_ = {"verdict": result.quality.verdict, "why": result.quality.why}
        (value,) = result.outputs.values()
        if isinstance(value, GaussianValue):
            value = MixtureValue(np.ones(1), value.mean[None], value.covariance[None])
        if not isinstance(value, MixtureValue):
            raise SpecError(f"spec {name!r} releases no Gaussian", fix="this estimator needs one that does")
        self._keep_names(result.columns)
        return value

    def _choice(self, name: str) -> Any:
        """A choice that privacy rests on: None is no choice."""
        value = getattr(self, name)
        if value is None:
            raise SpecError(
                f"{type(self).__name__} needs {name}: a choice that privacy rests on has no default", fix=PRIVACY[name]
            )
        return value

    def _keep_names(self, columns: Sequence[str | int]) -> None:
        """What the columns of the fit are called, as scikit-learn keeps it: names only where there are any."""
        self.n_features_in_, self._columns = len(columns), tuple(columns)
        self.__dict__.pop("feature_names_in_", None)
        if all(isinstance(column, str) for column in columns):
            self.feature_names_in_ = np.array(columns, dtype=object)

    @property
    @abc.abstractmethod
    def _model(self) -> MixtureValue:
        """What was released."""

    # ------------------------------------------------------------------------ using the model

    def _log_joint(self, X: Any) -> Floats:
        """Log of weight times density, (n, k)."""
        rows, model = self._rows(X), self._model
        out = np.empty((len(rows), len(model.weights)))
        constant = 0.5 * rows.shape[1] * math.log(2.0 * math.pi)
        with np.errstate(divide="ignore"):
            logs = np.log(model.weights)
        for j, (mean, covariance) in enumerate(zip(model.means, model.covariances, strict=True)):
            root = np.linalg.cholesky(covariance)
            z = np.linalg.solve(root, (rows - mean).T)
            out[:, j] = logs[j] - constant - np.log(np.diagonal(root)).sum() - 0.5 * (z**2).sum(axis=0)
        return out

    def _rows(self, X: Any) -> Floats:
        _ = self._model  # not fitted: said first
        source = open_source(X, columns=self._chosen)
        chunks = list(source.chunks(CHUNK))
        if not all(chunk.valid.all() for chunk in chunks):
            raise DataError("X has rows with missing values", fix="drop them before asking about them")
        return np.concatenate([chunk.values for chunk in chunks]) if chunks else np.empty((0, source.d))

    def _chosen(self, given: tuple[str, ...], named: bool) -> list[str] | None:
        """Which columns of X are those of the fit: by name where both have names, else by number and order."""
        names = [str(label) for label in self._columns]
        own = hasattr(self, "feature_names_in_")
        if not own or not named:
            if len(given) != len(names):
                raise DataError(
                    f"X has {len(given)} columns, the model was fitted on {_listed(names)}",
                    fix="pass these columns alone, in this order" + (", or a table with names" if own else ""),
                )
            return None
        missing = [name for name in names if name not in given]
        if missing:
            raise DataError(
                f"X has no column {', '.join(map(repr, missing))}; the model was fitted on {_listed(names)}",
                fix="pass a table with these names, or an array of these columns in this order",
            )
        found = [name for name in given if name in names]
        if self.columns is None and found != names:
            raise DataError(
                f"X has its columns in the order {', '.join(found)}, the model was fitted on {_listed(names)}",
                fix="put them in the order of the fit, or fit with columns=[...], which selects by name",
            )
        return names

    def score_samples(self, X: Any) -> Floats:
        """Log density of the released model at each row.

        Parameters
        ----------
        X : (n, d) array, data frame or path
            Rows that the caller may see: nothing here is private.

        Returns
        -------
        (n,) array
        """
        joint = self._log_joint(X)
        top = joint.max(axis=1)
        found: Floats = top + np.log(np.exp(joint - top[:, None]).sum(axis=1))
        return found

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log density of rows that the caller may see; ``y`` is ignored."""
        return float(self.score_samples(X).mean())

    def _draw(self, n_samples: int, seed: int | None) -> tuple[Floats, npt.NDArray[np.int64]]:
        rng = np.random.default_rng(seed)
        model = self._model
        count = scalar(n_samples)
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise DataError(f"n_samples must be a whole number of at least 1, not {n_samples!r}", fix="give 1, 2, ...")
        labels = rng.choice(len(model.weights), size=n_samples, p=model.weights / model.weights.sum())
        normals = rng.standard_normal((n_samples, model.means.shape[1]))
        roots = np.linalg.cholesky(model.covariances)
        return model.means[labels] + np.einsum("nij,nj->ni", roots[labels], normals), labels


class PrivateGaussianMixture(_Private):
    """A Gaussian mixture with weights, means and full covariances, learned privately.

    Parameters
    ----------
    n_components : int
    epsilon, delta : float
        The budget; no default.
    adjacency : {"replace_one", "add_remove"}
        What is protected; no default. Under ``replace_one`` the number of rows is public.
    bound : float
        ℓ₂ radius around 0 that rows are promised to lie in, in their own units; rows beyond are projected onto
        it. Generous is fine. No default.
    seed : int
        Public seed of the pairs of rows, the grids and the restarts; it has nothing to do with the noise.
    tail : bool
        Append eight wide components that share a weight of 0.02, so that rows far out do not ruin the mean log
        density; they come last in all results, and cost nothing.
    columns : sequence of str or int, optional
        Columns to use.
    simulate : int, optional
        Draws the noise from this seed: for trying out, never a release (``simulated_`` is then true).

    Attributes
    ----------
    weights_ : (k,), means_ : (k, d), covariances_ : (k, d, d)
        The released mixture, in the units of X; with ``tail``, k + 8 components.
    privacy_ : dict
        Adjacency, accountant and the proved loss.
    quality_ : dict
        What released values say of the fit: ``verdict`` (good, poor, unchecked) and ``why``.
    certificate_ : dict
        The proof, for :func:`dpframe.proof.checker.verify`.
    plan_ : Plan
        What ran; ``plan_.explain()`` prints the ledger.
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

    weights_: Floats
    means_: Floats
    covariances_: Floats

    def __init__(
        self,
        n_components: int,
        *,
        epsilon: float,
        delta: float,
        adjacency: str,
        bound: float,
        seed: int = 0,
        tail: bool = False,
        columns: Sequence[str | int] | None = None,
        simulate: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.epsilon = epsilon
        self.delta = delta
        self.adjacency = adjacency
        self.bound = bound
        self.seed = seed
        self.tail = tail
        self.columns = columns
        self.simulate = simulate

    def _spec(self) -> tuple[str, dict[str, Any]]:
        return "practical_gmm", {"k": self.n_components, "seed": self.seed, "tail": self.tail}

    @property
    def _model(self) -> MixtureValue:
        if not hasattr(self, "weights_"):
            raise SpecError("the mixture is not fitted", fix="call fit first")
        return MixtureValue(self.weights_, self.means_, self.covariances_)

    def fit(self, X: Any, y: Any = None) -> PrivateGaussianMixture:
        """Learn from private rows: an array, a data frame or a path; ``y`` is ignored.

        Raises
        ------
        SpecError, PlanError, DataError
            Refused; nothing was spent.
        RunError
            Failed after spending; ``privacy_`` says what.
        """
        value = self._fit(X)
        self.weights_, self.means_, self.covariances_ = value.weights, value.means, value.covariances
        return self

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


class PrivateGaussian(_Private):
    """A single Gaussian with mean and full covariance, learned privately.

    Parameters and attributes as for :class:`PrivateGaussianMixture`, with ``mean_`` (d,) and ``covariance_``
    (d, d). Runs the spec ``coinpress_gaussian`` where it is installed, else ``practical_gmm`` with one component.

    Notes
    -----
    *Formal guarantees.* As for :class:`PrivateGaussianMixture`.
    """

    mean_: Floats
    covariance_: Floats

    def __init__(
        self,
        *,
        epsilon: float,
        delta: float,
        adjacency: str,
        bound: float,
        columns: Sequence[str | int] | None = None,
        simulate: int | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.adjacency = adjacency
        self.bound = bound
        self.columns = columns
        self.simulate = simulate

    def _spec(self) -> tuple[str, dict[str, Any]]:
        return ("coinpress_gaussian", {}) if "coinpress_gaussian" in shipped() else ("practical_gmm", {"k": 1})

    @property
    def _model(self) -> MixtureValue:
        if not hasattr(self, "mean_"):
            raise SpecError("the Gaussian is not fitted", fix="call fit first")
        return MixtureValue(np.ones(1), self.mean_[None], self.covariance_[None])

    def fit(self, X: Any, y: Any = None) -> PrivateGaussian:
        """Learn from private rows; see :meth:`PrivateGaussianMixture.fit`."""
        value = self._fit(X)
        self.mean_, self.covariance_ = value.means[0], value.covariances[0]
        return self

    def sample(self, n_samples: int = 1, *, seed: int | None = None) -> Floats:
        """Synthetic rows (n, d) of the released model."""
        return self._draw(n_samples, seed)[0]
