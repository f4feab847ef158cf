"""What the skeletons share: stub posts and learners, and the closed forms their hand computations use.

The skeletons are plans and never run: posts stand for the utility side of an algorithm, metrics are real.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, ClassVar

import attrs

import dpframe as dp
from dpframe.front.program import Handle, Program
from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.post_processing import Post
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import Ball, Domain, Edits, Flag, Kind, ListOf, Record, Rows, domain_from_json
from dpframe.proof.typed import Input


@dp.register("skeleton.released")
@attrs.frozen
class Stub(Post):
    """Something released, computed from released values; ``makes`` is its domain in JSON."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("inputs", PARAM, variadic=True),)
    makes: str = attrs.field(kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        return domain_from_json(json.loads(self.makes))


@dp.learner("skeleton.learner")
def learner(rows: Any, generator: Any) -> Any:
    """Never called."""
    return (rows.mean(axis=0),)


def stub(domain: Domain, *inputs: Handle, name: str | None = None) -> Handle:
    """A released value of the domain, computed from the inputs."""
    made: Handle = dp.post("skeleton.released", *inputs, makes=json.dumps(domain.to_json()), name=name)
    return made


def flag(*inputs: Handle) -> Handle:
    return stub(Flag(), *inputs)


def state(*inputs: Handle) -> Handle:
    return stub(Record("state"), *inputs)


def balls(d: int, most: int, *inputs: Handle) -> Handle:
    return stub(ListOf(Ball(d), most), *inputs)


def ball(d: int, *inputs: Handle) -> Handle:
    return stub(Ball(d), *inputs)


def planned(
    program: Callable[..., Any],
    *,
    d: int = 2,
    n: int | None = 100_000,
    adjacency: Any = dp.REPLACE_ONE,
    budget: Any = None,
    allow_asserted: bool = False,
) -> Plan:
    """Plan a program of one table; the default budget is too large to be in the way."""
    made = program if isinstance(program, Program) else dp.program(program)
    own = {"adjacency": adjacency, "budget": budget or dp.zcdp(rho=1e6), "allow_asserted": allow_asserted}
    return dp.plan(made, x=dp.rows(d=d, n=n), **own)


def traced(program: Callable[..., Any], *, d: int = 2, n: int | None = 100_000) -> Any:
    """The graph of a program of one table."""
    return dp.program(program).graph([Input("x", Kind.PRIVATE, Rows(d), n)])


# ------------------------------------------------------------------- closed forms for hand computations


def rho_pure(epsilon: float) -> float:
    """ρ of an ε-DP mechanism: ε·tanh(ε/2) (Bun, Steinke 2016, made exact)."""
    return epsilon * math.tanh(epsilon / 2)


def rho_gauss(mu: float) -> float:
    return mu**2 / 2


def rho_selection(epsilon: float) -> float:
    """The exponential mechanism of range ε."""
    return math.log(math.expm1(epsilon) / epsilon) - 1 + epsilon / math.expm1(epsilon)


def mean_sensitivity(e: Edits) -> float:
    """Of Σ(y, 1): 2 for each replaced row, √2 for each row only removed or only added."""
    return 2.0 * min(e.removed, e.added) + math.sqrt(2) * abs(e.removed - e.added)
