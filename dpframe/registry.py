"""Names of operations, and how plugins are found: :mod:`dpframe.kernel.registry` under the name that others import.

Kept for one release: plugins import :mod:`dpframe.plugin`.
"""

from dpframe.kernel.registry import *  # noqa: F403
from dpframe.kernel.registry import __all__ as __all__  # noqa: PLC0414
