"""Abstract operations: :mod:`dpframe.kernel.operations` and posts under the name that others import.

Kept for one release: plugins import :mod:`dpframe.plugin`.
"""

from dpframe.kernel.operations import *  # noqa: F403
from dpframe.kernel.operations import __all__ as __all__  # noqa: PLC0414
from dpframe.kernel.post_processing import Failed as Failed  # noqa: PLC0414
from dpframe.kernel.post_processing import Post as Post  # noqa: PLC0414
from dpframe.kernel.post_processing import Quality as Quality  # noqa: PLC0414
