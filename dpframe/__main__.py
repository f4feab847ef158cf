"""``python -m dpframe``: the command line."""

from dpframe.cli import main

raise SystemExit(main())
