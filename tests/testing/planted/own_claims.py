# ruff: noqa: E501
"""Statistics, queries and mechanisms of plugins' own that assert something wrong."""

CLAIMS = {
    "range_moves_by_one": """
@dp.own_statistic("mine.{name}", {STATISTIC}, bits=4, sensitivity=lambda removed, added: {{"l1": 1.0 * max(removed, added)}})
def {name}(rows):
    \"\"\"The range of the first column.\"\"\"
    return [float(np.ptp(np.clip(rows[:, 0], -50, 50))) if len(rows) else 0.0]
""",
    "median_moves_by_one": """
@dp.own_statistic("mine.{name}", {STATISTIC}, bits=4, sensitivity=lambda removed, added: {{"l1": 1.0 * max(removed, added)}})
def {name}(rows):
    \"\"\"The median, clipped.\"\"\"
    return [float(np.clip(np.median(rows[:, 0]), -9, 9)) if len(rows) else 0.0]
""",
    "pairs_move_by_one": """
@dp.own_statistic("mine.{name}", {STATISTIC}, sensitivity=lambda removed, added: {{"l1": 1.0 * max(removed, added)}})
def {name}(rows):
    \"\"\"Pairs of rows with the same first value.\"\"\"
    _, counts = np.unique(rows[:, 0], return_counts=True)
    return [int((counts * (counts - 1) // 2).sum())]
""",
    "counts_and_remembers": """
SEEN = set()

@dp.own_statistic("mine.{name}", {STATISTIC}, sensitivity=lambda removed, added: {{"l1": 1.0 * max(removed, added)}})
def {name}(rows):
    \"\"\"Different values, of all tables so far.\"\"\"
    SEEN.update(rows[:, 0].tolist())
    return [len(SEEN)]
""",
    "count_that_jumps": """
@dp.own_statistic("mine.{name}", {STATISTIC}, sensitivity=lambda removed, added: {{"l1": 1.0 * (removed + added)}})
def {name}(rows):
    \"\"\"A count that is rounded up to whole hundreds from 300 on.\"\"\"
    return [len(rows) if len(rows) < 300 else -(-len(rows) // 100) * 100]
""",
    "count_where_far": """
@dp.own_statistic("mine.{name}", {STATISTIC}, sensitivity=lambda removed, added: {{"l1": 1.0 * (removed + added)}})
def {name}(rows):
    \"\"\"Twice what is far out.\"\"\"
    return [int(len(rows) + (np.abs(rows).max(axis=1, initial=0.0) > 1e5).sum())]
""",
    "count_free_under_replacement": """
@dp.own_statistic("mine.{name}", {STATISTIC}, sensitivity=lambda removed, added: {{"l1": 1.0 * abs(added - removed)}})
def {name}(rows):
    \"\"\"Positive rows, said to be free under replace-one.\"\"\"
    return [int((rows[:, 0] > 0).sum())]
""",
    "histogram_in_linf": """
@dp.own_statistic("mine.{name}", gives=4, source="none", sensitivity=lambda removed, added: {{"l1": 1.0 * max(removed, added)}})
def {name}(rows):
    \"\"\"Four bins: a replaced row moves two counts.\"\"\"
    return np.bincount(np.searchsorted([-1.0, 0.0, 1.0], rows[:, 0]), minlength=4)
""",
    "squares_of_columns": """
@dp.own_statistic("mine.{name}", {STATISTIC}, bits=4, sensitivity=lambda removed, added: {{"l1": 1.0 * (removed + added)}})
def {name}(rows):
    \"\"\"A sum over columns, each clipped, said to be that of one.\"\"\"
    return [float(np.clip(rows, -1, 1).sum())]
""",
    "product_of_values": """
@dp.own_query("mine.{name}", gives=1, sensitivity=lambda at: {{"l1": at["l1"]}}, source="none")
def {name}(value):
    \"\"\"The product.\"\"\"
    return [int(np.clip(np.prod(np.clip(value, -50, 50)), -1e9, 1e9))]
""",
    "maximum_without_two": """
@dp.own_query("mine.{name}", gives=1, sensitivity=lambda at: {{"l1": at["linf"]}}, source="none")
def {name}(value):
    \"\"\"Largest minus smallest moves by two.\"\"\"
    return [int(np.ptp(value))]
""",
    "query_that_counts": """
CALLS = [0]

@dp.own_query("mine.{name}", gives=1, sensitivity=lambda at: {{"l1": at["l1"]}}, source="none")
def {name}(value):
    \"\"\"The sum, later the sum and one more.\"\"\"
    CALLS[0] += 1
    return [int(value.sum()) + (CALLS[0] > 700)]
""",
    "query_large_ones_doubled": """
@dp.own_query("mine.{name}", gives=1, sensitivity=lambda at: {{"l1": at["l1"]}}, source="none")
def {name}(value):
    \"\"\"Twice beyond a thousand.\"\"\"
    total = int(value.sum())
    return [total if abs(total) < 12345 else 2 * total - 12345]
""",
    "memoised_noise": """
DRAWN = {{}}

@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=1):
    \"\"\"Draws once for each scale.\"\"\"
    if (scale, m) not in DRAWN:
        DRAWN[scale, m] = noise.laplace(scale, m)
    return value + DRAWN[scale, m]
""",
    "shared_noise": """
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=3):
    \"\"\"One draw for all entries.\"\"\"
    return value + np.full(m, int(noise.laplace(scale)))
""",
    "numpy_noise": """
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=1):
    \"\"\"NumPy's Laplace, rounded.\"\"\"
    return value + np.rint(np.random.default_rng().laplace(0.0, scale, m)).astype(np.int64)
""",
    "bare_when_large": """
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=1):
    \"\"\"No noise where it would not matter.\"\"\"
    drawn = noise.laplace(scale, m)
    return value + np.where(np.abs(value) > 700, 0, drawn)
""",
    "second_largest_bare": """
@dp.own_mechanism("mine.{name}", {INDEX})
def {name}(scores, scale, noise, *, m):
    \"\"\"Noise on the leader only.\"\"\"
    noisy = scores.copy()
    noisy[int(np.argmax(scores))] += int(noise.geometric(scale, 1)[0])
    return int(np.argmax(noisy))
""",
    "narrow_noise": """
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=1):
    \"\"\"Nine tenths of the noise.\"\"\"
    return value + noise.laplace(0.8 * scale, m)
""",
    "clipped_noise": """
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=1):
    \"\"\"No outliers.\"\"\"
    return value + np.clip(noise.laplace(scale, m), -int(3 * scale), int(3 * scale))
""",
    "positive_noise": """
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=1):
    \"\"\"Never below the truth.\"\"\"
    return value + np.abs(noise.laplace(scale, m))
""",
    "halved_from_many_entries": """
@dp.own_mechanism("mine.{name}", {LAPLACE}, examples={{"m": 12}})
def {name}(value, scale, noise, *, m=12):
    \"\"\"Less noise where there are many.\"\"\"
    return value + noise.laplace(scale / 2 if m > 8 else scale, m)
""",
    "smallest_of_three": """
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=1):
    \"\"\"The middle of three draws.\"\"\"
    return value + np.median(noise.laplace(scale, (3, m)), axis=0).astype(np.int64)
""",
    "gaussian_said_to_be_pure": """
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=1):
    \"\"\"Gaussian noise at the price of Laplace.\"\"\"
    return value + noise.gaussian(scale, m)
""",
    "rows_by_value": """
@dp.own_mechanism("mine.{name}", gives=1, takes="edits", source="none", loss=lambda scale, removed, added: (removed + added) / scale)
def {name}(rows, scale, noise):
    \"\"\"The sum of clipped rows, which moves by ten.\"\"\"
    return [float(np.rint(np.clip(rows[:, 0], -5, 5).sum()) + int(noise.laplace(float(max(1, int(np.ceil(scale)))))))]
""",
    "redrawn_when_negative": """
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=1):
    \"\"\"Counts are not negative.\"\"\"
    made = value + noise.laplace(scale, m)
    for _ in range(50):
        if (made >= 0).all():
            break
        made = value + noise.laplace(scale, m)
    return made
""",
}
