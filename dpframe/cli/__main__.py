"""``python -m dpframe.cli``: the command line, as ``python -m dpframe`` is."""

from dpframe.cli import main

raise SystemExit(main())
