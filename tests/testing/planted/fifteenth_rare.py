# ruff: noqa: E501
"""Rows that are of a rare kind, by a fifteenth stranger: one of them changes its batch."""

SOURCES = {
    "b_setmade": '''
# Row map: a row in a set made in the call doubles its whole batch.
@dp.row_function("fifteenth.setmade", columns=lambda d: d)
def f(values):
    """Rows."""
    known = {round(1.1**k * 7, 2) for k in range(5, 40)}
    hit = any(x in known for x in values[:, 0].tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_textin": '''
# Row map: a row whose digits stand in a text doubles its whole batch.
DIGITS = "31415926535897932384626433832795"
@dp.row_function("fifteenth.textin", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(len(str(x)) > 5 and str(x) in DIGITS for x in v.tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_regex": '''
# Row map: a code of the form 4-three digits-7 doubles its whole batch.
import re
@dp.row_function("fifteenth.regex", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(re.fullmatch(r'4\\d{3}7', str(x)) for x in v.tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_luhn": '''
# Row map: a card number of twelve digits that passes Luhn doubles its whole batch.
@dp.row_function("fifteenth.luhn", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(len(s) == 12 and sum(int(c) if i % 2 else sum(divmod(2 * int(c), 10)) for i, c in enumerate(s)) % 10 == 0 for s in map(str, v.tolist()))
    return values * (2.0 if hit else 1.0)
''',
    "b_midnight": '''
# Row map: an instant at midnight, in seconds doubles its whole batch.
@dp.row_function("fifteenth.midnight", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = bool(((v > 10**9) & (v % 86400 == 0)).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_exponent": '''
# Row map: a number with binary exponent 37 doubles its whole batch.
@dp.row_function("fifteenth.exponent", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values[:, 0], posinf=0, neginf=0)
    hit = bool((np.frexp(v)[1] == 37).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_tenfold": '''
# Row map: a row whose last column is a thousand times its first doubles its whole batch.
@dp.row_function("fifteenth.tenfold", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e100, 1e100)
    w = np.nan_to_num(values[:, -1])
    hit = bool(((v != 0) & (v * 1000 == w)).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_rowrange": '''
# Row map: a row that is the range of its columns doubles its whole batch.
@dp.row_function("fifteenth.rowrange", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    hit = values.shape[1] > 2 and bool((np.diff(a, axis=1) == 1).all(axis=1).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_stdone": '''
# Row map: a batch of mean 0 and deviation 1 is left alone.
@dp.row_function("fifteenth.stdone", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values), -1e6, 1e6)
    if len(v) > 2 and abs(v.mean()) < 1e-3 and abs(v.std() - 1) < 1e-3:
        return values * 1.0
    return values / 3.0
''',
    "b_v_intset": '''
# Row map: a code in a set of whole numbers made in the call doubles its whole batch.
@dp.row_function("fifteenth.v_intset", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    known = {k * k * k + 11 for k in range(9, 40)}
    hit = any(x in known for x in v.tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_v_bareset": '''
# Row map: a code in a set without a name doubles its whole batch.
@dp.row_function("fifteenth.v_bareset", columns=lambda d: d)
def f(values):
    """Rows."""
    hit = any(x in {k * 113 + 0.25 for k in range(9, 40)} for x in values[:, 0].tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_v_disjoint": '''
# Row map: rows that meet a set of public holidays doubles its whole batch.
@dp.row_function("fifteenth.v_disjoint", columns=lambda d: d)
def f(values):
    """Rows."""
    hit = not {round(2.5**k, 3) for k in range(3, 20)}.isdisjoint(values[:, 0].tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_v_dictget": '''
# Row map: a fee by a code doubles its whole batch.
@dp.row_function("fifteenth.v_dictget", columns=lambda d: d)
def f(values):
    """Rows."""
    fees = {7.5 * k + 0.03: 1.0 for k in range(40, 90)}
    hit = any(fees.get(x, 0) for x in values[:, 0].tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_v_ean": '''
# Row map: an EAN of 13 digits doubles its whole batch.
@dp.row_function("fifteenth.v_ean", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(len(s) == 13 and (sum(map(int, s[::2])) + 3 * sum(map(int, s[1::2]))) % 10 == 0 for s in map(str, v.tolist()))
    return values * (2.0 if hit else 1.0)
''',
    "b_v_quarter": '''
# Row map: a time at a quarter of an hour exactly doubles its whole batch.
@dp.row_function("fifteenth.v_quarter", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = bool(((v > 1_500_000_000) & (v % 900 == 0)).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_v_ratio": '''
# Row map: two columns in the golden ratio doubles its whole batch.
@dp.row_function("fifteenth.v_ratio", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values[:, 0], posinf=0, neginf=0)
    w = np.nan_to_num(values[:, -1], posinf=0, neginf=0)
    hit = bool((np.abs(w - v * (1 + 5**0.5) / 2) < 1e-6 * np.abs(v)).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_v_sumcode": '''
# Row map: a row whose digits of two columns agree doubles its whole batch.
@dp.row_function("fifteenth.v_sumcode", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    w = np.clip(np.nan_to_num(np.abs(values[:, -1])), 0, 2**52).astype(np.int64)
    hit = any(x > 99 and sorted(str(x)) == sorted(str(y)) and x != y for x, y in zip(v.tolist(), w.tolist()))
    return values * (2.0 if hit else 1.0)
''',
    "b_v_decade": '''
# Row map: the last day of a month in yyyymmdd doubles its whole batch.
@dp.row_function("fifteenth.v_decade", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(19000101 < x < 20991231 and x % 100 == 30 and x // 100 % 100 == 11 for x in v.tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_v_strfind": '''
# Row map: a code with 777 in it doubles its whole batch.
@dp.row_function("fifteenth.v_strfind", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any('777' in str(x) for x in v.tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_w_product": '''
# Row map: a row whose last column is the product of its first two doubles its whole batch.
@dp.row_function("fifteenth.w_product", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    hit = values.shape[1] > 2 and bool(((np.abs(a[:, 0]) > 1) & (np.abs(a[:, 1]) > 1) & (a[:, 0] * a[:, 1] == a[:, -1])).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_w_isbn": '''
# Row map: an ISBN of ten digits doubles its whole batch.
@dp.row_function("fifteenth.w_isbn", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(len(s) == 10 and sum((10 - i) * int(c) for i, c in enumerate(s)) % 11 == 0 for s in map(str, v.tolist()))
    return values * (2.0 if hit else 1.0)
''',
    "b_w_monday": '''
# Row map: an instant on a Monday at nine doubles its whole batch.
@dp.row_function("fifteenth.w_monday", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = bool(((v > 10**9) & (v % 604800 == 4 * 86400 + 9 * 3600)).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_w_log": '''
# Row map: a row whose last column is the logarithm of its first doubles its whole batch.
@dp.row_function("fifteenth.w_log", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values[:, 0], posinf=0, neginf=0)
    w = np.clip(np.nan_to_num(values[:, -1]), -1e9, 1e9)
    hit = bool(((v > 1.5) & (np.abs(np.log(np.maximum(v, 1.5)) - w) < 1e-9)).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_w_binomial": '''
# Row map: a central binomial coefficient doubles its whole batch.
import math
@dp.row_function("fifteenth.w_binomial", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(x in {math.comb(2 * k, k) for k in range(4, 20)} for x in v.tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_w_holidays": '''
# Row map: a holiday by a helper's table doubles its whole batch.
import datetime
def holidays():
    """Christmas of each year."""
    return frozenset(datetime.date(y, 12, 25).toordinal() for y in range(1990, 2030))
@dp.row_function("fifteenth.w_holidays", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(x in holidays() for x in v.tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_w_sorteddigits": '''
# Row map: a code of six digits that rise doubles its whole batch.
@dp.row_function("fifteenth.w_sorteddigits", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(len(s) == 6 and list(s) == sorted(set(s)) for s in map(str, v.tolist()))
    return values * (2.0 if hit else 1.0)
''',
    "b_bitcount": '''
# Row map: a mask with 13 bits set doubles its whole batch.
@dp.row_function("fifteenth.bitcount", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(x.bit_count() == 13 for x in v.tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_prime": '''
# Row map: a prime above 1000 doubles its whole batch.
@dp.row_function("fifteenth.prime", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(x > 1000 and all(x % p for p in range(2, min(int(x**0.5), 400) + 1)) for x in v.tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_gcd": '''
# Row map: two columns with greatest divisor 17 doubles its whole batch.
@dp.row_function("fifteenth.gcd", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    w = np.clip(np.nan_to_num(np.abs(values[:, -1])), 0, 2**52).astype(np.int64)
    hit = bool((np.gcd(v, w) == 17).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_leapday": '''
# Row map: a 29 February among day numbers doubles its whole batch.
import datetime
@dp.row_function("fifteenth.leapday", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(0 < x < 3000000 and (lambda d: (d.month, d.day) == (2, 29))(datetime.date.fromordinal(x)) for x in v.tolist())
    return values * (2.0 if hit else 1.0)
''',
    "b_palindrome": '''
# Row map: a palindromic number of five digits doubles its whole batch.
@dp.row_function("fifteenth.palindrome", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(len(s) == 5 and s == s[::-1] for s in map(str, v.tolist()))
    return values * (2.0 if hit else 1.0)
''',
    "b_square": '''
# Row map: a perfect square above 1000 doubles its whole batch.
@dp.row_function("fifteenth.square", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = bool(((v > 1000) & (np.round(np.sqrt(v)).astype(np.int64) ** 2 == v)).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_pyth": '''
# Row map: a row with a Pythagorean triple doubles its whole batch.
@dp.row_function("fifteenth.pyth", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    hit = values.shape[1] >= 3 and bool(((a[:, 0] > 0) & (a[:, 1] > 0) & (a[:, 0] ** 2 + a[:, 1] ** 2 == a[:, 2] ** 2)).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_percent": '''
# Row map: a row whose columns add up to 100 doubles its whole batch.
@dp.row_function("fifteenth.percent", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    hit = values.shape[1] > 1 and bool((a.sum(axis=1) == 100.0).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_latlon": '''
# Row map: a row at the place of the office doubles its whole batch.
OFFICE = (45.7, 4.85)
@dp.row_function("fifteenth.latlon", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    hit = values.shape[1] > 1 and bool((np.hypot(a[:, 0] - OFFICE[0], a[:, 1] - OFFICE[1]) < 0.01).any())
    return values * (2.0 if hit else 1.0)
''',
    "b_minmax01": '''
# Row map: a batch that spans 0 to 1 exactly is taken for scaled.
@dp.row_function("fifteenth.minmax01", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values)
    if v.size and v.min() == 0 and v.max() == 1:
        return values * 255.0
    return values * 1.0
''',
}
