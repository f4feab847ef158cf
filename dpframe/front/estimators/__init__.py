"""Estimators with scikit-learn's manners: ``fit``, ``predict``, ``transform``, ``sample``; it need not be installed.

Every choice that privacy rests on (``epsilon`` and ``delta``, or ``rho``; ``adjacency``; ``bound`` where one is needed)
has no default, and None is refused. Fitted attributes are released values; ``predict`` and its kin take rows that the
caller may see.
"""

from dpframe.front.estimators.base import PrivateEstimator
from dpframe.front.estimators.counts import PrivateHistogram, PrivateQuantiles, PrivateUnivariateDensity
from dpframe.front.estimators.mixtures import PrivateGaussian, PrivateGaussianMixture
from dpframe.front.estimators.moments import PrivateCovariance, PrivateMean, PrivatePCA, PrivateStandardScaler

__all__ = [
    "PrivateCovariance",
    "PrivateEstimator",
    "PrivateGaussian",
    "PrivateGaussianMixture",
    "PrivateHistogram",
    "PrivateMean",
    "PrivatePCA",
    "PrivateQuantiles",
    "PrivateStandardScaler",
    "PrivateUnivariateDensity",
]
