"""All that a plugin needs from dpframe, in one module: ``import dpframe.plugin as dp`` is enough.

It holds every verb and noun of ``import dpframe as dp``, and what a plugin's own operations are made of:

- *registering*: ``register``, ``composite``, ``learner``, ``semimetric``, ``mask``, and finding what
  others registered;
- *operations of one's own* (``own_contribution``, ``own_statistic``, ``own_query``, ``own_transform``,
  ``own_partition``, ``own_mechanism``): what a plugin computes on private values, enforced by the kernel or asserted;
- *a post operation*: ``Post``, ``Slot``, ``PARAM``, ``Failed``, ``Quality``, ``Expected``, ``wants``, ``same``, and
  validators of parameters (``positive``, ``whole``, ``increasing``, ...);
- *domains* of values (``Vector``, ``Ball``, ``Mixture``, ...) and the *values* themselves (``BallValue``, ...);
- *losses and budgets*, for recipes whose sizes follow the budget: they only size, the planner prices;
- *published bounds of the kernel's theorems*: functions of public numbers with which a recipe chooses a radius, a
  number of blocks or a threshold. No guarantee rests on what a plugin makes of them: the planner and the checker
  evaluate the theorems themselves;
- *layouts* of released values that kernel operations take: grids, hypotheses, exponents.

Nothing here touches a private row. What an installed package or a folder of plugins imports from here stays for all of
``API`` = 1; an entry point may declare the version it was written for, see :mod:`dpframe.kernel.registry`.

Examples
--------
>>> import dpframe.plugin as dp
>>> @dp.composite("example.clipped_mean")
... def clipped_mean(x, *, share=1.0):
...     inside = dp.clip(x, dp.bounding_ball(d=x.d, bound=10.0))
...     return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
"""

from dpframe.front import api
from dpframe.front.api import *  # noqa: F403
from dpframe.front.owning import own_contribution, own_mechanism, own_partition, own_query, own_statistic, own_transform
from dpframe.front.program import Target
from dpframe.kernel.expected import Above, Expected, ExpectedBall, Noises
from dpframe.kernel.families.block_mixtures import pair_bytes
from dpframe.kernel.families.density_scores import FamilyMixtures, family_densities
from dpframe.kernel.families.density_scores import log_densities as member_densities
from dpframe.kernel.families.hypotheses import Hypotheses, MixtureNet, net_size
from dpframe.kernel.families.hypotheses import listed as listed_hypotheses
from dpframe.kernel.families.registered_averages import gamma_of
from dpframe.kernel.families.registered_mask import euclidean_gaussian as lattice_gaussian
from dpframe.kernel.families.registered_mask import lattice_gaussian_mu
from dpframe.kernel.families.registering import family, find_family, find_mask, find_semimetric, mask, semimetric
from dpframe.kernel.families.released_bins import LOWEST as LOWEST_EXPONENT
from dpframe.kernel.families.scheffe_scores import LEAST_SHARE, densities
from dpframe.kernel.operations import PARAM, Mechanism, Operation, Slot, same, wants
from dpframe.kernel.post_processing import Post, Quality
from dpframe.kernel.registry import API, find_composite, find_learner
from dpframe.kernel.statistics.bins import increasing
from dpframe.kernel.statistics.cells import Grids
from dpframe.kernel.transforms.partition import part_sizes
from dpframe.kernel.transforms.rescale import powers as powers_of_two
from dpframe.proof.families.bins import DYADIC as EXPONENTS
from dpframe.proof.families.masks import ORDERS as RENYI_ORDERS
from dpframe.proof.families.masks import SLACK as MASK_SLACK
from dpframe.proof.families.masks import allowed_radius, mixture_cost
from dpframe.proof.families.populous import average_radius, closeness, separation
from dpframe.proof.families.populous import rounding as average_rounding
from dpframe.proof.families.scores import FAMILY_MIXTURES, HYPOTHESES, MOST_CONTESTANTS
from dpframe.proof.families.selection import MOST_COMPONENTS, near_within, root_rounding
from dpframe.proof.losses import (
    GDP,
    ZCDP,
    ApproxDP,
    BoundedRange,
    Budget,
    Concentrated,
    Loss,
    Pure,
    PureDP,
    Renyi,
    compose,
    tightest_epsilon,
)
from dpframe.proof.losses import Gaussian as GaussianEvent
from dpframe.proof.losses import Laplace as LaplaceEvent
from dpframe.proof.losses.gaussian import gaussian_epsilon
from dpframe.proof.roots import boundary, floored
from dpframe.proof.spaces import (
    AffineMap,
    AffineValue,
    Ball,
    BallValue,
    Centred,
    Domain,
    Gaussian,
    GaussianValue,
    Kind,
    ListOf,
    Mixture,
    MixtureValue,
    Outcome,
    Record,
    Rows,
    SparseCounts,
    Subspace,
    Whitening,
    WhiteningValue,
    non_negative,
    positive,
    positive_definite,
    positive_whole,
    whole,
)
from dpframe.proof.theorems import truncated_laplace_bound
from dpframe.proof.theorems import up as round_up

__all__ = [
    "API",
    "EXPONENTS",
    "FAMILY_MIXTURES",
    "GDP",
    "HYPOTHESES",
    "LEAST_SHARE",
    "LOWEST_EXPONENT",
    "MASK_SLACK",
    "MOST_COMPONENTS",
    "MOST_CONTESTANTS",
    "PARAM",
    "RENYI_ORDERS",
    "ZCDP",
    "Above",
    "AffineMap",
    "AffineValue",
    "ApproxDP",
    "Ball",
    "BallValue",
    "BoundedRange",
    "Budget",
    "Centred",
    "Concentrated",
    "Domain",
    "Expected",
    "ExpectedBall",
    "FamilyMixtures",
    "Gaussian",
    "GaussianEvent",
    "GaussianValue",
    "Grids",
    "Hypotheses",
    "Kind",
    "LaplaceEvent",
    "ListOf",
    "Loss",
    "Mechanism",
    "Mixture",
    "MixtureNet",
    "MixtureValue",
    "Noises",
    "Operation",
    "Outcome",
    "Post",
    "Pure",
    "PureDP",
    "Quality",
    "Record",
    "Renyi",
    "Rows",
    "Slot",
    "SparseCounts",
    "Subspace",
    "Target",
    "Whitening",
    "WhiteningValue",
    "allowed_radius",
    "average_radius",
    "average_rounding",
    "boundary",
    "closeness",
    "compose",
    "densities",
    "family",
    "family_densities",
    "find_composite",
    "find_family",
    "find_learner",
    "find_mask",
    "find_semimetric",
    "floored",
    "gamma_of",
    "gaussian_epsilon",
    "increasing",
    "lattice_gaussian",
    "lattice_gaussian_mu",
    "listed_hypotheses",
    "mask",
    "member_densities",
    "mixture_cost",
    "near_within",
    "net_size",
    "non_negative",
    "own_contribution",
    "own_mechanism",
    "own_partition",
    "own_query",
    "own_statistic",
    "own_transform",
    "pair_bytes",
    "part_sizes",
    "positive",
    "positive_definite",
    "positive_whole",
    "powers_of_two",
    "root_rounding",
    "round_up",
    "same",
    "semimetric",
    "separation",
    "tightest_epsilon",
    "truncated_laplace_bound",
    "wants",
    "whole",
]
__all__ += api.__all__
