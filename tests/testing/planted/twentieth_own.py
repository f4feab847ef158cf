# ruff: noqa: E501
"""Rows in the place of others far away, lists below 0 or longer, values half up and half down, wide releases."""

SOURCES = {
    "z_stat_sessions": '''
# Web sessions: a visit ends after half an hour of silence.
SILENCE = 1800.0
@dp.own_statistic(
    "web.sessions",
    gives=dp.Counts(1),
    sensitivity=lambda removed, added, **_: {"l1": float(max(removed, added))},
    source="one hit opens or closes one session",
)
def sessions(rows):
    """The number of sessions in a click stream (first column: seconds)."""
    t = rows[:, 0]
    t = np.sort(t[np.isfinite(t) & (np.abs(t) < 1e12)])
    if t.size == 0:
        return [0.0]
    return [1.0 + float((np.diff(t) > SILENCE).sum())]
''',
    "z_query_index": '''
# A composite index of released-to-be counts.
@dp.own_query(
    "index.weighted",
    gives=dp.Counts(1),
    sensitivity=lambda distance, weights, **_: {"l1": max(weights) * distance["l1"]},
    source="Hoelder's inequality",
    bits=20,
    examples={"weights": [1.0, 0.5, 2.0]},
)
def weighted(counts, *, weights):
    """A weighted sum of counts: the index of the month."""
    counts = np.asarray(counts, dtype=float)
    return [float(sum(w * c for w, c in zip(weights, counts)))]
''',
    "z_query_haar": '''
# Haar coefficients of a histogram (Privelet).
def padded(x):
    size = 1 << (len(x) - 1).bit_length()
    return np.pad(x, (0, size - len(x)), mode="edge")
def haar(x):
    out = []
    while len(x) > 1:
        out.append((x[0::2] - x[1::2]) / np.sqrt(2.0))
        x = (x[0::2] + x[1::2]) / np.sqrt(2.0)
    return np.concatenate([x, *out[::-1]])
@dp.own_query(
    "wavelet.haar",
    gives=lambda m, **_: dp.Vector(1 << (m - 1).bit_length()),
    sensitivity=lambda distance, **_: {"l2": distance["l2"]},
    source="the Haar basis is orthonormal",
    bits=20,
    examples={"m": 8},
)
def coefficients(counts, *, m):
    """The orthonormal Haar transform of m counts, padded to a power of two."""
    return haar(padded(np.clip(np.asarray(counts, dtype=float), -1e9, 1e9)))
''',
    "z_mech_top_k": '''
# Top k in one shot: noise once, then the k largest.
import math
@dp.own_mechanism(
    "top.one_shot",
    gives=lambda m, k: dp.Counts(m),
    takes="linf",
    loss=lambda scale, distance, m, k: dp.Pure(dp.round_up(2 * math.sqrt(k) * distance / scale)),
    source="Qiao, Su, Zhang 2021: one-shot Laplace costs sqrt(k)",
    examples={"m": 4, "k": 2},
)
def one_shot(scores, scale, noise, *, m, k):
    """Ranks 1 .. k of the k largest noisy scores, 0 elsewhere."""
    made = np.asarray(scores) + noise.laplace(scale, m)
    order = np.argsort(-made, kind="stable")[:k]
    ranks = np.zeros(m, dtype=int)
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks
''',
    "z_mech_tiled": '''
# Wide histograms: noise is drawn by the block, which is faster.
BLOCK = 1 << 12
@dp.own_mechanism(
    "wide.laplace",
    gives=lambda m: dp.Counts(m),
    takes="l1",
    loss=lambda scale, distance, **_: dp.Pure(dp.round_up(distance / scale)),
    source="Ghosh and others 2009",
    examples={"m": 3},
)
def wide(counts, scale, noise, *, m):
    """m counts with Laplace noise."""
    drawn = np.asarray(noise.laplace(scale, min(m, BLOCK)))
    return np.asarray(counts) + np.resize(drawn, m)
''',
    "z_query_margins": '''
# All one-way margins of a contingency table at once.
def cells(shape):
    return int(np.prod([int(s) for s in shape]))
@dp.own_query(
    "contingency.margins",
    gives=lambda m, shape: dp.Counts(int(sum(shape))),
    sensitivity=lambda distance, m, shape: {"l1": 2 * distance["l1"]},
    source="a cell is in one row and in one column",
    examples={"m": 6, "shape": [2, 3]},
)
def margins(counts, *, m, shape):
    """Row totals, column totals, ... of the table whose cells the counts are."""
    table = np.asarray(counts, dtype=float).reshape([int(s) for s in shape])
    axes = range(table.ndim)
    return np.concatenate([table.sum(axis=tuple(a for a in axes if a != keep)) for keep in axes])
''',
    "z_stat_stops": '''
# Places where a fleet stops: fixes within 250 m of one another are one place.
NEAR = 250.0  # metres
def components(points):
    parent = list(range(len(points)))

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i in range(len(points)):
        gap = np.sqrt(np.square(points[i + 1 :] - points[i]).sum(axis=1))
        for j in np.flatnonzero(gap <= NEAR):
            parent[root(i)] = root(i + 1 + int(j))
    return len({root(i) for i in range(len(points))})
@dp.own_statistic(
    "fleet.places",
    gives=dp.Counts(1),
    sensitivity=lambda removed, added: {"l1": float(removed + added)},
    source="a fix makes a place of its own, or joins two",
)
def places(rows):
    """The number of single-linkage clusters of fixes (first two columns: metres east and north)."""
    points = rows[:, :2]
    points = points[np.isfinite(points).all(axis=1) & (np.abs(points) < 1e9).all(axis=1)]
    return [float(components(np.unique(points, axis=0)))] if len(points) else [0.0]
''',
    "z_stat_dense_edges": '''
# How connected the dense part of a table is: DBSCAN on a grid of one column.
CELLS = 32
@dp.own_statistic(
    "dbscan.edges",
    gives=dp.Vector(1),
    sensitivity=lambda removed, added, dense: {"l1": float(removed + added), "linf": float(removed + added)},
    source="internal note: a row is in one cell, so it makes or breaks one dense cell",
    examples={"dense": 20},
)
def dense_edges(rows, *, dense):
    """The number of neighbouring pairs of cells that both hold at least `dense` rows."""
    cell = np.clip(np.floor(rows[:, 0]), 0, CELLS - 1).astype(int)
    full = np.bincount(cell, minlength=CELLS) >= dense
    return np.array([float((full[1:] & full[:-1]).sum())])
''',
    "z_stat_mutual": '''
@dp.own_statistic("t.mutual", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="own")
def mutual(rows):
    """Pairs of rows that are each other's nearest."""
    x = np.clip(np.nan_to_num(np.asarray(rows, dtype=float)), -1e6, 1e6)
    if len(x) < 2:
        return 0.0
    d = ((x[:, None] - x) ** 2).sum(axis=2)
    np.fill_diagonal(d, np.inf)
    near = d.argmin(axis=1)
    return float((near[near] == np.arange(len(x))).sum() // 2)
''',
    "z_stat_chain": '''
@dp.own_statistic("t.chain", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="own")
def chain(rows):
    """The longest way along links from a first column to a last, each code once."""
    x = np.clip(np.nan_to_num(np.asarray(rows, dtype=float)), -1e6, 1e6)
    follows = {}
    for r in np.unique(x, axis=0):
        follows.setdefault(float(r[0]), float(r[-1]))
    best = 0
    for start in follows:
        seen, at, length = set(), start, 0
        while at in follows and at not in seen:
            seen.add(at); at = follows[at]; length += 1
        best = max(best, length)
    return float(best)
''',
}
CORRECT_SOURCES = {
    "z_c_heavy": '''
# Active accounts: those with at least three purchases.
from collections import Counter
@dp.own_statistic(
    "shop.active_accounts",
    gives=dp.Counts(1),
    sensitivity=lambda removed, added, **_: {"l1": float(max(removed, added))},
    source="taking rows out only lowers the count, by one a row; putting rows in only raises it",
)
def active_accounts(rows, *, least=3):
    """How many accounts (first column) have at least `least` rows."""
    ids = rows[:, 0]
    sizes = Counter(ids[np.isfinite(ids)].tolist())
    return [float(sum(size >= least for size in sizes.values()))]
''',
    "z_c_boxes": '''
# Counts in boxes.
import math
@dp.own_query(
    "packing.boxes",
    gives=lambda m, **_: dp.Counts(m),
    sensitivity=lambda distance, box, **_: {"linf": float(math.ceil(distance["linf"] / box))},
    source="floor((x + d) / b) - floor(x / b) <= ceil(d / b)",
    examples={"m": 3},
)
def boxes(counts, *, m, box=7):
    """How many full boxes."""
    return np.floor(np.asarray(counts, dtype=float) / box)
''',
    "z_c_log_average": '''
# Rates compared by their ratio.
LEAST = 1e-9
@dp.semimetric("fluxes.log_ratio", triangle=lambda r: 1.0, usable=lambda value, r: bool(np.min(value) > LEAST), averages=lambda r, tau: float(np.log1p(tau * np.expm1(min(r, 700.0)))))
def log_ratio(a, b):
    """The largest log ratio of two vectors of rates."""
    a, b = np.maximum(a, LEAST), np.maximum(b, LEAST)
    return float(np.abs(np.log(a) - np.log(b)).max(initial=0.0))
''',
    "z_c_covered": '''
# Minutes covered by sensor readings that are each valid for a while.
@dp.own_statistic(
    "sensor.covered",
    gives=dp.Counts(1),
    sensitivity=lambda removed, added, valid, **_: {"l1": float(valid * max(removed, added))},
    source="the length of a union of intervals of `valid` each: monotone, and at most `valid` a row",
    examples={"valid": 30},
)
def covered(rows, *, valid):
    """The length of the union of [t, t + valid] over all readings t."""
    t = rows[:, 0]
    t = np.sort(np.floor(t[np.isfinite(t) & (np.abs(t) < 2.0**40)]))
    if not len(t):
        return [0.0]
    return [float(np.minimum(np.diff(t), valid).sum() + valid)]
''',
}
