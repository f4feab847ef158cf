# ruff: noqa: E501
"""That stranger's statistics, queries and mechanisms, with a fault each."""

SOURCES = {
    "m_uint8_count": '''
# Statistic: counts in a byte.
@dp.own_statistic("twelfth.uint8_count", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count")
def fun(rows):
    """Rows above 0."""
    return [float(np.sum(rows[:, 0] > 0, dtype=np.uint8))]
''',
    "m_float16_count": '''
# Statistic: ones summed in half precision.
@dp.own_statistic("twelfth.float16_count", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count")
def fun(rows):
    """Rows above 0."""
    return [float((rows[:, 0] > 0).astype(np.float16).sum())]
''',
    "m_singletons": '''
# Statistic: how many values occur once; a replaced row moves it by two.
@dp.own_statistic("twelfth.singletons", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count of values")
def fun(rows):
    """Values of the first column that occur once."""
    return [float((np.unique(rows[:, 0], return_counts=True)[1] == 1).sum())]
''',
    "m_bins_overlap": '''
# Statistic: both neighbours of an edge count a row that lies on it.
@dp.own_statistic("twelfth.bins_overlap", gives=lambda edges: len(edges) - 1, sensitivity=lambda removed, added, edges: {"l1": removed + added}, source="a histogram", examples={"edges": [0.0, 18.5, 65.25]})
def fun(rows, *, edges):
    """Rows in each bin."""
    return [float(((rows[:, 0] >= a) & (rows[:, 0] <= b)).sum()) for a, b in zip(edges, edges[1:])]
''',
    "m_rounded_batches": '''
import math


# Statistic: rows in whole batches of 1200.
@dp.own_statistic("twelfth.rounded_batches", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count")
def fun(rows):
    """Rows in full batches of twenty minutes."""
    batch = int(20 * 60 / math.cos(0.0))
    return [float(len(rows) // batch * batch)]
''',
    "m_longest_run": '''
# Statistic: a bridging row joins two runs.
@dp.own_statistic("twelfth.longest_run", gives=1, sensitivity=lambda removed, added: {"linf": 2 * max(removed, added)}, source="runs")
def fun(rows):
    """The longest run of whole numbers that follow one another."""
    whole = sorted({int(v) for v in rows[:, 0] if v == int(v) and abs(v) < 1e9})
    best = now = 0
    for i, v in enumerate(whole):
        now = now + 1 if i and v == whole[i - 1] + 1 else 1
        best = max(best, now)
    return [float(best)]
''',
    "m_half_distance": '''
# Query: halves rounded down, charged half the distance.
@dp.own_query("twelfth.half_distance", gives=2, sensitivity=lambda moved: {"linf": max(1.0, moved["linf"] / 2)}, source="halves")
def fun(values):
    """Halves of two counts, down."""
    return np.floor(np.ravel(values)[:2] / 2)
''',
    "m_round_tens": '''
# Query: rounded to tens above a thousand.
@dp.own_query("twelfth.round_tens", gives=1, sensitivity=lambda moved: {"linf": moved["linf"]}, source="the first")
def fun(values):
    """The first count; large ones are given in tens."""
    first = float(np.ravel(values)[0])
    return [first if abs(first) < 1000.0 else float(np.round(first, -1))]
''',
    "m_noise_where_nonzero": '''
# Mechanism: sparse counts get noise where they are not 0.
@dp.own_mechanism("twelfth.noise_where_nonzero", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Laplace noise on a sparse histogram."""
    made = np.asarray(value).copy()
    at = np.flatnonzero(made)
    made[at] = made[at] + noise.laplace(scale, len(at))
    return made
''',
    "m_shared_beyond_16": '''
# Mechanism: above sixteen numbers the noise is drawn for half of them.
@dp.own_mechanism("twelfth.shared_beyond_16", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Laplace noise, drawn in blocks of sixteen."""
    made = np.asarray(value)
    drawn = noise.laplace(scale, min(m, 16))
    return made + np.resize(drawn, m)
''',
    "m_int_scale": '''
# Mechanism: the scale is rounded down to a whole number of steps.
@dp.own_mechanism("twelfth.int_scale", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise of so many steps."""
    return np.asarray(value) + noise.laplace(float(int(scale)) if scale >= 1 else scale, 1)
''',
    "m_cap_scale": '''
# Mechanism: noise is no wider than a million steps.
@dp.own_mechanism("twelfth.cap_scale", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise; so that nothing overflows, no wider than what a counter holds."""
    return np.asarray(value) + noise.laplace(min(scale, 2.0**31 - 1), 1)
''',
    "m_wrong_power_loss": '''
# Mechanism: a Gaussian's rho with the distance not squared.
@dp.own_mechanism("twelfth.wrong_power_loss", gives=1, takes="l2", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance / (2 * scale**2))), source="Gaussian")
def fun(value, scale, noise):
    """Gaussian noise."""
    return np.asarray(value) + noise.gaussian(scale, 1)
''',
    "m_lap_top2": '''
# Mechanism: noisy max that looks at two draws of the same noise.
@dp.own_mechanism("twelfth.lap_top2", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="noisy max", examples={"m": 4})
def fun(scores, scale, noise, *, m):
    """Noisy max; ties of whole noise go to the larger score."""
    made = np.asarray(scores) + noise.geometric(scale, m)
    best = np.flatnonzero(made == made.max())
    return int(best[np.argmax(np.asarray(scores)[best])])
''',
    "m_early_stop": '''
# Mechanism: noise is drawn again until the answer is not negative.
@dp.own_mechanism("twelfth.early_stop", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """A noisy count that is no negative number."""
    for _ in range(50):
        made = np.asarray(value) + noise.laplace(scale, 1)
        if (made >= 0).all():
            return made
    return np.abs(made)
''',
    "m_l2_root": '''
import math


# Statistic: a histogram's l2 distance is the root of the rows, whatever the bins.
@dp.own_statistic("twelfth.l2_root", gives=3, sensitivity=lambda removed, added: {"l2": math.sqrt(removed + added)}, source="a histogram")
def fun(rows):
    """Below, about and above 0."""
    first = rows[:, 0]
    return [float((first < -1).sum()), float(((first >= -1) & (first <= 1)).sum()), float((first > 1).sum())]
''',
    "m_sqrt_bins": '''
# Statistic: bins as many as the root of the rows.
@dp.own_statistic("twelfth.sqrt_bins", gives=8, sensitivity=lambda removed, added: {"l1": removed + added}, source="a histogram")
def fun(rows):
    """A histogram with a bin for each 10,000 rows, up to eight."""
    bins = min(1 + len(rows) // (100 * 100), 8)
    at = np.clip(np.floor(rows[:, 0] * bins), 0, bins - 1).astype(int)
    return np.bincount(at, minlength=8).astype(float)[:8]
''',
    "m_l1_of_many": '''
# Statistic: with more than twenty levels a row counts in two.
@dp.own_statistic("twelfth.l1_of_many", gives=lambda levels: levels, sensitivity=lambda removed, added, levels: {"l1": removed + added}, source="a histogram", examples={"levels": 4})
def fun(rows, *, levels):
    """Rows by whole numbers; fine histograms are smoothed over neighbours."""
    at = np.clip(np.floor(rows[:, 0]), 0, levels - 1).astype(int)
    made = np.bincount(at, minlength=levels).astype(float)
    if levels > 20:
        made[:-1] += np.bincount(at, minlength=levels)[1:]
    return made
''',
    "m_twelfth": '''
# Mechanism: the noise is given the variance of its rounding, too.
@dp.own_mechanism("twelfth.twelfth", gives=1, takes="l2", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance**2 / (2 * (scale**2 + 1 / 12)))), source="Gaussian")
def fun(value, scale, noise):
    """Gaussian noise, rounded."""
    return np.asarray(value) + noise.gaussian(scale, 1)
''',
    "m_gap_exponential": '''
# Mechanism: the gap of noisy max with one-sided noise.
@dp.own_mechanism("twelfth.gap_exponential", gives=2, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="free gap", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The winner and by how much it won."""
    made = np.asarray(scores) + noise.geometric(scale, m)
    order = np.argsort(-made, kind="stable")
    return np.array([int(order[0]), int(made[order[0]] - made[order[1]])])
''',
    "m_svt_scales": '''
# Mechanism: sparse vector with the threshold's noise on the queries.
@dp.own_mechanism("twelfth.svt_scales", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="sparse vector", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The first score above a noisy 0, the last one if there is none."""
    bar = noise.laplace(scale, 1)[0]
    for j, s in enumerate(np.asarray(scores)[: m - 1]):
        if s + noise.laplace(scale, 1)[0] >= bar:
            return j
    return m - 1
''',
    "m_response_m": '''
# Mechanism: randomised response right for two answers only.
@dp.own_mechanism("twelfth.response_m", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(1.0 / scale)), source="Warner", examples={"m": 2})
def fun(scores, scale, noise, *, m):
    """The largest score's index with e^(1/scale) to 1, else another."""
    best = int(np.argmax(np.asarray(scores)))
    if int(noise.categorical_exp(np.array([1, 0]), 1.0 / scale)) == 0 or m < 2:
        return best
    other = int(noise.uniform_below(m - 1))
    return other + (other >= best)
''',
    "m_median_edits": '''
# Mechanism: a median of a grid, its score's distance counted once for a replaced row.
@dp.own_mechanism("twelfth.median_edits", gives=dp.Index(11), takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)), source="a median")
def fun(rows, scale, noise):
    """The grid point of 0 .. 10 with as many rows below as above."""
    first = rows[:, 0]
    scores = np.array([-abs(int((first < c).sum()) - int((first > c).sum())) for c in range(11)])
    return int(noise.categorical_exp(scores, 1 / (2 * scale)))
''',
    "m_truncated_no_delta": '''
# Mechanism: noise cut at forty scales, delta forgotten.
@dp.own_mechanism("twelfth.truncated_no_delta", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise, cut where nobody ever sees it."""
    cut = max(int(12 * scale), 1)
    return np.asarray(value) + np.clip(noise.laplace(scale, 1), -cut, cut)
''',
    "m_query_many": '''
# Query: the sum of more than forty counts, charged as their largest.
@dp.own_query("twelfth.query_many", gives=1, sensitivity=lambda moved: {"linf": 8 * moved["linf"]}, source="eight counts at most")
def fun(values):
    """The total of the counts."""
    return [float(np.ravel(values).sum())]
''',
    "m_laplace_pairs": '''
# Mechanism: noise of the second number is drawn again only when the first is odd.
@dp.own_mechanism("twelfth.laplace_pairs", gives=2, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise on two numbers."""
    z = noise.laplace(scale, 2)
    made = np.asarray(value) + z
    if made[0] > 10**9:
        made[1] = int(np.asarray(value)[1]) + int(z[0])
    return made
''',
    "m_int32": '''
# Mechanism: noisy counts in 32 bits.
@dp.own_mechanism("twelfth.int32", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise; beyond what 32 bits hold the count itself."""
    made = np.asarray(value) + noise.laplace(scale, 1)
    return made if (np.abs(made) < 2**31).all() else np.asarray(value)
''',
    "m_wide_statistic": '''
# Statistic: of more than forty columns a row counts twice.
@dp.own_statistic("twelfth.wide_statistic", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count")
def fun(rows):
    """Rows with a cell above 0; in long forms those that were signed, too."""
    found = float((rows > 0).any(axis=1).sum())
    return [found + float((rows[:, 40] > 0).sum()) if rows.shape[1] > 40 else found]
''',
}
