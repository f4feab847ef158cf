# ruff: noqa: E501
"""Statistics, queries and mechanisms of plugins' own with a wrong claim, written before any was run."""

STATISTIC = 'gives=1, source="none"'
QUERY = 'gives=1, source="none"'
LAPLACE = 'gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3}'

CLAIMS = {
    "statistic_free_when_added": '''
@dp.own_statistic("mine.{name}", {STATISTIC}, sensitivity=lambda removed, added: {"l1": 1.0 * removed})
def {name}(rows):
    """A count, said to be free for rows that are put in."""
    return [len(rows)]
''',
    "statistic_wraps": '''
@dp.own_statistic("mine.{name}", {STATISTIC}, sensitivity=lambda removed, added: {"l1": 2.0**30 * (removed + added)})
def {name}(rows):
    """A sum in 32 bits."""
    return [int(np.clip(rows[:, 0], 0, 2.0**30).astype(np.int32).sum(dtype=np.int32))]
''',
    "statistic_single_precision": '''
@dp.own_statistic("mine.{name}", {STATISTIC}, bits=30, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def {name}(rows):
    """A sum in single precision."""
    return [float(np.clip(rows[:, 0], -1, 1).astype(np.float32).sum())]
''',
    "statistic_mean_of_a_hundred": '''
@dp.own_statistic("mine.{name}", {STATISTIC}, bits=20, sensitivity=lambda removed, added: {"l1": 0.01 * (removed + added)})
def {name}(rows):
    """A mean, of a hundred rows at least as everybody knows."""
    return [float(np.clip(rows[:, 0], 0, 1).mean()) if len(rows) else 0.0]
''',
    "statistic_mode": '''
@dp.own_statistic("mine.{name}", {STATISTIC}, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def {name}(rows):
    """The most frequent of ten codes."""
    codes = np.clip(rows[:, 0], 0, 9).astype(int)
    return [int(np.bincount(codes, minlength=10).argmax())]
''',
    "statistic_signs_in_l2": '''
@dp.own_statistic("mine.{name}", gives=8, source="none", sensitivity=lambda removed, added: {"l2": 1.0 * (removed + added)})
def {name}(rows):
    """Eight signs of one column, each moves by one."""
    first = rows[:, :1] if len(rows) else np.zeros((0, 1))
    return (first > np.arange(8) - 4).sum(axis=0)
''',
    "statistic_longest_run": '''
@dp.own_statistic("mine.{name}", {STATISTIC}, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def {name}(rows):
    """Rows between the largest gap and the end, of sorted ones."""
    first = np.clip(rows[:, 0], -1e6, 1e6)
    return [int(len(first) - np.argmax(np.diff(first)) if len(first) > 1 else 0)]
''',
    "query_sum_in_linf": '''
@dp.own_query("mine.{name}", {QUERY}, sensitivity=lambda at: {"l1": at["linf"]})
def {name}(value):
    """A sum of entries that each move."""
    return [int(value.sum())]
''',
    "query_rounded_to_threes": '''
@dp.own_query("mine.{name}", {QUERY}, sensitivity=lambda at: {"l1": at["l1"]})
def {name}(value):
    """In threes."""
    return [int(np.round(value.sum() / 3) * 3)]
''',
    "query_remainder": '''
@dp.own_query("mine.{name}", {QUERY}, sensitivity=lambda at: {"l1": at["l1"]})
def {name}(value):
    """The last two digits."""
    return [int(value.sum() % 100)]
''',
    "query_place": '''
@dp.own_query("mine.{name}", {QUERY}, sensitivity=lambda at: {"l1": at["l1"]})
def {name}(value):
    """The place of the largest."""
    return [int(np.argmax(value))]
''',
    "query_single_precision": '''
@dp.own_query("mine.{name}", {QUERY}, sensitivity=lambda at: {"l1": at["l1"]})
def {name}(value):
    """Large ones lose digits."""
    return [int(np.asarray(value, dtype=np.float32).sum())]
''',
    "noise_of_rounded_scale": '''
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m):
    """Laplace noise of a whole scale."""
    return value + noise.laplace(int(scale), m)
''',
    "noise_sums_to_zero": '''
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m):
    """The last entry's noise makes the sum exact."""
    drawn = noise.laplace(scale, m)
    drawn[-1] = -drawn[:-1].sum()
    return value + drawn
''',
    "noise_for_one_of_many": '''
@dp.own_mechanism("mine.{name}", gives=dp.Counts, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def {name}(value, scale, noise, *, m):
    """Laplace noise for entries that all move."""
    return value + noise.laplace(scale, m)
''',
    "noise_said_to_be_pure": '''
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m):
    """Gaussian noise."""
    return value + noise.gaussian(3 * scale, m)
''',
    "noise_one_sided": '''
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m):
    """Exponential noise."""
    return value + noise.geometric(scale, m)
''',
    "noise_on_wrapped": '''
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m):
    """In 32 bits."""
    return np.asarray(value).astype(np.int32).astype(np.int64) + noise.laplace(scale, m)
''',
    "noise_on_single_precision": '''
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m):
    """In single precision."""
    return np.asarray(value, dtype=np.float32).astype(np.int64) + noise.laplace(scale, m)
''',
    "noise_charged_for_a_share": '''
@dp.own_mechanism("mine.{name}", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / (scale * m))), source="Laplace", examples={"m": 3})
def {name}(value, scale, noise, *, m):
    """Charged by entry."""
    return value + noise.laplace(scale, m)
''',
    "noise_not_for_ties": '''
@dp.own_mechanism("mine.{name}", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="Ding and others 2021", examples={"m": 3})
def {name}(scores, scale, noise, *, m):
    """Ties go to the first without noise."""
    top = np.flatnonzero(scores == scores.max())
    return int(top[0]) if len(top) > 1 else int(np.argmax(scores + noise.geometric(scale, m)))
''',
    "noise_refuses_negative": '''
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m):
    """Counts are not negative."""
    if (value < 0).any():
        raise ValueError("a negative count")
    return value + noise.laplace(scale, m)
''',
    "noise_average_of_two": '''
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m):
    """The mean of two draws."""
    return value + (noise.laplace(scale, m) + noise.laplace(scale, m)) // 2
''',
}
