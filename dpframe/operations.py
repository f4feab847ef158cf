"""Abstract operations: :mod:`dpframe.kernel.operations` and posts under the name that others import.

Kept for one release: plugins import :mod:`dpframe.plugin`.
"""

from dpframe.kernel.operations import PARAM as PARAM
from dpframe.kernel.operations import ROWS as ROWS
from dpframe.kernel.operations import VALUE as VALUE
from dpframe.kernel.operations import Batch as Batch
from dpframe.kernel.operations import Blocks as Blocks
from dpframe.kernel.operations import Control as Control
from dpframe.kernel.operations import Exact as Exact
from dpframe.kernel.operations import Gather as Gather
from dpframe.kernel.operations import IntArray as IntArray
from dpframe.kernel.operations import Mechanism as Mechanism
from dpframe.kernel.operations import Operation as Operation
from dpframe.kernel.operations import Partition as Partition
from dpframe.kernel.operations import Query as Query
from dpframe.kernel.operations import Slot as Slot
from dpframe.kernel.operations import Statistic as Statistic
from dpframe.kernel.operations import Transform as Transform
from dpframe.kernel.operations import lattice_step as lattice_step
from dpframe.kernel.operations import same as same
from dpframe.kernel.operations import wants as wants
from dpframe.kernel.post_processing import Failed as Failed
from dpframe.kernel.post_processing import Post as Post
from dpframe.kernel.post_processing import Quality as Quality
