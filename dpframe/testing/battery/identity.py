"""Another machine and user by name and number, with other habits of writing numbers; only ever in a fork."""

from __future__ import annotations

import locale
import os
import platform
import socket
from collections.abc import Callable
from typing import Any

from dpframe.testing.battery.replacing import replace

HOST, USER, NUMBER = "another-host", "another", 65_534
PROCESSORS = ("cpu_count", "process_cpu_count")


def another() -> None:
    """From now on, what Python tells of the machine, its user and its place is that of others."""
    replace({socket.gethostname: lambda: HOST, socket.getfqdn: lambda name="": f"{HOST}.there"}, socket)
    replace({platform.node: lambda: HOST}, platform)
    machine = os.uname()
    told_of: dict[str, Callable[[], Any]] = {
        "uname": lambda: os.uname_result(
            (machine[0], HOST, f"{machine[2]}.another", f"{machine[3]} another", machine[4])
        ),
        "getlogin": lambda: USER,
        **dict.fromkeys(("getuid", "geteuid", "getgid", "getegid"), lambda: NUMBER),
    }
    replace({getattr(os, name): made for name, made in told_of.items()}, os)
    told, place = locale.localeconv, locale.getlocale
    replace({told: lambda: {**told(), "decimal_point": ",", "thousands_sep": "."}}, locale)
    replace({place: lambda category=locale.LC_CTYPE: ("de_DE", "UTF-8")}, locale)


def processors(count: int) -> None:
    """From now on, so many."""
    replace({getattr(os, name): lambda: count for name in PROCESSORS if hasattr(os, name)}, os)
    if hasattr(os, "sched_getaffinity"):
        replace({os.sched_getaffinity: lambda pid: set(range(count))}, os)
