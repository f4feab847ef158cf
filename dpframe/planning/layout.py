"""Where the boxes of a plan's graph stand: rows from top to bottom, framed by stage; long arrows run beside them.

Nothing here knows what a box means. Rows follow the arrows, so that every arrow goes down. One to the next row
bends between the rows; a longer one goes to a lane left of all boxes, down, and back above the row that it leads to. So
no arrow passes behind a box. Arrows that leave the same box share its lane.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

import attrs

GAP, LINE, LANE, BETWEEN, MARGIN, ASIDE = 26.0, 5.0, 8.0, 18.0, 12.0, 10.0
PAD, TITLE, APART = 10.0, 20.0, 12.0
"""Of frames: inside, for their title, between two."""
WIDEST = 760.0
"""A row that would be wider is broken."""


@attrs.frozen
class Box:
    """What is laid out: a name, the frame it stands in (none for an empty text), and its size."""

    name: str
    stage: str
    width: float
    height: float


@attrs.frozen
class Frame:
    """The frame of some rows of one stage."""

    stage: str
    x: float
    y: float
    width: float
    height: float


@attrs.frozen
class Layout:
    """Where everything is.

    Attributes
    ----------
    places : mapping
        By box, the left and upper end.
    frames : tuple of Frame
    paths : mapping
        By arrow, its corners from source to target: three where it leads to the next row, and bends after the second.
    width, height : float
    """

    places: Mapping[str, tuple[float, float]]
    frames: tuple[Frame, ...]
    paths: Mapping[tuple[str, str], tuple[tuple[float, float], ...]]
    width: float
    height: float


def layout(boxes: Sequence[Box], arrows: Iterable[tuple[str, str]]) -> Layout:
    """Lay out a graph without cycles, in linear time but for sorting.

    Parameters
    ----------
    boxes : sequence of Box
        In the order in which they are preferred.
    arrows : iterable of pairs
        Names of boxes, from and to.
    """
    known = {box.name: box for box in boxes}
    before: dict[str, list[str]] = {name: [] for name in known}
    for start, end in dict.fromkeys(arrows):
        before[end].append(start)
    rows, blocks = _rows(_ordered(boxes, before), before, known)
    row_of = {name: i for i, row in enumerate(rows) for name in row}
    long = {(a, b) for b, starts in before.items() for a in starts if row_of[b] > row_of[a] + 1}
    lanes = _lanes(rows, row_of, long)
    left = MARGIN + LANE * (max(lanes.values(), default=-1) + 1) + 2 * PAD
    wide = max(_width(row, known) for row in rows) if rows else 0.0
    slots = _slots(rows, row_of, long)
    places: dict[str, tuple[float, float]] = {}
    frames, zones, y = [], list[float](), MARGIN
    for block, (stage, first, last) in enumerate(blocks):
        top = y
        y += PAD + TITLE if stage else 0.0
        for i in range(first, last + 1):
            y += (GAP if i else 0.0) + LINE * len(slots[i])
            zones.append(y - LINE * len(slots[i]) - GAP / 2)
            x = left + PAD + (wide - _width(rows[i], known)) / 2
            for name in _sorted(rows[i], before, places, known):
                places[name] = (x, y)
                x += known[name].width + BETWEEN
            y += max(known[name].height for name in rows[i])
        if stage:
            y += PAD
            frames.append(Frame(stage, left, top, wide + 2 * PAD, y - top))
        y += APART if block + 1 < len(blocks) else 0.0
    paths = {}
    for end, starts in before.items():
        for start in starts:
            floor = max(places[name][1] + known[name].height for name in rows[row_of[start]])
            paths[start, end] = _path(known[start], known[end], places, floor, zones, slots, lanes, row_of)
    return Layout(places, tuple(frames), paths, left + wide + 2 * PAD + MARGIN, y + GAP / 2 + MARGIN)


def _ordered(boxes: Sequence[Box], before: Mapping[str, Sequence[str]]) -> list[Box]:
    """Sources first; of those that may come next, one of the same stage, then the first as given."""
    rank = {box.name: i for i, box in enumerate(boxes)}
    waits = {name: len(starts) for name, starts in before.items()}
    after: dict[str, list[str]] = {name: [] for name in rank}
    for end, starts in before.items():
        for start in starts:
            after[start].append(end)
    ready: dict[str, list[int]] = {}
    out: list[Box] = []
    for box in boxes:
        if not waits[box.name]:
            heapq.heappush(ready.setdefault(box.stage, []), rank[box.name])
    while ready:
        same = out[-1].stage if out else None
        stage = same if same in ready else min(ready, key=lambda s: ready[s][0])
        box = boxes[heapq.heappop(ready[stage])]
        if not ready[stage]:
            del ready[stage]
        out.append(box)
        for name in after[box.name]:
            waits[name] -= 1
            if not waits[name]:
                heapq.heappush(ready.setdefault(boxes[rank[name]].stage, []), rank[name])
    return out


def _rows(
    order: Sequence[Box], before: Mapping[str, Sequence[str]], known: Mapping[str, Box]
) -> tuple[list[list[str]], list[tuple[str, int, int]]]:
    """Rows of names, and for each run of boxes of one stage its first and last row."""
    rows: list[list[str]] = []
    blocks = []
    i = 0
    while i < len(order):
        j = i
        while j < len(order) and order[j].stage == order[i].stage:
            j += 1
        depth: dict[str, int] = {}
        layers: list[list[str]] = []
        for box in order[i:j]:
            depth[box.name] = max((depth[s] + 1 for s in before[box.name] if s in depth), default=0)
            layers += [] if depth[box.name] < len(layers) else [[]]
            layers[depth[box.name]].append(box.name)
        first = len(rows)
        for layer in layers:
            row: list[str] = []
            for name in layer:
                if row and _width([*row, name], known) > WIDEST:
                    rows.append(row)
                    row = []
                row.append(name)
            rows.append(row)
        blocks.append((order[i].stage, first, len(rows) - 1))
        i = j
    return rows, blocks


def _width(row: Sequence[str], known: Mapping[str, Box]) -> float:
    return sum(known[name].width for name in row) + BETWEEN * (len(row) - 1)


def _sorted(
    row: Sequence[str],
    before: Mapping[str, Sequence[str]],
    places: Mapping[str, tuple[float, float]],
    known: Mapping[str, Box],
) -> list[str]:
    """Each below what it is made of, on the average."""

    def middle(name: str) -> float:
        found = [places[s][0] + known[s].width / 2 for s in before[name] if s in places]
        return sum(found) / len(found) if found else 0.0

    return sorted(row, key=middle)


def _lanes(rows: Sequence[Sequence[str]], row_of: Mapping[str, int], long: Iterable[tuple[str, str]]) -> dict[str, int]:
    """A lane for each box that long arrows leave, none shared where both are in use; the shortest nearest."""
    ends: dict[str, int] = {}
    for start, end in long:
        ends[start] = max(ends.get(start, 0), row_of[end])
    taken: list[list[tuple[int, int]]] = []
    out = {}
    for start in sorted(ends, key=lambda s: (ends[s] - row_of[s], row_of[s], rows[row_of[s]].index(s))):
        here = (row_of[start], ends[start])
        lane = next(
            (i for i, used in enumerate(taken) if all(here[1] <= a or b <= here[0] for a, b in used)), len(taken)
        )
        taken += [[]] if lane == len(taken) else []
        taken[lane].append(here)
        out[start] = lane
    return out


def _slots(
    rows: Sequence[Sequence[str]], row_of: Mapping[str, int], long: Iterable[tuple[str, str]]
) -> list[dict[str, int]]:
    """By row, which line of the gap above it each box's long arrows use."""
    used: list[set[str]] = [set() for _ in rows]
    for start, end in long:
        used[row_of[start] + 1].add(start)
        used[row_of[end]].add(start)
    return [{name: i for i, name in enumerate(sorted(names, key=lambda n: (row_of[n], n)))} for names in used]


def _path(
    start: Box,
    end: Box,
    places: Mapping[str, tuple[float, float]],
    floor: float,
    zones: Sequence[float],
    slots: Sequence[Mapping[str, int]],
    lanes: Mapping[str, int],
    row_of: Mapping[str, int],
) -> tuple[tuple[float, float], ...]:
    (x0, y0), (x1, y1) = places[start.name], places[end.name]
    leave, enter = (x0 + start.width / 2, y0 + start.height), (x1 + end.width / 2, y1)
    if row_of[end.name] == row_of[start.name] + 1:
        return leave, (leave[0], floor), enter
    leave, enter = (leave[0] + ASIDE, leave[1]), (enter[0] - ASIDE, enter[1])
    lane = MARGIN + LANE * (max(lanes.values()) - lanes[start.name])

    def level(row: int) -> float:
        return zones[row] + LINE * slots[row][start.name]

    down, back = level(row_of[start.name] + 1), level(row_of[end.name])
    return leave, (leave[0], down), (lane, down), (lane, back), (enter[0], back), enter
