"""What the theorems of AAL21 and Arbas23 claim of rows and errors, beside what their learners need and reach.

usage: python bench/claims.py [--seeds 5] [--learners NAME,...] [--axes NAME,...] [--most 4e6] [--resolution 1.42]
                              [--draw] [--out FILE]

``known``, ``univariate``, ``aligned``: learners of AAL21's Theorems 4.6, 4.14 and 5.1 in their practical mode; the
mode as printed is out of reach. ``arbas23``: the reduction of Theorem 7.1.3, around its default learner. Instances are
axis-aligned mixtures, neighbouring means 5 larger deviations apart, moved by 1000; the smallest weight is ``w``, all
others are equal. The *error* is the total variation to the truth, 1 for a run that failed. Against n: its median over
the seeds. Against everything else, one quantity at a time: the least n at which most of the seeds have an error of at
most α. Slopes are of logarithms, by least squares; the theorems' are of their leading term, logarithms of other
quantities than 1/δ left out. Every run is kept in FILE, so the command goes on where it was stopped. Writes a page with
the picture beside FILE; ``--draw`` makes it of what is there.
"""

from __future__ import annotations

import argparse
import functools
import math
import statistics
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from kssu19_figure import Store, least, slope

from dpframe.errors import DpframeError
from dpframe.front.specs import load_spec
from dpframe_plugins.arbas23.variation import mixture_tv

RESULTS = Path(__file__).parent / "results" / "claims.json"
DRAWS = 200_000
"""A total variation in more than two columns is off by more than .005 with probability below 2e-4 (Hoeffding)."""
SHIFT, APART = 1000.0, 5.0
AXES = {"d": "columns", "k": "components", "epsilon": "ε", "delta": "ln 1/δ", "alpha": "α", "weight": "smallest weight"}


@attrs.frozen
class Point:
    """One instance and budget: everything but the number of rows."""

    d: int = 1
    k: int = 2
    epsilon: float = 1.0
    delta: float = 1e-6
    alpha: float = 0.05
    weight: float = 0.3

    def __str__(self) -> str:
        return " ".join(f"{name}={value:g}" for name, value in attrs.asdict(self).items())


@attrs.frozen
class Learner:
    """A spec, where its lines start, the values along each axis, and the slopes that its theorem claims."""

    spec: str
    theorem: str
    base: Point
    start: int
    sizes: tuple[int, ...]
    values: dict[str, tuple[float, ...]]
    claimed: dict[str, str]
    known: bool = False


COMMON: dict[str, tuple[float, ...]] = {
    "k": (2, 3, 4),
    "epsilon": (0.25, 0.5, 1.0, 2.0),
    "delta": (1e-4, 1e-6, 1e-9, 1e-12),
    "alpha": (0.02, 0.05, 0.1),
    "weight": (0.05, 0.1, 0.2, 0.4),
}
WIDE: dict[str, tuple[float, ...]] = {"d": (1, 2, 4, 8), **COMMON}
SLOW: dict[str, tuple[float, ...]] = {
    "d": (1, 2, 4),
    "k": (2, 3),
    "epsilon": (0.5, 1.0, 2.0),
    "delta": (1e-4, 1e-6, 1e-9),
    "alpha": (0.02, 0.05, 0.1),
    "weight": (0.2, 0.4),
}
KNOWN = {"d": "", "k": "1", "epsilon": "0 to -1", "delta": "0 to 1", "alpha": "-2 to -1", "weight": "0", "n": "-1/2"}
ANY = {"d": "", "k": "2", "epsilon": "-1", "delta": "1.5", "alpha": "-2", "weight": "0", "n": "-1/2"}
REDUCED = {"d": "4", "k": "2", "epsilon": "-3", "delta": "4", "alpha": "-2", "weight": "-1", "n": "-1/2"}
SIZES = (1_000, 4_000, 16_000, 64_000, 256_000)
BASES: dict[str, Learner] = {
    "known": Learner("aal21_known_covariance", "4.6", Point(), 1_000, SIZES, COMMON, KNOWN, known=True),
    "univariate": Learner("aal21_univariate", "4.14", Point(), 1_000, SIZES, COMMON, ANY),
    "aligned": Learner("aal21_axis_aligned", "5.1", Point(d=2), 2_000, SIZES, WIDE, ANY | {"d": "1"}),
    "arbas23": Learner(
        "arbas23_gmm",
        "7.1.3",
        Point(d=2, weight=0.4),
        500_000,
        (500_000, 1_000_000, 2_000_000, 4_000_000),
        SLOW,
        REDUCED,
    ),
}


def truth(learner: Learner, point: Point) -> tuple[Any, Any, Any]:
    """Weights, means and covariances of an instance."""
    rng = np.random.default_rng([point.d, point.k])
    weights = np.array([point.weight, *[(1.0 - point.weight) / (point.k - 1)] * (point.k - 1)])
    deviations = np.ones((point.k, point.d)) if learner.known else np.exp(0.4 * rng.standard_normal((point.k, point.d)))
    way = np.ones(point.d) / math.sqrt(point.d)
    means = SHIFT + APART * float(deviations.max()) * np.arange(point.k)[:, None] * way
    return weights, means, np.array([np.diag(s * s) for s in deviations])


def error(learner: Learner, point: Point, n: int, seed: int) -> float:
    """Total variation of one run to the truth; 1 where it fails or is refused."""
    weights, means, covariances = true = truth(learner, point)
    rng = np.random.default_rng([seed, n])
    which = rng.choice(point.k, size=n, p=weights)
    widths = np.sqrt(np.array([np.diagonal(c) for c in covariances]))
    rows = means[which] + widths[which] * rng.standard_normal((n, point.d))
    keys: dict[str, Any] = {"n": n, "k": point.k, "epsilon": point.epsilon, "delta": point.delta}
    keys |= {} if learner.spec == "aal21_univariate" else {"d": point.d}
    keys |= {"sigma": 1.0} if learner.known else {}
    try:
        result = load_spec(learner.spec, keys).plan().run(x=rows, simulate=seed)
    except DpframeError:
        return 1.0
    if result.status != "released":
        return 1.0
    found = result["mixture"]
    model = np.asarray(found.weights), np.asarray(found.means), np.asarray(found.covariances)
    return round(mixture_tv(model, true, draws=DRAWS).value, 5)


@attrs.frozen(eq=False)
class Runs(Store):
    """Every run that was made, in a file."""

    def error(self, name: str, point: Point, n: int, seed: int) -> float:
        """One run, made where it was not yet."""
        place = attrs.evolve(point, alpha=Point().alpha)  # an error is asked of no run
        kept = self.runs.setdefault(f"{name} {place} n={n}", {})
        if str(seed) not in kept:
            kept[str(seed)] = error(BASES[name], point, n, seed)
            self.keep()
        return kept[str(seed)]


def enough(name: str, point: Point, n: int, asked: argparse.Namespace, store: Runs) -> bool:
    """Whether most seeds are within α; no more of them are run than decide it."""
    good = bad = 0
    for seed in range(asked.seeds):
        within = store.error(name, point, n, seed) <= point.alpha
        good, bad = good + within, bad + (not within)
        if 2 * max(good, bad) > asked.seeds:
            break
    print(f"{name} {point} n={n}: {'enough' if good > bad else 'too few'}", flush=True)
    return good > bad


def line(name: str, axis: str, asked: argparse.Namespace, store: Runs) -> dict[str, float | None]:
    """The error against n, or the least n against one quantity."""
    learner = BASES[name]
    if axis == "n":
        return {
            str(n): statistics.median(store.error(name, learner.base, n, seed) for seed in range(asked.seeds))
            for n in learner.sizes
        }
    answers: dict[str, float | None] = {}
    start = learner.start
    for value in learner.values[axis]:
        changed: dict[str, Any] = {axis: int(value) if axis in ("d", "k") else value}
        if axis == "k":
            changed["weight"] = 1.0 / value
        check = functools.partial(enough, name, attrs.evolve(learner.base, **changed), asked=asked, store=store)
        answer = least(check, start, asked.most, asked.resolution)
        answers[f"{-math.log(value) if axis == 'delta' else value:.4g}"] = answer
        start = answer or start
        print(f"{name} {axis}={value:g}: least n {answer}", flush=True)
    return answers


def fit(answers: dict[str, float | None]) -> float | None:
    """The slope, without failed runs."""
    return slope({value: seen for value, seen in answers.items() if seen != 1.0})  # type: ignore[misc]


def table(store: Runs) -> str:
    """The page, in Markdown."""
    text = [
        "# What AAL21 and Arbas23 claim, and what is seen",
        "",
        "Written by `python bench/claims.py`, whose first lines say how. Simulated noise, replace-one.",
        "",
        "![Error against n, and least n against each quantity](claims.png)",
        "",
        "| learner | theorem | against | seen | slope | claimed | how |",
        "|---" * 7 + "|",
    ]
    for key, answers in store.lines.items():
        name, axis = key.split()
        learner = BASES[name]
        shown = ", ".join(
            f"{value}: {'not reached' if seen is None else f'{seen:,.4g}' if axis == 'n' else f'{seen:,}'}"
            for value, seen in sorted(answers.items(), key=lambda item: float(item[0]))
        )
        what = "error against n" if axis == "n" else f"least n against {AXES[axis]}"
        fitted = fit(answers)
        text.append(
            f"| {name} | {learner.theorem} | {what} | {shown} | {'' if fitted is None else fitted} "
            f"| {learner.claimed[axis]} | {store.how[key]} |"
        )
    bases = "; ".join(f"{name}: {learner.base}" for name, learner in BASES.items())
    return "\n".join([*text, "", f"One quantity changes at a time from {bases}. Along k all weights are equal."]) + "\n"


def draw(store: Runs, path: Path) -> None:
    """A panel for the error, and one for each quantity."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import NullFormatter

    figure, panels = plt.subplots(2, 4, figsize=(17, 8), layout="constrained")
    for panel, (axis, title) in zip(panels.flat, {"n": "rows", **AXES}.items(), strict=False):
        for i, (name, learner) in enumerate(BASES.items()):
            answers = store.lines.get(f"{name} {axis}", {})
            points = sorted((float(value), seen) for value, seen in answers.items() if seen is not None)
            if points:
                fitted = fit(answers)
                label = f"{name}: {'' if fitted is None else f'{fitted:g}'} (claimed {learner.claimed[axis]})"
                panel.plot(*zip(*points, strict=True), marker="o", color=f"C{i}", label=label)
        ylabel = "total variation" if axis == "n" else "least n"
        panel.set(xscale="log", yscale="log", xlabel=title, ylabel=ylabel)
        panel.xaxis.set_minor_formatter(NullFormatter())
        if panel.has_data():
            panel.legend(fontsize=8, title="slope", title_fontsize=8)
    panels.flat[-1].axis("off")
    figure.savefig(path, dpi=90)
    plt.close(figure)


def main() -> None:
    """Measure what is missing, write, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--learners", default=",".join(BASES))
    parser.add_argument("--axes", default=",".join(["n", *AXES]))
    parser.add_argument("--most", type=lambda text: int(float(text)), default=4_000_000)
    parser.add_argument("--resolution", type=float, default=1.42)
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    store = Runs.read(asked.out)
    for name in [] if asked.draw else asked.learners.split(","):
        for axis in asked.axes.split(","):
            if axis != "n" and axis not in BASES[name].values:
                continue
            store.lines[f"{name} {axis}"] = line(name, axis, asked, store)
            store.how[f"{name} {axis}"] = f"{asked.seeds} seeds" + ("" if axis == "n" else f", to {asked.resolution:g}")
            store.keep()
    asked.out.with_suffix(".md").write_text(table(store))
    draw(store, asked.out.with_suffix(".png"))
    print(table(store))


if __name__ == "__main__":
    main()
