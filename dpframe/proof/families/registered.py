"""Any semimetric: block results of a plugin's own type compared, selected, averaged, masked; lifted to k components.

Proofs: ``docs/theory/populous.md`` (3), ``docs/theory/averaged-populous.md`` (10), ``docs/theory/masks.md`` (3). What a
plugin says of its semimetric and its mask stands in the hypotheses, and therefore in every certificate.
"""

from __future__ import annotations

import math
from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.families import blocks
from dpframe.proof.families.blocks import PASSED
from dpframe.proof.families.costs import event_of, lifted
from dpframe.proof.families.populous import check_blocks, check_passed_weight, weight_bound
from dpframe.proof.families.selection import check_passed_agreement, check_selection, moved_share, one_block
from dpframe.proof.losses import Loss
from dpframe.proof.spaces import Array, Domain, Vector, Within
from dpframe.proof.theorems.base import Metrics, Params, find, number, theorem, up, whole
from dpframe.proof.theorems.declaring import BLOCKS, Condition, Domains, declare, declare_mechanism, free
from dpframe.proof.theorems.shaping.base import keeps

MOST_COMPONENTS = 10
SEMIMETRIC = (
    "semimetric: asserted by the plugin (symmetric, a function of the two values, "
    "d(a, c) <= z·(d(a, b) + d(b, c)) up to r)"
)
FAR = "semimetric: asserted by the plugin to have the constant z_far where one distance is up to 2·z·r"
CONVEX = (
    "convexity: asserted by the plugin (averages of values that are pairwise within r, by weights that differ by the "
    "bound on their total variation, are within gamma as float64 numbers)"
)
MASK = "mask: asserted by the plugin (its cost for values within r, at its noise, is the one listed)"


def registered_radius(r: float, z: float) -> float:
    """The largest radius with 2·z·radius <= r, rounded down: two values that share a neighbour are within r.

    Examples
    --------
    >>> registered_radius(1.0, 2.0)
    0.24999999999999997
    """
    return math.nextafter(r / 2 / z, 0.0)


def _named(params: Params) -> tuple[str, float]:
    name = params.get("semimetric")
    if not isinstance(name, str) or not name or name in ("l2", "component") or name.endswith(LIFTED):
        raise PlanError(f"{name!r} is no semimetric of a plugin", fix="register one under its own name")
    return name, number(params, "r")


LIFTED = " of components"


def space(params: Params) -> str:
    """Name of the semimetric that values are compared by: of k components, the bottleneck over matchings."""
    name, k = _named(params)[0], components(params)
    return f"{name}{LIFTED}" if k else name


def components(params: Params) -> int:
    """The parameter ``k``: 0 for plain vectors, else the number of components of a lifted value."""
    k = whole(params, "k", low=0)
    if k > MOST_COMPONENTS:
        raise PlanError(f"matches at most {MOST_COMPONENTS} components, not {k}", fix="use a smaller k")
    return k


def _of_semimetric(params: Params) -> float:
    if number(params, "z") < 1:
        raise PlanError(f"z must be at least 1, not {params['z']!r}", fix="use z=1 for a metric")
    components(params)
    return _named(params)[1]


@theorem(
    "registered_agreement",
    "query",
    "Arbas23 Thm 4.3.1; docs/theory/populous.md#3-any-semimetric",
    (SEMIMETRIC,),
    asserted=True,
)
def _registered_agreement(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """As ``mixture_agreement``, with a plugin's distance, a function of two blocks only: at most 2/t."""
    _of_semimetric(params)
    return moved_share(one_block(inputs))


declare(
    "registered_agreement",
    "query",
    "registered_agreement",
    (BLOCKS,),
    blocks.agreement,
    parameters="semimetric r z d k",
    names="semimetric",
)


@theorem(
    "close_registered",
    "query",
    "Arbas23 Thm 4.3.1; docs/theory/populous.md#3-any-semimetric",
    (PASSED, SEMIMETRIC),
    asserted=True,
)
def _close_registered(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Given the passed test, the first block within r/2z of more than m blocks is within r of its twin's.

    Of k components too: matchings of a to b and of b to c compose to one of a to c, so the bottleneck over matchings
    has the triangle constant of the components.
    """
    one = one_block(inputs)
    r = _of_semimetric(params)
    check_selection(params, one.t)
    return (Within(space(params), r),)


declare(
    "select_registered",
    "query",
    "close_registered",
    (BLOCKS, free("test")),
    blocks.selected,
    parameters="semimetric r z d k majority test_threshold",
    names="semimetric",
    rests_on=Condition("registered_agreement", check_passed_agreement),
)


# -------------------------------------------------------------------------------------- averages


def separation_of(r: float, z: float, z_far: float) -> float:
    """Components of one block that are farther apart than this have matchings that are unique and compose.

    Examples
    --------
    >>> separation_of(1.0, 1.0, 1.0) >= 3.0
    True
    """
    return up(z_far * up(up(2 * z * r) + r) * (1 + 2.0**-40))


def _weighing(params: Params, t: int) -> tuple[float, int]:
    r, z_far = _of_semimetric(params), number(params, "z_far")
    if z_far < params["z"]:
        raise PlanError(f"z_far must be at least z, not {z_far!r}", fix="give the triangle constant at 2·z·r")
    return r, check_blocks(params, t)[1]


@theorem(
    "registered_weight",
    "query",
    "docs/theory/averaged-populous.md#10-any-convex-semimetric",
    (SEMIMETRIC,),
    asserted=True,
)
def _registered_weight(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """As ``populous_weight``, with a plugin's distance, a function of two blocks only: <= 1 + (t − 1)/l."""
    one = one_block(inputs)
    return weight_bound(one, _weighing(params, one.t)[1])


declare(
    "registered_weight",
    "query",
    "registered_weight",
    (BLOCKS,),
    blocks.agreement,
    parameters="semimetric r z z_far d k majority ramp",
    names="semimetric",
)


@theorem(
    "registered_average",
    "query",
    "docs/theory/averaged-populous.md#10-any-convex-semimetric",
    (PASSED, SEMIMETRIC, FAR, CONVEX),
    asserted=True,
)
def _registered_average(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Given W >= W₀ on both sides, the weighted matched averages of two neighbours are within the asserted gamma.

    Blocks of positive weight, of both sides together, are pairwise within r; components farther apart than
    ``separation_of`` have matchings that are unique and compose; the weightings differ by TV <= (1 + (t − 1)/l)/W₀.
    Gamma is the plugin's bound on the distance of such averages: TV·r for a semimetric that is jointly convex.
    """
    one = one_block(inputs)
    _weighing(params, one.t)
    number(params, "test_threshold", high=float(one.t))
    return (Within(space(params), number(params, "gamma")),)


declare(
    "registered_average",
    "query",
    "registered_average",
    (BLOCKS, free("test")),
    blocks.selected,
    parameters="semimetric r z z_far d k majority ramp test_threshold gamma",
    names="semimetric",
    rests_on=Condition("registered_weight", check_passed_weight),
)


# ----------------------------------------------------------------------------------------- masks


def _masked(params: Params, inputs: tuple[Metrics, ...]) -> None:
    within, r = find(inputs[0], Within), _named(params)[1]
    if within.semimetric != space(params) or within.r > r:
        raise PlanError(
            f"the mask is for values within {r!r} in {space(params)!r}, not {within.r!r} in {within.semimetric!r}"
        )


def _one(params: Params, inputs: Domains) -> dict[str, Any]:
    return {**params, "k": 0}


@theorem(
    "registered_mask", "loss", "Arbas23 Def 4.2.1; docs/theory/populous.md#3-any-semimetric", (MASK,), asserted=True
)
def _registered_mask(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """A plugin's mask of values within r of its semimetric costs what the plugin asserts.

    That is one event: ρ of zCDP, one of the dominating pairs of ``costs``, or Rényi divergences at some orders.
    """
    _masked(params, inputs)
    return Loss.of(event_of(params))


declare_mechanism(
    "registered_mask",
    "registered_mask",
    keeps(Vector),
    calibration="noise cost",
    parameters="mask semimetric r view",
    names="mask semimetric",
    tells=_one,
)


@theorem("lift", "loss", "Arbas23 Lemma 6.1.1; docs/theory/masks.md#3-random-order-the-lift", (MASK,), asserted=True)
def _lift(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """Any mask of a component, applied to each of k components in random order, costs k times the component's.

    Two values of k components are within r when some matching has each pair within r. Pair the random orders by that
    matching: each pair of laws is a product of k masks of matched components, which composes to k events; and
    Rényi and hockey-stick divergences of mixtures over the order are at most the largest of the pairs'. Proof:
    ``docs/theory/masks.md``.
    """
    if not components(params):
        raise PlanError("a lift is of at least one component", fix="give k, as the selection does")
    _masked(params, inputs)
    return lifted(event_of(params), components(params))


def _components(params: Params, inputs: Domains) -> Domain:
    shape = keeps(Array)(params, inputs).shape  # type: ignore[attr-defined]
    if len(shape) != 2 or shape[0] != whole(params, "k"):
        raise PlanError(f"takes ({params.get('k')}, d) components, not {shape}", fix="give k as the blocks have it")
    return inputs[0]


declare_mechanism(
    "lift",
    "lift",
    _components,
    calibration="noise cost",
    parameters="mask semimetric r view k",
    names="mask semimetric",
)
