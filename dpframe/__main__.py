"""``python -m dpframe``: the command line."""

from dpframe.front.cli import main

raise SystemExit(main())
