"""A spec that runs in a moment, and a plugin of post nodes that misbehave on purpose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpframe.front.specs import load_spec

SMALL = """
name = "small"
title = "A clipped mean"
source = "tests"
adjacency = "replace_one"

[budget]
epsilon = 1.0
delta = 1e-6

[keys.bound]
type = "positive"
default = 10.0

[keys.share]
type = "positive"
default = 1.0
max = 5.0

[keys.bits]
type = "whole"
optional = true
max = 24

[keys.noise]
type = "choice"
choices = ["gaussian", "laplace"]
default = "gaussian"

[tables.x]
kind = "private"
d = "$d"
n = "$n"

[[node]]
name = "ball"
op = "bounding_ball"
d = "$d"
bound = "$bound"

[[node]]
name = "inside"
op = "clip_ball"
inputs = ["x", "ball"]
bits = "$bits"

[[node]]
name = "sums"
op = "mean"
inputs = ["inside"]

[[node]]
name = "noisy"
op = "gaussian"
inputs = ["sums"]
share = "$share"

[[node]]
name = "mean"
op = "mean_of_ball"
inputs = ["noisy", "ball"]

[outputs]
mean = "mean"
"""

HOOKED = SMALL.replace(
    "[outputs]\n",
    """[[node]]
name = "hook"
op = "hook.act"
inputs = ["mean"]
what = "nothing"

[outputs]
hook = "hook"
""",
)

HOOK = '''
"""A post node that acts up."""

import os
import signal
import sys
import warnings

import attrs
import numpy as np

from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.post_processing import Failed, Post
from dpframe.kernel.registry import register
from dpframe.errors import DomainError


class Odd(BaseException):
    """What no one should raise."""


@register("hook.act")
@attrs.frozen
class Act(Post):
    """Passes its input on, or does what it is told."""

    slots = (Slot("value", PARAM),)
    what: str = attrs.field(kw_only=True)

    def output(self, *inputs):
        return inputs[0]

    def apply(self, *values):
        if self.what == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.what == "interrupt":
            raise KeyboardInterrupt
        if self.what == "crash":
            raise ValueError("0.7310585786300049")
        if self.what == "memory":
            raise MemoryError("0.7310585786300049")
        if self.what == "exit":
            sys.exit("0.7310585786300049")
        if self.what == "warning":
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.warn("0.7310585786300049")
        if self.what == "odd":
            raise Odd("0.7310585786300049")
        if self.what == "domain":
            raise DomainError("a covariance is not positive definite")
        if self.what == "fail":
            return Failed("no answer", "use more rows")
        if self.what.startswith("double:"):
            status = os.stat(self.what[7:])
            np.save(self.what[7:], 2 * np.load(self.what[7:]))
            os.utime(self.what[7:], ns=(status.st_atime_ns, status.st_mtime_ns))
        if self.what.startswith("touch:"):
            os.utime(self.what[6:], (1, 1))
        return values[0]
'''


def hooked(what: str) -> str:
    """The spec whose last node does ``what``."""
    return HOOKED.replace('what = "nothing"', f'what = "{what}"')


def example(where: str | Path) -> Any:
    """A spec with some value for every key it leaves open."""
    spec = load_spec(where)
    values = {"k": 2, "d": 2, "n": 100_000, "bound": 100.0}
    open_keys = {k for k, key in spec.keys.items() if key.default is None and not key.optional}
    sizes = {"n"} | ({"d"} if spec.needs_d else set())
    either = {"sigma": 1.0} if "sigma" in spec.keys else {}
    return spec.set({k: values.get(k, 1) for k in open_keys | sizes} | either)
