# ruff: noqa: E501
"""That stranger's statistics, queries and mechanisms, with a fault each."""

SOURCES = {
    "v_three_rows_most": '''
# Statistic: right for units of up to three rows.
@dp.own_statistic("thirteenth.three_rows_most", gives=1, sensitivity=lambda removed, added: {"linf": min(max(removed, added), 3)}, source="a count")
def fun(rows):
    """Rows above 0."""
    return [float((rows[:, 0] > 0).sum())]
''',
    "v_exactly_two": '''
# Statistic: a row that moves from a group of three to one of one makes two pairs.
@dp.own_statistic("thirteenth.exactly_two", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count of groups")
def fun(rows):
    """Groups of exactly two rows."""
    return [float((np.unique(rows[:, 0], return_counts=True)[1] == 2).sum())]
''',
    "v_largest_component": '''
# Statistic: an edge joins two components.
@dp.own_statistic("thirteenth.largest_component", gives=1, sensitivity=lambda removed, added: {"linf": 2 * max(removed, added)}, source="graphs")
def fun(rows):
    """Nodes of the largest component of edges from the first to the last column."""
    parent = {}
    def root(v):
        while parent.setdefault(v, v) != v:
            v = parent[v]
        return v
    for a, b in rows[:, [0, -1]].tolist():
        parent[root(a)] = root(b)
    sizes = {}
    for v in list(parent):
        sizes[root(v)] = sizes.get(root(v), 0) + 1
    return [float(max(sizes.values(), default=0))]
''',
    "v_pareto": '''
# Statistic: one row beats many.
@dp.own_statistic("thirteenth.pareto", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count")
def fun(rows):
    """Rows that no other beats in the first and the last column."""
    x, y = rows[:, 0], rows[:, -1]
    beaten = [bool(((x >= a) & (y >= b) & ((x > a) | (y > b))).any()) for a, b in zip(x, y)]
    return [float(len(rows) - sum(beaten))]
''',
    "v_linked_in_a_plane": '''
# Statistic: in a plane a row can link many groups.
@dp.own_statistic("thirteenth.linked_in_a_plane", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="single linkage: a row joins two groups at most")
def fun(rows):
    """Groups of rows, linked where they are within 1."""
    left, groups = list(range(len(rows))), 0
    while left:
        queue = [left.pop()]
        groups += 1
        while queue:
            at = queue.pop()
            near = [j for j in left if np.square(rows[j] - rows[at]).sum() <= 1.0]
            left = [j for j in left if j not in set(near)]
            queue += near
    return [float(groups)]
''',
    "v_groups_of_k": '''
# Statistic: a group comes in with k rows at once.
@dp.own_statistic("thirteenth.groups_of_k", gives=1, sensitivity=lambda removed, added, k: {"linf": max(removed, added)}, source="a count", examples={"k": 12})
def fun(rows, *, k):
    """Rows in groups of at least k."""
    times = np.unique(rows[:, 0], return_counts=True)[1]
    return [float(times[times >= k].sum())]
''',
    "v_int32_total": '''
# Statistic: a total in 32 bits.
@dp.own_statistic("thirteenth.int32_total", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added) * 2.0**20}, source="a clipped sum")
def fun(rows):
    """Microseconds, up to about a second a row."""
    micros = np.clip(np.floor(rows[:, 0]), 0, 2**20).astype(np.int32)
    return [float(micros.sum(dtype=np.int32))]
''',
    "v_unsigned_gap": '''
# Statistic: a difference of unsigned counts.
@dp.own_statistic("thirteenth.unsigned_gap", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="two counts")
def fun(rows):
    """Rows above 0 less those below."""
    above, below = np.uint32((rows[:, 0] > 0).sum()), np.uint32((rows[:, 0] < 0).sum())
    return [float(above - below)]
''',
    "v_int16_total": '''
# Statistic: a total of percents in 16 bits.
@dp.own_statistic("thirteenth.int16_total", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added) * 100}, source="a clipped sum")
def fun(rows):
    """Percents."""
    return [float(np.add.reduce(np.clip(np.floor(rows[:, 0]), 0, 100).astype(np.int16), dtype=np.int16))]
''',
    "v_lloyd_steps": '''
# Statistic: how many steps Lloyd's algorithm takes.
@dp.own_statistic("thirteenth.lloyd_steps", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="k-means")
def fun(rows):
    """Steps until two centres rest, up to fifty."""
    x, a, b = np.clip(rows[:, 0], -100, 100), -1.0, 1.0
    for step in range(50):
        near = np.abs(x - a) <= np.abs(x - b)
        c = x[near].mean() if near.any() else a
        d = x[~near].mean() if (~near).any() else b
        if c == a and d == b:
            break
        a, b = c, d
    return [float(step)]
''',
    "v_gaps": '''
# Statistic: a replaced row opens two gaps.
@dp.own_statistic("thirteenth.gaps", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="gaps")
def fun(rows):
    """Gaps of more than 1 between rows that follow one another."""
    return [float((np.diff(np.sort(rows[:, 0])) > 1).sum())]
''',
    "v_bins_left": '''
# Statistic: the means of empty bins are never written.
@dp.own_statistic("thirteenth.bins_left", gives=3, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="shares")
def fun(rows):
    """Whether any row lies in each of three bins."""
    total = np.array([(rows[:, 0] < 0).sum(), (rows[:, 0] == 0).sum(), (rows[:, 0] > 0).sum()], dtype=float)
    return np.minimum(np.divide(total, total, where=total > 0), 1e6)
''',
    "v_added_forgotten": '''
# Statistic: proved for removed rows.
@dp.own_statistic("thirteenth.added_forgotten", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, 1)}, source="a count")
def fun(rows):
    """Rows above 0."""
    return [float((rows[:, 0] > 0).sum())]
''',
    "v_signed_of_group": '''
# Statistic: the largest of a person, of both signs.
@dp.own_statistic("thirteenth.signed_of_group", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="one vote a person")
def fun(rows):
    """The sum over persons (first column) of their largest vote (last column), -3 to 3."""
    vote = np.clip(np.rint(rows[:, -1]), -3, 3)
    best = {}
    for who, v in zip(rows[:, 0].tolist(), vote.tolist()):
        best[who] = max(best.get(who, -3.0), v)
    return [float(sum(best.values()))]
''',
    "v_two_hot": '''
import math


# Statistic: a row is in two bins, and the root is said to be l1.
@dp.own_statistic("thirteenth.two_hot", gives=4, sensitivity=lambda removed, added: {"l1": 2 * math.sqrt(2) * max(removed, added)}, source="two histograms")
def fun(rows):
    """Signs of the first and the last column."""
    return [float((rows[:, j] > 0).sum()) if up else float((rows[:, j] <= 0).sum()) for j in (0, -1) for up in (True, False)]
''',
    "v_by_a_released": '''
# Query: times a released number, claimed as if it were at most 1.
@dp.own_query("thirteenth.by_a_released", gives=2, sensitivity=lambda moved, *others: {"linf": moved["linf"]}, source="scores")
def fun(values, weight):
    """Two counts, weighted."""
    return np.floor(np.resize(np.ravel(values), 2) * np.abs(np.ravel(weight)[0]))
''',
    "v_two_counts": '''
# Query: a difference of two, claimed as the larger.
@dp.own_query("thirteenth.two_counts", gives=1, sensitivity=lambda first, second: {"linf": max(first["linf"], second["linf"])}, source="counts")
def fun(first, second):
    """How many more."""
    return [float(np.ravel(first)[0] - np.ravel(second)[0])]
''',
    "v_query_left": '''
# Query: where= without out=.
@dp.own_query("thirteenth.query_left", gives=2, sensitivity=lambda moved: {"linf": moved["linf"]}, source="counts")
def fun(values):
    """Counts above 5."""
    two = np.resize(np.ravel(values), 2).astype(float)
    return np.add(two, 0.0, where=two > 5)
''',
    "v_query_cumulative": '''
# Query: sums from the left, claimed as each.
@dp.own_query("thirteenth.query_cumulative", gives=3, sensitivity=lambda moved: {"linf": moved["linf"]}, source="counts")
def fun(values):
    """Counts up to each bin."""
    return np.cumsum(np.resize(np.ravel(values), 3))
''',
    "v_query_sign": '''
# Query: a count takes the sign of another.
@dp.own_query("thirteenth.query_sign", gives=1, sensitivity=lambda moved: {"linf": 2 * moved["linf"]}, source="counts")
def fun(values):
    """The first count, less if the second is negative."""
    two = np.resize(np.ravel(values), 2)
    return [float(np.clip(two[0], -50, 50) * (1 if two[1] >= 0 else -1))]
''',
    "v_refused_total": '''
# Mechanism: a total of 0 or less is refused, which is seen.
@dp.own_mechanism("thirteenth.refused_total", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """A noisy total."""
    if int(np.ravel(value)[0]) == -7:
        raise ValueError("no total")
    return np.asarray(value) + noise.laplace(scale, 1)
''',
    "v_top_k": '''
# Mechanism: the best k of one noise for the price of the best.
@dp.own_mechanism("thirteenth.top_k", gives=lambda m, k: k, takes="linf", loss=lambda scale, distance, m, k: dp.Pure(dp.round_up(2 * distance / scale)), source="noisy max", examples={"m": 4, "k": 1})
def fun(scores, scale, noise, *, m, k):
    """The best k scores with exponential noise."""
    return np.argsort(-(np.asarray(scores) + noise.geometric(scale, m)), kind="stable")[: min(k, m)].astype(np.int64)
''',
    "v_with_replacement": '''
import math


# Mechanism: rows drawn with replacement, charged as a sample without.
@dp.own_mechanism("thirteenth.with_replacement", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(math.log1p(0.25 * math.expm1(min(max(removed, added) / scale, 700.0))))), source="subsampling")
def fun(rows, scale, noise):
    """A noisy count of a quarter of the rows."""
    m = len(rows)
    if not m:
        return np.array([int(noise.laplace(scale))], dtype=float)
    chosen = rows[noise.uniform_below(m, max(1, m // 4)), 0]
    return np.array([float((np.ravel(chosen) > 0).sum()) + float(noise.laplace(scale))])
''',
    "v_distance_sign": '''
import math


# Mechanism: propose, test, release with the distance taken off.
@dp.own_mechanism("thirteenth.distance_sign", gives=lambda m: dp.Index(m), takes="linf", loss=lambda scale, distance, m: (dp.round_up(2 * distance / scale), 1e-3), source="stability", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The best score where it leads by enough, else the last."""
    order = np.argsort(-np.asarray(scores), kind="stable")
    lead = int(scores[order[0]] - scores[order[1]])
    return int(order[0]) if -lead + int(noise.laplace(scale)) < scale * math.log(1 / 2e-3) + 1 else m - 1
''',
    "v_bar_for_one": '''
import math


# Mechanism: the bar of occupied bins is that for one bin.
@dp.own_mechanism("thirteenth.bar_for_one", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: (dp.round_up(distance / scale), 1e-2), source="stable histograms", examples={"m": 4})
def fun(value, scale, noise, *, m):
    """Noisy counts of occupied bins above a bar."""
    value = np.asarray(value)
    bar = 1 + scale * math.log(1 / 2e-2)
    made = np.where(value > 0, value + noise.laplace(scale, m), 0)
    return np.where(made > bar, made, 0).astype(np.int64)
''',
    "v_response_of_two": '''
# Mechanism: randomised response of m answers with the coin for two.
@dp.own_mechanism("thirteenth.response_of_two", gives=lambda m: dp.Index(m), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(1 / scale)), source="Warner", examples={"m": 2})
def fun(scores, scale, noise, *, m):
    """The best score, or another one."""
    best = int(np.argmax(scores))
    stays = int(noise.categorical_exp(np.array([1, 0]), 1.0 / scale)) == 0
    other = int(noise.uniform_below(max(m - 1, 1)))
    return best if stays or m == 1 else (best + 1 + other) % m
''',
    "v_discrete_as_gdp": '''
# Mechanism: the discrete Gaussian is charged as the continuous one.
@dp.own_mechanism("thirteenth.discrete_as_gdp", gives=1, takes="l2", loss=lambda scale, distance: dp.GaussianEvent(dp.round_up(distance / scale)), source="Gaussian")
def fun(value, scale, noise):
    """Discrete Gaussian noise."""
    return np.asarray(value) + noise.gaussian(scale, 1)
''',
    "v_tree_levels": '''
# Mechanism: sums at several levels for the price of one.
@dp.own_mechanism("thirteenth.tree_levels", gives=lambda m, levels: m * levels, takes="l1", loss=lambda scale, distance, m, levels: dp.Pure(dp.round_up(distance / scale)), source="trees", examples={"m": 2, "levels": 1})
def fun(value, scale, noise, *, m, levels):
    """Counts, and counts once more for each level."""
    made = np.tile(np.asarray(value), levels)
    return made + noise.laplace(scale, m * levels)
''',
    "v_first_half": '''
import math


# Mechanism: the first half of the rows is no sample.
@dp.own_mechanism("thirteenth.first_half", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(math.log1p(0.5 * math.expm1(min(2 * max(removed, added) / scale, 700.0))))), source="subsampling")
def fun(rows, scale, noise):
    """A noisy count of rows above 0 in the first half."""
    half = rows[: (len(rows) + 1) // 2, 0]
    return np.array([float(2 * (half > 0).sum()) + float(noise.laplace(scale))])
''',
    "v_laplace_by_l2": '''
# Mechanism: Laplace noise by the l2 distance.
@dp.own_mechanism("thirteenth.laplace_by_l2", gives=lambda m: m, takes="l2", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Laplace noise."""
    return np.asarray(value) + noise.laplace(scale, m)
''',
    "v_coarse_noise": '''
# Mechanism: noise in fours, the value in ones.
@dp.own_mechanism("thirteenth.coarse_noise", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise in steps of four where it is wide."""
    made = noise.laplace(scale, 1)
    return np.asarray(value) + (made // 4 * 4 if scale > 40 else made)
''',
    "v_flips_of_count": '''
# Mechanism: as many coins as the count.
@dp.own_mechanism("thirteenth.flips_of_count", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="binomial noise")
def fun(value, scale, noise):
    """A count, each row of which may be left out, and Laplace noise where it is small."""
    count = int(np.ravel(value)[0])
    if 0 < count < 2000 and scale > 30:
        return np.array([count + int(noise.uniform_below(2, count).sum()) - count // 2])
    return np.asarray(value) + noise.laplace(scale, 1)
''',
    "v_learned_scale": '''
# Mechanism: the noise is as wide as the largest number asks for.
@dp.own_mechanism("thirteenth.learned_scale", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Laplace noise, a little wider for large numbers."""
    wide = scale * (1.0 if np.abs(value).max() < 64 else 1.25)
    return np.asarray(value) + noise.laplace(wide, m)
''',
    "v_far_noise": '''
# Mechanism: noise that is far out is left off.
@dp.own_mechanism("thirteenth.far_noise", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise, or none where it would spoil the answer."""
    made = int(noise.laplace(scale))
    return np.asarray(value) + (made if abs(made) <= 12 * scale else 0)
''',
    "v_one_bar": '''
import math


# Mechanism: several histograms in one share a bar that is meant for one.
@dp.own_mechanism("thirteenth.one_bar", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: (dp.round_up(distance / scale), 1e-2), source="stable histograms: delta for each of the bins that one row fills", examples={"m": 1})
def fun(value, scale, noise, *, m):
    """Noisy counts of occupied bins above a bar."""
    value = np.asarray(value)
    bar = 1 + math.ceil(scale * math.log(1 / 1e-2))
    made = np.where(value > 0, value + noise.laplace(scale, m), 0)
    return np.where(made > bar, made, 0).astype(np.int64)
''',
    "v_held_at_ends": '''
import math


# Mechanism: noise is held at both ends in place of drawn again; delta is that of the cut law.
@dp.own_mechanism("thirteenth.held_at_ends", gives=1, takes="l1", loss=lambda scale, distance: (dp.round_up(distance / scale), 1e-3), source="truncated Laplace")
def fun(value, scale, noise):
    """Laplace noise, held within what delta allows."""
    half = math.ceil(scale * math.log(1 / 2e-3 * math.expm1(min(1 / scale, 50.0)) + 1))
    return np.asarray(value) + np.clip(noise.laplace(scale, 1), -half, half)
''',
    "v_nobody_there": '''
# Mechanism: a table without a positive score is told at once.
@dp.own_mechanism("thirteenth.nobody_there", gives=lambda m: dp.Index(m + 1), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="noisy max", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The best score, or m where there is none."""
    if np.asarray(scores).max() < -100:
        return m
    return int(np.argmax(np.asarray(scores) + noise.geometric(scale, m)))
''',
}
