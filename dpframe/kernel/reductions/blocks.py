"""``block_learner``: a non-private learner on index blocks, each replaced row changing one block's result."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.indexing import permuted
from dpframe.kernel.operations import Blocks, IntArray
from dpframe.kernel.registry import find_learner, register
from dpframe.proof.spaces import Domain, Mixture, positive_whole, whole
from dpframe.proof.theorems.shaping.base import shape_of
from dpframe.proof.theorems.shaping.blocks import ITEMS, item_domain

OF_PARTS = 2**40
"""Added to the public seed for blocks of a part."""


@register("block_learner")
@attrs.frozen
class BlockLearner(Blocks):
    """Results of a learner on ``t`` equal blocks of the table's rows, or of a part of them, ⊥ where it fails.

    Of a part a block holds those of its rows that are in it, so that its size is private.

    Parameters
    ----------
    learner : str
        Registered name (:func:`dpframe.kernel.registry.learner`) of ``function(rows, generator) -> tuple of arrays``.
    t : int
        Number of blocks.
    seed : int
        Public seed of the permutation that cuts the blocks and of each block's own stream.
    item : {"vector", "points", "mixture"}
        What the learner returns.
    size : sequence of int
        Its size: (d,) of a vector, (k, d) of points and of a mixture.

    Formal guarantees
    -----------------
    Sensitivity: under replace-one each replaced row changes the result of one block (``index_blocks``): blocks
    are cut from the original row index. A learner that raises or runs out of its limits is ⊥ for its own block.
    Hypotheses in the certificate: limits not binding, no shared state.

    References
    ----------
    Nissim, Raskhodnikova, Smith (2007); KSSU19 §6; Arbas23 Alg 1.

    Examples
    --------
    >>> blocks = BlockLearner(learner="gaussian_1", t=3, item="vector", size=(2,)).split(10)
    >>> blocks.shape, len(set(blocks.ravel().tolist()))  # disjoint; the tenth row is in none
    ((3, 3), 9)
    """

    learner: str = attrs.field(kw_only=True)
    t: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)
    item: str = attrs.field(kw_only=True, validator=attrs.validators.in_(tuple(ITEMS)))
    size: tuple[int, ...] = attrs.field(kw_only=True, converter=tuple)

    def admit(self, *inputs: Domain) -> None:
        """A registered learner that block processes can import."""
        if find_learner(self.learner).__module__ == "__main__":
            raise PlanError(
                f"learner {self.learner!r} is defined in the script that runs, which block processes don't run again",
                fix="move it to a module or a plugin file",
            )

    def split(self, n: int, *, part: bool = False) -> IntArray:
        """Original row indices of the blocks, shape (t, n//t): the public permutation in pieces, leftovers dropped.

        For rows of a part another permutation is taken, as the part may be a piece of this one.
        """
        rows = n // self.t
        place = permuted(np.arange(n, dtype=np.int64), n=n, seed=self.seed + (OF_PARTS if part else 0))
        order = np.empty(n, dtype=np.int64)
        order[place] = np.arange(n, dtype=np.int64)
        return order[: rows * self.t].reshape(self.t, rows)

    def accepts(self, result: Any) -> bool:
        """Whether a block's result has the declared shapes and is finite; otherwise it is ⊥."""
        return accepted(result, item_domain(self.item, self.size))


def accepted(result: Any, domain: Domain) -> bool:
    """Whether a learner's tuple of arrays belongs to the item domain's shapes."""
    if not isinstance(result, (tuple, list)):
        return False
    if isinstance(domain, Mixture):
        shapes: tuple[tuple[int, ...], ...] = ((domain.k,), (domain.k, domain.d), (domain.k, domain.d, domain.d))
    else:
        shapes = (shape_of(domain),)
    if len(result) != len(shapes):
        return False
    arrays = [np.asarray(part) for part in result]
    return all(a.shape == s and bool(np.isfinite(a).all()) for a, s in zip(arrays, shapes, strict=True))
