"""The abstract post: released or public values to a released one, which costs nothing whatever it computes.

Nothing here is told a private value, so nothing here is trusted; what a post says of its result, its remarks, its
quality and the errors it predicts, is post-processing too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import attrs

from dpframe.errors import PlanError
from dpframe.kernel.expected import Above, Expected, ExpectedBall
from dpframe.kernel.operations import Operation
from dpframe.proof.spaces import Domain


@attrs.frozen
class Post(Operation):
    """Released or public to released: free. A pure function of its inputs and declared parameters."""

    kind: ClassVar[str] = "post"
    theorem: ClassVar[str] = "post_processing"

    def output(self, *inputs: Domain) -> Domain:
        """Domain of the result; each result is checked against it when it is computed."""
        raise PlanError(f"post {self.name!r} declares no output domain", fix="define output(*inputs)")

    def theorem_inputs(self, *inputs: Domain) -> dict[str, Any]:
        """The declared parameters: the theorem on post-processing looks at none."""
        return self.parameters()

    def told(self) -> tuple[str, ...]:
        """Mechanisms of the same graph whose planned noise it is told, besides its inputs', by node name."""
        return ()

    def apply(self, *values: Any) -> Any:
        """Compute the result; return :class:`Failed` when the released values allow no answer."""
        raise PlanError(f"post {self.name!r} has no apply")

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """As :meth:`apply`, told the noise standard deviation of each input (0 where it is not a noisy release).

        Noise levels are the plan's and public. Those of the mechanisms that :meth:`told` names come last: a clip can
        be chosen for noise to come.
        """
        return self.apply(*values)

    def noise_std(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> float:
        """Noise that is left in the result, where that is a noisy release in other units; 0 where it is not."""
        return 0.0

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality | None:
        """What the released inputs say of this node's result, for whoever reads it; None where they say nothing.

        Arguments are those of :meth:`apply_noisy`, and what that gave. A function of released values, and so free.
        """
        return None

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """The error of this node's result on its reference instance, from the plan alone; None where no model is known.

        `noise` lists the mechanisms above it in their order (the statistic's name, and the noise parameters), and of
        its inputs the noise and the expected balls. Infinity where the answer is not expected to be one.
        """
        return None

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall | None:
        """The ball that this node finds on Gaussian rows of covariance I; None where that is not known."""
        return None

    def expects_answer(self, rows: int, noise: Above) -> bool:
        """Whether this node finds what it looks for on the reference instance, with this noise."""
        return True

    def standard_errors(self, value: Any, rows: int, noise: Above) -> Mapping[str, Any] | None:
        """Standard errors of a released value, by part: ``noise`` and ``sampling``; None where no model is known.

        `value` may have gone through nodes that keep what it is, such as a change of units. `noise` as above; its
        ``told`` is what `quality` gave this node's errors to know.
        """
        return None

    def notes(self) -> list[str]:
        """What it predicts or explains: in the plan's ledger, never a condition."""
        return []

    def remarks(self, value: Any) -> list[str]:
        """Warnings about this node's own result, for whoever reads it: a function of released values."""
        return []


@attrs.frozen
class Failed:
    """A ⊥ computed from released values: why, and what the user can do."""

    reason: str
    advice: str


VERDICTS = ("good", "unchecked", "poor")
"""From best to worst."""


@attrs.frozen
class Quality:
    """What released values say of a result: ``good``, ``poor``, or ``unchecked`` where nothing looked, and why.

    ``told`` is for the node's own ``standard_errors``, which finds it in ``noise.told``: what the plan can't know, such
    as noise that released values made larger.
    """

    verdict: str = attrs.field(validator=attrs.validators.in_(VERDICTS))
    why: str
    told: Mapping[str, Any] = attrs.field(factory=dict, repr=False, eq=False)
