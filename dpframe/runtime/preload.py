"""What the server of block processes imports before it forks: every registered learner, and no row.

Plugin files that a user named are handed over by the environment variable ``DPFRAME_PLUGIN_FILES``.
"""

from __future__ import annotations

import os
from pathlib import Path

from dpframe.kernel import registry

VARIABLE = "DPFRAME_PLUGIN_FILES"

registry.discover()
for _file in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
    registry.import_file(Path(_file))
