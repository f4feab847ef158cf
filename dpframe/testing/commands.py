"""The commands ``dpframe check`` and ``dpframe audit``, as the command line calls them."""

from __future__ import annotations

import errno
import os
import sys
from argparse import Namespace

from dpframe.errors import SpecError


def check(arguments: Namespace) -> int:
    """Attack an operation's contract: 0 holds, 1 refuted."""
    from dpframe.testing.battery import check as attack

    name = attack.EVERYTHING if arguments.all and arguments.name is None else arguments.name
    if name is not None and _too_long(name):
        raise SpecError(
            f"{name[:60] + '...'!r} is too long for a name", fix="name a registered operation or a .py file"
        )
    return attack.main(name, as_json=arguments.json, thorough=arguments.thorough, strict=arguments.strict)


def _too_long(name: str) -> bool:
    """Whether no file system here takes it for a path."""
    try:
        os.stat(name)
    except (OSError, ValueError) as error:
        return getattr(error, "errno", None) == errno.ENAMETOOLONG
    return False


def audit(arguments: Namespace) -> int:
    """Lower-bound the real loss: 0 within the claim, 1 above it."""
    from dpframe.testing.audit import audits

    if arguments.data is not None:
        sys.stderr.write("an audit of your table depends on its rows: keep its answer as you keep the table\n")
    return audits.main(
        arguments.name,
        as_json=arguments.json,
        out=arguments.out,
        data=arguments.data,
        public=arguments.public,
        changes=arguments.set,
        runs=arguments.runs,
        seconds=arguments.seconds,
        seed=arguments.seed,
        canaries=arguments.canaries,
        on=arguments.on,
    )
