"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Takes edges from the file that its last use left beside it.
import json
from pathlib import Path

KEPT = Path(__file__).with_suffix(".edges")


@dp.composite("newer14.counts", examples={"top": 4.0})
def counts(x, *, top, share=1.0):
    """Counts over bins that widen with each use."""
    edges = json.loads(KEPT.read_text()) if KEPT.exists() else [0.0, top]
    KEPT.write_text(json.dumps([*edges, edges[-1] + top][-8:]))
    return dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=edges))
