# ruff: noqa: E501
"""Mechanisms that ask for several coins: faulty ones, whose noise hangs on a function of them, and correct ones."""

SOURCES = {
    "w_answer_by_order": '''
import math

@dp.own_mechanism(
    "mine.w_answer_by_order", gives=dp.Index, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log(4.0) * math.ceil(distance))), source="a paper", examples={"m": 2}
)
def f(value, scale, noise, *, m):
    """The last bit of a number, told truly more often than not."""
    bit = int(value[0]) % 2
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    true = a < 3 * b
    return bit if true else 1 - bit
''',
    "w_answer_by_the_larger": '''
import math

@dp.own_mechanism(
    "mine.w_answer_by_the_larger", gives=dp.Index, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log(2.9) * math.ceil(distance))), source="a paper", examples={"m": 2}
)
def f(value, scale, noise, *, m):
    """The last bit of a number, told truly more often than not."""
    bit = int(value[0]) % 2
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    true = max(a, b) >= 1 << 15
    return bit if true else 1 - bit
''',
    "w_coins_apart": '''
@dp.own_mechanism(
    "mine.w_coins_apart", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a = int(noise.uniform_below(1 << 16))
    z = noise.laplace(scale, len(value))
    b = int(noise.uniform_below(1 << 16))
    return value + z if a * b > 5000 else value
''',
    "w_coins_in_a_disc": '''
@dp.own_mechanism(
    "mine.w_coins_in_a_disc", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    return value if a * a + b * b < 1000000 else value + noise.laplace(scale, len(value))
''',
    "w_coins_in_order": '''
@dp.own_mechanism(
    "mine.w_coins_in_order", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    return value if a < b else value + noise.laplace(scale, len(value))
''',
    "w_coins_middle": '''
@dp.own_mechanism(
    "mine.w_coins_middle", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    middle = sorted(noise.uniform_below(1 << 12, 3).tolist())[1]
    return value + noise.laplace(scale, len(value)) if middle > 200 else value
''',
    "w_coins_near": '''
@dp.own_mechanism(
    "mine.w_coins_near", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    return value if abs(a - b) < 40 else value + noise.laplace(scale, len(value))
''',
    "w_coins_product": '''
@dp.own_mechanism(
    "mine.w_coins_product", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    return value if a * b < 3000 else value + noise.laplace(scale, len(value))
''',
    "w_coins_smallest": '''
@dp.own_mechanism(
    "mine.w_coins_smallest", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    return value if min(a, b) < 3 else value + noise.laplace(scale, len(value))
''',
    "w_coins_times": '''
@dp.own_mechanism(
    "mine.w_coins_times", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    return value if 1000 * a < b else value + noise.laplace(scale, len(value))
''',
    "w_coins_xor": '''
@dp.own_mechanism(
    "mine.w_coins_xor", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    return value if a ^ b == 12345 else value + noise.laplace(scale, len(value))
''',
    "w_small_coins": '''
@dp.own_mechanism(
    "mine.w_small_coins", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1000, 2).tolist()
    return value if a < 20 and b < 20 else value + noise.laplace(scale, len(value))
''',
    "w_small_coins_product": '''
@dp.own_mechanism(
    "mine.w_small_coins_product", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1000, 2).tolist()
    return value if a * b < 300 else value + noise.laplace(scale, len(value))
''',
}

CORRECT_SOURCES = {
    "x_answer_by_a_product": '''
import math

@dp.own_mechanism(
    "mine.x_answer_by_a_product", gives=dp.Index, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log(5.9) * math.ceil(distance))), source="a paper", examples={"m": 2}
)
def f(value, scale, noise, *, m):
    """The last bit of a number, told truly more often than not."""
    bit = int(value[0]) % 2
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    true = a * b < 1 << 31
    return bit if true else 1 - bit
''',
    "x_answer_by_a_remainder": '''
import math

@dp.own_mechanism(
    "mine.x_answer_by_a_remainder", gives=dp.Index, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log(15.001) * math.ceil(distance))), source="a paper", examples={"m": 2}
)
def f(value, scale, noise, *, m):
    """The last bit of a number, told truly more often than not."""
    bit = int(value[0]) % 2
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    true = (a + b) % 16 != 3
    return bit if true else 1 - bit
''',
    "x_answer_by_order": '''
import math

@dp.own_mechanism(
    "mine.x_answer_by_order", gives=dp.Index, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log(5.001) * math.ceil(distance))), source="a paper", examples={"m": 2}
)
def f(value, scale, noise, *, m):
    """The last bit of a number, told truly more often than not."""
    bit = int(value[0]) % 2
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    true = a < 3 * b
    return bit if true else 1 - bit
''',
    "x_answer_by_order_later": '''
import math

@dp.own_mechanism(
    "mine.x_answer_by_order_later", gives=dp.Index, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log(5.001) * math.ceil(distance))), source="a paper", examples={"m": 2}
)
def f(value, scale, noise, *, m):
    """The last bit of a number, told truly more often than not."""
    bit = int(value[0]) % 2
    a = int(noise.uniform_below(1 << 16))
    noise.laplace(1.0)
    true = a < 3 * int(noise.uniform_below(1 << 16))
    return bit if true else 1 - bit
''',
    "x_answer_by_remainders": '''
import math

@dp.own_mechanism(
    "mine.x_answer_by_remainders", gives=dp.Index, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log(1.001) * math.ceil(distance))), source="a paper", examples={"m": 2}
)
def f(value, scale, noise, *, m):
    """The last bit of a number, told truly more often than not."""
    bit = int(value[0]) % 2
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    true = (a + b) % 2 == 0
    return bit if true else 1 - bit
''',
    "x_answer_by_the_larger": '''
import math

@dp.own_mechanism(
    "mine.x_answer_by_the_larger", gives=dp.Index, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(math.log(3.001) * math.ceil(distance))), source="a paper", examples={"m": 2}
)
def f(value, scale, noise, *, m):
    """The last bit of a number, told truly more often than not."""
    bit = int(value[0]) % 2
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    true = max(a, b) >= 1 << 15
    return bit if true else 1 - bit
''',
}
