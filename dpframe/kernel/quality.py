"""One verdict on a run from those that its post nodes gave: of released values alone, after the fact, for free."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from dpframe.kernel.graphs import Planned, Typed
from dpframe.kernel.post_processing import VERDICTS, Post, Quality
from dpframe.proof.typed import Ref

Path = tuple[str, ...]
FAILED = Quality("unchecked", "nothing was released")


def worst(verdicts: Iterable[Quality]) -> Quality:
    """The worst of some verdicts; of equal ones the first."""
    return max(verdicts, key=lambda q: VERDICTS.index(q.verdict))


def quality_of(graph: Typed, judged: Mapping[Path, Quality]) -> Quality:
    """Poor where any node of the run was, good where every output was made by a node that was judged good.

    An output rests on the verdicts of the nearest judged post nodes above it.

    Parameters
    ----------
    graph : TypedGraph
    judged : mapping
        Verdicts by path of node names.
    """
    nodes = {node.name: node for node in graph.nodes}
    found = [worst(_above(nodes, judged, ref) or [_unjudged(name)]) for name, ref in graph.outputs]
    return worst([*(q for q in judged.values() if q.verdict == "poor"), *found])


def _above(nodes: Mapping[str, Planned], judged: Mapping[Path, Quality], ref: Ref) -> list[Quality]:
    """Verdicts on the nearest judged nodes that a value was computed from."""
    found, waiting, seen = [], [ref.node], set()
    while waiting:
        name = waiting.pop()
        if (name,) in judged:
            found.append(judged[name,])
        elif name in nodes and name not in seen and isinstance(nodes[name].operation, Post):
            seen.add(name)
            waiting += [r.node for r in nodes[name].inputs]
    return found


def _unjudged(output: str) -> Quality:
    return Quality("unchecked", f"no node of this plan judges the output {output!r}")


def remarks_on(operation: Post, result: Any) -> list[str]:
    """What a post node remarks on its result; one that fails on an extreme value does not lose what was released."""
    try:
        with np.errstate(all="ignore"):
            return [str(text) for text in operation.remarks(result)]
    except Exception:  # noqa: BLE001  the value stands, only the remark is missing
        return ["its remarks on this value could not be made"]


def judgement(operation: Post, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality | None:
    """What a post node says of its result; one that can't does not lose what was released."""
    try:
        with np.errstate(all="ignore"):
            judged = operation.quality(values, noise, result)
            return judged if judged is None else Quality(judged.verdict, str(judged.why), dict(judged.told))
    except Exception:  # noqa: BLE001  the value stands, only the verdict is missing
        return Quality("unchecked", "its quality could not be judged")
