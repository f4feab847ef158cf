"""A run that is refused, since a plugin's operation is refuted, names the parameters that it was refuted with."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpframe.cli import main, vetting

PLUGIN = '''"""Sums of so many equal parts."""

import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("words.count", gives=1, source="none", examples={"times": 1},
                  sensitivity=lambda removed, added, *, times: {"l1": 1.0 * max(removed, added)})
def count(rows, *, times):
    """How many are above 0, so many times: the claim forgets that."""
    return times * int((rows[:, 0] > 0).sum())


@dp.composite("words.released")
def released(x, *, times: int = 1, share: float = 1.0):
    """Their number."""
    return dp.release("n", dp.laplace(share=share), dp.own("words.count", x, times=times))
'''


@pytest.mark.slow  # the attacks take some seconds
@pytest.mark.parametrize(
    ("times", "words"),
    [
        (1, ", with times=3 in place of 1 (a claim must hold for all parameters that it takes): "),
        (2, ', as words.count({"times": 2}) on '),
    ],
)
def test_a_refused_run_names_the_parameters(
    times: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DPFRAME_CHECKED", str(tmp_path / "checked"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / f"words_count_{times}.py").write_text(PLUGIN.replace("words.", f"words{times}."))
    (tmp_path / "two.csv").write_text("a,b\n" + "".join(f"{i},{-i}\n" for i in range(50)))
    sets = ["epsilon=1", "adjacency=replace_one", f"times={times}"]
    chosen = [word for text in sets for word in ("--set", text)]
    given = ["--plugins", "mine", "run", f"words{times}.released", "--data", "two.csv", "--out", "out"]
    assert main([*given, "--allow-asserted", *chosen]) == 2
    said = capsys.readouterr().err
    assert f"'words{times}.count' is refuted in sensitivity{words.replace('words.', f'words{times}.')}" in said
    assert not (tmp_path / "out").exists()


def test_what_was_varied_is_named_in_place_of_all_parameters() -> None:
    assert vetting._with({"varied": "m=6 in place of 2", "case": "x"}).startswith(", with m=6 in place of 2 (")
    assert vetting._with({"case": "mine.x({}) on Rows"}) == ", as mine.x({}) on Rows"
    assert vetting._with({"rows": []}) == ""
    assert len(vetting._with({"case": "x" * 5000})) < 300
