"""The cited statements: what turns edits into metrics and metrics into losses.

A theorem is a pure function of declared numbers. The planner calls it to price a graph, and
:mod:`dpframe.proof.checker` calls it to check a certificate, each with a traversal of its own; a
proof therefore lives here, once, as the docstring of the rule. Metrics come as tuples: all of them
hold at once (a histogram has an ℓ₁ *and* an ℓ₂ bound).

Notation: ``Edits(r, a)`` takes ``r`` rows out and puts ``a`` rows in. All bounds are rounded up.

Examples
--------
>>> from dpframe.proof.spaces import L2, REPLACE_ONE
>>> THEOREMS["bounded_sum"].rule({}, ((REPLACE_ONE,),))
(L2(bound=2.0),)
>>> THEOREMS["gaussian_mechanism"].rule({"sigma": 4.0}, ((L2(2.0),),)).events[0][0].mu
0.5000000000000001
"""

from dpframe.proof.theorems import composition as composition
from dpframe.proof.theorems import mechanisms as mechanisms
from dpframe.proof.theorems import own as own
from dpframe.proof.theorems import queries as queries
from dpframe.proof.theorems import rows as rows
from dpframe.proof.theorems.base import THEOREMS as THEOREMS
from dpframe.proof.theorems.base import Metrics as Metrics
from dpframe.proof.theorems.base import Theorem as Theorem
from dpframe.proof.theorems.base import find as find
from dpframe.proof.theorems.base import up as up
from dpframe.proof.theorems.composition import BY_RULE as BY_RULE
from dpframe.proof.theorems.composition import MOST_ALLOCATIONS as MOST_ALLOCATIONS
from dpframe.proof.theorems.composition import fixed_total as fixed_total
from dpframe.proof.theorems.composition import in_view as in_view
from dpframe.proof.theorems.composition import spread as spread
from dpframe.proof.theorems.declaring import DECLARATIONS as DECLARATIONS
from dpframe.proof.theorems.declaring import Declaration as Declaration
from dpframe.proof.theorems.declaring import Slot as Slot
from dpframe.proof.theorems.declaring import citing as citing
from dpframe.proof.theorems.mechanisms import histogram_scale as histogram_scale
from dpframe.proof.theorems.mechanisms import histogram_threshold as histogram_threshold
from dpframe.proof.theorems.mechanisms import truncated_laplace_bound as truncated_laplace_bound

# isort: split
from dpframe.proof.theorems import expressed as expressed  # after the theorems that it cites
