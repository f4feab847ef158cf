"""Correct twins of what :mod:`tests.testing.planted.classes` plants: none may be refuted."""

from tests.testing.planted.classes import MASK
from tests.testing.planted.classes_own import LAPLACE, QUERY, STATISTIC

CORRECT = {
    "t_mask_clipped_after": '''
@dp.mask("mine.{name}", {MASK})
def {name}(value, noise, normals):
    """Noise first, then a box."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -1.0, 1.2)
''',
    "t_mask_wrapped_after": '''
@dp.mask("mine.{name}", {MASK})
def {name}(value, noise, normals):
    """Noise first, then the remainder."""
    return np.remainder(dp.lattice_gaussian(value, noise, normals), 1.0)
''',
    "t_mask_correlated_enough": '''
@dp.mask("mine.{name}", {MASK})
def {name}(value, noise, normals):
    """Noise of one deviation in every direction, and more that all share."""
    return dp.lattice_gaussian(value, noise, normals) + 0.5 * noise * normals(1)
''',
    "t_mask_of_two_numbers": '''
@dp.semimetric("mine.largest_of_two", triangle=lambda r: 1.0)
def largest(a, b):
    """The largest difference of two numbers; what is longer is infinitely far."""
    return float(np.abs(a - b).max()) if len(a) <= 2 else np.inf


@dp.mask("mine.{name}", semimetric="mine.largest_of_two", cost=lambda noise, r: (r / noise + 1e-9) ** 2)
def {name}(value, noise, normals):
    """Priced for two numbers, and used for no more."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "t_mask_walk_of_many": '''
@dp.mask("mine.{name}", {MASK})
def {name}(value, noise, normals):
    """A walk, with noise enough for its differences."""
    made, step = value + 2.0 * noise * np.cumsum(normals(len(value))), noise * 2.0**-20
    return np.round(made / step) * step
''',
    "t_mask_more_when_far": '''
@dp.mask("mine.{name}", {MASK})
def {name}(value, noise, normals):
    """A second, independent draw is added where the first of all is far out."""
    made = dp.lattice_gaussian(value, noise, normals)
    return made + noise * np.sqrt(3.0) * normals(len(value))
''',
    "t_mask_of_larger_noise": '''
@dp.mask("mine.{name}", {MASK})
def {name}(value, noise, normals):
    """One and a half times what it needs, and rounded to a thousandth of it."""
    made = value + 1.5 * noise * normals(len(value))
    return np.round(made / (noise / 1000)) * (noise / 1000)
''',
    "t_row_in_place": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Halved where they are: the kernel hands a copy."""
    values /= 2
    return values
''',
    "t_row_set_of_numbers": '''
KNOWN = {1, 2, 3, 5, 8}

@dp.learner("mine.{name}")
def {name}(values):
    """Whether it is one of a few."""
    return np.array([[float(v in KNOWN)] for v in values[:, 0].tolist()]).reshape(-1, 1)
''',
    "t_row_sorted_names": '''
NAMES = sorted({"age", "income", "height", "weight"})

@dp.learner("mine.{name}")
def {name}(values):
    """Weighted by the place of a name."""
    return values[:, :1] * NAMES.index("income")
''',
    "t_learner_seed_from_rows": '''
@dp.learner("mine.{name}")
def {name}(rows, generator):
    """Seeds of its own, from its block."""
    own = np.random.default_rng(int(abs(rows.sum()) * 1000) % 2**32)
    return (rows[own.integers(len(rows), size=5)].mean(axis=0),)
''',
    "t_statistic_distinct": '''
@dp.own_statistic("mine.{name}", {STATISTIC}, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def {name}(rows):
    """Different values of the first column."""
    return [len(np.unique(rows[:, 0]))]
''',
    "t_query_half": '''
@dp.own_query("mine.{name}", {QUERY}, sensitivity=lambda at: {"l1": at["l1"]})
def {name}(value):
    """Half of the sum, rounded down."""
    return [int(value.sum()) // 2]
''',
    "t_query_sorted": '''
@dp.own_query("mine.{name}", gives=1, sensitivity=lambda at: {"l1": at["linf"]}, source="sorting")
def {name}(value):
    """The largest."""
    return [int(np.max(value))]
''',
    "t_noise_clipped_after": '''
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m):
    """Counts are not negative, nor beyond 2^31."""
    return np.clip(value + noise.laplace(scale, m), 0, 2**31)
''',
    "t_noise_wrapped_after": '''
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m):
    """The last 31 bits of the noisy sum."""
    return (value + noise.laplace(scale, m)) % 2**31
''',
    "t_noise_wide": '''
@dp.own_mechanism("mine.{name}", {LAPLACE})
def {name}(value, scale, noise, *, m):
    """Three times the noise that is charged."""
    return value + noise.laplace(3 * scale, m)
''',
}


def _filled(name: str, source: str) -> str:
    for key, text in (("LAPLACE", LAPLACE), ("STATISTIC", STATISTIC), ("QUERY", QUERY), ("MASK", MASK), ("name", name)):
        source = source.replace("{" + key + "}", text)
    return source


SOURCES = {name: _filled(name, source) for name, source in CORRECT.items()}
