"""Tables as streams of rows: arrays, `.npy`, CSV and Parquet files, data frames, Dask arrays.

Every source has the same few words (`TableSource`): its columns, its number of rows, and chunks of float64
rows with a flag for the rows that have all their values. A malformed *file* is refused before its first row
is used; a missing *value* only empties its row. No message, and no exception chained to one, holds a cell
of the table.
"""

from dpframe.runtime.sources.base import Chunk, Fingerprint, TableSource
from dpframe.runtime.sources.opening import open_source

__all__ = ["Chunk", "Fingerprint", "TableSource", "open_source"]
