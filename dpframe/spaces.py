"""Domains, metrics and adjacencies: :mod:`dpframe.proof.spaces` under the name that others import.

Kept for one release: plugins import :mod:`dpframe.plugin`.
"""

from dpframe.proof.spaces import *  # noqa: F403
from dpframe.proof.spaces import __all__ as __all__  # noqa: PLC0414
