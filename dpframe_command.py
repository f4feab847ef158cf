"""The command ``dpframe`` as a console starts it: Ctrl-C is answered while the package is still being imported.

That takes about half a second, before which no module inside the package can run.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> int:
    """Import the command line and run it; nothing is spent before it is there."""
    try:
        from dpframe.cli import main as command
    except KeyboardInterrupt:
        sys.stderr.write("dpframe: interrupted; nothing is spent\n")
        return INTERRUPTED
    return command()
