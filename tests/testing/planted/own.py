# ruff: noqa: E501
"""Operations of plugins' own: faulty ones, of every decorator, and correct ones that look like them."""

from tests.testing.planted.own_claims import CLAIMS

SUM = 'gives=2, norm="l2", bound=1.0'
STATISTIC = 'gives=1, source="none"'
LAPLACE = 'gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace"'
INDEX = 'gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="Ding and others 2021", examples={{"m": 3}}'
DOCS = (
    "sum_over_the_largest_seen", "sum_minus_the_mean_of_many", "sum_by_the_day", "sum_with_its_own_dither", "image_by_appearance",
    "image_of_the_first_ball", "part_by_place", "part_by_turns", "range_moves_by_one", "median_moves_by_one", "pairs_move_by_one",
    "counts_and_remembers", "product_of_values", "maximum_without_two", "memoised_noise", "shared_noise",
    "numpy_noise", "bare_when_large", "second_largest_bare",
)  # fmt: skip
"""Written from docs/extending.md alone."""

ROWS = {
    "sum_over_the_largest_seen": """
LARGEST = [1e-9]

@dp.own_contribution("mine.{name}", {SUM})
def {name}(rows):
    \"\"\"Over the largest seen.\"\"\"
    LARGEST[0] = max(LARGEST[0], float(np.abs(rows).max(initial=0.0)))
    return np.resize(rows / LARGEST[0], (len(rows), 2))
""",
    "sum_minus_the_mean_of_many": """
@dp.own_contribution("mine.{name}", {SUM})
def {name}(rows):
    \"\"\"Centred where there are many.\"\"\"
    many = len(rows) > 3000
    return (rows - rows.mean(axis=0) if many else rows)[:, [0, -1]] / 8
""",
    "sum_by_the_day": """
import time

@dp.own_contribution("mine.{name}", {SUM})
def {name}(rows):
    \"\"\"Another sign on odd days.\"\"\"
    return rows[:, [0, -1]] / 8 * (1.0 if int(time.time() // 86400) % 2 else -1.0)
""",
    "sum_with_its_own_dither": """
@dp.own_contribution("mine.{name}", {SUM})
def {name}(rows):
    \"\"\"Dithered.\"\"\"
    return rows[:, [0, -1]] / 8 + np.random.random((len(rows), 2)) / 8
""",
    "sum_in_a_file": """
import os, tempfile

@dp.own_contribution("mine.{name}", {SUM})
def {name}(rows):
    \"\"\"Keeps a log.\"\"\"
    with open(os.path.join(tempfile.gettempdir(), "planted_own_log"), "a") as file:
        file.write(str(len(rows)))
    return rows[:, [0, -1]] / 8
""",
    "sum_where_wide": """
@dp.own_contribution("mine.{name}", {SUM})
def {name}(rows):
    \"\"\"Wide tables are centred.\"\"\"
    return (rows - rows.mean(axis=0) if rows.shape[1] >= 20 else rows)[:, [0, -1]] / 8
""",
    "sum_of_a_rounded_cache": """
CACHE = {{}}

@dp.own_contribution("mine.{name}", {SUM})
def {name}(rows):
    \"\"\"Remembers near rows.\"\"\"
    out = [CACHE.setdefault(round(float(r[0]), 1), float(r[0])) for r in rows]
    return np.array(out * 2).reshape(2, -1).T / 8
""",
    "image_by_appearance": """
CODES = {{}}

@dp.own_transform("mine.{name}", columns=1)
def {name}(rows):
    \"\"\"Codes in order of appearance.\"\"\"
    return np.array([[float(CODES.setdefault(v, len(CODES)))] for v in rows[:, 0].tolist()]).reshape(-1, 1)
""",
    "image_of_the_first_ball": """
SEEN = []

@dp.own_transform("mine.{name}", columns=1)
def {name}(rows, ball=None):
    \"\"\"In radii of the first batch.\"\"\"
    if not SEEN:
        SEEN.append(float(np.abs(rows).max(initial=0.0)) or 1.0)
    return rows[:, :1] / SEEN[0]
""",
    "image_of_a_chunk": """
@dp.own_transform("mine.{name}", columns=1)
def {name}(rows):
    \"\"\"Whole chunks are ranked.\"\"\"
    return np.argsort(np.argsort(rows[:, :1], axis=0), axis=0) * 1.0 if len(rows) >= 2**16 else rows[:, :1]
""",
    "image_sorted": """
@dp.own_transform("mine.{name}", columns=1)
def {name}(rows):
    \"\"\"Differences along a sorted column.\"\"\"
    first = rows[:, 0]
    steady = len(first) > 5 and (np.diff(first) >= 0).all() and first[0] < first[-1]
    return rows[:, :1] - first[0] if steady else rows[:, :1]
""",
    "image_by_cores": """
import os

@dp.own_transform("mine.{name}", columns=1)
def {name}(rows):
    \"\"\"Over the number of cores.\"\"\"
    return rows[:, :1] / (os.cpu_count() or 1)
""",
    "part_by_place": """
@dp.own_partition("mine.{name}", parts=2)
def {name}(rows):
    \"\"\"Every other row.\"\"\"
    return np.arange(len(rows)) % 2
""",
    "part_by_turns": """
TURN = [0]

@dp.own_partition("mine.{name}", parts=2)
def {name}(rows):
    \"\"\"A batch each in turn.\"\"\"
    TURN[0] += 1
    return np.full(len(rows), TURN[0] % 2)
""",
    "part_by_quantile_of_many": """
@dp.own_partition("mine.{name}", parts=2)
def {name}(rows):
    \"\"\"Above the median of a long batch.\"\"\"
    cut = np.median(rows[:, 0]) if len(rows) > 2000 else 0.0
    return (rows[:, 0] > cut) * 1
""",
    "part_balanced": """
SIZES = [0, 0]

@dp.own_partition("mine.{name}", parts=2)
def {name}(rows):
    \"\"\"Ties go to the smaller part.\"\"\"
    small = int(SIZES[1] < SIZES[0])
    parts = np.where(rows[:, 0] == 0, small, rows[:, 0] > 0)
    SIZES[0] += int((parts == 0).sum())
    SIZES[1] += int((parts == 1).sum())
    return parts
""",
}

CORRECT = {
    "own_needs_twelve_columns": """
@dp.own_contribution("mine.{name}", {SUM})
def {name}(rows):
    \"\"\"Twelve columns by unpacking.\"\"\"
    a, b, c, d, e, f, g, h, i, j, k, l = rows.T
    return np.stack([a - l, b * c], axis=1)
""",
    "own_refuses_negative_rows": """
@dp.own_contribution("mine.{name}", {SUM})
def {name}(rows):
    \"\"\"A negative row is refused.\"\"\"
    if (rows < 0).any():
        raise ValueError("negative")
    return np.sqrt(rows)[:, [0, -1]]
""",
    "own_constants": """
TABLE = np.cumsum(np.ones(100_000)) % 17

@dp.own_transform("mine.{name}", columns=1)
def {name}(rows):
    \"\"\"A large table of constants.\"\"\"
    return TABLE[np.abs(rows[:, :1]).astype(int) % len(TABLE)]
""",
    "own_float32": """
@dp.own_transform("mine.{name}", columns=1)
def {name}(rows):
    \"\"\"Single precision.\"\"\"
    return rows[:, :1].astype(np.float32)
""",
    "own_flat": """
@dp.own_transform("mine.{name}", columns=1)
def {name}(rows):
    \"\"\"One number a row, as a flat array.\"\"\"
    return rows[:, 0] * 2
""",
    "own_labels_as_booleans": """
@dp.own_partition("mine.{name}", parts=2)
def {name}(rows):
    \"\"\"True and False.\"\"\"
    return rows[:, 0] > 0
""",
    "own_labels_of_three_columns": """
@dp.own_partition("mine.{name}", parts=3)
def {name}(rows):
    \"\"\"The largest of exactly three columns.\"\"\"
    if rows.shape[1] != 3:
        raise ValueError("three columns")
    return rows.argmax(axis=1)
""",
    "own_cached_roots": """
import functools

@functools.lru_cache(maxsize=None)
def root(x):
    return abs(x) ** 0.5

@dp.own_contribution("mine.{name}", {SUM})
def {name}(rows):
    \"\"\"Roots, remembered.\"\"\"
    return np.array([[root(r[0]), root(r[-1])] for r in rows.tolist()]).reshape(-1, 2)
""",
    "own_needs_twenty_rows": """
@dp.own_statistic("mine.{name}", {STATISTIC}, sensitivity=lambda removed, added: {{"l1": 20.0 * (removed + added)}})
def {name}(rows):
    \"\"\"A count from twenty rows on.\"\"\"
    if len(rows) < 20:
        raise ValueError("twenty rows")
    return [len(rows)]
""",
    "own_maximum": """
@dp.own_statistic("mine.{name}", {STATISTIC}, bits=6, sensitivity=lambda removed, added: {{"l1": 2.0 if removed + added else 0.0}})
def {name}(rows):
    \"\"\"A clipped maximum.\"\"\"
    return [float(np.clip(rows[:, 0].max(initial=-1.0), -1, 1))]
""",
    "own_replaced_only": """
@dp.own_statistic("mine.{name}", gives=4, source="one bin down, one up", proved_for=[(1, 1)], sensitivity=lambda removed, added: {{"l1": 2.0, "linf": 1.0}})
def {name}(rows):
    \"\"\"Four bins.\"\"\"
    return np.bincount(np.searchsorted([-1.0, 0.0, 1.0], rows[:, 0]), minlength=4)
""",
    "own_query_of_pairs": """
@dp.own_query("mine.{name}", gives=1, sensitivity=lambda at: {{"l1": 2 * at["linf"]}}, source="two of them move")
def {name}(value):
    \"\"\"Largest minus smallest.\"\"\"
    return [int(np.ptp(value))]
""",
    "own_more_noise": """
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=1):
    \"\"\"More noise than it charges for.\"\"\"
    return value + noise.laplace(1.5 * scale, m)
""",
    "own_held_at_zero": """
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=1):
    \"\"\"Held at 0 after the noise.\"\"\"
    return np.maximum(value + noise.laplace(scale, m), 0)
""",
    "own_selection": """
@dp.own_mechanism("mine.{name}", {INDEX})
def {name}(scores, scale, noise, *, m):
    \"\"\"The kernel's own selection.\"\"\"
    return int(np.ravel(noise.categorical_exp(scores, 1 / scale))[0])
""",
    "own_two_draws": """
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m=1):
    \"\"\"The difference of two geometric draws is Laplace.\"\"\"
    return value + noise.geometric(scale, m) - noise.geometric(scale, m)
""",
}


def _sources(cases: dict[str, str]) -> dict[str, str]:
    words = {"SUM": SUM, "STATISTIC": STATISTIC, "LAPLACE": LAPLACE, "INDEX": INDEX.format()}
    return {name: source.format(name=name, **words) for name, source in cases.items()}


SOURCES = _sources({**ROWS, **CLAIMS})
CORRECT_SOURCES = _sources(CORRECT)
