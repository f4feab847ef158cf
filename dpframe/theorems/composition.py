"""Rules of composition, cited by partitions, control nodes and post-processing.

They have no rule of one node: the planner and the verifier each traverse the graph with them.
Proofs: ``docs/theory/composition.md``.
"""

from __future__ import annotations

from dpframe.errors import PlanError
from dpframe.theorems.base import THEOREMS, Metrics, Params, Theorem


def _structural(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    raise PlanError("is a rule of composition, not of one node")


def _cite(name: str, source: str, operations: tuple[str, ...], statement: str, *hypotheses: str) -> None:
    THEOREMS[name] = Theorem(name, "composition", statement, source, operations, _structural, hypotheses)


_cite("post_processing", "Dwork, Roth 2014", (), "A function of released values costs nothing.")
_cite(
    "index_partition",
    "papers.md §0",
    ("blocks", "split"),
    "Parts cut from the original row index under replace-one: both edits carry one index, the max over parts.",
)
_cite(
    "rule_partition",
    "papers.md §0",
    ("filter_ball", "partition_balls", "partition_nearest", "partition_halfspace"),
    "Parts by a released or public rule: the worst of (1,1) in one part and (1,0), (0,1) in two, composed.",
)
_cite(
    "secret_labels",
    "papers.md §0",
    ("secret_split",),
    "Rows labelled secretly and independently: as a rule partition, for labels never published.",
    "the labels are never released",
)
_cite(
    "secret_sample",
    "Balle, Barthe, Gaboardi 2018; papers.md T9",
    ("subsample",),
    "A secret Poisson sample: ε becomes ln(1 + p(e^ε − 1)) and δ becomes pδ, once for all that runs on it.",
    "the sample's membership and size are never released",
)
_cite("branch", "adaptive composition", ("branch",), "A released test chooses a body: the worst of the two.")
_cite(
    "for_each",
    "filters in zCDP, GDP and pure ε",
    ("for_each",),
    "A fixed total shared by the released number of items is charged once.",
)
_cite(
    "division",
    "papers.md C5; KSSU19 Thm 5.8 mended",
    ("recurse", "worklist"),
    "A shared prefix and then two diverging paths: V11(D) = c11 + max(V11(D-1), V10(D-1) + V01(D-1)).",
)
