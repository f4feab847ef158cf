"""The battery on operations of one's own: right ones hold, and every broken twin is caught.

A sampled loss refutes a right claim with probability at most 1e-6 a mechanism; searches are exact.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from dpframe.kernel import registry
from dpframe.kernel.operations import Batch
from dpframe.kernel.owned import OWNED
from dpframe.proof.spaces import Rows
from dpframe.runtime.progress import Progress
from dpframe.testing.battery.attack_own import check_own, own_cases
from dpframe.testing.battery.own_samples import audit_own

PLUGINS = Path(__file__).parents[1] / "plugins"
registry.import_folders([PLUGINS / "own", PLUGINS / "own_broken"])
TWINS = {
    "broken.mean_of_all": {"order"},
    "broken.by_rank": {"partition"},
    "broken.median": {"sensitivity"},
    "broken.square": {"sensitivity"},
    "broken.half_noise": {"law"},
    "broken.own_noise": {"noise"},
    "broken.dearer": {"loss"},
    "broken.noisy_max": {"law"},
    "broken.first_row": {"law"},
}
SHOWN = Progress(None, shown=True)
FAST = ("broken.by_rank", "broken.square", "broken.dearer")


def test_all_twins_are_named() -> None:
    assert {name for name in OWNED if name.startswith("broken.")} == TWINS.keys()


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in FAST else pytest.mark.slow) for n in TWINS])
def test_a_broken_twin_is_caught(name: str) -> None:
    layers = {failure.layer for failure in check_own(name).failures}
    assert TWINS[name] <= layers


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in OWNED if n.startswith(("every.", "noisy_max."))])
def test_a_right_one_holds(name: str) -> None:
    report = check_own(name)
    assert report.holds, str(report)


@pytest.mark.slow
def test_an_audit_tells_them_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert not any(f.refuted for f in audit_own("noisy_max.exponential", samples=4000, progress=SHOWN))
    assert "auditing noisy_max.exponential: " in capsys.readouterr().err
    assert any(f.refuted for f in audit_own("broken.noisy_max", samples=4000))


def test_the_plugin_of_the_documentation_holds(tmp_path: Path) -> None:
    """The code that docs/extending.md shows, from its own text; the mechanism's draws are in the slow tests above."""
    text = (PLUGINS.parents[1] / "docs/extending.md").read_text()
    (code,) = re.findall(r"```python\n(import numpy as np\n\nimport dpframe.plugin as dp.*?)```", text, re.DOTALL)
    (expressed,) = re.findall(r"```python\n(import functools\n.*?)```", text, re.DOTALL)
    (tmp_path / "mine.py").write_text(code + "\n\n" + expressed)
    registry.import_file(tmp_path / "mine.py")
    report = check_own("mine.votes")
    assert report.holds, str(report)
    assert own_cases(OWNED["mine.noisy_max"])
    assert check_own("mine.votes_expressed").holds
    told = {"levels": [0.0, 1.0, 2.0]}
    table = np.array([[0.4], [0.6], [1.9], [7.0], [-3.0]])
    counts = registry.build("mine.votes_expressed", told)
    fold = counts.start(Rows(1))
    counts.update(fold, Batch(0, table, np.ones(5, dtype=bool)))
    assert np.ravel(counts.value(fold).integers).tolist() == [2 * 2**20, 2**20, 2 * 2**20]
