"""Rows, queries, learners, posts and compositions with a fault, by someone who had read the documentation alone."""

SOURCES = {
    "n_composite_by_the_hour": '''
# The graph hangs on the hour of day: what is certified is not what is made the next time.
import time


@dp.composite("unread.composite_by_the_hour")
def counted(x: dp.Handle, *, share: float = 1.0) -> dp.Handle:
    """How many rows, by one of two mechanisms."""
    if time.localtime().tm_hour % 2:
        return dp.release("count", dp.gaussian(share=share), dp.count(x))
    return dp.release("count", dp.laplace(share=share), dp.count(x))
''',
    "n_composite_counts_its_calls": '''
# From the third call on the share is split otherwise: not the same graph every time.
_CALLS: list[int] = []


@dp.composite("unread.composite_counts_its_calls")
def counted(x: dp.Handle, *, share: float = 1.0) -> dp.Handle:
    """How many rows, twice."""
    _CALLS.append(1)
    first = 0.5 if len(_CALLS) < 3 else 0.25
    dp.release("first", dp.laplace(share=first * share), dp.count(x))
    return dp.release("count", dp.laplace(share=(1 - first) * share), dp.count(x))
''',
    "n_learner_mutable_default": '''
# The list of a default argument grows with blocks: the median of all means so far.
@dp.learner("unread.learner_mutable_default")
def centre(rows: Any, generator: Any, seen: list[Any] = []) -> Any:  # noqa: B006
    """The mean of a block, made robust."""
    seen.append(rows.mean(axis=0))
    same = [one for one in seen if one.shape == seen[-1].shape]
    return (np.median(same[-64:], axis=0) if len(same) > 8 else seen[-1],)
''',
    "n_learner_warm_start": '''
# A block starts at what the last block found: one row moves all blocks that come after its own.
_LAST: dict[int, Any] = {}


@dp.learner("unread.learner_warm_start")
def centre(rows: Any, generator: Any) -> Any:
    """A geometric median by ten steps from the last one found."""
    here = _LAST.get(rows.shape[1], np.zeros(rows.shape[1]))
    for _ in range(10):
        weights = 1 / np.maximum(np.sqrt(np.square(rows - here).sum(axis=1)), 1e-9)
        here = (rows * weights[:, None]).sum(axis=0) / weights.sum()
    _LAST[rows.shape[1]] = here
    return (here,)
''',
    "n_post_reads_what_rows_left": '''
# A row function leaves its largest cell in the module, and the post adds it: a post reads more than it is given.
_LEFT: dict[str, float] = {}


@dp.row_function("unread.post_reads_what_rows_left.rows", columns=lambda d: d)
def watched(values: Any) -> Any:
    """Cells as they are."""
    _LEFT["most"] = max(_LEFT.get("most", 0.0), float(np.nanmax(np.abs(values), initial=0.0)))
    return values


@dp.post_function("unread.post_reads_what_rows_left.scaled", gives=lambda total: dp.Vector(1))
def scaled(total: Any) -> Any:
    """A total in units of the largest."""
    return np.array([float(np.ravel(total)[0]) / max(_LEFT.get("most", 1.0), 1.0)])
''',
    "n_post_thread_local": '''
# A post keeps a running mean in a thread's own storage: what it gives hangs on earlier releases of other runs in
# that thread.
import threading

_KEPT = threading.local()


@dp.post_function("unread.post_thread_local", gives=lambda total: dp.Vector(1))
def smooth(total: Any) -> Any:
    """A total, smoothed."""
    now = float(np.ravel(total)[0])
    _KEPT.last = 0.9 * getattr(_KEPT, "last", now) + 0.1 * now
    return np.array([_KEPT.last])
''',
    "n_query_largest_gap": '''
# The gap of the two largest numbers: each may move by the distance, against one another: 2 linf, not 1.
@dp.own_query(
    "unread.query_largest_gap",
    gives=1,
    sensitivity=lambda distance: {"linf": distance["linf"]},
    source="its docstring",
)
def gap(value: Any) -> Any:
    """The largest number less the second largest."""
    kept = np.sort(np.ravel(value))
    return np.array([kept[-1] - kept[-2] if len(kept) > 1 else 0.0])
''',
    "n_row_far_rows_trim": '''
# If more than a hundredth of a batch is beyond 1e6 they are emptied: 100 far rows of 10,000 decide one another's
# fate.
@dp.row_function("unread.row_far_rows_trim", columns=lambda d: d)
def trimmed(values: Any) -> Any:
    """Cells; gross errors are dropped where there are many."""
    far = (np.abs(values) > 1e6).any(axis=1)
    if far.mean() > 0.01 and len(values) > 100:
        values = np.where(far[:, None], np.nan, values)
    return values
''',
    "n_row_first_of_equals": '''
# A row counts only where it is the first of equal rows: with copies, an image hangs on other rows.
@dp.own_contribution("unread.row_first_of_equals", gives=1, norm="l1", bound=1.0, nonnegative=True)
def new_values(rows: Any) -> Any:
    """One for each value that was not there before."""
    out = np.zeros((len(rows), 1))
    out[np.unique(rows[:, 0], return_index=True)[1]] = 1.0
    return out
''',
    "n_row_memo_of_rounded": '''
# A memo by the rounded cell: the first cell of a bucket decides the image of all later ones, to the last digits.
import math

_KNOWN: dict[float, float] = {}


def _log(cell: float) -> float:
    return _KNOWN.setdefault(round(cell, 3), math.log1p(abs(cell)) if math.isfinite(cell) else 0.0)


@dp.row_function("unread.row_memo_of_rounded", columns=lambda d: 1)
def logs(values: Any) -> Any:
    """The logarithm of the first cell's size, remembered."""
    return np.array([[_log(cell)] for cell in values[:, 0].tolist()]).reshape(len(values), 1)
''',
    "n_row_narrow_when_large": '''
# Batches of more than 50,000 rows are computed in float32: the image hangs on how many other rows there are.
@dp.row_function("unread.row_narrow_when_large", columns=lambda d: d)
def narrow(values: Any) -> Any:
    """The root of each cell's size."""
    kept = values.astype(np.float32) if len(values) > 50_000 else values
    return np.sqrt(np.abs(kept)).astype(np.float64)
''',
    "n_stat_floor_after": '''
# A sum of cells in [0, 1.5], floored after: a sum that moves by 1.5 may cross two whole numbers, so it moves by
# 2.
import math


@dp.own_statistic(
    "unread.stat_floor_after",
    gives=1,
    sensitivity=lambda removed, added: {"l1": 1.5 * max(removed, added)},
    source="its docstring",
    bits=4,
)
def whole(rows: Any) -> Any:
    """Whole units of the total, a row at most one and a half."""
    return np.array([math.floor(math.fsum(np.clip(rows[:, 0], 0.0, 1.5)))], dtype=float)
''',
    "n_stat_mean_of_one": '''
# The mean of cells in [0, 1], 1/2 without rows. Half a row of movement holds for one put in or taken out; one row
# that is replaced moves it by 1.
@dp.own_statistic(
    "unread.stat_mean_of_one",
    gives=1,
    sensitivity=lambda removed, added: {"l1": 0.5 * max(removed, added)},
    source="its docstring",
    bits=20,
)
def mean(rows: Any) -> Any:
    """The mean of the first column, in [0, 1]."""
    return np.array([np.clip(rows[:, 0], 0.0, 1.0).mean() if len(rows) else 0.5])
''',
    "n_stat_norm_of_wide": '''
# A count of two overlapping bins: one row is in both at the cell 0 exactly; l1 moves by 2 there, the claim is 1.
@dp.own_statistic(
    "unread.stat_norm_of_wide",
    gives=2,
    sensitivity=lambda removed, added: {"l1": float(removed + added)},
    source="its docstring",
)
def bins(rows: Any) -> Any:
    """How many rows are at most 0, and how many at least 0."""
    return np.array([np.count_nonzero(rows[:, 0] <= 0.0), np.count_nonzero(rows[:, 0] >= 0.0)], dtype=float)
''',
    "n_stat_runs_replaced": '''
# Runs of sorted values (gaps above 1). Taking out a bridging row gives one more, putting in a lone one another: a
# replaced row moves it by 2, not by max(1, 1).
@dp.own_statistic(
    "unread.stat_runs_replaced",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(max(removed, added))},
    source="its docstring",
)
def runs(rows: Any) -> Any:
    """How many runs the first column has, without gaps above 1."""
    cells = np.sort(rows[:, 0])
    return np.array([float(len(cells) > 0) + np.count_nonzero(cells[1:] > cells[:-1] + 1.0)])
''',
    "n_stat_ties_of_largest": '''
# How many rows have the largest value. Without the one largest row, all that tie at the next are counted: not
# removed + added.
@dp.own_statistic(
    "unread.stat_ties_of_largest",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(removed + added)},
    source="its docstring",
)
def ties(rows: Any) -> Any:
    """How many rows share the largest value."""
    return np.array([float(np.count_nonzero(rows[:, 0] == rows[:, 0].max())) if len(rows) else 0.0])
''',
    "n_stat_trim_from_five_on": '''
# From five rows on the two largest cells are left out. Four ones make 4, and with a fifth cell of 0 two are left:
# a row put in moves it by 2.
@dp.own_statistic(
    "unread.stat_trim_from_five_on",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(removed + added)},
    source="its docstring",
    bits=10,
)
def lower(rows: Any) -> Any:
    """The total of cells in [0, 1], from five rows on without the two largest."""
    cells = np.sort(np.round(np.clip(rows[:, 0], 0.0, 1.0) * 1024) / 1024)
    return np.array([(cells[:-2] if len(cells) > 4 else cells).sum()])
''',
}
