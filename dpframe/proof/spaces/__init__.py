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

from dpframe.proof.spaces.checks import MOST_COLUMNS as MOST_COLUMNS
from dpframe.proof.spaces.checks import MOST_LISTED as MOST_LISTED
from dpframe.proof.spaces.checks import MOST_ROWS as MOST_ROWS
from dpframe.proof.spaces.checks import above_one as above_one
from dpframe.proof.spaces.checks import columns as columns
from dpframe.proof.spaces.checks import finite as finite
from dpframe.proof.spaces.checks import finite_number as finite_number
from dpframe.proof.spaces.checks import fraction as fraction
from dpframe.proof.spaces.checks import lattice_bits as lattice_bits
from dpframe.proof.spaces.checks import non_negative as non_negative
from dpframe.proof.spaces.checks import parts as parts
from dpframe.proof.spaces.checks import positive as positive
from dpframe.proof.spaces.checks import positive_whole as positive_whole
from dpframe.proof.spaces.checks import up_to as up_to
from dpframe.proof.spaces.checks import whole as whole
from dpframe.proof.spaces.domains import Array as Array
from dpframe.proof.spaces.domains import Counts as Counts
from dpframe.proof.spaces.domains import Domain as Domain
from dpframe.proof.spaces.domains import Flag as Flag
from dpframe.proof.spaces.domains import Index as Index
from dpframe.proof.spaces.domains import Kind as Kind
from dpframe.proof.spaces.domains import Rows as Rows
from dpframe.proof.spaces.domains import Scores as Scores
from dpframe.proof.spaces.domains import SparseCounts as SparseCounts
from dpframe.proof.spaces.domains import Symmetric as Symmetric
from dpframe.proof.spaces.domains import Vector as Vector
from dpframe.proof.spaces.domains import WeightedRows as WeightedRows
from dpframe.proof.spaces.domains import positive_definite as positive_definite
from dpframe.proof.spaces.edits import ADD as ADD
from dpframe.proof.spaces.edits import ADJACENCIES as ADJACENCIES
from dpframe.proof.spaces.edits import REMOVE as REMOVE
from dpframe.proof.spaces.edits import REPLACE_ONE as REPLACE_ONE
from dpframe.proof.spaces.edits import UNCHANGED as UNCHANGED
from dpframe.proof.spaces.edits import Adjacency as Adjacency
from dpframe.proof.spaces.edits import Edits as Edits
from dpframe.proof.spaces.edits import adjacency as adjacency
from dpframe.proof.spaces.edits import adjacency_from_json as adjacency_from_json
from dpframe.proof.spaces.edits import unit_level as unit_level
from dpframe.proof.spaces.metrics import L1 as L1
from dpframe.proof.spaces.metrics import L2 as L2
from dpframe.proof.spaces.metrics import LInf as LInf
from dpframe.proof.spaces.metrics import Metric as Metric
from dpframe.proof.spaces.metrics import OneOf as OneOf
from dpframe.proof.spaces.metrics import OneSided as OneSided
from dpframe.proof.spaces.metrics import Within as Within
from dpframe.proof.spaces.metrics import metric_from_json as metric_from_json
from dpframe.proof.spaces.structures import AffineMap as AffineMap
from dpframe.proof.spaces.structures import Ball as Ball
from dpframe.proof.spaces.structures import Blocks as Blocks
from dpframe.proof.spaces.structures import Gaussian as Gaussian
from dpframe.proof.spaces.structures import ListOf as ListOf
from dpframe.proof.spaces.structures import Mixture as Mixture
from dpframe.proof.spaces.structures import Record as Record
from dpframe.proof.spaces.structures import Subspace as Subspace
from dpframe.proof.spaces.structures import Table as Table
from dpframe.proof.spaces.structures import Whitening as Whitening
from dpframe.proof.spaces.structures import domain_from_json as domain_from_json
from dpframe.proof.spaces.values import AffineValue as AffineValue
from dpframe.proof.spaces.values import BallValue as BallValue
from dpframe.proof.spaces.values import Centred as Centred
from dpframe.proof.spaces.values import GaussianValue as GaussianValue
from dpframe.proof.spaces.values import MixtureValue as MixtureValue
from dpframe.proof.spaces.values import Outcome as Outcome
from dpframe.proof.spaces.values import WhiteningValue as WhiteningValue
