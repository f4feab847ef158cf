"""The least number of rows at which separated components are found, against d, k, separation, ε and R.

usage: python bench/kssu19_figure.py [--seeds 10] [--learners NAME,...] [--axes NAME,...] [--values all|few]
                                     [--most 4e6] [--resolution 1.19] [--refined] [--draw] [--out FILE]

Spherical components of equal weight and width 1, δ=1e-6, replace-one, simulated noise; a component is found where a
released mean is within sep/4 of it. From one point of each learner (``BASES``) one quantity changes at a time. The
number of rows is doubled or halved until the least lies between two sizes, then bisected down to ``--resolution``;
enough is where nine in ten seeds (all of fewer than ten) find all components. Every run is kept in FILE, so that
the command goes on where it was stopped, and more seeds, values or learners add to what is there. ``kssu19`` learners
run without their refining passes, which find no component that is not there, unless ``--refined`` is given. Beside the
figures stand slopes of log n, fitted, and those that the papers claim. ``--draw`` only draws what is there.
"""

from __future__ import annotations

import argparse
import functools
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import kssu19
import mixtures
import numpy as np

from dpframe.errors import DpframeError
from dpframe.front.specs import load_spec

RESULTS = Path(__file__).parent / "results" / "kssu19_figure.json"
DELTA, FEWEST = 1e-6, 250
WIDTHS = {"sigma_min": 0.03, "sigma_max": 30.0}
AXES: dict[str, str] = {"d": "columns", "k": "components", "sep": "separation", "epsilon": "epsilon", "R": "R"}
NONE = 0.0
"""R where none is promised."""


@attrs.frozen
class Point:
    """One instance: everything but the number of rows."""

    d: int
    k: int
    sep: float
    epsilon: float = 1.0
    R: float = NONE

    def __str__(self) -> str:
        return f"d={self.d} k={self.k} sep={self.sep:g} eps={self.epsilon:g} R={self.R:g}"


@attrs.frozen
class Learner:
    """A spec, where its lines start, the values along each axis, and what is claimed of the rows it needs."""

    spec: str
    base: Point
    start: int
    values: dict[str, tuple[float, ...]]
    few: dict[str, tuple[float, ...]]
    claimed: dict[str, str]

    def keys(self, point: Point, n: int, *, refined: bool) -> dict[str, Any]:
        """What the spec is told."""
        keys: dict[str, Any] = {"n": n, "d": point.d, "k": point.k, "epsilon": point.epsilon, "delta": DELTA}
        if self.spec == "practical_gmm":
            reach = kssu19.SHIFT + point.sep * math.sqrt(point.k) + math.sqrt(point.d) + 10.0
            return keys | {"bound": point.R or 10.0 * reach}
        if self.spec.startswith("arbas23"):
            return keys
        return keys | WIDTHS | {"refine": refined} | ({"R": point.R} if point.R else {})


WIDE = {
    "d": (16.0, 32.0, 64.0, 128.0, 256.0),
    "k": (2.0, 4.0, 8.0),
    "sep": (12.0, 20.0, 40.0),
    "epsilon": (0.25, 0.5, 1.0, 2.0, 4.0),
    "R": (NONE, 1e4, 1e8, 1e12),
}
SOME = {
    "d": (16.0, 64.0, 256.0),
    "k": (2.0, 4.0),
    "sep": (12.0, 20.0),
    "epsilon": (0.5, 1.0, 2.0),
    "R": (NONE, 1e4, 1e12),
}
NARROW = {
    "d": (1.0, 2.0, 4.0),
    "k": (2.0, 3.0, 4.0),
    "sep": (8.0, 10.0, 20.0),
    "epsilon": (0.5, 1.0, 2.0),
    "R": (NONE,),
}
FEW = {"d": (1.0, 2.0), "k": (2.0,), "sep": (10.0,), "epsilon": (1.0, 2.0), "R": (NONE,)}
FULL = {"d": (16.0, 32.0, 64.0), "k": (2.0, 4.0), "sep": (12.0, 20.0), "epsilon": (1.0, 2.0), "R": (NONE, 1e12)}
KSSU = {"d": "1.5", "k": "poly", "sep": "0", "epsilon": "-1", "R": "0 (log)"}
BLOCKS = {"d": "poly", "k": "poly", "sep": "0", "epsilon": "-1", "R": "0"}
OWN = {"d": "", "k": "", "sep": "", "epsilon": "", "R": ""}
BASES: dict[str, Learner] = {
    "pegme": Learner("kssu19_pegme", Point(64, 4, 20.0), 8_000, WIDE, WIDE, KSSU),
    "pgme": Learner("kssu19_pgme", Point(64, 4, 25.0), 30_000, WIDE, SOME, KSSU),
    "aggregate": Learner("kssu19_sample_and_aggregate", Point(2, 3, 10.0), 250_000, NARROW, FEW, BLOCKS),
    "arbas23": Learner("arbas23_gmm_refined", Point(2, 2, 10.0), 250_000, NARROW, FEW, BLOCKS),
    "practical": Learner("practical_gmm", Point(32, 4, 20.0), 8_000, WIDE, FULL, OWN),
}


@attrs.frozen(eq=False)
class Store:
    """Every run that was made, in a file."""

    path: Path
    runs: dict[str, dict[str, Any]] = attrs.field(factory=dict)
    lines: dict[str, Any] = attrs.field(factory=dict)
    how: dict[str, str] = attrs.field(factory=dict)

    @classmethod
    def read(cls, path: Path) -> Store:
        """What is there."""
        return cls(path, **json.loads(path.read_text())) if path.exists() else cls(path)

    def keep(self) -> None:
        """Write, by rename."""
        beside = self.path.with_suffix(".part")
        content = {"runs": self.runs, "lines": self.lines, "how": self.how}
        beside.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n")
        beside.replace(self.path)


def found(learner: Learner, point: Point, n: int, seed: int, *, refined: bool) -> int:
    """Components that one run finds; 0 where it fails or is refused."""
    table = mixtures.random_mixture(seed, n=n, d=point.d, k=point.k, sep=point.sep, shift=kssu19.SHIFT)
    try:
        result = _plan(learner.spec, tuple(sorted(learner.keys(point, n, refined=refined).items()))).run(
            x=table.rows, simulate=seed
        )
    except DpframeError:
        return 0
    return kssu19.found(table, result["mixture"].means, point.sep) if result.status == "released" else 0


@functools.lru_cache(8)
def _plan(spec: str, keys: tuple[tuple[str, Any], ...]) -> Any:
    return load_spec(spec, dict(keys)).plan()


def enough(name: str, point: Point, n: int, asked: argparse.Namespace, store: Store) -> bool:
    """Whether nine in ten seeds find all components; no more seeds are run than decide it."""
    kept = store.runs.setdefault(f"{name} {point} n={n}" + (" refined" if asked.refined else ""), {})
    allowed, missed = asked.seeds // 10, 0
    for seed in range(mixtures.FIRST_SEED, mixtures.FIRST_SEED + asked.seeds):
        if str(seed) not in kept:
            kept[str(seed)] = found(BASES[name], point, n, seed, refined=asked.refined)
            store.keep()
        missed += kept[str(seed)] < point.k
        if missed > allowed:
            break
    print(f"{name} {point} n={n}: {'enough' if missed <= allowed else 'too few'}", flush=True)
    return bool(missed <= allowed)


def least(check: Callable[[int], bool], start: int, most: int, resolution: float) -> int | None:
    """The least n that is enough, up to a ratio; None where ``most`` is too few.

    Examples
    --------
    >>> least(lambda n: n >= 5000, 1000, 10**6, 1.2), least(lambda n: False, 1000, 10**4, 1.2)
    (5657, None)
    """
    high, low = start, start
    if check(start):
        while low > FEWEST and check(low // 2):
            low //= 2
        high, low = low, max(low // 2, FEWEST)
    else:
        while not check(high := min(2 * high, most)):
            if high >= most:
                return None
            low = high
    while high / low > resolution:
        middle = round(math.sqrt(high * low))
        high, low = (middle, low) if check(middle) else (high, middle)
    return high


def line(name: str, axis: str, asked: argparse.Namespace, store: Store) -> dict[str, int | None]:
    """The least n along one axis."""
    learner, start, answers = BASES[name], BASES[name].start, {}
    values = (learner.values if asked.values == "all" else learner.few)[axis]
    for value in values:
        changed: dict[str, Any] = {axis: int(value) if axis in ("d", "k") else value}
        point = attrs.evolve(learner.base, **changed)
        check = functools.partial(enough, name, point, asked=asked, store=store)
        answer = least(check, start, asked.most, asked.resolution)
        answers[f"{value:g}"] = answer
        start = answer or start
        print(f"{name} {point}: least n {answer}", flush=True)
    return answers


def slope(answers: dict[str, int | None]) -> float | None:
    """Of log n against the logarithm of the value, by least squares; R has decades and a none."""
    points = [(float(value), n) for value, n in answers.items() if n is not None and float(value) > 0]
    if len(points) < 2:
        return None
    x, y = np.log(np.array(points, dtype=np.float64)).T
    return round(float(np.polyfit(x, y, 1)[0]), 2)


def table(lines: dict[str, Any], about: str) -> str:
    """In Markdown."""
    text = [about, "", "| learner | against | least n | slope | claimed |", "|---" * 5 + "|"]
    for key, answers in lines.items():
        name, axis = key.split()
        cells = ", ".join(
            f"{'none' if axis == 'R' and value == '0' else value}: {'not found' if n is None else f'{n:,}'}"
            for value, n in sorted(answers.items(), key=lambda item: float(item[0]))
        )
        fitted = slope(answers)
        text.append(
            f"| {name} | {AXES[axis]} | {cells} | {'' if fitted is None else fitted} | {BASES[name].claimed[axis]} |"
        )
    bases = "; ".join(f"{name} {learner.base}" for name, learner in BASES.items())
    return "\n".join([*text, "", f"One quantity changes at a time from: {bases}."]) + "\n"


def draw(lines: dict[str, Any], about: str, path: Path) -> None:
    """A panel an axis."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import NullFormatter

    figure, axes = plt.subplots(2, 3, figsize=(14, 8), layout="constrained")
    for panel, (axis, title) in zip(axes.flat, AXES.items(), strict=False):
        for key, answers in lines.items():
            name, own = key.split()
            points = sorted((float(v) or 1e3, n) for v, n in answers.items() if n is not None)
            if own == axis and points:
                fitted = slope(answers)
                label = name if fitted is None else f"{name}, slope {fitted:g}"
                panel.plot(*zip(*points, strict=True), marker="o", label=label)
        if axis == "d":
            x = np.array([16.0, 256.0])
            panel.plot(x, 400.0 * (x / 16.0) ** 1.5, "k:", label="slope 1.5 (claimed)")
        panel.set(xscale="log", yscale="log", xlabel=title + (" (left: none)" if axis == "R" else ""), ylabel="least n")
        panel.xaxis.set_minor_formatter(NullFormatter())
        panel.legend(fontsize=8)
    axes.flat[-1].axis("off")
    axes.flat[-1].text(0, 0.5, about.replace("; ", ";\n"), fontsize=9, va="center")
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main() -> None:
    """Measure what is missing, write, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--learners", default=",".join(BASES))
    parser.add_argument("--axes", default=",".join(AXES))
    parser.add_argument("--values", choices=("all", "few"), default="all")
    parser.add_argument("--most", type=lambda text: int(float(text)), default=4_000_000)
    parser.add_argument("--resolution", type=float, default=1.19)
    parser.add_argument("--refined", action="store_true")
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    store = Store.read(asked.out)
    for name in [] if asked.draw else asked.learners.split(","):
        for axis in asked.axes.split(","):
            answers = line(name, axis, asked, store)
            refined = ", refined" if asked.refined else ""
            store.lines[f"{name} {axis}"] = answers
            store.how[f"{name} {axis}"] = f"{asked.seeds} seeds, to a ratio of {asked.resolution:g}{refined}"
            store.keep()
    lines, how = store.lines, store.how
    versions = sorted({f"{text}: {', '.join(k for k in how if how[k] == text)}" for text in how.values()})
    about = "Least n at which all components are found; " + "; ".join(versions)
    asked.out.with_suffix(".md").write_text(table(lines, about))
    draw(lines, about, asked.out.with_suffix(".png"))
    print(table(lines, about))


if __name__ == "__main__":
    main()
