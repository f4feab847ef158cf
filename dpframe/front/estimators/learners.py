"""One class for each learner of the papers, made from its spec in a line; and a class for any composite."""

from __future__ import annotations

from typing import Any, Self

from dpframe.errors import SpecError
from dpframe.front.estimators.base import Floats, PrivateEstimator
from dpframe.front.estimators.composed import class_name
from dpframe.front.estimators.construction import REQUIRED
from dpframe.front.estimators.densities import Density
from dpframe.front.estimators.manners import polite
from dpframe.front.specs import load_spec
from dpframe.proof.spaces import Kind


class PrivateLearner(Density):
    """A learner of a Gaussian or a mixture of Gaussians that a shipped spec describes; the papers' are subclasses.

    Parameters are the spec's keys (``dpframe specs NAME``) and those of every estimator; ``bound`` may be left out
    where the spec needs none, and is warned of where it has no such key. Attributes are ``weights_``, ``means_``
    and ``covariances_``.

    Notes
    -----
    *Formal guarantees.* ``fit`` releases one plan of the spec.
    """

    weights_: Floats
    means_: Floats
    covariances_: Floats

    @classmethod
    def from_spec(cls, spec: str, name: str | None = None) -> type[PrivateLearner]:
        """The class of a shipped spec, whose keys are its parameters.

        Examples
        --------
        >>> PrivateLearner.from_spec("aal21_univariate").__name__
        'AAL21Univariate'
        """
        read = load_spec(spec)
        keys = {
            k: REQUIRED if key.default is None and not key.optional else key.default for k, key in read.keys.items()
        }
        boundless = "bound" not in keys
        bound = REQUIRED if keys.pop("bound", None) is REQUIRED else None
        words = {
            "__doc__": f"{read.title}: {read.source}.\n\nRuns the spec ``{spec}``; see :class:`PrivateLearner`.",
            "__module__": __name__,
            "SPEC": spec,
            "OWN": keys,
            "BOUND": bound,
            "BOUNDLESS": boundless,
            "POSITIONAL": int("k" in keys),
            "PUBLIC": read.table(Kind.PUBLIC) is not None,
        }
        ordered = {k: keys[k] for k in sorted(keys, key=lambda k: k != "k")}
        bases = (_PublicLearner if words["PUBLIC"] else cls,)
        of = (cls, "from_spec", spec)
        made: type[PrivateLearner] = cls._made(class_name(name, _title(spec)), bases, {**words, "OWN": ordered}, of)
        return made

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from private rows; ``y`` is ignored."""
        return self._keep(X, None)

    def _keep(self, X: Any, public: Any) -> Self:
        value = self._value(X, public)
        self.weights_, self.means_, self.covariances_ = value.weights, value.means, value.covariances
        return self

    def sample(self, n_samples: int = 1, *, seed: int | None = None) -> tuple[Floats, Any]:
        """Synthetic rows of the released model (n, d), and the component each came from."""
        return self._draw(n_samples, seed)


class _PublicLearner(PrivateLearner):
    """A learner that takes public rows as well."""

    def fit(self, X: Any, y: Any = None, *, public: Any = None) -> Self:
        """Learn from private rows and public ones; ``y`` is ignored."""
        if public is None:
            with polite():
                raise SpecError(f"{type(self).__name__} needs public rows", fix="give public=..., a table as X is")
        return self._keep(X, public)


def _title(spec: str) -> str:
    """``aal21_axis_aligned`` as ``AAL21AxisAligned``."""
    first, *rest = spec.split("_")
    short = {"gmm": "GMM", "pegme": "PEGME", "pgme": "PGME"}
    return first.upper() + "".join(short.get(word, word.capitalize()) for word in rest)


def from_composite(composite: str, name: str | None = None) -> type[PrivateEstimator]:
    """The class of a registered composite of one private table.

    Its keyword-only parameters, without ``share``, are the class's; what it returns are attributes that end in ``_``:
    of a dict one each, else one of the composite's own name.

    Parameters
    ----------
    composite : str
        Registered name.
    name : str, optional
        Of the class; made from the composite's.

    Raises
    ------
    SpecError
        For an unknown composite, with the nearest.

    Notes
    -----
    *Formal guarantees.* ``fit`` releases one plan of the composite, priced node by node.

    Examples
    --------
    >>> import numpy as np
    >>> Histogram = PrivateEstimator.from_composite("histogram")
    >>> how = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "add_remove", "simulate": 0}
    >>> Histogram(edges=[0.0, 2.0], **how).fit(np.ones((500, 1))).histogram_.shape
    (3,)
    """
    made: type[PrivateEstimator] = PrivateEstimator.from_composite(composite, name)
    return made


AAL21Univariate = PrivateLearner.from_spec("aal21_univariate")
AAL21AxisAligned = PrivateLearner.from_spec("aal21_axis_aligned")
AAL21KnownCovariance = PrivateLearner.from_spec("aal21_known_covariance")
ARBAS23Gaussian = PrivateLearner.from_spec("arbas23_gaussian")
ARBAS23GMM = PrivateLearner.from_spec("arbas23_gmm")
ARBAS23GMMRefined = PrivateLearner.from_spec("arbas23_gmm_refined")
KSSU19PEGME = PrivateLearner.from_spec("kssu19_pegme")
KSSU19PGME = PrivateLearner.from_spec("kssu19_pgme")
KSSU19SampleAndAggregate = PrivateLearner.from_spec("kssu19_sample_and_aggregate")
BKS22Mean = PrivateLearner.from_spec("bks22_mean")
BKS22Gaussian = PrivateLearner.from_spec("bks22_gaussian")
BKS22GMMHard = PrivateLearner.from_spec("bks22_gmm_hard")
BKS22GMMEasy = PrivateLearner.from_spec("bks22_gmm_easy")
