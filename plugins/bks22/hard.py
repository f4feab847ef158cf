"""``bks22_gmm_hard``: groups that a few public rows can't tell apart by themselves, but can in a private subspace."""

from __future__ import annotations

from typing import Any

import attrs

import dpframe.plugin as dp
from dpframe.plugin import Handle, Kind, PlanError, composite

from .mixtures import DEEPEST, check_mixture, check_parts, least_weight, refined, tested_rows
from .parts import SHELL
from .program import BETA, public_table
from .public import promised


@attrs.frozen
class Cuts:
    """Shares of ρ in a part that may be cut, relative to one another: Gram matrix, mean and test; and of a leaf."""

    gram: float = 1.0
    mean: float = 0.05
    test: float = 0.05
    leaf: float = 0.7
    squares: float = 0.05


CUTS = Cuts()


def rows_of(x: Handle) -> int:
    """The public number of rows.

    Raises
    ------
    PlanError
        Under add/remove, where it is private.
    """
    n = next((i.n for i in x.tracer.inputs if i.name == x.ref.node and i.kind is Kind.PRIVATE), None)
    if n is None:
        raise PlanError("how full a group must be is a share of the public number of rows", fix="use replace_one")
    return int(n)


@composite("bks22_gmm_hard")
def bks22_gmm_hard(
    x: Handle,
    public: Handle,
    *,
    k: int,
    gamma: float = 0.0,
    beta: float = BETA,
    w_min: float | None = None,
    refine: bool = True,
    covariance_type: str = "auto",
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A mixture of k separated Gaussians from private rows and a few public ones, in many columns.

    Parts are cut again and again, k leaves in all. In each part: a private covariance of its rows, clipped about its
    public rows, gives k directions; there the public rows guess a ball with an empty shell around it: one of their
    superclusters where there are several, else the widest gap. One private score confirms that the ball and its outside
    are full and the shell is empty. Whole rows are cut by their projection. Leaves are spherical Gaussians with counts;
    with ``refine`` they start private EM passes over all rows.

    Parameters
    ----------
    x, public : Handle
        Private and public rows of d columns; about ln(k/β)/w_min public ones show every group.
    k : int
        Number of components.
    gamma, beta : float
        As in ``precondition``; here they change nothing but what is refused.
    w_min : float, optional
        Least weight; 1/(2k) if not given. The test is of t = n·w_min/2 rows on either side, where the text has
        n·w_min/4, and is passed from a noisy score of 0.9·t on.
    refine : bool
        Whether private EM passes over the whole table follow; without, covariances are spherical.
    covariance_type : {"auto", "full", "spherical"}
        Of these passes: spherical ones where full covariances would be noise, unless one is asked for.
    share : float
        Share of ρ.
    seed : int
        Public seed of the passes.

    Returns
    -------
    Handle
        A released mixture; ``failed`` where fewer than k groups are found.

    Formal guarantees
    -----------------
    A division of depth k − 1 by released balls (``division``: an edit follows one path, a replaced row two that
    diverge); in each part one sum, one Gram matrix, one score of sensitivity 1, and in a leaf two sums, all with
    Gaussian noise. It holds for every public table; a part is left uncut by its public rows or the released score,
    never by private rows.

    References
    ----------
    Bie, Kamath, Singhal (2022), Algorithms 3 and 5 to 7, with C7, T10 and C14 (docs/theory/corrections.md).
    """
    public_table(x, public)
    check_mixture(x, k, w_min)
    check_parts(k, DEEPEST)
    promised(x.d, beta, gamma)
    least = least_weight(k, w_min)
    t = tested_rows(rows_of(x), k, w_min)

    def body(rows: Any, part: Any) -> dict[str, Any]:
        ball = dp.post("bks22.part_ball", part, d=x.d, name="ball")
        near = dp.clip(rows, ball)
        total = dp.release("sum", dp.gaussian(share=CUTS.mean * share), dp.mean(near), frame=True)
        gram = dp.release("gram", dp.gaussian(share=CUTS.gram * share), dp.gram(near), frame=True)
        map_ = dp.post("bks22.part_map", gram, total, ball, p=k, name="map")
        guess = dp.post("bks22.guess", part, map_, k=k, w_min=least, name="guess")
        balls = dp.post("bks22.guess_balls", guess, map_, cut=False, name="balls")
        scores = dp.terrific_score(dp.affine(rows, map_), balls, size=1, t=t, c=SHELL)
        score = dp.release("score", dp.gaussian(share=CUTS.test * share), dp.maximum(scores))
        cut = dp.post("bks22.guess_balls", guess, map_, cut=True, name="cut")
        dp.filter_ball(rows, cut, map_, name="children")
        return {
            "split": dp.post("bks22.passed", guess, score, t=t, name="split"),
            "left": dp.post("bks22.child", part, map_, cut, inside=True, name="left"),
            "right": dp.post("bks22.child", part, map_, cut, inside=False, name="right"),
        }

    def leaf(rows: Any, part: Any) -> Any:
        ball = dp.post("bks22.part_ball", part, d=x.d, name="ball")
        near = dp.clip(rows, ball)
        total = dp.release("sum", dp.gaussian(share=CUTS.leaf * share), dp.mean(near), frame=True)
        squares = dp.release("squares", dp.gaussian(share=CUTS.squares * share), dp.square_sum(near), frame=True)
        return dp.post("bks22.leaf", total, squares, ball, name="leaf")

    start = dp.post("bks22.whole", public, name="whole")
    leaves = dp.worklist("parts", x, start, body, leaf, max_depth=max(k - 1, 1), max_leaves=k)
    mixture = dp.post("bks22.of_leaves", leaves, k=k, name="mixture")
    # The planner solves one factor on all shares: what the passes get is relative to what a whole path of parts costs.
    if not refine:
        return mixture
    return refined(x, mixture, k=k, share=2.0 * k * share, seed=seed, covariance_type=covariance_type)
