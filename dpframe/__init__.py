"""Differentially private estimators as typed graphs, checked and priced before any data is read."""

from dpframe.api import *  # noqa: F403
from dpframe.api import __all__ as __all__
