"""A released value to come, for examples of verbs that take what only a plugin's post operation makes."""

from __future__ import annotations

import json
from typing import Any

import attrs

from dpframe.front.program import Handle, tracer
from dpframe.kernel.post_processing import Failed, Post
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain, domain_from_json


@register("example.stub")
@attrs.frozen
class Stub(Post):
    """It has a domain, given as JSON, and no value; registered only where this module is imported."""

    domain: str

    def output(self, *inputs: Domain) -> Domain:
        """The declared domain."""
        return domain_from_json(json.loads(self.domain))

    def apply(self, *values: Any) -> Any:
        """Nothing: it fails."""
        return Failed("a stub has no value", "write the post operation that computes it")


def stub(domain: Domain) -> Handle:
    """A public value of this domain that something not yet written will compute: it plans, and never runs.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Vector
    >>> plan = dp.plan(lambda x: {"v": stub(Vector(2))}, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE,
    ...                budget=dp.pure_dp(1.0))
    >>> plan.verdict.holds
    True
    """
    return tracer().add("stub", Stub(json.dumps(domain.to_json())), [])[0]
