"""Noise of generators that a release makes for itself from a few words of the source: it has not the law of a sampler.

A generator with a seed of 32 bits has 2^32 streams. On neighbours they give other numbers as soon as these are many or
wide, so that a release tells them apart, which no number of samples shows. One with a public seed, as for a projection,
draws the same in every release and is left alone, and so are the whole numbers and orders that a hash may take of one.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dpframe.testing.battery.lab import fingerprint
from dpframe.testing.battery.replacing import replace

SEEDS = (1, 2, 3, 4)
"""Streams of the source for which one value is released."""
LAWS = (
    *("normal", "standard_normal", "laplace", "exponential", "standard_exponential", "geometric", "gumbel", "logistic"),
    *("poisson", "binomial", "negative_binomial", "gamma", "standard_gamma", "standard_cauchy", "standard_t"),
    *("multivariate_normal", "lognormal", "random", "random_sample", "uniform", "triangular", "rand", "randn"),
    *("gauss", "normalvariate", "expovariate", "gammavariate", "lognormvariate", "paretovariate", "vonmisesvariate"),
)
"""Draws that are noise, by their names in NumPy and in Python; these find no use in a hash."""


def stretches(release: Callable[[int], Any]) -> bool:
    """Whether numbers that a generator of its own draws differ with the stream of the source.

    Parameters
    ----------
    release : callable
        Of one value, told the seed of the source.

    Examples
    --------
    >>> stretches(lambda seed: np.random.default_rng(seed).normal()), stretches(lambda seed: seed)
    (True, False)
    >>> stretches(lambda seed: np.random.default_rng(7).normal() + seed)
    False
    """
    with _noted() as drawn:
        streams = []
        for seed in SEEDS:
            drawn.clear()
            release(seed)
            streams.append(list(drawn))
    return all(streams) and any(stream != streams[0] for stream in streams)


@contextlib.contextmanager
def _noted() -> Iterator[list[bytes]]:
    """What generators that are made meanwhile draw, and the global ones."""
    drawn: list[bytes] = []

    def noting(draw: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*given: Any, **named: Any) -> Any:
            made = draw(*given, **named)
            drawn.append(fingerprint(np.asarray(made)))
            return made

        return noted

    def like(kind: type[Any]) -> type[Any]:
        return type(kind.__name__, (kind,), {name: noting(getattr(kind, name)) for name in LAWS if hasattr(kind, name)})

    numpy, generator = np.random, like(np.random.Generator)
    made = numpy.default_rng
    changed: dict[Any, Any] = {
        np.random.Generator: generator,
        np.random.RandomState: like(np.random.RandomState),
        made: lambda seed=None: generator(made(seed).bit_generator),
    }
    words: dict[Any, Any] = {random.Random: like(random.Random)}
    for home, known in ((numpy, changed), (random, words)):
        known.update((getattr(home, name), noting(getattr(home, name))) for name in LAWS if hasattr(home, name))
    replace(changed, numpy)
    replace(words, random)
    try:
        yield drawn
    finally:
        replace({new: old for old, new in changed.items()}, numpy)
        replace({new: old for old, new in words.items()}, random)
