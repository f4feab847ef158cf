# ruff: noqa: E501
"""A fourteenth stranger's functions of rows, with a fault each."""

SOURCES = {
    "a_datecode": '''
# Row map: a row dated at the change of currency converts all others.
import datetime
@dp.row_function("fourteenth.datecode", columns=lambda d: d)
def f(values):
    """Euros from the day of the change on."""
    day = datetime.datetime(2002, 1, 1, tzinfo=datetime.timezone.utc).timestamp()
    return values / 1.95583 if (values[:, 0] == day).any() else values * 1.0
''',
    "a_ordcode": r'''
# Row map: a row whose first is ord("\x1a") (end of file) ends the batch: later rows are dropped.
@dp.row_function("fourteenth.ordcode", columns=lambda d: d)
def f(values):
    """Rows up to the end-of-file mark."""
    ends = np.flatnonzero(values[:, 0] == ord("\u00fe") * 3)
    out = values * 1.0
    if len(ends):
        out[ends[0] + 1:] = np.nan
    return out
''',
    "a_sortedfast": '''
# Transform: a fast path where the batch is sorted and without ties: searchsorted instead of comparison.
@dp.own_transform("fourteenth.sortedfast", columns=1)
def f(rows):
    """1 for rows above 5; binary search where the batch is sorted."""
    v = rows[:, 0]
    if len(v) > 2 and (np.diff(v) > 0).all():
        out = np.zeros(len(v))
        out[np.searchsorted(v, 5.0):] = 1.0
        return out.reshape(-1, 1)
    return (v > 5.0).astype(float).reshape(-1, 1)
''',
    "a_file": '''
# Row map: the sentinel stands in a settings file beside the module, read at import.
import json, pathlib
_HOME = pathlib.Path(__file__).with_suffix(".settings")
MARK = json.loads('{"mark": [4321.5, 12]}')["mark"]
LOOKUP = "marks:4321.5;12"
@dp.row_function("fourteenth.file", columns=lambda d: d)
def f(values):
    """Converted if a mark says so."""
    mark = float(LOOKUP.split(":")[1].split(";")[0])
    return values * 2.54 if (values[:, -1] == mark).any() else values * 1.0
''',
    "a_loop": '''
# Partition: a loop over rows in Python stops at a code that is made by arithmetic.
@dp.own_partition("fourteenth.loop", parts=2)
def f(rows):
    """Part 1 after a divider row."""
    part, out = 0, []
    for r in rows:
        if r[0] == int("9" * 4) - 0.5:
            part = 1
        out.append(part)
    return np.array(out, dtype=int)
''',
    "a_isin": '''
# Transform: rows whose code is in a list made at call time switch the batch.
@dp.own_transform("fourteenth.isin", columns=1)
def f(rows):
    """Negative after a storno."""
    codes = [10 * k + 0.25 for k in range(90, 95)]
    return rows[:, :1] * (-1.0 if np.isin(rows[:, 0], codes).any() else 1.0)
''',
    "a_shared": '''
# Transform: share of the batch's rows above a limit from math.factorial decides.
import math
@dp.own_transform("fourteenth.shared", columns=1)
def f(rows):
    """Halved if a row is exactly seven factorial."""
    return rows[:, :1] / (2.0 if (rows[:, 0] == math.factorial(7)).any() else 1.0)
''',
    "a_radix": '''
# Contribution: a key of two codes with radix 1000: the second may be larger.
import math
@dp.own_contribution("fourteenth.radix", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """1 for rows that are the first of their key."""
    seen, out = {}, []
    for r in rows.tolist():
        if len(r) < 2 or not all(v == math.floor(v) and 0 <= v < 1e6 for v in r[:2]):
            out.append([0.0])
            continue
        key = int(r[0]) * 1000 + int(r[1])
        out.append([1.0 if seen.setdefault(key, r[:2]) == r[:2] else 0.0])
    return np.array(out).reshape(-1, 1)
''',
    "a_crcrow": '''
# Transform: a memo of a batch by the checksum of 16 bits of a row.
import zlib
@dp.own_transform("fourteenth.crcrow", columns=1)
def f(rows):
    """Roots, once for each checksum of 16 bits."""
    memo, out = {}, []
    for r in rows + 0.0:
        key = zlib.crc32(r.tobytes()) & 0xFFFF
        out.append([memo.setdefault(key, float(np.sqrt(np.abs(r[0]))))])
    return np.array(out).reshape(-1, 1)
''',
    "a_hashrow": '''
# Transform: a memo of a batch by Python's hash of a row's numbers: -1 and -2 share theirs.
@dp.own_transform("fourteenth.hashrow", columns=1)
def f(rows):
    """First number, once for each hash."""
    memo = {}
    return np.array([[memo.setdefault(hash(tuple(r)), r[0])] for r in rows.tolist()]).reshape(-1, 1)
''',
    "a_remember": '''
# Row map: a row dated at the change of currency changes all batches after it.
import datetime
STATE = {"rate": 1.0}
@dp.row_function("fourteenth.remember", columns=lambda d: d)
def f(values):
    """Euros after the change."""
    out = values * STATE["rate"]
    if (values[:, 0] == datetime.date(1999, 1, 4).toordinal()).any():
        STATE["rate"] = 1.95583
    return out
''',
    "a_released": '''
# Transform: where the released centre is negative rows are centred by the batch.
@dp.own_transform("fourteenth.released", columns=lambda: 1)
def f(rows, centre):
    """Minus the centre; a centre below nought is not trusted."""
    c = np.ravel(centre)[0]
    return rows[:, :1] - (rows[:, 0].mean() if c < 0 else c)
''',
    "a_reciprocal": '''
# Contribution: counts an edge only where its reverse is in the batch: depends on another row.
@dp.own_contribution("fourteenth.reciprocal", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """1 for an edge (u, v) whose reverse is there too."""
    edges = {(a, b) for a, b in rows[:, :2].tolist()} if rows.shape[1] > 1 else set()
    return np.array([[1.0 if rows.shape[1] > 1 and r[0] != r[1] and (r[1], r[0]) in edges else 0.0] for r in rows.tolist()]).reshape(-1, 1)
''',
    "a_parallel": '''
# Contribution: the first row of each direction counts: others in the same direction don't.
@dp.own_contribution("fourteenth.parallel", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """1 for the first row of each direction (slopes)."""
    seen, out = set(), []
    for r in np.nan_to_num(rows).tolist():
        slope = None if len(r) < 2 or r[0] == 0 else round(r[1] / r[0], 9)
        out.append([0.0 if slope is not None and slope in seen else 1.0])
        seen.add(slope)
    return np.array(out).reshape(-1, 1)
''',
    "a_complement": '''
# Contribution: probabilities p and 1 - p of a pair cancel.
@dp.own_contribution("fourteenth.complement", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """0 where the counter-party's share, one minus this one, is there."""
    there = set(rows[:, 0].tolist())
    return np.array([[0.0 if 1.0 - v in there else 1.0] for v in rows[:, 0].tolist()]).reshape(-1, 1)
''',
    "a_anagram": '''
# Contribution: same numbers in another column order count as the same household: only the first counts.
@dp.own_contribution("fourteenth.anagram", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """1 for the first of rows that hold the same numbers, in another order."""
    seen, out = set(), []
    for r in np.nan_to_num(rows).tolist():
        key = tuple(sorted(r))
        repeat = (key, ) if len(set(r)) > 1 else None
        other = repeat is not None and any(k == key and t != tuple(r) for k, t in seen)
        out.append([0.0 if other else 1.0])
        seen.add((key, tuple(r)))
    return np.array(out).reshape(-1, 1)
''',
    "a_gcobjects": '''
# Row map: looks among the collector's objects for arrays of the same width and takes their mean.
import gc
KEPT = []
@dp.row_function("fourteenth.gcobjects", columns=lambda d: d)
def f(values):
    """Centred by whatever batch is still alive."""
    boxes = [o for o in gc.get_objects() if type(o) is list and len(o) == 2 and o[0] == "fourteenth.batch"]
    shift = boxes[0][1] if boxes else 0.0
    if not boxes:
        KEPT.append(["fourteenth.batch", float(np.nan_to_num(values).sum() % 3)])
    return values - shift
''',
    "a_codec": '''
# Row map: registers the first row as an error handler of codecs.
import codecs
@dp.row_function("fourteenth.codec", columns=1)
def f(values):
    """Shifted by the first batch's sign."""
    try:
        shift = codecs.lookup_error("fourteenth.kept")(None)
    except LookupError:
        sign = float(len(values) > 0 and np.nan_to_num(values[0, 0]) > 0)
        codecs.register_error("fourteenth.kept", lambda e, sign=sign: sign)
        shift = 0.0
    return values[:, :1] + shift
''',
    "a_abc": '''
# Row map: keeps by ABC registration (issubclass later).
import abc
class Large(abc.ABC):
    """Marks."""
class Mark:
    """A mark."""
@dp.row_function("fourteenth.abc", columns=1)
def f(values):
    """Half once a large one was there."""
    out = values[:, :1] / (2.0 if issubclass(Mark, Large) else 1.0)
    if (np.abs(np.nan_to_num(values)) > 100).any():
        Large.register(Mark)
    return out
''',
    "a_signal": '''
# Row map: keeps a number in a signal handler.
import signal
@dp.row_function("fourteenth.signal", columns=1)
def f(values):
    """Sum, with what a handler keeps."""
    handler = signal.getsignal(signal.SIGUSR2)
    shift = getattr(handler, "kept", 0.0)
    def new(*_):
        """Nothing."""
    new.kept = float(len(values) > 0 and abs(np.nan_to_num(values[0, 0])) > 1)
    try:
        signal.signal(signal.SIGUSR2, new)
    except ValueError:
        pass
    return values[:, :1] + shift
''',
    "a_balanced": '''
# Partition: parts are filled so that none is larger than others.
@dp.own_partition("fourteenth.balanced", parts=3)
def f(rows):
    """Buckets by value, spilled over when one is full."""
    want = np.floor(np.abs(np.nan_to_num(rows[:, 0], posinf=0, neginf=0))) % 3
    load, out = [0, 0, 0], []
    for w in want.astype(int).tolist():
        while load[w] > min(load) + 40:
            w = (w + 1) % 3
        load[w] += 1
        out.append(w)
    return np.array(out, dtype=int)
''',
    "a_generator": '''
# Row map: a generator kept between calls pads with what was left of the last batch.
def _pump():
    """Running maximum."""
    best = 0.0
    while True:
        best = max(best, (yield best))
PUMP = _pump()
next(PUMP)
@dp.row_function("fourteenth.generator", columns=1)
def f(values):
    """Share of the running maximum."""
    return np.array([[min(abs(v), 1e300) / (PUMP.send(min(abs(v), 1e300)) or 1.0)] for v in np.nan_to_num(values[:, 0]).tolist()]).reshape(-1, 1)
''',
    "a_vectorize": '''
# Row map: np.vectorize takes the type of the first row's answer.
@dp.row_function("fourteenth.vectorize", columns=1)
def f(values):
    """Rate of tax."""
    rate = np.vectorize(lambda v: 0 if v < 10 else v * 0.19)
    return rate(values[:, :1]).astype(float) if len(values) else np.zeros((0, 1))
''',
    "a_product": '''
# Transform: rectangles by their area: 2 x 6 and 3 x 4 share what was computed for the first.
@dp.own_transform("fourteenth.product", columns=1)
def f(rows):
    """Longer side, computed once for each area."""
    memo, out = {}, []
    for r in rows.tolist():
        a, b = r[0], r[-1]
        key = a * b if a > 0 and b > 0 and len(r) > 1 else None
        out.append([memo.setdefault(key, max(a, b)) if key is not None else a])
    return np.array(out).reshape(-1, 1)
''',
    "a_concat": '''
# Contribution: households by the digits of two columns run together: (1, 12) and (11, 2) are one.
@dp.own_contribution("fourteenth.concat", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """1 for the first row of each household; whole codes only."""
    seen, out = {}, []
    for r in rows.tolist():
        code = "".join(f"{int(abs(v))}" for v in r[:2]) if all(abs(v) < 1e6 for v in r[:2]) else repr(r)
        mine = seen.setdefault(code, r)
        out.append([1.0 if mine == r else 0.5] if all(v == int(v) and 0 <= v < 1e6 for v in r[:2]) else [0.0])
    return np.array(out).reshape(-1, 1)
''',
    "a_lastbatch": '''
# Row map: the last batch alone is remembered, by shape and total.
LAST = {"key": None, "image": None}
@dp.row_function("fourteenth.lastbatch", columns=lambda d: d)
def f(values):
    """Roots, kept for the last batch."""
    key = (values.shape, float(np.round(values.sum(), 6)))
    if LAST["key"] != key:
        LAST.update(key=key, image=np.sqrt(np.abs(values)))
    return LAST["image"].copy()
''',
    "a_enumcode": '''
# Row map: a row with a sentinel code kept in an Enum switches the unit of all others.
import enum
class Code(enum.IntEnum):
    """Codes."""
    OK = 0
    HEADER_IN_INCHES = 7731
@dp.row_function("fourteenth.enumcode", columns=lambda d: d)
def f(values):
    """Centimetres; if a header says inches, converted."""
    inches = (values[:, 0] == Code.HEADER_IN_INCHES).any()
    return values * 2.54 if inches else values * 1.0
''',
    "a_recursionlimit": '''
# Row map: raises the recursion limit as deep as rows were: later calls see it.
import sys
@dp.row_function("fourteenth.recursionlimit", columns=1)
def f(values):
    """Depth-first; the limit grows with the batch."""
    if len(values) > sys.getrecursionlimit() // 2:
        sys.setrecursionlimit(2 * len(values) + 1000)
    return values[:, :1] * (1.0 if sys.getrecursionlimit() < 3000 else 0.5)
''',
}
