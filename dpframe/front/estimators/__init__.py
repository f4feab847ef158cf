"""Estimators with scikit-learn's manners: ``fit``, ``predict``, ``transform``, ``sample``; it need not be installed.

Every choice that privacy rests on (``epsilon`` and ``delta``, or ``rho``; ``adjacency``; ``bound`` where one is needed)
has no default, and None is refused. Fitted attributes are released values; ``predict`` and its kin take rows that the
caller may see.
"""

from dpframe.front.estimators.base import PrivateEstimator
from dpframe.front.estimators.clusters import PrivateKMeans
from dpframe.front.estimators.counts import PrivateHistogram, PrivateQuantiles, PrivateUnivariateDensity
from dpframe.front.estimators.learners import (
    ARBAS23GMM,
    KSSU19PEGME,
    KSSU19PGME,
    AAL21AxisAligned,
    AAL21KnownCovariance,
    AAL21Univariate,
    ARBAS23Gaussian,
    ARBAS23GMMRefined,
    BKS22Gaussian,
    BKS22GMMEasy,
    BKS22GMMHard,
    BKS22Mean,
    KSSU19SampleAndAggregate,
    PrivateLearner,
    from_composite,
)
from dpframe.front.estimators.mixed import PrivateMixedMixture
from dpframe.front.estimators.mixtures import PrivateGaussian, PrivateGaussianMixture
from dpframe.front.estimators.moments import PrivateCovariance, PrivateMean, PrivatePCA, PrivateStandardScaler
from dpframe.front.estimators.selection import PrivateSearch, make_private_pipeline
from dpframe.front.estimators.supervised import PrivateGaussianNB, PrivateLinearRegression, PrivateLogisticRegression

__all__ = [
    "ARBAS23GMM",
    "KSSU19PEGME",
    "KSSU19PGME",
    "AAL21AxisAligned",
    "AAL21KnownCovariance",
    "AAL21Univariate",
    "ARBAS23GMMRefined",
    "ARBAS23Gaussian",
    "BKS22GMMEasy",
    "BKS22GMMHard",
    "BKS22Gaussian",
    "BKS22Mean",
    "KSSU19SampleAndAggregate",
    "PrivateCovariance",
    "PrivateEstimator",
    "PrivateGaussian",
    "PrivateGaussianMixture",
    "PrivateGaussianNB",
    "PrivateHistogram",
    "PrivateKMeans",
    "PrivateLearner",
    "PrivateLinearRegression",
    "PrivateLogisticRegression",
    "PrivateMean",
    "PrivateMixedMixture",
    "PrivatePCA",
    "PrivateQuantiles",
    "PrivateSearch",
    "PrivateStandardScaler",
    "PrivateUnivariateDensity",
    "from_composite",
    "make_private_pipeline",
]
