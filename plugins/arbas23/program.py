"""The populous estimator (averaged form) and its refinement as programs over kernel operations.

Rows reach block learners and, in the refinement, the statistics of ``practical.refine``; nothing else.
"""

from __future__ import annotations

import dpframe.api as dp
from dpframe.errors import PlanError, SpecError
from dpframe.losses import ApproxDP
from dpframe.mechanisms.mixture_mask import MixtureMask
from dpframe.program import Handle
from dpframe.registry import composite, find_learner
from dpframe.spaces import Kind

from .sizing import TEST_DELTA, Size, sizes

COARSE_SHARE, COUNT_SHARE = 0.25, 0.002


@composite("arbas23.populous")
def populous(
    x: Handle,
    *,
    k: int,
    learner: str = "em",
    t: int | None = None,
    r: float = 0.7,
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A mixture of ``k`` Gaussians from a non-private learner on blocks, with no bound on its parameters.

    Blocks of rows, the learner on each, a test of how many agree, the weighted average of those, and noise in the
    components' own shapes.

    Parameters
    ----------
    x : Handle
        The private table.
    k : int
        Number of components.
    learner : str
        Registered name; ``name_k`` is looked for first.
    t : int, optional
        Number of blocks; chosen from n, k and d.
    r : float
        Agreeing blocks are within r of one another; at most 1.
    share : float
        Share of ρ of the mask. The test takes half of the budget's ε.
    seed : int
        Public seed of the blocks and of the learners' streams.

    Formal guarantees
    -----------------
    Replace-one with public n only. Loss: the test's (ε₁, δ₁) and the mask's Rényi cost at γ_avg, composed
    (``docs/theory/averaged-populous.md``, ``docs/theory/masks.md``).
    """
    _check(x, k)
    n, d = _rows(x), x.d
    target = x.tracer.target
    budget = target.budget if target is not None else ApproxDP(1.0, 1e-6)
    size = sizes(n, d, k, r=r, budget=budget, t=t)
    blocks = dp.transform(
        "block_learner",
        x,
        learner=_learner(learner, k),
        t=size.t,
        seed=seed,
        item="mixture",
        size=[k, d],
        name="blocks",
    )
    shared = {"k": k, "d": d, "r": r, "majority": size.majority, "ramp": size.ramp}
    weight = dp.transform("populous_weight", blocks, name="weight", **shared)
    mechanism = dp.truncated_laplace_test(
        noise_multiplier=1.0 / size.epsilon, threshold=size.threshold, delta_fraction=TEST_DELTA
    )
    test = dp.release("test", mechanism, weight)
    chosen = dp.transform("populous_average", blocks, test, name="average", test_threshold=size.threshold, **shared)
    return _branch(test, chosen, size, k, d, share)


def _branch(test: Handle, chosen: Handle, size: Size, k: int, d: int, share: float) -> Handle:
    def then(again: Handle, average: Handle) -> Handle:
        return dp.release("mask", MixtureMask(share=share), average)  # type: ignore[no-any-return]

    def otherwise(again: Handle, average: Handle) -> Handle:
        return dp.post(  # type: ignore[no-any-return]
            "arbas23.no_agreement",
            again,
            k=k,
            d=d,
            rows=size.rows,
            t=size.t,
            expected=size.expected,
            needed=size.needed,
            name="no_agreement",
        )

    return dp.branch("mixture", test, then, otherwise, test, chosen)


@composite("arbas23.private_refine")
def private_refine(
    x: Handle,
    *,
    k: int,
    learner: str = "em",
    t: int | None = None,
    r: float = 0.7,
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """As ``arbas23.populous``, whose result is the coarse model of the practical learner's private EM passes."""
    steps = dp.recipe("arbas23.populous", k=k, learner=learner, t=t, r=r, share=COARSE_SHARE * share, seed=seed)
    coarse = dp.apply("coarse", steps, x)
    ball = dp.post("arbas23.frame", coarse, name="frame")
    count = dp.release("count", dp.gaussian(share=COUNT_SHARE * share), dp.count(x))
    framed = dp.post("arbas23.coarse", coarse, ball, name="framed")
    refine = dp.recipe("practical.refine", k=k, share=(1 - COARSE_SHARE - COUNT_SHARE) * share, seed=seed)
    return dp.apply("refined", refine, x, ball, count, framed)  # type: ignore[no-any-return]


def _check(x: Handle, k: object) -> None:
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise SpecError(f"k must be a whole number of at least 1, not {k!r}", fix="--set k=2")
    if x.edge.kind is not Kind.PRIVATE or x.edge.lineage:
        raise PlanError("needs the whole private table", fix="pass the program's own argument")


def _rows(x: Handle) -> int:
    n = next((i.n for i in x.tracer.inputs if i.name == x.ref.node), None)
    if n is None:
        raise PlanError("blocks are cut by the row index, which needs a public number of rows", fix="use replace_one")
    return int(n)


def _learner(name: str, k: int) -> str:
    """The registered learner ``name_k``, or ``name`` itself: never a path."""
    try:
        find_learner(f"{name}_{k}")
    except SpecError:
        find_learner(name)
        return name
    return f"{name}_{k}"
