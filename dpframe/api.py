"""Verbs and types of programs: :mod:`dpframe.front.api` under the name that others import.

Kept for one release: plugins import :mod:`dpframe.plugin`.
"""

from dpframe.front.api import *  # noqa: F403
from dpframe.front.api import __all__ as __all__  # noqa: PLC0414
