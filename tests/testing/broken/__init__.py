"""Operations that break one promise each, the layer that must say so, and their honest twins."""

from tests.testing.broken import declarations, queries, releases, rows, statistics
from tests.testing.broken.base import TABLE
from tests.testing.broken.declarations import TWINS

__all__ = ["TABLE", "TWINS", "declarations", "queries", "releases", "rows", "statistics"]
