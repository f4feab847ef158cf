"""The verbs and nouns of ``import dpframe as dp``; :mod:`dpframe.plugin` holds them and what plugins need besides."""

from __future__ import annotations

from dpframe.errors import (
    BudgetError,
    CertificateError,
    DataError,
    DomainError,
    DpframeError,
    PlanError,
    RunError,
    SpecError,
)
from dpframe.front.bodies import control  # noqa: F401
from dpframe.front.composites import composite
from dpframe.front.declarations import public_rows, rows
from dpframe.front.delimiting import table
from dpframe.front.functions import NamedFunction, post_function, row_function
from dpframe.front.handlers import Site, scale_shares, simulate, substitute, trace
from dpframe.front.ledger import Session
from dpframe.front.program import Composite, Handle, Program, apply, expand, plan, program, release, tracer  # noqa: F401
from dpframe.front.verbs.averages import block_average, block_weight, lift
from dpframe.front.verbs.blocks import agreement, block_counts, block_learner, block_sum, select_block
from dpframe.front.verbs.candidates import block_cells, block_moments
from dpframe.front.verbs.control import branch, by_category, for_each, recurse, worklist
from dpframe.front.verbs.expressed import express, express_parts, express_sum
from dpframe.front.verbs.gathers import pairs, sampled_rows, secret_pairs
from dpframe.front.verbs.generic import locate, moments, parts, recipe, transform
from dpframe.front.verbs.histograms import (
    bin_counts,
    distance_histogram,
    dyadic_counts,
    marginal_counts,
    product_counts,
    value_counts,
)
from dpframe.front.verbs.mechanisms import (
    above_threshold,
    discrete_gaussian,
    exponential_mechanism,
    gaussian,
    laplace,
    permute_and_flip,
    stable_histogram,
    truncated_laplace_test,
)
from dpframe.front.verbs.mixtures import (
    mixture_agreement,
    mixture_mask,
    populous_average,
    populous_weight,
    select_mixture,
)
from dpframe.front.verbs.occupied import ball_counts, box_cells, cells, column_cells
from dpframe.front.verbs.owned import all_rows, own
from dpframe.front.verbs.partitions import (
    filter_ball,
    partition_balls,
    partition_halfspace,
    partition_nearest,
    secret_split,
    split,
    subsample,
)
from dpframe.front.verbs.posts import ball, bounding_ball, constant, post
from dpframe.front.verbs.queries import cap, group_maximum, maximum, minimum
from dpframe.front.verbs.registered import registered_agreement, registered_mask, select_registered
from dpframe.front.verbs.registered_averages import registered_average, registered_weight
from dpframe.front.verbs.scores import (
    contest_scores,
    density_scores,
    interval_scores,
    rank_scores,
    scheffe_scores,
    terrific_score,
)
from dpframe.front.verbs.selecting import select
from dpframe.front.verbs.statistics import box_sum, count, gram, mean, square_sum, sum  # noqa: A004
from dpframe.front.verbs.transforms import affine, clip, clip_box, project, rescale, row_map, within
from dpframe.front.verbs.weighted import (
    weighted_counts,
    weighted_grams,
    weighted_radii,
    weighted_squares,
    weighted_sums,
)
from dpframe.front.verbs.whitening import log_densities, whiten
from dpframe.kernel.post_processing import Failed
from dpframe.kernel.registry import build, learner, register
from dpframe.planning.plan import Plan
from dpframe.proof.losses import GDP as gdp
from dpframe.proof.losses import ZCDP as zcdp
from dpframe.proof.losses import ApproxDP as approx_dp
from dpframe.proof.losses import PureDP as pure_dp
from dpframe.proof.spaces import ADJACENCIES, Array, Counts, Edits, Flag, Index, Symmetric, Vector, unit_level

REPLACE_ONE = ADJACENCIES["replace_one"]
ADD_REMOVE = ADJACENCIES["add_remove"]

__all__ = [
    "ADD_REMOVE",
    "REPLACE_ONE",
    "Array",
    "BudgetError",
    "CertificateError",
    "Composite",
    "Counts",
    "DataError",
    "DomainError",
    "DpframeError",
    "Edits",
    "Failed",
    "Flag",
    "Handle",
    "Index",
    "NamedFunction",
    "Plan",
    "PlanError",
    "Program",
    "RunError",
    "Session",
    "Site",
    "SpecError",
    "Symmetric",
    "Vector",
    "above_threshold",
    "affine",
    "agreement",
    "all_rows",
    "apply",
    "approx_dp",
    "ball",
    "ball_counts",
    "bin_counts",
    "block_average",
    "block_cells",
    "block_counts",
    "block_learner",
    "block_moments",
    "block_sum",
    "block_weight",
    "bounding_ball",
    "box_cells",
    "box_sum",
    "branch",
    "build",
    "by_category",
    "cap",
    "cells",
    "clip",
    "clip_box",
    "column_cells",
    "composite",
    "constant",
    "contest_scores",
    "count",
    "density_scores",
    "discrete_gaussian",
    "distance_histogram",
    "dyadic_counts",
    "exponential_mechanism",
    "express",
    "express_parts",
    "express_sum",
    "filter_ball",
    "for_each",
    "gaussian",
    "gdp",
    "gram",
    "group_maximum",
    "interval_scores",
    "laplace",
    "learner",
    "lift",
    "locate",
    "log_densities",
    "marginal_counts",
    "maximum",
    "mean",
    "minimum",
    "mixture_agreement",
    "mixture_mask",
    "moments",
    "named",
    "own",
    "pairs",
    "partition_balls",
    "partition_halfspace",
    "partition_nearest",
    "parts",
    "permute_and_flip",
    "plan",
    "populous_average",
    "populous_weight",
    "post",
    "post_function",
    "product_counts",
    "program",
    "project",
    "public_rows",
    "pure_dp",
    "rank_scores",
    "recipe",
    "recurse",
    "register",
    "registered_agreement",
    "registered_average",
    "registered_mask",
    "registered_weight",
    "release",
    "rescale",
    "row_function",
    "row_map",
    "rows",
    "sampled_rows",
    "scale_shares",
    "scheffe_scores",
    "secret_pairs",
    "secret_split",
    "select",
    "select_block",
    "select_mixture",
    "select_registered",
    "simulate",
    "split",
    "square_sum",
    "stable_histogram",
    "subsample",
    "substitute",
    "sum",
    "table",
    "terrific_score",
    "trace",
    "transform",
    "truncated_laplace_test",
    "unit_level",
    "value_counts",
    "weighted_counts",
    "weighted_grams",
    "weighted_radii",
    "weighted_squares",
    "weighted_sums",
    "whiten",
    "within",
    "worklist",
    "zcdp",
]

named = build
