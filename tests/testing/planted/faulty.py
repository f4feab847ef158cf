"""Faulty plugins of the classes of size, history, masks, semimetrics and composites, written beside the kit."""

from tests.testing.planted.faulty_rows import ROW_MAPS

COST = "cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2"
POST = '''
    """Numbers from released counts."""

    slots: ClassVar[tuple[dp.Slot, ...]] = (dp.Slot("counts", dp.PARAM),)

    def output(self, *inputs: dp.Domain) -> dp.Domain:
        """A vector with an entry a count."""
        return dp.Vector(dp.wants(inputs[0], dp.Counts, self.name).m)
'''
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
