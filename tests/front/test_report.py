"""Tables, pictures and pages of a release: from its files only."""

from __future__ import annotations

import json
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DataError, SpecError
from dpframe.front import report
from dpframe.front.panels import panels
from dpframe.front.report import Files, Model, _plainly, _strength, _values, draw, page, table, write

MIXTURE = {
    "weights": [0.25, 0.75, 0.0],
    "means": [[0.0, 5.0], [10.0, -5.0], [0.0, 0.0]],
    "covariances": [[[1.0, 0.5], [0.5, 4.0]], [[9.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]],
}
PNG = b"\x89PNG\r\n\x1a\n"


def widened(d: int) -> Model:
    return Model.of({"weights": [1.0], "means": [[0.0] * d], "covariances": [np.eye(d).tolist()]})


def test_components_come_heaviest_first() -> None:
    model = Model.of(MIXTURE)
    assert model.weights.tolist() == [0.75, 0.25, 0.0]
    assert model.means[0].tolist() == [10.0, -5.0]
    assert model.deviations[1].tolist() == [1.0, 2.0]


def test_a_gaussian_is_a_mixture_of_one() -> None:
    model = Model.of({"mean": [1.0], "covariance": [[4.0]]})
    assert (model.d, model.weights.tolist(), model.deviations.tolist()) == (1, [1.0], [[2.0]])


@pytest.mark.parametrize(("d", "correlated"), [(1, False), (2, True), (3, False)])
def test_the_table_has_a_line_a_component(d: int, correlated: bool) -> None:
    text = table(widened(d), [f"c{i}" for i in range(d)])
    assert len(text.splitlines()) == 2
    assert ("correlation" in text) is correlated
    assert len({len(line) for line in text.splitlines()}) == 1


@pytest.mark.parametrize("model", [Model.of(MIXTURE), widened(1), widened(4)], ids=["two", "one", "four"])
def test_pictures_of_any_width(model: Model) -> None:
    columns = [f"c{i}" for i in range(model.d)]
    image = draw(model, columns, title="t")
    assert image.startswith(PNG)
    assert image == draw(model, columns, title="t")


def test_without_matplotlib_only_the_page_is_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("matplotlib", "matplotlib.backends.backend_agg", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(SpecError, match="matplotlib"):
        draw(widened(1), ["a"])
    assert [p.name for p in write(folder)] == ["report.html"]


# ----------------------------------------------------------------------------------------- a folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a small run left behind."""
    from dpframe.cli.releasing import release
    from dpframe.front.specs import load_spec

    rows = np.random.default_rng(0).normal(size=(4000, 2))
    spec = load_spec("practical_gmm", ["k=1", "d=2", "n=4000", "bound=50"])
    out = tmp_path / "out"
    result = release(spec, out, rows).result
    assert result.status == "released", result
    return out


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        if tag not in ("meta", "img"):
            self.open.append(tag)
        self.links += [v for k, v in attributes if k in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_is_whole_and_self_contained(folder: Path) -> None:
    written = write(folder)
    assert [p.name for p in written] == ["model.png", "report.html"]
    assert written[0].read_bytes().startswith(PNG)
    text = written[1].read_text()
    seen = _Seen()
    seen.feed(text)
    assert seen.open == []
    assert [link[:22] for link in seen.links] == ["data:image/png;base64,"]
    assert "The certificate verifies" in text
    for word in ("weighted_grams", "post_processing", "replace_one", "column 0"):
        assert word in text
    for word in ("prefers-color-scheme: dark", 'name="viewport"', "max-width: 40rem"):
        assert word in text
    said = ("any one row replaced", "2.718 times as likely", "epsilon = ", "rows: 4,000", "started: 20", "mixture:")
    places = [text.index(words) for words in (*said, "<details><summary>", "weighted_grams", "<svg")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        ({"adjacency": "add_remove"}, "any one row added or left out"),
        ({"adjacency": "replace_one", "unit": "<user>"}, "all rows of one '<user>' replaced"),
        ({"adjacency": "another"}, "any one row changed"),
    ],
)
def test_plain_words_name_whom_the_noise_protects(loss: dict[str, str], words: str) -> None:
    assert words in _plainly({"simulated": False, "loss": loss}, verified=True)
    assert "does not verify" in _plainly({"simulated": False, "loss": loss}, verified=False)
    assert "protects nobody" in _plainly({"simulated": True, "loss": loss}, verified=False)


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        ({"epsilon": 0.5, "delta": 1e-6}, "1.649 times as likely, plus a chance of 1e-06, whatever"),
        ({"epsilon": 1.0, "delta": 0.0}, "2.718 times as likely, whatever"),
        ({"epsilon": 30.0, "delta": 0}, "e to the power of 30 times as likely"),
        ({"epsilon": 1e5, "delta": 0}, "protects little"),
        ({"rho": 0.1}, "smaller ones protect better"),
    ],
)
def test_how_strongly_is_a_factor(loss: dict[str, float], words: str) -> None:
    assert words in _strength(loss)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (3.14159265, "3.14159"),
        (1234567.0, "1.23457e+06"),
        (1e300, "1e+300"),
        (True, "True"),
        ("<b>", "<b>"),
        ([1.0, 2.5], "1, 2.5"),
        (list(range(50)), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 38 more"),
        ([[1.0, 2.0], [3.0, 4.0]], "[1, 2], [3, 4]"),
        ({"passed": True, "value": None}, "passed: True; value: None"),
    ],
)
def test_released_values_are_readable(content: Any, words: str) -> None:
    assert _values(content) == words


def test_outputs_that_are_no_model_are_shown_with_their_errors(folder: Path) -> None:
    files = Files.read(folder)
    result = {**files.result, "outputs": {"<mean>": [1.5, 2.5]}, "uncertainty": {"<mean>": {"noise": [0.25, 0.25]}}}
    text = page(attrs.evolve(files, result=result))
    assert "&lt;mean&gt;" in text
    assert "1.5, 2.5" in text
    assert "0.25, 0.25" in text


@pytest.mark.slow
@pytest.mark.parametrize("d", [3, 9])
def test_all_pairs_of_columns_are_drawn(d: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib.figure import Figure

    drawn: list[int] = []
    real = Figure.savefig
    monkeypatch.setattr(Figure, "savefig", lambda self, *a, **k: (drawn.append(len(self.axes)), real(self, *a, **k))[1])
    assert draw(widened(d), [f"c{i}" for i in range(d)]).startswith(PNG)
    shown = min(d, 7)
    assert drawn == [shown * (shown - 1) // 2]


@pytest.mark.parametrize(("d", "most"), [(2, 2), (9, 9), (70, 64)])
def test_a_page_has_every_pair_as_a_small_drawing(d: int, most: int) -> None:
    page = panels(widened(d), [f"<c{i}>" for i in range(d)])
    titles = re.findall(r"<title>&lt;c(\d+)&gt; against &lt;c(\d+)&gt;</title>", page)
    assert sorted((int(b), int(a)) for a, b in titles) == [(a, b) for a in range(most) for b in range(a + 1, most)]
    assert ("of the first 64 of 70 columns" in page) is (d > most)
    assert "nan" not in page


def test_a_small_drawing_is_the_ellipse_of_two_deviations() -> None:
    """A circle of the ellipse's own coordinates, put where the page puts it, is two deviations from the mean."""
    covariance = np.array([[4.0, -1.2], [-1.2, 1.0]])
    page = panels(Model.of({"mean": [10.0, -3.0], "covariance": covariance.tolist()}), ["a", "b"])
    (found,) = re.findall(r'rx="(.*?)" ry="(.*?)".*?translate\((.*?) (.*?)\) rotate\((.*?)\)', page)
    rx, ry, x, y, turned = map(float, found)
    angle, around = np.radians(turned), np.linspace(0.0, 2.0 * np.pi, 50)
    on = np.stack([rx * np.cos(around), ry * np.sin(around)])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    pixels = turn @ on  # down is positive
    per_pixel = 2.0 * 2.2 * np.sqrt(np.diag(covariance)) / 112.0
    point = pixels * np.array([1.0, -1.0])[:, None] * per_pixel[:, None]
    distance = np.sqrt(np.einsum("in,ij,jn->n", point, np.linalg.inv(covariance), point))
    assert np.allclose(distance, 2.0, atol=0.01)
    assert (x, y) == (60.0, 60.0)


@pytest.mark.parametrize("d", [4, 9])
def test_a_report_has_pairs_that_the_picture_leaves_out(folder: Path, d: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Files, "model", property(lambda self: widened(d)))
    text = page(Files.read(folder), picture=b"")
    assert (f"All {d * (d - 1) // 2} pairs of columns" in text) is (d > 7)


def test_a_page_escapes_what_it_quotes(folder: Path) -> None:
    spec = folder / "spec.toml"
    spec.write_text(spec.read_text().replace("Weights, means", "<script>alert(1)</script>", 1))
    text = page(Files.read(folder))
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert "does not verify" in text
    assert "Claimed, and not proved: differential privacy with epsilon = " in text


def test_what_is_shown_is_what_was_verified(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever may write to the folder could put the right file back before it is looked at again."""
    place, check = folder / "result.json", report.verify
    right = place.read_bytes()
    result = json.loads(right)
    place.write_text(json.dumps({**result, "loss": {**result["loss"], "epsilon": 1e-3}}))

    def late(*given: Any, **more: Any) -> Any:
        place.write_bytes(right)
        return check(*given, **more)

    monkeypatch.setattr(report, "verify", late)
    forged = Files.read(folder)
    assert not forged.verdict.verified
    assert report._caption(forged).startswith("NOT VERIFIED, ")
    assert Files.read(folder).verdict.verified
    assert not report._caption(Files.read(folder)).startswith("NOT")


def test_a_failed_and_a_simulated_run_say_so(folder: Path) -> None:
    result = json.loads((folder / "result.json").read_text())
    failed = {**result, "status": "failed", "outputs": {}, "reason": "no answer", "advice": "more rows"}
    (folder / "result.json").write_text(json.dumps(failed))
    assert "Failed: no answer" in page(Files.read(folder))
    assert [p.name for p in write(folder)] == ["report.html"]
    (folder / "result.json").unlink()
    (folder / "simulated.json").write_text(json.dumps({**result, "simulated": True}))
    files = Files.read(folder)
    assert "This is no release" in page(files)
    assert not files.verdict.verified


def test_a_saved_result_has_a_page_without_a_spec(tmp_path: Path) -> None:
    plan = dp.plan(
        dp.program(lambda x: {"n": dp.release("n", dp.laplace(share=1.0), dp.count(x))}),
        x=dp.rows(d=1),
        adjacency=dp.ADD_REMOVE,
        budget=dp.pure_dp(1.0),
    )
    plan.run(x=np.zeros((10, 1))).save(tmp_path / "saved")
    text = page(Files.read(tmp_path / "saved"))
    assert "The certificate verifies, and belongs to this result." in text
    (tmp_path / "saved" / "certificate.json").unlink()
    with pytest.raises(DataError, match=r"certificate\.json: No such file"):
        Files.read(tmp_path / "saved")


@pytest.mark.parametrize("name", ["result.json", "certificate.json", "spec.toml"])
@pytest.mark.parametrize("content", [None, "[["])
def test_a_folder_that_holds_no_finished_run(folder: Path, name: str, content: str | None) -> None:
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content)
    with pytest.raises(DataError):
        Files.read(folder)


def test_a_page_waits_for_no_pipe(folder: Path) -> None:
    (folder / "attempt.json").unlink()
    os.mkfifo(folder / "attempt.json")
    assert Files.read(folder).started == ""
    for name in ("spec.toml", "certificate.json", "result.json"):
        (folder / name).unlink()
        os.mkfifo(folder / name)
        with pytest.raises(DataError, match=f"holds no finished run: {name}: no regular file"):
            write(folder)


def test_no_page_is_made_of_what_no_run_wrote(folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir())
    for name in ("result.json", "certificate.json"):
        whole = (folder / name).read_text()
        for content in ("[]", "null", "1", '"x"', "{}", '{"outputs": 1, "graph": []}'):
            (folder / name).write_text(content)
            with pytest.raises(DataError, match="is malformed"):
                write(folder)
        (folder / name).write_text(whole)
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize("name", ["report.html", "model.png"])
def test_a_page_that_can_not_be_written_is_told_so(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    with pytest.raises(DataError, match=rf"{name}' can't be written: .* Fix: make room for it"):
        write(folder)
    (folder / name).rmdir()
    os.mkfifo(folder / name)  # nobody reads it, and it is not waited for
    assert [path.name for path in write(folder)] == ["model.png", "report.html"]
    assert (folder / name).is_file()


def test_a_name_that_no_folder_has_is_told_so() -> None:
    with pytest.raises(DataError, match=r"holds no finished run: result\.json: File name too long"):
        write("x" * 5000)


def test_a_name_of_a_column_that_is_no_text_is_shown(folder: Path) -> None:
    result = json.loads((folder / "result.json").read_text())
    (folder / "result.json").write_text(json.dumps({**result, "columns": ["caf\udce9", "b"]}))
    assert "caf\\udce9" in write(folder)[-1].read_text()
