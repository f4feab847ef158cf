"""``mixture_agreement`` and ``select_mixture``: the thesis's Algorithm 1 for mixtures, one block released (T4)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.families.agreeing import agreement_of, agreement_step
from dpframe.kernel.families.block_mixtures import Blocked, matched_blocks, read_blocks
from dpframe.kernel.families.populous import root
from dpframe.kernel.operations import Exact, Query, Steps, wants
from dpframe.kernel.registry import register
from dpframe.proof.families.selection import MOST_COMPONENTS
from dpframe.proof.spaces import Blocks, Domain, positive, positive_whole


@attrs.frozen
class _OfMixtures(Query):
    """Parameters that the agreement of mixtures and the selection of one share.

    Parameters
    ----------
    k, d : int
        Size of the blocks' mixtures; k at most 10.
    nu : float
        Two blocks are near when their components can be matched within ν; below 1.
    """

    k: int = attrs.field(kw_only=True, validator=positive_whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    nu: float = attrs.field(kw_only=True, validator=positive)

    def admit(self, *inputs: Domain) -> None:
        """Few enough components, near enough."""
        if self.k > MOST_COMPONENTS or not self.nu < 1:
            raise PlanError(
                f"{self.name} takes at most {MOST_COMPONENTS} components and nu below 1",
                fix="use nu=0.3 or a smaller k",
            )

    def _near(self, exact: Exact) -> tuple[Blocked, Any]:
        """The blocks, and how many are near each."""
        blocks = read_blocks(list(exact.integers), self.k, self.d, None)
        return blocks, matched_blocks(blocks, self.nu).sum(axis=1).astype(np.int64)


@register("mixture_agreement")
@attrs.frozen
class MixtureAgreement(_OfMixtures):
    """Q = mean over blocks i of the share of blocks near block i; ⊥ is near nothing.

    Formal guarantees
    -----------------
    Sensitivity: 2/t for one changed block (``mixture_agreement``).

    References
    ----------
    Arbas23 Alg 1.

    Examples
    --------
    >>> def block(at):
    ...     return np.array([1.0]), np.array([[at]]), np.array([[[1.0]]])
    >>> share = MixtureAgreement(k=1, d=1, nu=0.3).evaluate(Exact([block(0.0), block(0.01), block(9.0), None]))
    >>> int(share.integers[0]) * share.step  # two blocks see two of four near, one sees itself
    Fraction(5, 16)
    """

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """1/t²."""
        return agreement_step(wants(inputs[0], Blocks, self.name).t)

    def evaluate(self, *values: Any) -> Exact:
        """Pairs of near blocks, in steps of 1/t²."""
        return agreement_of(self._near(values[0])[1])


@register("select_mixture")
@attrs.frozen
class SelectMixture(_OfMixtures):
    """The first block that more than ``majority`` blocks are near. It exists if the test passed.

    Inside the executor its value is weights, means and lower triangular roots, as ``mixture_mask`` takes them.

    Parameters
    ----------
    majority : int
        At least t/2.
    test_threshold : float
        What the test asks of Q at least, above majority/t.

    Formal guarantees
    -----------------
    Given the passed test, two neighbours' selections are within (1 + ν)² − 1 in the component semimetric, and what
    rounding adds (``close_mixture``). The planner checks that the test looked at the agreement of these blocks at
    this ν, and asks for at least ``test_threshold``.

    References
    ----------
    Arbas23 Alg 1; docs/theory/populous.md.

    Examples
    --------
    >>> def block(at):
    ...     return np.array([1.0]), np.array([[at]]), np.array([[[4.0]]])
    >>> chosen = SelectMixture(k=1, d=1, nu=0.3, majority=2, test_threshold=0.7)
    >>> weights, means, roots = chosen.evaluate(Exact([block(90.0), block(5.0), block(5.01), block(5.02)])).integers
    >>> means.tolist(), roots.tolist()  # the first that more than two blocks are near
    ([[5.0]], [[[2.0]]])
    """

    majority: int = attrs.field(kw_only=True, validator=positive_whole)
    test_threshold: float = attrs.field(kw_only=True, validator=positive)

    def evaluate(self, *values: Any) -> Exact:
        """The selected block; the standard mixture where none qualifies, which a passed test excludes."""
        blocks, near = self._near(values[0])
        k, d = self.k, self.d
        chosen = np.flatnonzero(near > self.majority)
        if not len(chosen):
            return Exact((np.full(k, 1 / k), np.zeros((k, d)), np.tile(np.eye(d), (k, 1, 1))))
        own = slice(int(chosen[0]) * k, (int(chosen[0]) + 1) * k)
        roots = np.array([root(c) for c in blocks.covariances[own]])
        return Exact((blocks.weights[own].copy(), blocks.means[own].copy(), roots))
