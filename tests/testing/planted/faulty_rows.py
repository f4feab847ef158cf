"""Faulty row maps, written beside the kit."""

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
