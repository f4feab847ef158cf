"""Domains, metrics and adjacencies: what a value may be, and how far two private values may be apart.

Everything here is a frozen value with a JSON form, so that a certificate can carry it. See design
notes in ``docs/architecture.md``; the rules for edits follow from the adjacency relation alone.

Examples
--------
>>> REPLACE_ONE
Edits(removed=1, added=1)
>>> Rows(d=3).to_json()
{'type': 'rows', 'd': 3, 'bound': 'any'}
>>> domain_from_json({'type': 'rows', 'd': 3, 'bound': 'any'}) == Rows(d=3)
True
"""

from dpframe.proof.spaces.checks import (
    MOST_COLUMNS,
    MOST_LISTED,
    MOST_ROWS,
    columns,
    finite_number,
    lattice_bits,
    non_negative,
    parts,
    positive,
    positive_whole,
    up_to,
    whole,
)
from dpframe.proof.spaces.domains import (
    AffineMap,
    Array,
    Ball,
    Blocks,
    Counts,
    Domain,
    Flag,
    Gaussian,
    Index,
    Kind,
    ListOf,
    Mixture,
    Record,
    Rows,
    Scores,
    SparseCounts,
    Subspace,
    Symmetric,
    Table,
    Vector,
    WeightedRows,
    Whitening,
    domain_from_json,
    positive_definite,
)
from dpframe.proof.spaces.edits import (
    ADD,
    ADJACENCIES,
    REMOVE,
    REPLACE_ONE,
    UNCHANGED,
    Adjacency,
    Edits,
    adjacency,
    adjacency_from_json,
)
from dpframe.proof.spaces.metrics import L1, L2, LInf, Metric, OneOf, OneSided, Within, metric_from_json
from dpframe.proof.spaces.values import (
    AffineValue,
    BallValue,
    Centred,
    GaussianValue,
    MixtureValue,
    Outcome,
    WhiteningValue,
)

__all__ = [
    "ADD",
    "ADJACENCIES",
    "L1",
    "L2",
    "MOST_COLUMNS",
    "MOST_LISTED",
    "MOST_ROWS",
    "REMOVE",
    "REPLACE_ONE",
    "UNCHANGED",
    "Adjacency",
    "AffineMap",
    "AffineValue",
    "Array",
    "Ball",
    "BallValue",
    "Blocks",
    "Centred",
    "Counts",
    "Domain",
    "Edits",
    "Flag",
    "Gaussian",
    "GaussianValue",
    "Index",
    "Kind",
    "LInf",
    "ListOf",
    "Metric",
    "Mixture",
    "MixtureValue",
    "OneOf",
    "OneSided",
    "Outcome",
    "Record",
    "Rows",
    "Scores",
    "SparseCounts",
    "Subspace",
    "Symmetric",
    "Table",
    "Vector",
    "WeightedRows",
    "Whitening",
    "WhiteningValue",
    "Within",
    "adjacency",
    "adjacency_from_json",
    "columns",
    "domain_from_json",
    "finite_number",
    "lattice_bits",
    "metric_from_json",
    "non_negative",
    "parts",
    "positive",
    "positive_definite",
    "positive_whole",
    "up_to",
    "whole",
]
