"""Pictures of the gallery that are no measurement: plans, a release of the flights, an audit, a privacy curve.

usage: gallery.py [OUT]     writes into docs/pictures; the release and the audit are drawn anew, by a seed
"""

from __future__ import annotations

import importlib.resources
import sys
import tempfile
from pathlib import Path

import dpframe as dp
from dpframe.cli import main as dpframe
from dpframe.front.report import Files, draw
from dpframe.front.specs import load_spec

ROOT = Path(__file__).parents[1]
BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


def gallery_mean(x):
    inside = dp.clip(x, ([0.0, 0.0, 0.0], 10.0))
    count = dp.release("rows", dp.laplace(share=0.2), dp.count(x))
    return {"mean": dp.release("mean", dp.gaussian(share=0.8), dp.mean(inside)), "rows": count}


def plans(out: Path) -> None:
    mean = dp.plan(gallery_mean, x=dp.rows(n=100_000, d=3), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    (out / "plan_mean.svg").write_text(mean.svg() + "\n")
    branch = load_spec("arbas23_gmm", ["n=500000", "d=2", "k=2"]).plan()
    (out / "plan_branch.svg").write_text(branch.svg() + "\n")
    learner = load_spec("practical_gmm", ["n=20000", "d=5", "k=4", "bound=100"]).plan()
    (out / "plan_learner.svg").write_text(learner.svg() + "\n")


def curve(out: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    plan = load_spec("practical_gmm", ["n=20000", "d=5", "k=4", "bound=100"]).plan()
    figure = Figure(figsize=(7.0, 4.5), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    plot = figure.add_subplot()
    styles = iter(("-", "--", "-", ":", "-."))
    for name, points in plan.curve([0.05 * i for i in range(1, 41)]).items():
        line = [(e, d) for e, d in points if 1e-12 < d < 1]
        if line and name != "tightest":
            plot.plot(*zip(*line, strict=True), label=name, linewidth=1.6, linestyle=next(styles))
    plot.plot(1.0, 1e-6, "ko", markersize=5)
    plot.annotate("the budget", (1.0, 1e-6), (1.04, 2.2e-7))
    plot.set_yscale("log")
    plot.set_xlabel("ε")
    plot.set_ylabel("δ")
    plot.grid(color="#e8e8e8")
    plot.spines[["top", "right"]].set_visible(False)
    plot.legend(frameon=False, title="accountant")
    figure.savefig(out / "curve.png", metadata={"Software": None})


def flights(out: Path, scratch: Path) -> None:
    table = importlib.resources.files("dpframe") / "data" / "flights.parquet"
    words = ["run", "flights", "--data", str(table), "--out", str(scratch / "flights"), "--simulate", "0"]
    if dpframe(words):
        raise SystemExit("the flights were not released")
    files = Files.read(scratch / "flights")
    model = files.model
    if model is not None:
        (out / "flights.png").write_bytes(draw(model, files.columns(model.d), title="Flights, ε = 1, δ = 1e-6"))


def audit(out: Path, scratch: Path) -> None:
    if dpframe(["audit", "laplace", "--out", str(scratch / "audit")]):
        raise SystemExit("the audit found a loss above the claim")
    for picture in (scratch / "audit").glob("*.png"):
        (out / "audit.png").write_bytes(picture.read_bytes())


if __name__ == "__main__":
    goal = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/pictures"
    goal.mkdir(parents=True, exist_ok=True)
    plans(goal)
    curve(goal)
    with tempfile.TemporaryDirectory() as folder:
        flights(goal, Path(folder))
        audit(goal, Path(folder))
