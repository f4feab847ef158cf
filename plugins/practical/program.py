"""The practical mixture learner as programs over kernel operations.

Everything that touches rows is a kernel statistic; everything between is a function of released values.
The recipe, with the reasons for its constants, is in ``RECIPE.md`` beside this file.
"""

from __future__ import annotations

from typing import Any

import dpframe.plugin as dp
from dpframe.plugin import Handle, SpecError, composite
from dpframe_plugins.classic.sizing import public_numbers

from . import radii, spherical
from .bounds import nearest
from .choosing import RANGE as RANGE_OF_CHOICE
from .choosing import candidates
from .first import two
from .inputs import components, rescaled
from .likelihoods import histogram
from .recipe import CHOICE, SHARES
from .sampling import sampled
from .scheduling import LONG, Schedule, choice_range, schedule
from .starting import RANGE, TRIALS


def _spheres(x: Handle) -> Handle:
    located = dp.apply("located", dp.recipe("practical.locate", bound=50.0, share=0.3), x)
    released = located["ball"], located["count"]
    first = dp.apply("first", dp.recipe("practical.seed", k=2, share=0.3), x, *released)
    steps = dp.recipe("practical.refine", k=2, share=0.4, covariance_type="spherical")
    return dp.apply("mixture", steps, x, *released, first)  # type: ignore[no-any-return]


@composite("practical.refine", examples=(two, _spheres))
def practical_refine(
    x: Handle,
    ball: Handle,
    count: Handle,
    mixture: Handle,
    units: Handle | None = None,
    *,
    k: int | None = None,
    k_max: int | None = None,
    share: float,
    seed: int = 0,
    tail: bool = False,
    bound: float | None = None,
    may_drown: bool = False,
    covariance_type: str = "full",
) -> Handle:
    """Private EM passes from a released mixture, and the average of the last ones, in the units of the table.

    Parameters
    ----------
    x, ball, count, mixture, units : Handle
        Private rows, the located ball, the noisy number of rows, the first mixture, the columns' powers of two.
    k : int
        Number of components.
    k_max : int
        In its place the most that there may be; how many there are is then chosen privately (`choosing`).
    share : float
        Share of ρ.
    seed : int
        Public seed of the moment matching.
    tail : bool
        Whether to append wide components for what lies far out: `practical.tail`.
    bound : float
        ℓ₂ radius that the table is promised to lie in; means are moved into it, and the tail reaches that far.
    may_drown : bool
        For one first mixture that is right: no others are tried, and covariances of noise alone are released, with the
        verdict poor.
    covariance_type : {"full", "spherical", "auto"}
        Shape of the covariances. Spherical ones are learned from counts, sums and squared distances alone
        (`spherical`), which suits components many deviations apart; "auto" takes them where the noise of full ones is
        predicted, from public numbers, to be as large as they are.

    Returns
    -------
    Handle
        A released mixture, as of `practical_mixture`.
    """
    k = components(k, k_max)
    if covariance_type not in spherical.TYPES:
        raise SpecError(
            f"covariance_type must be one of {', '.join(spherical.TYPES)}, not {covariance_type!r}", fix="use full"
        )
    if covariance_type != "full" and (tail or k_max is not None):
        raise SpecError("a tail, or k_max, is for full covariances", fix="use covariance_type=full")
    if tail and bound is None:
        raise SpecError("a tail needs the bound that it reaches to", fix="give bound=...")
    if tail and k_max is not None:
        raise SpecError("a tail is for a given number of components", fix="give k, or leave tail out")
    rows, x = x, rescaled(x, units)
    drowns = covariance_type == "auto" and spherical.drowns(x, k, share, max(SHARES.passes) / sum(SHARES.passes))
    if covariance_type == "spherical" or drowns:
        told = {"may_drown": may_drown, "assumed": drowns}
        spheres = spherical.refine(x, ball, count, mixture, k=k, share=share, **told)
        return spheres if units is None else _in_table_units(spheres, units, bound)
    choice = CHOICE * share if k_max is not None and k > 1 else 0.0
    planned = schedule(x, k, share - choice, one=may_drown)
    share, may_drown = share - choice, may_drown or k_max is not None
    beside = planned.choice * (planned.places > 1) + SHARES.radii * planned.radii + SHARES.fit
    passes = [(1.0 - beside / SHARES.refining) * share * w for w in planned.shares]
    some, size = sampled(rows, count, units) if planned.sample else (x, count)
    starts, mixture = mixture, _chosen_start(some, mixture, ball, size, planned, passes, k=k, share=share, seed=seed)
    history, widened = [mixture], 0 if tail else planned.widened
    for t, weight in list(enumerate(passes))[planned.trials :]:
        coming = ".".join((*x.tracer.scope, f"pass_{t}"))
        maps = dp.post(
            "practical.whitening", mixture, ball, count, k=k, planned_noise=coming, name=f"whitening_{t}",
            **({"scarce": True} if planned.gathers else {}),
        )  # fmt: skip
        left = len(passes) - t
        if left == max(widened, 1):
            fit = histogram(x, mixture, maps, ball, seed=seed, share=share)
        maps = _widened(maps, fit, count, k, coming, widened * planned.gathers) if left <= widened else maps
        grams = dp.release(f"pass_{t}", dp.gaussian(share=weight), dp.weighted_grams(dp.whiten(x, maps)))
        node, how = planned.update(t, seed)
        mixture = dp.post(node, mixture, grams, maps, **how, name=f"mixture_{t}")
        history.append(mixture)
    last = planned.shares[-planned.averaged :]
    if planned.settles:
        history = [history[-LONG - 1], *history[-len(last) - 1 :]]
    scarce = {}
    if planned.gathers:
        history, public = history[-max(len(last), widened) - 1 :], public_numbers(x, 1.0)
        scarce = {"gathered": list(planned.shares), "nearest": nearest(x.d, public.rows / k, public.rho)}
    seen = (ball, fit, starts, *history)
    averaging: dict[str, Any] = {"k": k, "shares": list(last), "may_drown": may_drown, "widened": widened}
    averaging |= {"seed": seed, **scarce}
    chooses = {"chosen_later": True} if choice else {}
    averaged = dp.post("practical.average", *seen, **averaging, tail=tail, **chooses, name="mixture")
    if choice:
        return _chosen(x, averaged, count, units, seen, averaging, choice, bound)
    if units is not None:
        averaged = _in_table_units(averaged, units, bound)
    return dp.post("practical.tail", averaged, bound=bound, name="with_tail") if tail else averaged


def _widened(maps: Handle, fit: Handle, count: Handle, k: int, coming: str, gathered: int) -> Handle:
    """The maps of one of the last passes, with a wider clip where its histogram shows rows outside."""
    name = coming.rsplit(".", 1)[-1].replace("pass", "widened")
    told = {"k": k, "planned_noise": coming, "gathered": gathered}
    return dp.post("practical.widened", maps, fit, count, **told, name=name)


def _in_table_units(mixture: Handle, units: Handle, bound: float | None) -> Handle:
    """The mixture of the rows as they came, its means within the bound where that is told."""
    told = {} if bound is None else {"bound": bound}
    return dp.post("practical.table_units", mixture, units, **told, name="in_table_units")


def _chosen(
    x: Handle,
    mixture: Handle,
    count: Handle,
    units: Handle | None,
    seen: tuple[Handle, ...],
    averaged: dict[str, Any],
    share: float,
    bound: float | None,
) -> Handle:
    """The mixture with as many components as an exponential mechanism chooses, of rows in the units of the mixture.

    ``seen`` and ``averaged`` are what the mixture was made of, the ball first: by these what is left of it is judged.
    """
    ball, most = seen[0], averaged["k"]
    more: dict[str, Any] = {} if units is None else {"scaled": True}
    coming = ".".join((*x.tracer.scope, "chosen_k"))
    every = candidates(most)
    scores = [
        dp.post(
            "practical.scoring", mixture, ball, count, k=k, leave_out=leave_out, most=most, planned_noise=coming,
            name=f"scoring_{k}_{'left_out' if leave_out else 'merged'}",
        )
        for k, leave_out in every
    ]  # fmt: skip
    against = dp.post("practical.against_last", m=len(every), name="against_last")
    said = dp.affine(dp.log_densities(x, *scores), against)
    inside = dp.clip_box(said, dp.ball(centre=[0.0] * len(every), radius=RANGE_OF_CHOICE))
    chosen = dp.release("chosen_k", dp.exponential_mechanism(share=share), dp.box_sum(inside))
    more |= {} if bound is None else {"bound": bound}
    last = () if units is None else (units,)
    return dp.post("practical.picked", chosen, mixture, *seen, *last, **averaged, **more, name="with_chosen_k")


def _chosen_start(
    x: Handle,
    starts: Handle,
    ball: Handle,
    count: Handle,
    planned: Schedule,
    passes: list[float],
    *,
    k: int,
    share: float,
    seed: int,
) -> Handle:
    """The start that a private likelihood chooses after the trial passes, with its laws of radii.

    Where the schedule is brief the likelihood is read in the last of them: of the starts before it.
    """
    places, trials = planned.places, planned.trials
    seen: list[Handle]
    for t in range(trials):
        seen = []
        for i in range(places):
            maps = _whitening(x, starts, ball, count, k, place=i, places=places, coming=f"trial_{t}_{i}")
            grams = dp.weighted_grams(dp.whiten(x, maps))
            seen += [dp.release(f"trial_{t}_{i}", dp.gaussian(share=passes[t] / places), grams), maps]
        before, starts = starts, dp.post("practical.trial", starts, *seen, seed=seed + t, name=f"starts_{t}")
        if planned.radii and t == TRIALS - 1:
            far = _radii(x, before, ball, count, k, places, share)
            starts = dp.post("practical.laws", starts, *seen[1::2], *far, name="laws")
    if places == 1:
        return dp.post("practical.start", starts, place=0, places=1, name="chosen")
    whitened = seen[1::2]
    if not planned.brief:
        whitened = [
            _whitening(x, starts, ball, count, k, place=i, places=places, coming="choice") for i in range(places)
        ]
    of_choice = planned.choice / SHARES.refining * share
    reach = choice_range(x, of_choice) if planned.wide else RANGE
    inside = dp.clip(dp.log_densities(x, *whitened), dp.ball(centre=[0.0] * places, radius=reach))
    scores = dp.release("choice", dp.gaussian(share=of_choice), dp.sum(inside))
    return dp.post("practical.choose", starts, scores, name="chosen")


def _radii(x: Handle, starts: Handle, ball: Handle, count: Handle, k: int, places: int, share: float) -> list[Handle]:
    """Histograms of radii about the components of each start, read in the same pass as its moments."""
    share *= SHARES.radii / SHARES.refining / places
    released = []
    for i in range(places):
        maps = _whitening(x, starts, ball, count, k, place=i, places=places, coming=f"radii_{i}", wide=True)
        far = dp.weighted_radii(dp.whiten(x, maps), edges=radii.EDGES, ratio=radii.RATIO)
        released.append(dp.release(f"radii_{i}", dp.gaussian(share=share), far))
    return released


def _whitening(
    x: Handle,
    starts: Handle,
    ball: Handle,
    count: Handle,
    k: int,
    *,
    place: int,
    places: int,
    coming: str,
    wide: bool = False,
) -> Handle:
    """Maps of the start in a place, made for the release to come."""
    tail = coming.removesuffix(f"_{place}")
    start = dp.post("practical.start", starts, place=place, places=places, name=f"start_{tail}_{place}")
    coming = ".".join((*x.tracer.scope, coming))
    return dp.post(
        "practical.whitening", start, ball, count, k=k, planned_noise=coming, wide=wide,
        name=f"whitening_{tail}_{place}",
    )  # fmt: skip


@composite("practical_mixture")
def practical_mixture(
    x: Handle,
    *,
    k: int | None = None,
    k_max: int | None = None,
    bound: float,
    share: float = 1.0,
    seed: int = 0,
    tail: bool = False,
) -> Handle:
    """A mixture of ``k`` Gaussians with weights, means and full covariances, from k and a generous bound.

    The four steps in one: what ``specs/practical_gmm.toml`` writes out.

    Parameters
    ----------
    x : Handle
        Private rows.
    k : int
        Number of components.
    k_max : int
        In its place the most that there may be.
    bound : float
        ℓ₂ radius around 0 that the table is promised to lie in; a thousand times too large costs little.
    share : float
        Share of ρ.
    seed : int
        Public seed of the pairs, the grids and the restarts.
    tail : bool
        Whether to append wide components for what lies far out: `practical.tail`.

    Returns
    -------
    Handle
        A released mixture in the units of the table: weights (k,), means (k, d), covariances (k, d, d); eight
        components more with ``tail``, at most ``k_max`` of them where that is given. The run fails where every
        component is noise.

    Formal guarantees
    -----------------
    Any adjacency. Stages of Gaussian noise on kernel statistics of clipped rows, composed (stable histograms beside
    them where columns are many, whose thresholds spend δ; a choice of the exponential mechanism with ``k_max``); the
    plan lists them.
    """
    x = dp.apply("rows", dp.recipe("bounded", bound=bound), x)
    units = dp.apply("units", dp.recipe("practical.units", share=SHARES.units * share, seed=seed), x)
    steps = dp.recipe("practical.locate", bound=bound, share=SHARES.locating * share)
    located = dp.apply("located", steps, x, units)
    ball, count = located["ball"], located["count"]
    steps = dp.recipe("practical.seed", k=k, k_max=k_max, share=SHARES.seeding * share, seed=seed)
    first = dp.apply("first", steps, x, ball, count, units, located["near"])
    chosen = {"k": k, "k_max": k_max, "share": SHARES.refining * share, "seed": seed, "tail": tail, "bound": bound}
    steps = dp.recipe("practical.refine", **chosen)
    return dp.apply("mixture", steps, x, ball, count, first, units)  # type: ignore[no-any-return]
