# ruff: noqa: E501
"""Faulty plugins written after the kit was read, for what its author thought it might miss; those that it sees."""

MORE = {
    "w_vectorize_dtype": '''
@dp.learner("mine.w_vectorize_dtype")
def w_vectorize_dtype(values):
    """Half of what is positive."""
    return np.vectorize(lambda v: 0 if v <= 0 else 0.5 * v)(values) if values.size else values
''',
    "w_outlier_switch": '''
@dp.learner("mine.w_outlier_switch")
def w_outlier_switch(values):
    """In units of the median size where there is an outlier."""
    size = np.abs(values)
    return values / (np.median(size) + 1.0) if size.max(initial=0.0) > 1e5 else values
''',
    "w_limit_in_keyword": '''
@dp.own_contribution("mine.w_limit_in_keyword", gives=1, norm="linf", bound=1.0)
def w_limit_in_keyword(rows, *, limit=4000):
    """The first column, centred where there are many rows."""
    return rows[:, :1] - (rows[:, :1].mean() if len(rows) > limit else 0.0)
''',
    "w_noise_by_range": '''
@dp.own_mechanism("mine.w_noise_by_range", gives=1, takes="edits", source="none", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))
def w_noise_by_range(rows, scale, noise):
    """A sum of the first column, with noise in proportion to its range."""
    x = np.clip(np.round(rows[:, 0]), -100, 100)
    width = float(x.max() - x.min()) if len(x) else 0.0
    return [int(x.sum()) + int(noise.laplace(max(scale * width, 1e-3)))]
''',
    "w_random_row": '''
@dp.own_mechanism("mine.w_random_row", gives=1, takes="edits", source="none", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))
def w_random_row(rows, scale, noise):
    """A random row's first number."""
    return [float(rows[int(noise.uniform_below(len(rows))), 0])] if len(rows) else [0.0]
''',
    "w_shuffled_counts": '''
@dp.own_mechanism("mine.w_shuffled_counts", gives=lambda m: dp.Counts(m), takes="l1", source="none", examples={"m": 3},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def w_shuffled_counts(value, scale, noise, *, m):
    """Counts in random order: nobody knows whose they are."""
    return value[noise.permutation(m)]
''',
    "w_uniform_noise": '''
@dp.own_mechanism("mine.w_uniform_noise", gives=1, takes="l1", source="none",
                  loss=lambda scale, distance: (0.0, min(1.0, dp.round_up(distance / (4 * np.ceil(scale) + 2)))))
def w_uniform_noise(value, scale, noise):
    """Uniform noise on -w..w with w the scale: delta is half of distance/(2w+1)."""
    w = int(np.ceil(scale))
    return np.ravel(value) + noise.uniform_below(2 * w + 1, 1) - w
''',
    "w_third_entry_bare": '''
@dp.own_mechanism("mine.w_third_entry_bare", gives=lambda m: dp.Counts(m), takes="l1", source="none", examples={"m": 5},
                  loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def w_third_entry_bare(value, scale, noise, *, m):
    """Noise in pairs; the odd one out is left."""
    z = np.zeros(m, dtype=np.int64)
    z[: 2 * (m // 2)] = noise.laplace(scale, 2 * (m // 2))
    return value + z
''',
    "w_mask_top_half": '''
@dp.mask("mine.w_mask_top_half", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def w_mask_top_half(value, noise, normals):
    """Noise where numbers are not small."""
    big = np.abs(value) >= 0.01 * np.abs(value).max()
    return np.where(big, value + noise * normals(len(value)), value)
''',
    "w_near_pairs": '''
@dp.own_statistic("mine.w_near_pairs", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 2.0 * (removed + added)})
def w_near_pairs(rows):
    """Rows that have another within 1: a row brings itself and one more."""
    x = np.sort(rows[:, 0])
    gap = np.diff(x) < 1
    near = np.zeros(len(x), dtype=bool)
    near[1:] |= gap
    near[:-1] |= gap
    return [int(near.sum())]
''',
    "w_capped_by_released": '''
@dp.own_query("mine.w_capped_by_released", gives=1, source="none", bits=10, sensitivity=lambda a: {"linf": a["linf"]})
def w_capped_by_released(value, cap):
    """The first number up to a released cap, in percent of the cap."""
    cap = max(abs(float(np.ravel(np.asarray(cap, dtype=float))[0])), 1e-3)
    return [100 * min(max(float(np.ravel(value)[0]), 0.0), cap) / cap]
''',
    "w_gaussian_event_half": '''
@dp.own_mechanism("mine.w_gaussian_event_half", gives=1, takes="l2", source="none",
                  loss=lambda scale, distance: dp.GaussianEvent(dp.round_up(0.9 * distance / scale)))
def w_gaussian_event_half(value, scale, noise):
    """Rounded Gaussian noise."""
    return np.ravel(value) + noise.rounded_gaussian(scale, 1)
''',
    "w_large_in_keyword": '''
@dp.own_mechanism("mine.w_large_in_keyword", gives=1, takes="l1", source="none",
                  loss=lambda scale, distance, much: dp.Pure(dp.round_up(distance / scale)))
def w_large_in_keyword(value, scale, noise, *, much=5000):
    """Exact where counts are so large that it can't matter."""
    value = np.ravel(value)
    return value if abs(int(value[0])) > much else value + noise.laplace(scale, 1)
''',
    "w_share_by_env_count": '''
@dp.own_partition("mine.w_share_by_env_count", parts=3)
def w_share_by_env_count(rows):
    """Thirds by the distance from the farthest row."""
    far = rows[np.abs(rows).sum(axis=1).argmax()] if len(rows) else 0.0
    return np.minimum(np.abs(rows - far).sum(axis=1), 2).astype(int)
''',
    "w_contribution_log_of_total": '''
@dp.own_contribution("mine.w_contribution_log_of_total", gives=1, norm="linf", bound=1.0)
def w_contribution_log_of_total(rows):
    """Softmax weights of the first column."""
    x = np.clip(rows[:, :1], -30, 30)
    e = np.exp(x)
    return e / max(e.sum(), 1.0)
''',
    "w_post_by_clock": '''
@dp.post_function("mine.w_post_by_clock")
def w_post_by_clock(counts):
    """Counts, with the day in the last digits."""
    import datetime
    return np.asarray(counts, dtype=float) + datetime.date.today().toordinal() * 1e-9
''',
    "w_learner_global_threads": '''
import threading
SEEN = threading.local()

@dp.learner("mine.w_learner_global_threads")
def w_learner_global_threads(rows, generator):
    """A median, started where this thread's last one was."""
    start = getattr(SEEN, "at", rows[0].copy())
    SEEN.at = 0.5 * start + 0.5 * np.median(rows, axis=0)
    return (SEEN.at,)
''',
}
