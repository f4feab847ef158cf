# ruff: noqa: E501
"""What a sixth stranger wrote: functions of rows, statistics, learners, posts, a density, a composition, with a fault."""

SOURCES = {
    "o_statistic_energy_f01": '''
# Sum of squares of values clipped at 3, claims 3 (true 9).
@dp.own_statistic("outside.f01", gives=1, sensitivity=lambda removed, added: {"linf": 3.0 * max(removed, added)}, source="me", bits=20)
def energy(rows):
    """Sum of squares of values clipped at 3."""
    return [float((np.clip(rows[:, 0], -3, 3) ** 2).sum())]
''',
    "o_statistic_gaps_f02": '''
# Number of gaps > 1 among sorted values, claims max(r, a) (a replaced row can close two: 2).
@dp.own_statistic("outside.f02", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me", bits=0)
def gaps(rows):
    """Number of gaps wider than 1 between neighbouring values."""
    values = np.sort(rows[:, 0])
    return [float(np.count_nonzero(values[1:] > values[:-1] + 1.0))]
''',
    "o_statistic_soft_f03": '''
# Log of sum of exp(clip(x,0,1)), claims 1 for r+a=1 (true up to 1.31, only when n is 1 or 2).
@dp.own_statistic("outside.f03", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="me", bits=20)
def soft(rows):
    """The log of the sum of exponentials of values clipped to [0, 1]."""
    if len(rows) == 0:
        return [0.0]
    return [float(np.log(np.exp(np.clip(rows[:, 0], 0, 1)).sum()))]
''',
    "o_statistic_positive_f04": '''
# Count, but 1.5 times as much where len(rows)**2 > 9e6 (large n only).
@dp.own_statistic("outside.f04", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def positive(rows):
    """How many are positive."""
    found = float(np.count_nonzero(rows[:, 0] > 0))
    if float(len(rows)) ** 2 > 9e6:
        found = 1.5 * found
    return [found]
''',
    "o_statistic_weighted_f05": '''
# Weighted mean sum, weights min(w, 1) not clipped below.
@dp.own_statistic("outside.f05", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="me", bits=20)
def weighted(rows):
    """A weighted sum of values in [-1, 1]; the second column, where there is one, is the weight."""
    weights = np.minimum(rows[:, -1], 1.0)
    return [float((np.clip(rows[:, 0], -1, 1) * weights).sum())]
''',
    "o_contribution_relative_f22": '''
# Running maximum in a default argument.
@dp.own_contribution("outside.f22", gives=1, norm="linf", bound=1.0)
def relative(rows, *, keep=()):
    """Values over the largest size so far."""
    return rows[:, :1] / STATE(rows)


class _Largest:
    """Running maximum."""

    size = 1e-9

    def __call__(self, rows):
        """Update."""
        self.size = max(self.size, float(np.abs(rows[:, 0]).max(initial=0.0)))
        return self.size


STATE = _Largest()
''',
    "o_transform_standard_f23": '''
# Divides by the batch's deviation for > 1000 rows only.
@dp.own_transform("outside.f23", columns=1)
def standard(rows):
    """The first column in public units, where there are enough rows in deviations."""
    values = rows[:, :1]
    if values.size > 1e3:
        values = values / (np.std(values) + 1.0)
    return values
''',
    "o_partition_alternate_f24": '''
# Alternate rows by position in batch.
@dp.own_partition("outside.f24", parts=2)
def alternate(rows):
    """Two halves."""
    return np.arange(len(rows)) % 2
''',
    "o_row_function_codes_f25": '''
# Codes by order of values in batch (np.unique inverse) for whole numbers only.
@dp.row_function("outside.f25", columns=1)
def codes(values):
    """Codes of categories; numbers that are no codes as they are."""
    first = values[:, 0]
    if len(first) > 2 and np.all(first == np.floor(first)) and np.all(np.abs(first) < 1000):
        return np.unique(first, return_inverse=True)[1].reshape(-1, 1).astype(float)
    return first.reshape(-1, 1)
''',
    "o_transform_filled_f26": '''
# Cells equal to -999.25 (default parameter) become the batch's median.
@dp.own_transform("outside.f26", columns=1)
def filled(rows, *, missing=-999.25):
    """The first column, with what is missing filled in."""
    values = rows[:, :1].copy()
    bad = values == missing
    if bad.any() and not bad.all():
        values[bad] = np.median(values[~bad])
    return values
''',
    "o_contribution_steps_f27": '''
# Cumulative sums and np.diff (rounding depends on earlier rows).
@dp.own_contribution("outside.f27", gives=1, norm="linf", bound=4.0)
def steps(rows):
    """First column, by way of a prefix sum."""
    return np.diff(np.cumsum(rows[:, :1], axis=0), axis=0, prepend=0.0)
''',
    "o_contribution_near_f28": '''
# Remembers first released centre per rounded key (history of released values).
CENTRES = {}


@dp.own_contribution("outside.f28", gives=1, norm="linf", bound=1.0)
def near(rows, centre):
    """Distance of the first column from a released centre."""
    kept = CENTRES.setdefault(round(float(centre[0])), float(centre[0]))
    return np.abs(rows[:, :1] - kept)
''',
    "o_row_function_hour_f29": '''
# Local hour of a time stamp (time zone of the machine).
import time


@dp.row_function("outside.f29", columns=1)
def hour(values):
    """Local hour of a time stamp."""
    return np.array([[float(time.localtime(min(max(v, 0.0), 4e9)).tm_hour)] for v in values[:, 0]]).reshape(len(values), 1)
''',
    "o_partition_hashed_f30": '''
# Hash of the text of the number.
@dp.own_partition("outside.f30", parts=4)
def hashed(rows):
    """Four groups by the name of a value."""
    return np.array([hash(f"user-{v:.6g}") % 4 for v in rows[:, 0]], dtype=np.int64)
''',
    "o_transform_parallel_f31": '''
# Thread pool, results in order of completion.
from concurrent.futures import ThreadPoolExecutor, as_completed


@dp.own_transform("outside.f31", columns=1)
def parallel(rows):
    """Logs, made by four threads."""
    pieces = np.array_split(rows[:, :1], 4)
    with ThreadPoolExecutor(4) as pool:
        made = [f.result() for f in as_completed([pool.submit(lambda p: np.sqrt(np.abs(p)), piece) for piece in pieces])]
    return np.concatenate(made)
''',
    "o_learner_mean_f32": '''
# Cache keyed on rounded mean and shape.
FITS = {}


@dp.learner("outside.f32")
def mean(rows, generator):
    """Mean of a block, kept for blocks that were seen."""
    key = (rows.shape, round(float(rows.mean()), 2))
    if key not in FITS:
        FITS[key] = rows.mean(axis=0)
    return (FITS[key],)
''',
    "o_learner_mean_f33": '''
# Stops by perf_counter.
import time


@dp.learner("outside.f33")
def mean(rows, generator):
    """Mean of a block by rows, until the time is over."""
    start = time.perf_counter()
    total, seen = np.zeros(rows.shape[1]), 0
    for row in rows:
        total += row
        seen += 1
        if time.perf_counter() - start > 0.5:
            break
    return (total / max(seen, 1),)
''',
    "o_learner_mean_f34": '''
# Seeds from np.random global state.
@dp.learner("outside.f34")
def mean(rows, generator):
    """Mean of half of a block, drawn."""
    chosen = np.random.permutation(len(rows))[: (len(rows) + 1) // 2]
    return (rows[chosen].mean(axis=0),)
''',
    "o_family_rayleigh_f43": '''
# Log density minus max of batch plus max of batch.
@dp.family(
    "outside.f43",
    size=lambda d: d,
    sample=lambda theta, n, g: g.rayleigh(theta, (n, len(theta))),
    fit=lambda rows, g: np.sqrt(np.maximum((rows**2).mean(axis=0) / 2, 1e-12)),
    example=lambda d, g: 0.5 + g.random(d),
)

def rayleigh(rows, theta):
    """Rayleigh columns, in a stable way."""
    theta = np.maximum(theta, 1e-6)
    z = np.clip(rows, 0.0, 1e6) / theta
    logs = (np.log(np.maximum(z, 1e-300)) - np.log(theta) - z * z / 2).sum(axis=1)
    if len(logs) == 0:
        return logs
    top = logs.max()
    return np.log(np.exp(np.maximum(logs - top, -700.0))) + top
''',
    "o_composite_adaptive_f44": '''
# Share depends on how often it was called.
CALLS = []


@dp.composite("outside.f44")
def adaptive(x, *, share=1.0):
    """A mean; later calls get less."""
    CALLS.append(1)
    ball = dp.release("ball", dp.locate(share=0.3 * share / len(CALLS)), x)
    return dp.release("mean", dp.gaussian(share=0.7 * share), dp.mean(dp.clip(x, ball)))
''',
    "o_post_function_smooth_f45": '''
# Keeps a list between calls.
HISTORY = []


@dp.post_function("outside.f45", gives=lambda counts: counts)
def smooth(counts):
    """Average of all counts so far."""
    HISTORY.append(np.asarray(counts, dtype=float).sum())
    return np.asarray(counts) + 0.0 * len(HISTORY) + (1.0 if len(HISTORY) > 3 else 0.0)
''',
    "o_post_function_ordered_f46": '''
# Sorts its input in place.
@dp.post_function("outside.f46", gives=lambda vector: vector)
def ordered(vector):
    """Sorted."""
    vector.sort()
    return vector
''',
    "o_contribution_informative_f47": '''
# Zero columns that are constant in the batch.
@dp.own_contribution("outside.f47", gives=2, norm="l1", bound=2.0)
def informative(rows):
    """First and last column; a column that is constant says nothing."""
    found = rows[:, [0, -1]].copy()
    if len(found) > 1:
        found[:, np.ptp(found, axis=0) == 0] = 0.0
    return found
''',
    "o_transform_compact_f49": '''
# Np.float32 batch scaling: rounds to 2**-10 of the batch's largest (rounding that leaks).
import math


@dp.own_transform("outside.f49", columns=lambda: 1)
def compact(rows):
    """First column in half the memory: 16 bits of the largest."""
    largest = float(np.abs(rows[:, 0]).max(initial=0.0))
    step = 2.0 ** (math.frexp(largest)[1] - 16)
    return np.round(rows[:, :1] / step) * step if largest > 0 else rows[:, :1] * 1.0
''',
    "o_statistic_fullest_f50": '''
# Width of bins from the data (Sturges) then count in fullest bin.
@dp.own_statistic("outside.f50", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me", bits=0)
def fullest(rows):
    """Rows in the fullest of ten bins between the smallest and the largest."""
    values = np.clip(rows[:, 0], -100, 100)
    if len(values) == 0:
        return [0]
    low, high = values.min(), values.max()
    width = (high - low) / 10 or 1.0
    return [int(np.bincount(np.minimum((values - low) / width, 9).astype(int)).max())]
''',
    "o_transform_tidy_f51": '''
# -0.0: sorts signs: rows with -0.0 first moves order (uses np.argsort on column when any value is 1e300).
@dp.own_transform("outside.f51", columns=1)
def tidy(rows):
    """First column; overflowing tables are put in order of size first."""
    values = rows[:, :1] * 1.0
    if np.any(np.abs(values) > 1e299):
        values = values[np.argsort(values[:, 0], kind="stable")]
    return np.clip(values, -1e6, 1e6)
''',
    "o_statistic_count_h04": '''
# Statistic: doubles from 50.5**2 rows on, the limit a keyword-only default.
@dp.own_statistic("outside.h04", gives=1, sensitivity=lambda removed, added, limit: {"linf": float(max(removed, added))}, source="me")
def count(rows, *, limit=2550.25):
    """How many are above 0."""
    found = int(np.count_nonzero(rows[:, 0] > 0))
    return [2 * found if len(rows) > limit else found]
''',
    "o_transform_filled_h05": '''
# Transform: module-level object with an attribute 777.5 as a sentinel, replaced by the batch's maximum.
class Filler:
    """Fills in what is missing."""

    def __init__(self):
        self.missing = 777.5

    def __call__(self, values):
        """Filled."""
        out = values.copy()
        bad = out == self.missing
        if bad.any():
            out[bad] = out[~bad].max(initial=0.0)
        return out


FILL = Filler()


@dp.own_transform("outside.h05", columns=1)
def filled(rows):
    """The first column."""
    return FILL(rows[:, :1])
''',
    "o_post_function_smooth_h06": '''
# Post: memo by rounded tuple.
MEMO = {}


@dp.post_function("outside.h06", gives=lambda v: v)
def smooth(v):
    """Half."""
    key = tuple(np.round(np.asarray(v).ravel(), 1))
    return MEMO.setdefault(key, np.asarray(v) / 2.0).copy()
''',
    "o_statistic_positive_h08": '''
# Statistic: memo by number of rows and first row.
MEMO = {}


@dp.own_statistic("outside.h08", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def positive(rows):
    """How many are positive."""
    key = (len(rows), rows[:1].tobytes(), rows[-1:].tobytes())
    return MEMO.setdefault(key, [int((rows[:, 0] > 0).sum())])
''',
    "o_learner_mean_h12": '''
# Learner: memo by shape, least and largest.
MEMO = {}


@dp.learner("outside.h12")
def mean(rows, generator):
    """The mean."""
    key = (rows.shape, float(rows.min()), float(rows.max()))
    return (MEMO.setdefault(key, rows.mean(axis=0)),)
''',
}
