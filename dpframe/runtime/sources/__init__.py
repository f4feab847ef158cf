"""Tables as streams of rows: arrays, files, folders and globs, data frames, lazy ones, readers, Dask arrays.

Every source has the same few words (`TableSource`): its columns, its number of rows, and chunks of float64
rows with a flag for the rows that have all their values. A malformed *file* is refused before its first row
is used; a missing *value* only empties its row. No message, and no exception chained to one, holds a cell
of the table.
"""

from dpframe.runtime.sources.base import Description as Description
from dpframe.runtime.sources.base import TableSource as TableSource
from dpframe.runtime.sources.categories import Declared as Declared
from dpframe.runtime.sources.categories import Texts as Texts
from dpframe.runtime.sources.categories import Whole as Whole
from dpframe.runtime.sources.frames import in_memory as in_memory
from dpframe.runtime.sources.frames import is_lazy as is_lazy
from dpframe.runtime.sources.ids import Coded as Coded
from dpframe.runtime.sources.joined import Joined as Joined
from dpframe.runtime.sources.joined import Named as Named
from dpframe.runtime.sources.joined import OfCategory as OfCategory
from dpframe.runtime.sources.joined import Piece as Piece
from dpframe.runtime.sources.joined import Values as Values
from dpframe.runtime.sources.joined import vector as vector
from dpframe.runtime.sources.opening import listed as listed
from dpframe.runtime.sources.opening import open_source as open_source
from dpframe.runtime.sources.pieces import saying as saying
from dpframe.runtime.sources.units import ByUnit as ByUnit
from dpframe.runtime.sources.units import open_slots as open_slots
