"""What the server of block processes imports before it forks: every registered learner, and no row.

Importing this module does the work, so nothing else imports it.
"""

from __future__ import annotations

import gc
import os

from dpframe.kernel import registry
from dpframe.runtime.blocks import PLUGIN_FILES, import_each
from dpframe.runtime.threads import one_thread

registry.discover()
import_each(filter(None, os.environ.get(PLUGIN_FILES, "").split(os.pathsep)))
one_thread()  # children inherit it: each asks for it again, which is cheap then
gc.collect()
gc.freeze()  # no child copies these pages only to count what is in them
