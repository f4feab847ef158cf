"""The populous estimator, averaged or by one selected block, and its refinement, as programs over kernel operations.

Rows reach block learners and, in the refinement, the statistics of ``practical.refine``; nothing else.
"""

from __future__ import annotations

from typing import Any

import dpframe.plugin as dp
from dpframe.plugin import Budget, Handle, Kind, PlanError, SpecError, composite, find_learner
from dpframe_plugins.shared.learners import no_learner

from .selecting import select, selected
from .sizing import COARSE_NOISE, COARSE_SHARE, Size, sizes

COUNT_SHARE = 0.002
ALPHA = 0.05
ROW_MAPS = ("affine", "rescale")
"""Row by row, so there are as many rows as in the table."""
AIM, FAILURE = 0.3, 0.1
"""What modes ``first`` and ``thesis`` aim at: masks within 0.3 with probability 0.9."""


@composite("arbas23.populous")
def populous(
    x: Handle,
    *,
    k: int,
    learner: str = "em",
    mode: str = "averaged",
    t: int | None = None,
    r: float | None = None,
    alpha: float = AIM,
    beta: float = FAILURE,
    calibration: str | None = None,
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
    mode : {"averaged", "first", "thesis"}
        ``averaged`` releases the weighted average of the blocks that agree. ``first`` and ``thesis`` select one block,
        with T4's thresholds or to the letter of Algorithm 1; they take very many rows.
    t : int, optional
        Number of blocks; chosen from n, k, d and the budget.
    r : float, optional
        Agreeing blocks are within r of one another; at most 1. Chosen likewise.
    alpha, beta : float
        ``first`` and ``thesis`` calibrate masks that are within α with probability 1 − β.
    calibration : {"exact", "thesis"}, optional
        Of these two modes: by T3's exact cost, or by the thesis's formulas with fitted constants. That of the mode
        if not given.
    share : float
        Share of ρ of the mask. What the test takes is chosen likewise.
    seed : int
        Public seed of the blocks and of the learners' streams.

    Returns
    -------
    Handle
        A released mixture of k components, in the units of the table; ``failed`` where too few blocks agree.

    Raises
    ------
    PlanError, SpecError
        For a part of a table, a private number of rows, a budget without δ, rows too few for any blocks, a learner
        that there is not, and parameters out of range.

    Formal guarantees
    -----------------
    Replace-one with public n only. Loss: the test's (ε₁, δ₁) and the mask's Rényi cost at γ_avg, composed
    (``docs/theory/averaged-populous.md``, ``docs/theory/masks.md``), or at the selection's r (T4,
    ``docs/theory/populous.md``).
    """
    _check(x, k)
    if mode == "averaged":
        size = sizes(_rows(x), x.d, k, budget=_budget(x), r=r, t=t)
        mixture = averaged_blocks(x, size, k=k, learner=learner, share=share, seed=seed, noise=size.noise(k, x.d))
    else:
        aim = {"mode": mode, "alpha": alpha, "beta": beta, "calibration": calibration, "r": r, "t": t}
        mixture = _selected(x, aim, k=k, learner=learner, share=share, seed=seed)
    return dp.post("arbas23.learnable", mixture, alpha=ALPHA, name="learnable")


def _selected(x: Handle, aim: dict[str, Any], *, k: int, learner: str, share: float, seed: int) -> Handle:
    """One selected block and its mask; ⊥ where the test fails."""
    found = select(_rows(x), x.d, k, budget=_budget(x), **aim)
    return selected(_blocks(x, k, learner, found.t, seed), found, k=k, d=x.d, mode=aim["mode"], share=share)


def _blocks(x: Handle, k: int, learner: str, t: int, seed: int) -> Handle:
    known = _learner(learner, k)
    return dp.block_learner(x, learner=known, t=t, seed=seed, item="mixture", size=[k, x.d], name="blocks")


def averaged_blocks(x: Handle, size: Size, *, k: int, learner: str, share: float, seed: int, noise: float) -> Handle:
    """The averaged populous estimate and its mask; ⊥ where the test fails."""
    d = x.d
    blocks = _blocks(x, k, learner, size.t, seed)
    shared: dict[str, Any] = {"k": k, "d": d, "r": size.r, "majority": size.majority, "ramp": size.ramp}
    weight = dp.populous_weight(blocks, name="weight", **shared)
    mechanism = dp.truncated_laplace_test(
        noise_multiplier=1.0 / size.epsilon, threshold=size.threshold, delta_fraction=size.delta_fraction
    )
    test = dp.release("test", mechanism, weight)

    told = {"k": k, "d": d, "r": size.r, "rows": size.rows, "t": size.t, "expected": size.expected, "needed": size.bar}
    told |= {"chance": size.chance, "radius": size.radius, "noise": noise if size.affordable else 0.0}
    if not size.affordable:
        return dp.post("arbas23.no_agreement", test, name="no_agreement", **told)
    chosen = dp.populous_average(blocks, test, name="average", test_threshold=size.threshold, **shared)

    def then(again: Handle, average: Handle) -> Handle:
        return dp.release("mask", dp.mixture_mask(share=share), average)

    def otherwise(again: Handle, average: Handle) -> Handle:
        return dp.post("arbas23.no_agreement", again, name="no_agreement", **told)

    return dp.branch("mixture", test, then, otherwise, test, chosen)


@composite("arbas23.private_refine")
def private_refine(
    x: Handle,
    *,
    k: int,
    learner: str = "em",
    mode: str = "averaged",
    t: int | None = None,
    r: float | None = None,
    alpha: float = AIM,
    beta: float = FAILURE,
    calibration: str | None = None,
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """As ``arbas23.populous``, whose result is the coarse model of the practical learner's private EM passes.

    The mask gets as little of ρ as a coarse model needs, the passes get the rest. Parameters and errors are those of
    ``arbas23.populous``.

    Returns
    -------
    Handle
        A released mixture of k components, in the units of the table; ``failed`` where too few blocks agree.

    Formal guarantees
    -----------------
    Those of ``arbas23.populous`` and, composed with them, those of ``practical.refine``.
    """
    _check(x, k)
    coarse_share = COARSE_SHARE
    shared: dict[str, Any] = {"k": k, "learner": learner, "seed": seed}
    if mode == "averaged":
        size = sizes(_rows(x), x.d, k, budget=_budget(x), r=r, t=t, noise=COARSE_NOISE * COARSE_SHARE**0.5)
        if size.affordable:
            coarse_share = min(COARSE_SHARE, (size.noise(k, x.d) / COARSE_NOISE) ** 2)
        coarse = averaged_blocks(x, size, share=coarse_share * share, noise=size.noise(k, x.d, coarse_share), **shared)
    else:
        aim = {"mode": mode, "alpha": alpha, "beta": beta, "calibration": calibration, "r": r, "t": t}
        coarse = _selected(x, aim, share=coarse_share * share, **shared)
    ball = dp.post("arbas23.frame", coarse, name="frame")
    count = dp.release("count", dp.gaussian(share=COUNT_SHARE * share), dp.count(x))
    framed = dp.post("arbas23.coarse", coarse, ball, name="framed")
    refine = dp.recipe(
        "practical.refine", k=k, share=(1 - coarse_share - COUNT_SHARE) * share, seed=seed, may_drown=True
    )
    refined = dp.apply("refined", refine, x, ball, count, framed)
    return dp.post("arbas23.learnable", refined, alpha=ALPHA, name="learnable")


def _budget(x: Handle) -> Budget:
    target = x.tracer.target
    if target is None:
        raise PlanError("how many blocks there are depends on the budget, and none is given", fix="plan with a budget")
    return target.budget


def _check(x: Handle, k: object) -> None:
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise SpecError(f"k must be a whole number of at least 1, not {k!r}", fix="--set k=2")
    if x.edge.kind is not Kind.PRIVATE or x.edge.lineage:
        raise PlanError("needs the whole private table", fix="pass the program's own argument")


def _rows(x: Handle) -> int:
    name = x.ref.node
    while name in x.tracer.typed and x.tracer.typed[name].operation.name in ROW_MAPS:
        name = x.tracer.typed[name].inputs[0].node
    n = next((i.n for i in x.tracer.inputs if i.name == name), None)
    if n is None:
        raise PlanError("blocks are cut by the row index, which needs a public number of rows", fix="use replace_one")
    return int(n)


def _learner(name: str, k: int) -> str:
    """The registered learner ``name_k``, or ``name`` itself: never a path."""
    try:
        find_learner(f"{name}_{k}")
    except SpecError:
        try:
            find_learner(name)
        except SpecError as error:
            raise no_learner(name, k, error) from None
        return name
    return f"{name}_{k}"
