"""Faulty plugins for what docs/extending.md offers, written with parts of the kit known, before any was run."""

from tests.testing.planted.classes_own import CLAIMS, LAPLACE, QUERY, STATISTIC

MASK = 'semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2'

FAULTY = {
    "row_cache_by_shape": '''
KEPT = {}

@dp.learner("mine.{name}")
def {name}(values):
    """In units that are kept for each shape."""
    if values.shape not in KEPT:
        KEPT[values.shape] = np.abs(values).max(axis=0, initial=1e-9)
    return values / KEPT[values.shape]
''',
    "row_rare_dropped": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Rows that are there fewer than five times are left out."""
    _, at, counts = np.unique(values, axis=0, return_inverse=True, return_counts=True)
    return np.where((counts[at.ravel()] < 5)[:, None], 0.0, values)
''',
    "row_limit_outside": '''
LIMIT = 3000

@dp.learner("mine.{name}")
def {name}(values):
    """Centred where there are many."""
    return values - values.mean(axis=0) if len(values) > LIMIT else values
''',
    "row_limit_in_helper": '''
def many(n):
    """Whether there are many."""
    return n > 7500

@dp.learner("mine.{name}")
def {name}(values):
    """Centred where there are many."""
    return values - values.mean(axis=0) if many(len(values)) else values
''',
    "row_limit_in_table": '''
LIMITS = {"small": 10, "large": 6000}

@dp.learner("mine.{name}")
def {name}(values):
    """Centred where there are many."""
    return values - values.mean(axis=0) if len(values) > LIMITS["large"] else values
''',
    "row_limit_computed": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Centred where there are many."""
    return values - values.mean(axis=0) if len(values) > int("5000") else values
''',
    "row_hash_of_text": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Codes of rows as text."""
    return np.array([[float(hash(str(v)) % 97)] for v in values[:, 0].tolist()]).reshape(-1, 1)
''',
    "row_order_of_a_set": '''
NAMES = {"age", "income", "height", "weight", "zip", "children", "rent"}

@dp.learner("mine.{name}")
def {name}(values):
    """Weighted by the place of a name."""
    return values[:, :1] * [*NAMES].index("rent")
''',
    "row_order_by_id": '''
PARTS = [object() for _ in range(40)]

@dp.learner("mine.{name}")
def {name}(values):
    """Weighted by the place of an object."""
    return values[:, :1] * sorted(PARTS, key=id).index(PARTS[7])
''',
    "row_by_host": '''
import socket

@dp.learner("mine.{name}")
def {name}(values):
    """By the machine's name."""
    return values * (1.0 + len(socket.gethostname()))
''',
    "row_by_arguments": '''
import sys

@dp.learner("mine.{name}")
def {name}(values):
    """By the words of the command."""
    return values * (1.0 + len(sys.argv))
''',
    "row_by_memory": '''
import resource

@dp.learner("mine.{name}")
def {name}(values):
    """By the memory that was used."""
    return values * (2.0 if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 900_000 else 1.0)
''',
    "row_by_process": '''
import os

@dp.learner("mine.{name}")
def {name}(values):
    """By the process."""
    return values * (1.0 + os.getpid() % 7)
''',
    "row_state_in_environ": '''
import os

@dp.learner("mine.{name}")
def {name}(values):
    """Over the largest so far."""
    top = max(float(os.environ.get("PLANTED_TOP", "1")), float(np.abs(values).max(initial=0.0)))
    os.environ["PLANTED_TOP"] = str(top)
    return values / top
''',
    "row_state_in_attribute": '''
@dp.learner("mine.{name}")
def {name}(values):
    """In units of the first batch."""
    if not hasattr({name}, "unit"):
        {name}.unit = float(np.abs(values).max(initial=0.0)) or 1.0
    return values / {name}.unit
''',
    "row_last_of_odd": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Two by two: what is left over is empty."""
    out = np.zeros_like(values)
    out[: len(values) // 2 * 2] = values[: len(values) // 2 * 2]
    return out
''',
    "row_ties_by_place": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Marks the first of equal rows."""
    _, first = np.unique(values[:, 0], return_index=True)
    mark = np.zeros(len(values))
    mark[first] = 1.0
    return np.column_stack([values[:, 0], mark])
''',
    "learner_kept_by_shape": '''
KEPT = {}

@dp.learner("mine.{name}")
def {name}(rows, generator):
    """A mean, kept for blocks of this shape."""
    return (KEPT.setdefault(rows.shape, rows.mean(axis=0)),)
''',
    "learner_step_size": '''
STATE = {"step": 1.0}

@dp.learner("mine.{name}")
def {name}(rows, generator):
    """Its step adapts."""
    STATE["step"] *= 0.9
    return (rows.mean(axis=0) * (1 + STATE["step"]),)
''',
    "mask_redrawn_beyond_four": '''
@dp.mask("mine.{name}", {MASK})
def {name}(value, noise, normals):
    """Far draws are drawn again."""
    g = normals(len(value))
    while np.abs(g).max() > 4.0:
        g = normals(len(value))
    return value + noise * g
''',
    "mask_redrawn_entries": '''
@dp.mask("mine.{name}", {MASK})
def {name}(value, noise, normals):
    """Entries beyond five are drawn again."""
    g = normals(len(value))
    while (far := np.abs(g) > 5.0).any():
        g[far] = normals(int(far.sum()))
    return value + noise * g
''',
    "mask_redrawn_when_wide": '''
@dp.mask("mine.{name}", {MASK})
def {name}(value, noise, normals):
    """Long ones of several numbers are drawn again."""
    g = normals(len(value))
    while len(value) > 1 and g @ g > len(value) + 8 * np.sqrt(len(value)) + 9:
        g = normals(len(value))
    return value + noise * g
''',
    "mask_cut_when_wide": '''
@dp.mask("mine.{name}", {MASK})
def {name}(value, noise, normals):
    """Of several numbers noise is cut at four deviations."""
    g = normals(len(value))
    return value + noise * (np.clip(g, -4, 4) if len(value) > 1 else g)
''',
    "mask_of_two_numbers": '''
@dp.semimetric("mine.largest", triangle=lambda r: 1.0)
def largest(a, b):
    """The largest difference, of vectors of any length."""
    return float(np.abs(a - b).max())


@dp.mask("mine.{name}", semimetric="mine.largest", cost=lambda noise, r: (r / noise + 1e-9) ** 2)
def {name}(value, noise, normals):
    """Priced for two numbers: within r each they are within √2·r, but ten are not."""
    return value + noise * normals(len(value))
''',
    "mask_walk": '''
@dp.mask("mine.{name}", {MASK})
def {name}(value, noise, normals):
    """A walk."""
    return value + noise * np.cumsum(normals(len(value)))
''',
    "mask_smoothed": '''
@dp.mask("mine.{name}", {MASK})
def {name}(value, noise, normals):
    """Noise that neighbours share, of the same size."""
    g = normals(len(value) + 1)
    return value + noise * (0.8 * g[1:] + 0.6 * g[:-1])
''',
    "semi_tiny_free": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """What is not more than rounding is nothing."""
    d = float(np.abs(a - b).max())
    return 0.0 if d < 1e-9 else d
''',
    "semi_cosine": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """One minus the cosine."""
    lengths = np.sqrt((a * a).sum() * (b * b).sum())
    return max(0.0, float(1 - (a * b).sum() / lengths)) if lengths > 0 else 1.0
''',
    "semi_uneven_at_zero": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """From zero everything is far."""
    d = float(np.abs(a - b).sum())
    return 2 * d if not a.any() else d
''',
    "post_keeps_the_largest": '''
SEEN = [1.0]

@dp.post_function("mine.{name}")
def {name}(counts):
    """Over the largest so far."""
    SEEN[0] = max(SEEN[0], float(np.max(counts)))
    return np.asarray(counts) / SEEN[0]
''',
    "composite_of_a_set": '''
@dp.composite("mine.{name}")
def {name}(x, *, share=1.0):
    """Sums in the order of a set of names."""
    made = {}
    for key in {"left", "right", "upper", "lower", "front"}:
        made[key] = dp.release(key, dp.laplace(share=share / 5), dp.count(x))
    return made
''',
    "composite_by_the_hour": '''
import time

@dp.composite("mine.{name}")
def {name}(x, *, share=1.0):
    """A part that depends on the time of day."""
    part = 0.3 if time.localtime().tm_hour < 12 else 0.6
    first = dp.release("first", dp.laplace(share=share * part), dp.count(x))
    return {"first": first, "second": dp.release("second", dp.laplace(share=share * (1 - part)), dp.count(x))}
''',
}


def _filled(name: str, source: str) -> str:
    """With its name and what its decorator is told; braces of the plugin itself stay."""
    for key, text in (("LAPLACE", LAPLACE), ("STATISTIC", STATISTIC), ("QUERY", QUERY), ("MASK", MASK), ("name", name)):
        source = source.replace("{" + key + "}", text)
    return source


SOURCES = {name: _filled(name, source) for name, source in {**FAULTY, **CLAIMS}.items()}
