"""Sums of lattice rows as exact integers: the same value for every chunk size, row order and worker.

A fold takes chunks of integer-valued rows (`dpframe.kernel.exact.lattice`), keeps an integer, and merges with
another fold of its kind. Integer addition is associative and commutative, so the value depends on the
*multiset of rows* only, never on how they were cut, ordered or shared among threads, processes or machines.

Two facts keep float64 hardware exact on the way. Within a block, every partial sum is an integer of size at
most rows · 4^bits (Gram) or rows · √d · 2^bits (sum), kept at or below 2^53 by cutting blocks; by
Cauchy–Schwarz the diagonal of a block's Gram bounds all its products, so one look at the diagonal certifies
the block. Across blocks, `ExactSum` adds in int64 while a running bound stays below 2^62, and in Python
integers beyond.

The joint contribution of one row to all components of a weighted fold is capped at 2^bits in L2 norm *in
integers, after truncation*: its sensitivity does not rest on the weights being right.
"""

from dpframe.kernel.exact.folds.base import ExactSum as ExactSum
from dpframe.kernel.exact.folds.base import block_rows as block_rows
from dpframe.kernel.exact.folds.histograms import HistogramFold as HistogramFold
from dpframe.kernel.exact.folds.histograms import SparseHistogramFold as SparseHistogramFold
from dpframe.kernel.exact.folds.sums import CountFold as CountFold
from dpframe.kernel.exact.folds.sums import GramFold as GramFold
from dpframe.kernel.exact.folds.sums import SumFold as SumFold
