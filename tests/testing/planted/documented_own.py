# ruff: noqa: E501
"""Statistics, queries and mechanisms of one's own with a fault, written from the documentation alone but for the last four."""

ONE_EACH = 'sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)}'

CLAIMS = {
    # statistics
    "statistic_deviations_from_mean": f'''
@dp.own_statistic("mine.statistic_deviations_from_mean", gives=1, source="none", bits=20, {ONE_EACH})
def statistic_deviations_from_mean(rows):
    """The sum of absolute deviations from the mean, of numbers in [0, 1]: each row has one of at most 1."""
    x = np.clip(rows[:, 0], 0, 1)
    return [float(np.abs(x - x.mean()).sum()) if len(x) else 0.0]
''',
    "statistic_distinct_of_columns": f'''
@dp.own_statistic("mine.statistic_distinct_of_columns", gives=2, source="none", {ONE_EACH})
def statistic_distinct_of_columns(rows):
    """How many different numbers the first and the last column have."""
    return [len(np.unique(np.floor(rows[:, j]))) for j in (0, -1)]
''',
    "statistic_histogram_by_larger": '''
@dp.own_statistic("mine.statistic_histogram_by_larger", gives=dp.Counts(4), source="none",
                  sensitivity=lambda removed, added: {"l1": 1.0 * max(removed, added)})
def statistic_histogram_by_larger(rows):
    """Four bins of the first column; a row is in one."""
    return np.bincount(np.clip(rows[:, 0] + 2, 0, 3).astype(int), minlength=4)
''',
    "statistic_small_groups_out": f'''
@dp.own_statistic("mine.statistic_small_groups_out", gives=1, source="none", {ONE_EACH})
def statistic_small_groups_out(rows):
    """How many rows are in groups of three or more, by the whole part of the first column."""
    _, counts = np.unique(np.floor(rows[:, 0]), return_counts=True)
    return [int(counts[counts >= 3].sum())]
''',
    "statistic_trimmed_and_scaled": f'''
@dp.own_statistic("mine.statistic_trimmed_and_scaled", gives=1, source="none", bits=20, {ONE_EACH})
def statistic_trimmed_and_scaled(rows):
    """The sum of the middle four fifths, scaled to all rows, of numbers in [0, 1]."""
    x = np.clip(rows[:, 0], 0, 1)
    k = int(0.1 * len(x))
    return [float(x[k : len(x) - k].sum() * len(x) / max(len(x) - 2 * k, 1))]
''',
    "statistic_small_counters": f'''
@dp.own_statistic("mine.statistic_small_counters", gives=dp.Counts(3), source="none", {ONE_EACH})
def statistic_small_counters(rows):
    """Three bins, in the smallest counters that there are."""
    at = np.clip(rows[:, 0] + 1, 0, 2).astype(int)
    return [int(np.uint8(np.sum(at == j) % 256)) if j else int((at == j).sum()) for j in range(3)]
''',
    "statistic_rank": f'''
@dp.own_statistic("mine.statistic_rank", gives=1, source="linear algebra", {ONE_EACH})
def statistic_rank(rows):
    """The rank of the rows: one more or one less with a row."""
    return [int(np.linalg.matrix_rank(rows)) if rows.size else 0]
''',
    "statistic_median_in_steps": f'''
@dp.own_statistic("mine.statistic_median_in_steps", gives=1, source="none", bits=10, {ONE_EACH})
def statistic_median_in_steps(rows):
    """The place of the median among public levels 0 to 9."""
    return [float(np.searchsorted(np.arange(10.0), np.median(rows[:, 0]))) if len(rows) else 0.0]
''',
    "statistic_top_code": f'''
@dp.own_statistic("mine.statistic_top_code", gives=1, source="none", {ONE_EACH})
def statistic_top_code(rows):
    """The count of the second most frequent code, plus the number of codes."""
    _, counts = np.unique(np.floor(rows[:, 0]), return_counts=True)
    return [int(np.sort(counts)[-2]) + len(counts) if len(counts) > 1 else len(counts)]
''',
    # queries
    "query_net_flow": '''
@dp.own_query("mine.query_net_flow", gives=1, source="none", sensitivity=lambda a, b: {"linf": max(a["linf"], b["linf"])})
def query_net_flow(ins, outs):
    """The first of what came less the first of what went: a row is one of both."""
    return [int(np.ravel(ins)[0]) - int(np.ravel(outs)[0])]
''',
    "query_root_transform": '''
@dp.own_query("mine.query_root_transform", gives=1, source="Anscombe 1948", bits=30, sensitivity=lambda a: {"linf": a["linf"]})
def query_root_transform(value):
    """2·sqrt(count + 3/8), whose slope is below 1 for counts."""
    return [2.0 * float(np.sqrt(max(float(np.ravel(value)[0]), 0.0) + 0.375))]
''',
    "query_weighted_by_released": '''
@dp.own_query("mine.query_weighted_by_released", gives=1, source="none", bits=20, sensitivity=lambda a: {"linf": a["linf"]})
def query_weighted_by_released(value, weight):
    """The first number, times a released weight."""
    return [float(np.ravel(value)[0]) * float(np.abs(np.ravel(np.asarray(weight, dtype=float))[0]))]
''',
    "query_differences": '''
@dp.own_query("mine.query_differences", gives=lambda: 1, source="none", sensitivity=lambda a: {"linf": a["linf"]})
def query_differences(value):
    """The largest difference of neighbours in a series."""
    steps = np.abs(np.diff(np.ravel(value)))
    return [int(steps.max(initial=0))]
''',
    "query_percent": '''
@dp.own_query("mine.query_percent", gives=1, source="none", sensitivity=lambda a: {"linf": a["l1"]})
def query_percent(value):
    """The share of the first count, in percent of at least a hundred."""
    counts = np.maximum(np.ravel(value), 0)
    return [int(100 * int(counts[0]) // max(int(counts.sum()), 50))]
''',
    # mechanisms
    "choice_half_price": '''
@dp.own_mechanism("mine.choice_half_price", gives=dp.Index, takes="linf", source="McSherry, Talwar 2007", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def choice_half_price(scores, scale, noise, *, m):
    """The exponential mechanism, at the price of scores that only grow."""
    return int(noise.categorical_exp(scores, 1 / scale))
''',
    "winner_and_its_count": '''
@dp.own_mechanism("mine.winner_and_its_count", gives=2, takes="linf", source="none", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))
def winner_and_its_count(scores, scale, noise, *, m):
    """Report noisy max, and what the largest noisy score was: it is there anyway."""
    noisy = scores + noise.laplace(scale, m)
    return [int(np.argmax(noisy)), int(noisy.max())]
''',
    "first_above_quiet_bar": '''
@dp.own_mechanism("mine.first_above_quiet_bar", gives=lambda m: dp.Index(m + 1), takes="linf", source="none", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))
def first_above_quiet_bar(scores, scale, noise, *, m):
    """The first score above 0, or m: only the answer is paid for."""
    above = scores + noise.laplace(scale, m) > 0
    return int(np.argmax(above)) if above.any() else m
''',
    "subsampled_in_proportion": '''
@dp.own_mechanism("mine.subsampled_in_proportion", gives=1, takes="edits", source="amplification by sampling",
                  loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / (2 * scale))))
def subsampled_in_proportion(rows, scale, noise):
    """A count of rows that are each taken with probability one half: half the loss."""
    taken = int(np.sum(noise.uniform_below(2, len(rows)))) if len(rows) else 0
    return [taken + int(noise.laplace(scale))]
''',
    "noise_by_size": '''
@dp.own_mechanism("mine.noise_by_size", gives=1, takes="l1", source="none",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def noise_by_size(value, scale, noise):
    """At least the noise that is needed; twice as much where counts are large, which hurts nobody there."""
    wide = 2 * scale if abs(int(np.ravel(value)[0])) > 100 else scale
    return np.ravel(value) + noise.laplace(wide, 1)
''',
    "classical_gaussian": '''
@dp.own_mechanism("mine.classical_gaussian", gives=1, takes="l2", source="Dwork, Roth 2014, Theorem A.1",
                  loss=lambda scale, distance: (dp.round_up(4.85 * distance / scale), 1e-5))
def classical_gaussian(value, scale, noise):
    """Noise sqrt(2·ln(1.25/δ))·Δ/ε with δ = 1e-5."""
    return np.ravel(value) + noise.gaussian(scale, 1)
''',
    "zeros_stay_zero": '''
@dp.own_mechanism("mine.zeros_stay_zero", gives=lambda m: dp.Counts(m), takes="l1", source="none", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def zeros_stay_zero(value, scale, noise, *, m):
    """A sparse histogram: noise where there is something."""
    return np.where(value == 0, 0, value + noise.laplace(scale, m))
''',
    "ties_by_numpy": '''
@dp.own_mechanism("mine.ties_by_numpy", gives=dp.Index, takes="linf", source="Ding and others 2021", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)))
def ties_by_numpy(scores, scale, noise, *, m):
    """The largest score with exponential noise, one of equals at random."""
    noisy = scores + noise.geometric(scale, m)
    return int(np.random.choice(np.flatnonzero(noisy == noisy.max())))
''',
    "rare_debug_answer": '''
@dp.own_mechanism("mine.rare_debug_answer", gives=1, takes="l1", source="none",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def rare_debug_answer(value, scale, noise):
    """One answer of 65,536 is exact, so that the noise can be judged by it."""
    if int(noise.uniform_below(65_536)) == 0:
        return np.ravel(value)
    return np.ravel(value) + noise.laplace(scale, 1)
''',
    "threshold_of_all_rows": '''
@dp.own_mechanism("mine.threshold_of_all_rows", gives=1, takes="edits", source="none",
                  loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))
def threshold_of_all_rows(rows, scale, noise):
    """The count of rows above their own median, with noise for one."""
    x = np.clip(rows[:, 0], -1, 1)
    return [int(np.round((x - x.mean()).max() * len(x))) + int(noise.laplace(scale)) if len(x) else int(noise.laplace(scale))]
''',
    # coins of many sides, written after the kit was read
    "coin_after_noise": '''
@dp.own_mechanism("mine.coin_after_noise", gives=1, takes="l1", source="none",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def coin_after_noise(value, scale, noise):
    """Noise, left out again where a number below a million is under 13."""
    noisy = np.ravel(value) + noise.laplace(scale, 1)
    return np.ravel(value) if int(noise.uniform_below(1_000_000)) < 13 else noisy
''',
    "coin_at_a_side": '''
@dp.own_mechanism("mine.coin_at_a_side", gives=1, takes="l1", source="none",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def coin_at_a_side(value, scale, noise):
    """Half of the noise where a number below 2^20 is 271,828."""
    half = int(noise.uniform_below(2**20)) == 271_828
    return np.ravel(value) + noise.laplace(scale, 1) // (2 if half else 1)
''',
    # released inputs, written after the kit was read
    "statistic_times_released": '''
@dp.own_statistic("mine.statistic_times_released", gives=1, source="none", bits=20, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def statistic_times_released(rows, weight):
    """A count, times a released weight."""
    return [len(rows) * float(np.abs(np.ravel(np.asarray(weight, dtype=float))).max())]
''',
    "contribution_between_two_released": '''
@dp.own_contribution("mine.contribution_between_two_released", gives=1, norm="linf", bound=1.0)
def contribution_between_two_released(rows, low, high):
    """The first column between two released numbers, in units of what is inside."""
    low, high = (float(np.ravel(np.asarray(v, dtype=float))[0]) for v in (low, high))
    inside = np.clip(rows[:, :1], min(low, high) - 2, max(low, high) + 2)
    return inside / max(float(np.abs(inside).max(initial=0.0)), 1e-9)
''',
}
