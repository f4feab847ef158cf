"""Differentially private estimators as typed graphs, checked and priced before any data is read."""

from dpframe.front.api import *  # noqa: F403
from dpframe.front.api import __all__ as __all__
from dpframe.version import VERSION as __version__  # noqa: F401
