"""Estimators in scikit-learn's manner: :mod:`dpframe.front.estimators` under the name that others import."""

from dpframe.front.estimators import *  # noqa: F403
from dpframe.front.estimators import __all__ as __all__  # noqa: PLC0414
