"""Abstract operations: :mod:`dpframe.kernel.operations` under the name that others import.

Kept for one release: plugins import :mod:`dpframe.plugin`.
"""

from dpframe.kernel.operations import *  # noqa: F403
from dpframe.kernel.operations import __all__ as __all__  # noqa: PLC0414
