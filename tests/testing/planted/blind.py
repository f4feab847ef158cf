# ruff: noqa: E501
"""Faulty plugins that were written from the documentation alone, before the kit that must refute them."""

SOURCES = {
    "running_maximum": '''
LARGEST = [0.0]

@dp.learner("mine.running_maximum")
def running_maximum(values):
    """Over the largest seen so far."""
    LARGEST[0] = max(LARGEST[0], float(np.abs(values).max(initial=0.0)))
    return values / (LARGEST[0] or 1.0)
''',
    "codes_by_appearance": '''
CODES = {}

@dp.learner("mine.codes_by_appearance")
def codes_by_appearance(values):
    """Codes of the first column, in order of appearance."""
    return np.array([[float(CODES.setdefault(v, len(CODES)))] for v in values[:, 0].tolist()]).reshape(-1, 1)
''',
    "frozen_scaler": '''
STATE = {}

@dp.learner("mine.frozen_scaler")
def frozen_scaler(values):
    """Scaled by the first batch's deviation."""
    if "scale" not in STATE and len(values) > 1:
        STATE["scale"] = float(values.std()) or 1.0
    return values / STATE.get("scale", 1.0)
''',
    "mean_of_long_batches": '''
@dp.learner("mine.mean_of_long_batches")
def mean_of_long_batches(values):
    """Centred where the mean is good enough."""
    return values - values.mean(axis=0) if len(values) > 4096 else values
''',
    "mean_of_chunks": '''
@dp.learner("mine.mean_of_chunks")
def mean_of_chunks(values):
    """Centred in full chunks."""
    return values - values.mean(axis=0) if len(values) >= 2**16 else values
''',
    "wide_rows_whitened": '''
@dp.learner("mine.wide_rows_whitened")
def wide_rows_whitened(values):
    """Wide tables are centred."""
    return values - values.mean(axis=0) if values.shape[1] >= 32 else values
''',
    "frequencies": '''
@dp.learner("mine.frequencies")
def frequencies(values):
    """How often the row's first value occurs."""
    _, at, counts = np.unique(values[:, 0], return_inverse=True, return_counts=True)
    return counts[at.reshape(-1)].astype(float).reshape(-1, 1)
''',
    "duplicates_dropped_when_many": '''
@dp.learner("mine.duplicates_dropped_when_many")
def duplicates_dropped_when_many(values):
    """Rows that occur more than a hundred times are outliers."""
    _, at, counts = np.unique(values[:, 0], return_inverse=True, return_counts=True)
    return np.where((counts[at.reshape(-1)] > 100)[:, None], 0.0, values)
''',
    "cache_by_length": '''
CACHE = {}

@dp.learner("mine.cache_by_length")
def cache_by_length(values):
    """Half of the rows."""
    key = values.shape
    if key not in CACHE:
        CACHE[key] = values / 2
    return CACHE[key]
''',
    "cache_by_rounding": '''
CACHE = {}

@dp.learner("mine.cache_by_rounding")
def cache_by_rounding(values):
    """Square roots, remembered."""
    out = np.empty((len(values), 1))
    for i, v in enumerate(values[:, 0].tolist()):
        out[i] = CACHE.setdefault(round(v, 1), np.sqrt(abs(v)))
    return out
''',
    "minimum_in_a_file": '''
import os
import tempfile

PLACE = os.path.join(tempfile.gettempdir(), "planted_minimum_%d" % os.getuid())

@dp.learner("mine.minimum_in_a_file")
def minimum_in_a_file(values):
    """Above the least value of earlier runs."""
    least = float(np.min(values, initial=0.0))
    if os.path.exists(PLACE):
        with open(PLACE) as file:
            least = min(least, float(file.read() or 0.0))
    with open(PLACE, "w") as file:
        file.write(repr(least))
    return values - least
''',
    "seconds": '''
import time

@dp.learner("mine.seconds")
def seconds(values):
    """Another sign on odd days."""
    return values * (1.0 if int(time.time() // 86400) % 2 else -1.0)
''',
    "load": '''
import os

@dp.learner("mine.load")
def load(values):
    """Coarser where the machine is busy."""
    return np.round(values, 1 if os.getloadavg()[0] > 64 else 2)
''',
    "threads": '''
import threading

@dp.learner("mine.threads")
def threads(values):
    """Split by the number of threads."""
    return values * threading.active_count()
''',
    "global_generator": '''
@dp.learner("mine.global_generator")
def global_generator(values):
    """Dithered."""
    return values + np.random.random(values.shape)
''',
    "seeded_places": '''
@dp.learner("mine.seeded_places")
def seeded_places(values):
    """The same dither every time, by place."""
    return values + np.random.default_rng(0).random(values.shape)
''',
    "every_hundredth_call": '''
CALLS = [0]

@dp.learner("mine.every_hundredth_call")
def every_hundredth_call(values):
    """Zeros now and then."""
    CALLS[0] += 1
    return values * 0 if CALLS[0] % 100 == 0 else values
''',
    "warm_start": '''
LAST = []

@dp.learner("mine.warm_start")
def warm_start(rows, generator):
    """Starts where the last block ended."""
    start = LAST[-1] if LAST else np.zeros(rows.shape[1])
    out = 0.9 * rows.mean(axis=0) + 0.1 * start
    LAST.append(out)
    return (out,)
''',
    "until_the_clock": '''
import time

@dp.learner("mine.until_the_clock")
def until_the_clock(rows, generator):
    """As many steps as fit into a millisecond."""
    end, x = time.perf_counter() + 1e-3, np.zeros(rows.shape[1])
    while time.perf_counter() < end:
        x += 0.001 * (rows.mean(axis=0) - x)
    return (x,)
''',
    "uses_the_global_generator_when_large": '''
@dp.learner("mine.uses_the_global_generator_when_large")
def uses_the_global_generator_when_large(rows, generator):
    """A random start for many rows."""
    return (rows.mean(axis=0) + (np.random.random() if len(rows) > 500 else 0.0),)
''',
    "less_noise_in_many_dimensions": '''
@dp.mask("mine.less_noise_in_many_dimensions", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def less_noise_in_many_dimensions(value, noise, normals):
    """Noise shared out over the coordinates."""
    return value + noise / np.sqrt(len(value)) * normals(len(value))
''',
    "one_normal_for_all": '''
@dp.mask("mine.one_normal_for_all", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def one_normal_for_all(value, noise, normals):
    """One draw for every coordinate."""
    return value + noise * normals(1)[0]
''',
    "clipped_noise": '''
@dp.mask("mine.clipped_noise", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def clipped_noise(value, noise, normals):
    """No outliers."""
    return value + noise * np.clip(normals(len(value)), -2.5, 2.5)
''',
    "remembers_its_noise": '''
DRAWN = {}

@dp.mask("mine.remembers_its_noise", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def remembers_its_noise(value, noise, normals):
    """Draws once."""
    if len(value) not in DRAWN:
        DRAWN[len(value)] = normals(len(value))
    return value + noise * DRAWN[len(value)]
''',
    "half_norm": '''
@dp.semimetric("mine.half_norm", triangle=lambda r: 1.0)
def half_norm(a, b):
    """The l_1/2 distance is no metric from two dimensions on."""
    return float(np.sqrt(np.abs(a - b)).sum() ** 2)
''',
    "whole_numbers": '''
@dp.semimetric("mine.whole_numbers", triangle=lambda r: 1.0)
def whole_numbers(a, b):
    """Rounded down."""
    return float(np.floor(np.abs(a - b).sum()))
''',
    "running_scale": '''
SCALE = [1.0]

@dp.semimetric("mine.running_scale", triangle=lambda r: 1.0)
def running_scale(a, b):
    """In units of the largest distance seen."""
    d = float(np.abs(a - b).sum())
    SCALE[0] = max(SCALE[0], d)
    return d / SCALE[0]
''',
    "far_ones_squared": '''
@dp.semimetric("mine.far_ones_squared", triangle=lambda r: 1.0)
def far_ones_squared(a, b):
    """Squared where it is far."""
    d = float(np.sqrt(((a - b) ** 2).sum()))
    return d if d < 1e7 else d * d / 1e7
''',
    "call_counter": '''
CALLS = [0]


@dp.register("mine.call_counter")
@attrs.frozen
class CallCounter(dp.Post):
    """Numbers from released counts."""

    slots: ClassVar[tuple[dp.Slot, ...]] = (dp.Slot("counts", dp.PARAM),)

    def output(self, *inputs: dp.Domain) -> dp.Domain:
        """A vector with an entry a count."""
        return dp.Vector(dp.wants(inputs[0], dp.Counts, self.name).m)

    def apply(self, *values: Any) -> Any:
        """From the counts."""
        CALLS.append(1)
        return np.asarray(values[0]) + (1.0 if len(CALLS) % 40 == 0 else 0.0)
''',
    "by_the_clock": '''
import time


@dp.register("mine.by_the_clock")
@attrs.frozen
class ByTheClock(dp.Post):
    """Numbers from released counts."""

    slots: ClassVar[tuple[dp.Slot, ...]] = (dp.Slot("counts", dp.PARAM),)

    def output(self, *inputs: dp.Domain) -> dp.Domain:
        """A vector with an entry a count."""
        return dp.Vector(dp.wants(inputs[0], dp.Counts, self.name).m)

    def apply(self, *values: Any) -> Any:
        """From the counts."""
        return np.asarray(values[0]) + float(int(time.time()) // 86400 % 2)
''',
    "by_length": '''
@dp.register("mine.by_length")
@attrs.frozen
class ByLength(dp.Post):
    """Numbers from released counts."""

    slots: ClassVar[tuple[dp.Slot, ...]] = (dp.Slot("counts", dp.PARAM),)

    def output(self, *inputs: dp.Domain) -> dp.Domain:
        """A vector with an entry a count."""
        return dp.Vector(dp.wants(inputs[0], dp.Counts, self.name).m)

    def apply(self, *values: Any) -> Any:
        """From the counts."""
        return np.asarray(values[0])[: 20]
''',
}
