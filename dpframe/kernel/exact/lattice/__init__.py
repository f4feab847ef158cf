"""Row maps whose result is the same to the last bit wherever a row stands.

A row's contribution must not depend on its position, its chunk, its neighbours or the number of threads:
otherwise replacing one row changes the contributions of others and no sensitivity bound holds. Everything
here is therefore built from two kinds of step only.

*Element-wise IEEE-754 operations* (add, subtract, multiply, divide, square root, rounding, comparison,
scaling by a power of two). Each is correctly rounded, so an element's result is a function of its operands
alone.

*Sums and products of integers below 2^53*, held in float64. These are exact, so the order in which BLAS or a
reduction takes them, fused multiply-add included, cannot be seen in the result.

Exactness is checked by the computed value itself. Let q be integer-valued and let fl(Σq²) be its sum of
squares in float64, in any order. All terms are non-negative and rounding is monotone with 2^53 a fixed
point, so by induction over the summation tree every computed partial sum is at least min(true partial sum,
2^53), and equals the true one while that is below 2^53. Hence ``fl(Σq²) <= t`` if and only if ``Σq² <= t``,
for every integer t < 2^53: one comparison of the computed norm decides the clip bound exactly, in any order
and for any d.

References
----------
Mironov (2012), *On significance of the least significant bits for differential privacy*, for why rounding
matters; docs/theory/notation.md#finite-arithmetic for the rules followed here.
"""

from dpframe.kernel.exact.lattice.clip import MAX_BITS as MAX_BITS
from dpframe.kernel.exact.lattice.clip import cap_norms as cap_norms
from dpframe.kernel.exact.lattice.clip import finite_rows as finite_rows
from dpframe.kernel.exact.lattice.clip import to_ball as to_ball
from dpframe.kernel.exact.lattice.clip import to_box as to_box
from dpframe.kernel.exact.lattice.elementary import exp_det as exp_det
from dpframe.kernel.exact.lattice.elementary import log_det as log_det
from dpframe.kernel.exact.lattice.elementary import responsibilities as responsibilities
from dpframe.kernel.exact.lattice.linear import AffineColumns as AffineColumns
from dpframe.kernel.exact.lattice.linear import affine as affine
from dpframe.kernel.exact.lattice.linear import column_norms as column_norms
from dpframe.kernel.exact.lattice.linear import squared_norms as squared_norms
