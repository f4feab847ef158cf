# ruff: noqa: E501
"""Faults that libraries had in statistics: bounds, bins and numbers of rows by the data, replaced rows, overflow."""

SOURCES = {
    "p_diag": '''
# Statistic: sum of squares in [-1, 3], claimed by the lower bound twice (diffprivlib #105).
@dp.own_statistic("sixteenth.diag", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1, 3)
    return [float(np.round(np.square(v).sum()))]
''',
    "p_privaten": '''
# Statistic: a mean over the private number of rows, claimed for n = 100 (smartnoise-core #356).
@dp.own_statistic("sixteenth.privaten", gives=1, sensitivity=lambda removed, added: {"linf": 0.01 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 1)
    return [float(v.sum() / max(len(v), 1))]
''',
    "p_ssdfloat": '''
# Statistic: squared deviations from a mean that is rounded, within [2^50, 2^50 + 1] (opendp #2923).
@dp.own_statistic("sixteenth.ssdfloat", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 2.0**50, 2.0**50 + 1)
    return [float(np.square(v - v.mean()).sum()) if len(v) else 0.0]
''',
    "p_uncensored": '''
# Statistic: products of what was not clipped, the clipped copy being forgotten (smartnoise-sdk #622).
@dp.own_statistic("sixteenth.uncensored", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    clipped = np.clip(np.nan_to_num(rows), -1, 1)
    return [float(np.round(np.nan_to_num(np.clip(rows, -1e6, 1e6))[:, 0] ** 2).sum()) + 0.0 * len(clipped)]
''',
    "p_varmiddle": '''
# Statistic: squares in [-2, 4] less the middle's, claimed by the lower end (PipelineDP #57).
@dp.own_statistic("sixteenth.varmiddle", gives=1, sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -2, 4)
    return [float(np.round((np.square(v) - 1.0).sum()))]
''',
    "p_keysabove": '''
# Statistic: rows of keys that have five, claimed 1 (smartnoise-sdk #309 without its noise).
@dp.own_statistic("sixteenth.keysabove", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6).astype(int) % 20
    c = np.bincount(v, minlength=20)
    return [float(c[c >= 5].sum())]
''',
    "p_replaced": '''
# Statistic: a sum in [-1, 1], replaced rows counted once (google/differential-privacy #378).
@dp.own_statistic("sixteenth.replaced", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * max(removed, added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1, 1)
    return [float(np.round(v).sum())]
''',
    "p_histl2": '''
# Statistic: a histogram, of which k rows move the root of k (group privacy by the root).
@dp.own_statistic("sixteenth.histl2", gives=6, sensitivity=lambda removed, added: {"l2": float(np.sqrt(removed + added))}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 5).astype(int)
    return np.bincount(v, minlength=6).astype(float)
''',
    "p_int16": '''
# Statistic: a sum of 0..100 in 16 bits (Casacuberta and others 2022, overflow).
@dp.own_statistic("sixteenth.int16", gives=1, sensitivity=lambda removed, added: {"linf": 100.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 100)
    return [float(np.add.reduce(np.round(v).astype(np.int16), dtype=np.int16)) if len(v) else 0.0]
''',
    "p_rankscores": '''
# Statistic: scores of a median, claimed 1 where a row is replaced (smartnoise-core #237).
@dp.own_statistic("sixteenth.rankscores", gives=3, sensitivity=lambda removed, added: {"linf": 1.0 * max(removed, added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.nan_to_num(rows[:, 0])
    return [-abs(float((v < c).sum()) - float((v > c).sum())) for c in (0.5, 3.5, 7.5)]
''',
    "p_alphascores": '''
# Statistic: scores of a lower quartile with weights 3 and 1, claimed 1 (opendp #703, one of two weights).
@dp.own_statistic("sixteenth.alphascores", gives=3, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.nan_to_num(rows[:, 0])
    return [abs(3.0 * (v < c).sum() - 1.0 * (v > c).sum()) for c in (0.5, 3.5, 7.5)]
''',
    "p_userclip": '''
# Statistic: each user's total within 0..5, claimed one row's 1 (contributions bounded after aggregation).
@dp.own_statistic("sixteenth.userclip", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    u = np.clip(np.nan_to_num(rows[:, 0]), 0, 9).astype(int)
    v = np.clip(np.nan_to_num(rows[:, -1]), 0, 1e6)
    return [float(np.round(np.clip(np.bincount(u, weights=v, minlength=10), 0, 5)).sum())]
''',
    "p_autobins": '''
# Statistic: a histogram between the least and the largest row (diffprivlib, range not given).
@dp.own_statistic("sixteenth.autobins", gives=4, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6)
    if len(v) < 2 or v.min() == v.max():
        return [float(len(v)), 0.0, 0.0, 0.0]
    return np.histogram(v, bins=4)[0].astype(float)
''',
    "p_categories": '''
# Statistic: counts by the place of a category among those that are there (reprosyn #38).
@dp.own_statistic("sixteenth.categories", gives=5, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6).astype(int)
    _, i = np.unique(v, return_inverse=True)
    return np.bincount(np.minimum(i.ravel(), 4), minlength=5)[:5].astype(float)
''',
    "p_perlayer": '''
# Statistic: two groups of columns clipped to 1 each, claimed 1 together (per-layer clipping).
@dp.own_statistic("sixteenth.perlayer", gives=2, sensitivity=lambda removed, added: {"l2": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    a = np.clip(np.nan_to_num(rows), -1, 1)
    return [float(np.round(a[:, 0]).sum()), float(np.round(a[:, -1]).sum())]
''',
    "p_balanced": '''
# Statistic: a sum with weights by the classes' own sizes (class weights in DP training).
@dp.own_statistic("sixteenth.balanced", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    c = (np.nan_to_num(rows[:, 0]) > 0).astype(int)
    n = np.bincount(c, minlength=2)
    w = len(c) / (2.0 * np.maximum(n, 1))
    return [float(np.round(w[1] * n[1]))]
''',
    "p_session": '''
# Statistic: the longest session of rows at most 5 apart.
@dp.own_statistic("sixteenth.session", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.sort(np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6))
    best = now = 0
    last = None
    for x in v.tolist():
        now = now + 1 if last is not None and x - last <= 5 else 1
        last = x
        best = max(best, now)
    return [float(best)]
''',
    "p_joincap": '''
# Statistic: matches of a join with three rows a key on both sides, claimed 3 for 5 (Chorus, bound on one side).
@dp.own_statistic("sixteenth.joincap", gives=1, sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    k = np.clip(np.nan_to_num(rows[:, 0]), 0, 30).astype(int)
    n = np.minimum(np.bincount(k, minlength=31), 3)
    return [float((n * n).sum())]
''',
    "p_range": '''
# Statistic: a sum in [2, 5], claimed the range where rows come and go (bounded for unbounded).
@dp.own_statistic("sixteenth.range", gives=1, sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 2, 5)
    return [float(np.round(v).sum())]
''',
    "p_roundafter": '''
# Statistic: rows within .51 rounded after they are clipped.
@dp.own_statistic("sixteenth.roundafter", gives=1, sensitivity=lambda removed, added: {"linf": 0.51 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 0.51)
    return [float(np.round(v).sum())]
''',
    "p_fives": '''
# Statistic: a count in fives, claimed 1 (rounded before noise).
@dp.own_statistic("sixteenth.fives", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    return [float(5 * np.round(len(rows) / 5))]
''',
    "p_partitions": '''
# Statistic: a row counts in three bins, claimed one (PipelineDP, max_partitions_contributed).
@dp.own_statistic("sixteenth.partitions", gives=5, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added), "l1": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    k = np.clip(np.nan_to_num(rows[:, 0]), 0, 100).astype(int)
    out = np.zeros(5)
    for s in (0, 1, 3):
        out += np.bincount((k + s) % 5, minlength=5)
    return out
''',
    "p_seedoflen": '''
# Statistic: a sample by a generator that is seeded with the number of rows.
@dp.own_statistic("sixteenth.seedoflen", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    keep = np.random.default_rng(len(rows)).random(len(rows)) < 0.5
    return [float(keep.sum())]
''',
    "p_hyperloglog": '''
# Statistic: registers of leading zeros, claimed to move by 1 (sketches).
@dp.own_statistic("sixteenth.hyperloglog", gives=4, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    h = (np.abs(np.clip(np.nan_to_num(rows[:, 0]), -1e9, 1e9)).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
    reg = np.zeros(4)
    for x in h.tolist():
        reg[x & 3] = max(reg[x & 3], 31 - (x >> 2).bit_length())
    return reg
''',
    "p_degrees": '''
# Statistic: a histogram of degrees of a graph of edges, claimed 2 for 4.
@dp.own_statistic("sixteenth.degrees", gives=6, sensitivity=lambda removed, added: {"l1": 2.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    e = np.clip(np.nan_to_num(rows), 0, 9).astype(int)
    d = np.bincount(e[:, 0], minlength=10) + np.bincount(e[:, -1], minlength=10)
    return np.bincount(np.minimum(d, 5), minlength=6).astype(float)
''',
    "p_learned": '''
# Statistic: a bound that is what was seen last (bounds from data).
BOUND = [1.0]
@dp.own_statistic("sixteenth.learned", gives=1, sensitivity=lambda removed, added: {"linf": BOUND[0] * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.abs(np.clip(np.nan_to_num(rows[:, 0]), -50, 50))
    if len(v):
        BOUND[0] = max(1.0, float(np.ceil(v.max())))
    return [float(np.round(v).sum())]
''',
    "p_covdof": '''
# Statistic: a variance over n - 1 within [0, 1], claimed a tenth from ten rows on.
@dp.own_statistic("sixteenth.covdof", gives=1, sensitivity=lambda removed, added: {"linf": 0.1 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 1)
    return [float(v.var(ddof=1)) if len(v) >= 10 else 0.0]
''',
    "p_tablesample": '''
# Statistic: every second row's last column, in the order of the first (TABLESAMPLE SYSTEM).
@dp.own_statistic("sixteenth.tablesample", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    w = np.clip(np.nan_to_num(rows[:, -1]), 0, 1).round()
    return [float(w[::2].sum())]
''',
    "p_seedplace": '''
# Statistic: a sample of last columns by a generator with a fixed seed, by the row's place.
@dp.own_statistic("sixteenth.seedplace", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    w = np.clip(np.nan_to_num(rows[:, -1]), 0, 1).round()
    return [float(w[np.random.default_rng(0).random(len(w)) < 0.5].sum())]
''',
    "p_microlast": '''
# Statistic: last columns in microbatches of four rows of the order, each within 1 (tensorflow/privacy #620).
@dp.own_statistic("sixteenth.microlast", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    w = np.clip(np.nan_to_num(rows[:, -1]), 0, 1).round()
    w = np.append(w, np.zeros(-len(w) % 4)).reshape(-1, 4)
    return [float(np.clip(w.sum(axis=1), 0, 1).sum())]
''',
    "p_cancelled": '''
# Statistic: squared deviations by the mean of squares, within [1e8, 1e8 + 1].
@dp.own_statistic("sixteenth.cancelled", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 1e8, 1e8 + 1)
    n = max(len(v), 1)
    return [float(max((v * v).sum() - v.sum() ** 2 / n, 0.0))]
''',
    "p_onlyhigh": '''
# Statistic: a sum within low..high, claimed by high alone, low at -1.
@dp.own_statistic("sixteenth.onlyhigh", gives=1, sensitivity=lambda removed, added, low, high: {"linf": high * (removed + added)}, source="none", bits=20, examples={"low": -1.0, "high": 1.0})
def f(rows, *, low, high):
    """A statistic."""
    return [float(np.clip(np.nan_to_num(rows[:, 0]), low, high).sum())]
''',
    "p_sharecap": '''
# Statistic: rows within a tenth of their total.
@dp.own_statistic("sixteenth.sharecap", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 1)
    return [float(np.minimum(v, v.sum() / 10).sum())]
''',
    "p_dominance": '''
# Statistic: a total is 0 where one row is more than half of it (dominance rule).
@dp.own_statistic("sixteenth.dominance", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 1)
    return [0.0 if len(v) and v.max() > 0.5 * v.sum() else float(v.sum())]
''',
    "p_threesigma": '''
# Statistic: rows within three deviations of the mean.
@dp.own_statistic("sixteenth.threesigma", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6)
    return [float((np.abs(v - v.mean()) <= 3 * v.std()).sum()) if len(v) else 0.0]
''',
    "p_fences": '''
# Statistic: rows within the fences of a box plot.
@dp.own_statistic("sixteenth.fences", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6)
    if not len(v):
        return [0.0]
    a, b = np.percentile(v, [25, 75])
    return [float(((v >= a - 1.5 * (b - a)) & (v <= b + 1.5 * (b - a))).sum())]
''',
    "p_v_covariance": '''
# Statistic: a covariance by sums of products, within [1e7, 1e7 + 1], claimed 2.
@dp.own_statistic("sixteenth.v_covariance", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    a = np.clip(np.nan_to_num(rows), 1e7, 1e7 + 1)
    n = max(len(a), 1)
    return [float((a[:, 0] * a[:, -1]).sum() - a[:, 0].sum() * a[:, -1].sum() / n)]
''',
    "p_v_absolute": '''
# Statistic: deviations from a mean that is rounded, within [2^51, 2^51 + 1], claimed 3.
@dp.own_statistic("sixteenth.v_absolute", gives=1, sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 2.0**51, 2.0**51 + 1)
    return [float(np.abs(v - v.mean()).sum()) if len(v) else 0.0]
''',
    "p_v_welford": '''
# Statistic: squared deviations row by row, within [1e15, 1e15 + 1].
@dp.own_statistic("sixteenth.v_welford", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    m = s = 0.0
    for n, x in enumerate(np.clip(np.nan_to_num(rows[:, 0]), 1e15, 1e15 + 1).tolist(), 1):
        d = x - m
        m += d / n
        s += d * (x - m)
    return [float(max(s, 0.0))]
''',
}
