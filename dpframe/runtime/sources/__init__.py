"""Tables as streams of rows: arrays, files, folders and globs, data frames, lazy ones, readers, Dask arrays.

Every source has the same few words (`TableSource`): its columns, its number of rows, and chunks of float64
rows with a flag for the rows that have all their values. A malformed *file* is refused before its first row
is used; a missing *value* only empties its row. No message, and no exception chained to one, holds a cell
of the table.
"""

from dpframe.runtime.sources.base import Chunk, TableSource
from dpframe.runtime.sources.categories import Declared, Texts, Whole, texts_of
from dpframe.runtime.sources.frames import in_memory
from dpframe.runtime.sources.joined import (
    Description,
    Joined,
    Named,
    OfCategory,
    Piece,
    Values,
    column_of,
    names_of,
    vector,
)
from dpframe.runtime.sources.opening import open_source
from dpframe.runtime.sources.places import Fingerprint
from dpframe.runtime.sources.units import ByUnit, open_slots

__all__ = [
    "ByUnit",
    "Chunk",
    "Declared",
    "Description",
    "Fingerprint",
    "Joined",
    "Named",
    "OfCategory",
    "Piece",
    "TableSource",
    "Texts",
    "Values",
    "Whole",
    "column_of",
    "in_memory",
    "names_of",
    "open_slots",
    "open_source",
    "texts_of",
    "vector",
]
