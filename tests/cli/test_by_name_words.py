"""Annotations of composites that are more than a type: enumerations of texts, and notes beside types."""

from __future__ import annotations

import enum
import json
from pathlib import Path
from typing import Annotated, Any, Optional

import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.cli import main
from dpframe.front.specs.recipes import keys_of

PLUGIN = '''"""A composite whose parameter is one of two words."""

{future}import enum

import dpframe.plugin as dp


class How(enum.Enum):
    FULL = "full"
    HALF = "half"


@dp.composite("words.{name}")
def counted(x, *, how: How = How.FULL, share=1.0):
    """A histogram, or half of it."""
    counts = dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=[0.0]))
    return counts / 2 if how is How.HALF else counts
'''


class How(enum.Enum):
    FULL = "full"
    HALF = "half"


def noted(
    x: dp.Handle,
    *,
    how: How = How.HALF,
    needed: How,
    reach: Annotated[float, "in metres", [1, 2]] = 1.0,
    edges: Annotated[list[float], "increasing"] = [0.0],  # noqa: B006
    maybe: Annotated[Optional[float], "or none"] = None,  # noqa: UP045
    other: Annotated[int, "k"] | None = None,
) -> Any:
    """A composite."""


def test_annotations_are_read_through_notes_and_enumerations() -> None:
    known = {name: (key.type, key.choices, key.default) for name, key in keys_of(noted).items()}
    assert known == {
        "how": ("choice", ("full", "half"), "half"),
        "needed": ("choice", ("full", "half"), None),
        "reach": ("number", (), 1.0),
        "edges": ("numbers", (), [0.0]),
        "maybe": ("number", (), None),
        "other": ("whole", (), None),
    }


@pytest.mark.parametrize("future", ["", "from __future__ import annotations\n\n"])
def test_a_word_that_an_enumeration_lacks_is_refused(
    future: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Any text was taken, and the composite ran as if it were one of the others."""
    monkeypatch.chdir(tmp_path)
    np.save("t.npy", np.random.default_rng(0).normal(size=(4000, 1)))
    Path("mine").mkdir()
    name = "late" if future else "now"
    Path(f"mine/words_{name}.py").write_text(PLUGIN.format(future=future, name=name))

    def run(out: str, *more: str) -> int:
        sets = [word for text in ("epsilon=100", "adjacency=add_remove", *more) for word in ("--set", text)]
        return main(["--plugins", "mine", "run", f"words.{name}", "--data", "t.npy", "--out", out, *sets])

    assert run("wrong", "how=quarter") == 2
    assert "key 'how' must be one of full, half, not 'quarter'" in capsys.readouterr().err
    assert not Path("wrong").exists()
    for out, more, total in (("full", ("how=full",), 4000), ("default", (), 4000), ("half", ("how=half",), 2000)):
        assert run(out, *more) == 0
        (made,) = json.loads(Path(out, "result.json").read_text())["outputs"].values()
        assert sum(made) == pytest.approx(total, abs=20)  # noise of scale 0.01: further off with a chance below 1e-100
