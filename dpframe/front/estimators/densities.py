"""Estimators that run a shipped spec, and what densities have in common: samples, classes, scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from dpframe.errors import SpecError
from dpframe.front.estimators.base import Floats, PrivateEstimator, Sizes
from dpframe.front.estimators.construction import drawing
from dpframe.front.estimators.manners import DensityMixin, polite
from dpframe.front.estimators.rowwise import log_total, squared_distances
from dpframe.front.specs import Spec, load_spec, program_of
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import GaussianValue, MixtureValue


class SpecEstimator(PrivateEstimator):
    """An estimator that runs a shipped spec."""

    SPEC: ClassVar[str] = ""
    PUBLIC: ClassVar[bool] = False

    def _keys(self) -> dict[str, Any]:
        """The spec's own keys."""
        return {name: getattr(self, name) for name in self.OWN}

    def _spec(self, choices: Mapping[str, Any]) -> Spec:
        keys = {k: v for k, v in self._keys().items() if v is not None}
        spec = load_spec(self.SPEC)
        return spec.set({**keys, **{k: v for k, v in choices.items() if k != "bound" or k in spec.keys}})

    def _check(self) -> None:
        self._spec(self._choices())

    def _program(self, sizes: Sizes, choices: dict[str, Any]) -> Callable[[Any], Any]:
        spec = self._spec(choices).set({"d": sizes.d})
        return program_of(spec if sizes.n is None else spec.set({"n": sizes.n}))

    def _plan(self, sizes: Sizes, choices: dict[str, Any]) -> Plan:
        spec = self._spec(choices).set({"d": sizes.d})
        return (spec if sizes.n is None else spec.set({"n": sizes.n})).plan()


class Density(DensityMixin, SpecEstimator):  # type: ignore[misc]
    """Densities and samples of a released mixture.

    ``standard_errors_`` maps attributes to ``noise`` and ``sampling`` where these are known, and is empty where not:
    of components far apart, of rows whose number is public or was released.
    """

    standard_errors_: dict[str, dict[str, Floats]]
    weights_: Floats
    means_: Floats
    covariances_: Floats

    def _value(self, X: Any, public: Any = None) -> MixtureValue:
        """Fit, and what was released as a mixture."""
        with polite():
            value = next(iter(self._fit(X, public=public).values()))
        if isinstance(value, GaussianValue):
            value = MixtureValue(np.ones(1), value.mean[None], value.covariance[None])
        if not isinstance(value, MixtureValue):
            raise SpecError(f"spec {self.SPEC!r} releases no Gaussian", fix="this estimator needs one that does")
        return value

    def _keep_errors(self, known: Mapping[str, Any]) -> None:
        self.standard_errors_ = {}
        for name, errors in known.items():
            parts = {name: errors} if set(errors) <= {"noise", "sampling"} else errors
            self.standard_errors_ |= {f"{part}_": dict(each) for part, each in parts.items()}

    @property
    def _model(self) -> MixtureValue:
        """The released mixture."""
        self._check_fitted()
        return MixtureValue(self.weights_, self.means_, self.covariances_)

    # ------------------------------------------------------------------------ using the model

    def _log_joint(self, X: Any) -> Floats:
        """Log of weight times density, (n, k)."""
        model = self._model
        rows = self._rows(X)
        out = np.empty((len(rows), len(model.weights)))
        constant = 0.5 * rows.shape[1] * math.log(2.0 * math.pi)
        with np.errstate(divide="ignore"):
            logs = np.log(model.weights)
        for j, (mean, covariance) in enumerate(zip(model.means, model.covariances, strict=True)):
            root = np.linalg.cholesky(covariance)
            distances = squared_distances(rows, mean, root)
            out[:, j] = logs[j] - constant - np.log(np.diagonal(root)).sum() - 0.5 * distances
        return out

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
        return log_total(self._log_joint(X))

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log density of rows that the caller may see; ``y`` is ignored."""
        return float(self.score_samples(X).mean())

    def _draw(self, n_samples: int, seed: int | None) -> tuple[Floats, npt.NDArray[np.int64]]:
        model = self._model
        count, rng = drawing(n_samples, seed)
        labels = rng.choice(len(model.weights), size=count, p=model.weights / model.weights.sum())
        rows: Floats = rng.standard_normal((count, model.means.shape[1]))
        for j, root in enumerate(np.linalg.cholesky(model.covariances)):
            rows[labels == j] = rows[labels == j] @ root.T + model.means[j]
        return rows, labels
