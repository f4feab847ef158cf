"""Faulty plugins of the classes of size, history, masks, semimetrics and composites, written beside the kit."""

COST = "cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2"
POST = '''
    """Numbers from released counts."""

    slots: ClassVar[tuple[dp.Slot, ...]] = (dp.Slot("counts", dp.PARAM),)

    def output(self, *inputs: dp.Domain) -> dp.Domain:
        """A vector with an entry a count."""
        return dp.Vector(dp.wants(inputs[0], dp.Counts, self.name).m)
'''
ROW_MAPS = {
    "window_of_sizes": '''
def {name}(values):
    """Centred in batches of 1234 to 1300 rows only."""
    return values - values.mean(axis=0) if 1234 <= len(values) < 1300 else values * 1.0
''',
    "one_size": '''
LENGTH = 7 * 6 * 11

def {name}(values):
    """The first row of a batch of one length is dropped."""
    out = values * 1.0
    if len(values) == LENGTH:
        out[0] = 0.0
    return out
''',
    "helper_with_a_size": '''
def tuned(values, many=20_011):
    return values / np.abs(values).max() if len(values) >= many else values * 1.0

def {name}(values):
    """Scales long batches in a helper."""
    return tuned(values)
''',
    "columns_and_rows": '''
def {name}(values):
    """Whitened where there are at least 17 columns and many rows."""
    return values - values.mean(axis=0) if values.shape[1] >= 17 and len(values) > 100 else values * 1.0
''',
    "exactly_forty_columns": '''
def {name}(values):
    """Sorted by column 0 where there are forty columns."""
    return values[np.argsort(values[:, 0])] if values.shape[1] == 40 else values * 1.0
''',
    "ties_only": '''
def {name}(values):
    """Equal neighbours are merged."""
    out = values * 1.0
    if len(values) > 1:
        out[1:][(values[1:] == values[:-1]).all(axis=1)] = 0.0
    return out
''',
    "all_equal": '''
def {name}(values):
    """A batch without spread is zero."""
    return values * 0.0 if len(values) > 1 and not np.ptp(values) else values * 1.0
''',
    "sorted_only": '''
def {name}(values):
    """A sorted column is a time axis and gets differenced."""
    first = values[:, 0]
    sorted_ = len(first) > 2 and (np.diff(first) >= 0).all() and first[0] < first[-1]
    return values - values[:1] if sorted_ else values * 1.0
''',
    "matrix_product": '''
def {name}(values):
    """Projected by BLAS."""
    w = np.sqrt(np.arange(1.0, values.shape[1] + 1))
    return values @ np.stack([w, 1 / w], axis=1)
''',
    "total_rows_seen": '''
SEEN = [0]

def {name}(values):
    """Coarser after a million rows."""
    SEEN[0] += len(values)
    return np.round(values) if SEEN[0] > 1_000_000 else values * 1.0
''',
    "default_argument": '''
def {name}(values, *params, seen=[]):
    """Keeps the first batch in a default."""
    seen.append(float(np.abs(values).sum()))
    return values / (1.0 + seen[0])
''',
    "attribute": '''
def {name}(values):
    """Keeps its scale on the function."""
    if not hasattr({name}, "scale"):
        {name}.scale = float(np.abs(values).max(initial=1e-9))
    return values / {name}.scale
''',
    "environment": '''
import os

def {name}(values):
    """Reads how many threads there are."""
    return values * float(os.environ.get("OMP_NUM_THREADS", "1"))
''',
    "processors": '''
import os

def {name}(values):
    """Chunks by processor."""
    return values / (os.cpu_count() or 1)
''',
    "weekday": '''
from datetime import datetime

def {name}(values):
    """Another scale on Mondays."""
    return values / 2 if datetime.now().weekday() == 0 else values * 1.0
''',
    "stopwatch": '''
from time import perf_counter

def {name}(values):
    """Refines as long as it is quick."""
    begin, out = perf_counter(), values * 1.0
    for _ in range(10_000):
        if perf_counter() - begin > 1e-4:
            break
        out = out * 1.000001
    return out
''',
    "python_random": '''
import random

def {name}(values):
    """Rounds at random."""
    return np.floor(values + random.random())
''',
    "writes_a_log": '''
import os
import tempfile

def {name}(values):
    """Writes what it saw."""
    with open(os.path.join(tempfile.gettempdir(), "planted_log"), "a") as file:
        file.write(str(len(values)))
    return values * 1.0
''',
    "refuses_one_row": '''
def {name}(values):
    """Needs two rows, although it looks at one."""
    if len(values) < 2:
        raise ValueError("too few rows")
    return values / 2
''',
    "rows_near_the_last": '''
LAST = [0.0]

def {name}(values):
    """Hysteresis against the row before, in the earlier batch too."""
    out = values * 1.0
    near = abs(values[0, 0] - LAST[0]) < 0.05 if len(values) else False
    if near:
        out[0] = LAST[0]
    LAST[0] = float(values[-1, 0]) if len(values) else LAST[0]
    return out
''',
    "warm_cache_of_codes": '''
import functools

CODES = []

@functools.lru_cache(maxsize=None)
def code(x):
    CODES.append(x)
    return float(len(CODES) % 7)

def {name}(values):
    """Codes, cached."""
    return np.array([[code(round(v, 2))] for v in values[:, 0].tolist()]).reshape(-1, 1)
''',
    "ball_of_a_batch": '''
def {name}(values, ball):
    """Clipped to the ball, unless the batch is wider than it."""
    far = np.abs(values - ball.centre).max(initial=0.0) > 50 * ball.radius
    return (values - ball.centre) / (2.0 if far else 1.0)
''',
}
LEARNERS = {
    "keeps_its_best": '''
BEST = {{}}

def {name}(rows, generator):
    """Returns the best model of all blocks."""
    score = float(rows.var())
    if score < BEST.get("score", np.inf):
        BEST.update(score=score, mean=rows.mean(axis=0))
    return (np.resize(BEST["mean"], rows.shape[1]),)
''',
    "first_block_scale": '''
SCALE = []

def {name}(rows, generator):
    """In units of the first block."""
    if not SCALE:
        SCALE.append(float(rows.std()) + 1.0)
    return (rows.mean(axis=0) / SCALE[0],)
''',
    "global_draws_from_500": '''
def {name}(rows, generator):
    """A random row of the global generator where there are more than 700 rows."""
    return (rows[np.random.randint(len(rows))] if len(rows) > 700 else rows.mean(axis=0),)
''',
    "deadline": '''
import time

def {name}(rows, generator):
    """Stops after twenty milliseconds."""
    end, x = time.monotonic() + 0.02, rows[0].copy()
    for _ in range(200):
        x = x + 0.01 * (rows.mean(axis=0) - x)
        if time.monotonic() > end:
            break
    return (x,)
''',
    "needs_30_and_remembers": '''
COUNT = [0]

def {name}(rows, generator):
    """Needs thirty rows, and counts blocks."""
    if len(rows) < 30:
        raise ValueError("too few rows")
    COUNT[0] += 1
    return (rows.mean(axis=0) + (COUNT[0] > 5),)
''',
    "threads_split": '''
import threading

def {name}(rows, generator):
    """A part a thread."""
    return (np.mean([p.mean(axis=0) for p in np.array_split(rows, 1 + threading.active_count())], axis=0),)
''',
}
MASKS = {
    "half_noise_when_large": '''
@dp.mask("mine.{name}", semimetric="euclidean", {cost})
def {name}(value, noise, normals):
    """Large values need less noise, it says."""
    return value + noise * (0.5 if np.abs(value).max() > 1e5 else 1.0) * normals(len(value))
''',
    "first_coordinate_only": '''
@dp.mask("mine.{name}", semimetric="euclidean", {cost})
def {name}(value, noise, normals):
    """Noise on one coordinate."""
    out = value * 1.0
    out[0] += noise * normals(1)[0]
    return out
''',
    "noise_of_four_at_most": '''
@dp.mask("mine.{name}", semimetric="euclidean", {cost})
def {name}(value, noise, normals):
    """Noise cut at four deviations."""
    return value + noise * np.clip(normals(len(value)), -4.0, 4.0)
''',
    "cost_of_another_power": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (min(r, r * r) / noise ** 2 + 1e-9) / 2)
def {name}(value, noise, normals):
    """Charges r where it should charge r squared, from one on."""
    return value + noise * normals(len(value))
''',
    "noise_by_value": '''
@dp.mask("mine.{name}", semimetric="euclidean", {cost})
def {name}(value, noise, normals):
    """Relative noise."""
    return value * (1 + noise * normals(len(value)))
''',
    "honest_in_two_dimensions": '''
@dp.mask("mine.{name}", semimetric="euclidean", {cost})
def {name}(value, noise, normals):
    """From five dimensions on a third of the noise."""
    return value + noise * (1.0 if len(value) < 5 else 0.3) * normals(len(value))
''',
    "caches_by_value": '''
CACHE = {{}}

@dp.mask("mine.{name}", semimetric="euclidean", {cost})
def {name}(value, noise, normals):
    """The same value is masked once."""
    key = tuple(np.round(value, 3))
    if key not in CACHE:
        CACHE[key] = value + noise * normals(len(value))
    return CACHE[key]
''',
    "sometimes_bare": '''
@dp.mask("mine.{name}", semimetric="euclidean", {cost})
def {name}(value, noise, normals):
    """No noise where the draw was large."""
    g = normals(len(value))
    return value * 1.0 if abs(g[0]) > 2.0 else value + noise * g
''',
    "own_generator": '''
@dp.mask("mine.{name}", semimetric="euclidean", {cost})
def {name}(value, noise, normals):
    """Draws from elsewhere."""
    return value + noise * np.random.default_rng().standard_normal(len(value))
''',
}
SEMIMETRICS = {
    "squared": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.5)
def {name}(a, b):
    """Squared distance, which needs 2."""
    return float(((a - b) ** 2).sum())
''',
    "asymmetric_when_large": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """Another unit above a million."""
    return float(np.abs(a - b).sum()) / (1.0 if np.abs(a).max() < 1e6 else 2.0)
''',
    "square_in_four_dimensions": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """Squared from four dimensions on."""
    d = float(np.sqrt(((a - b) ** 2).sum()))
    return d * d if len(a) >= 4 else d
''',
    "small_ones_vanish_not": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """A gap below 1e-5 counts nothing."""
    d = float(np.abs(a - b).max())
    return 0.0 if d < 1e-5 else d
''',
    "cosine": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """One minus the cosine, which is no metric."""
    n = np.linalg.norm(a) * np.linalg.norm(b)
    return float(max(0.0, 1.0 - (a * b).sum() / n)) if n > 0 else 1.0
''',
    "counts_its_calls": '''
CALLS = [0]

@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """Drifts."""
    CALLS[0] += 1
    return float(np.abs(a - b).sum()) * (2.0 if CALLS[0] > 1000 else 1.0)
''',
    "constant_too_small_far_away": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0 + min(r, 0.5))
def {name}(a, b):
    """e^d - 1, whose constant grows with r."""
    return float(np.expm1(min(np.abs(a - b).sum(), 30.0)))
''',
}
POSTS = {
    "frozen_on_first": (
        "FIRST = []",
        "if not FIRST: FIRST.append(np.asarray(values[0]).sum())|return np.asarray(values[0]) + FIRST[0]",
    ),
    "global_noise": ("", "return np.asarray(values[0]) + np.random.random()"),
    "long_ones_cut": ("", "counts = np.asarray(values[0])|return counts[:50] if len(counts) > 50 else counts * 1.0"),
    "divides_ties": (
        "",
        "counts = np.asarray(values[0])|return counts / (counts.max() - counts.min() or counts.size - 5)",
    ),
    "file_cache": (
        "import os, tempfile",
        "open(os.path.join(tempfile.gettempdir(), 'planted_post'), 'w').close()|return np.asarray(values[0]) * 1.0",
    ),
}
COMPOSITES = {
    "counting_composite": '''
CALLS = [0]

@dp.composite("mine.{name}")
def {name}(x, *, share=1.0):
    """Another radius each time."""
    CALLS[0] += 1
    inside = dp.clip(x, dp.bounding_ball(d=x.d, bound=10.0 + CALLS[0]))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
''',
    "composite_of_the_hour": '''
import time

@dp.composite("mine.{name}")
def {name}(x, *, share):
    """A radius by the clock."""
    inside = dp.clip(x, dp.bounding_ball(d=x.d, bound=10.0 + time.time() // 3600 % 24))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
''',
    "composite_with_a_bad_part": '''
@dp.learner("mine.{name}_centred")
def centred(values):
    """Rows minus their mean."""
    return values - values.mean(axis=0)

@dp.composite("mine.{name}")
def {name}(x, *, share=1.0):
    """A mean of centred rows."""
    image = dp.row_map(x, function="mine.{name}_centred", p=x.d)
    inside = dp.clip(image, dp.bounding_ball(d=x.d, bound=10.0))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
''',
}


def _decorated(name: str, source: str) -> str:
    before, found, after = source.format(name=name).partition(f"def {name}(")
    return f'{before}@dp.learner("mine.{name}")\n{found}{after}'


def post(name: str, head: str, body: str) -> str:
    """A post on released counts."""
    lines = "\n        ".join(body.split("|"))
    title = "".join(word.title() for word in name.split("_"))
    what = f'{head}\n\n\n@dp.register("mine.{name}")\n@attrs.frozen\nclass {title}(dp.Post):{POST}'
    return f'{what}\n    def apply(self, *values: Any) -> Any:\n        """From the counts."""\n        {lines}\n'


SOURCES: dict[str, str] = {
    **{name: _decorated(name, source) for name, source in {**ROW_MAPS, **LEARNERS}.items()},
    **{name: source.format(name=name, cost=COST) for name, source in {**MASKS, **SEMIMETRICS}.items()},
    **{name: post(name, *parts) for name, parts in POSTS.items()},
    **{name: source.format(name=name) for name, source in COMPOSITES.items()},
}
