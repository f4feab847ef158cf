"""Pages in a real browser, without a screen: at two widths, light and dark, nothing sticks out and all can be read."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.cli.releasing import release
from dpframe.front.pages import draw_plan, shell
from dpframe.front.panels import panels
from dpframe.front.pictures import Model
from dpframe.front.report import write
from dpframe.front.specs import load_spec

pytestmark = pytest.mark.slow
NAMES = ("chromium", "chromium-browser", "google-chrome")
HOW = "no chromium: install it, on Debian as root by apt-get update && apt-get install -y chromium"
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --force-device-scale-factor=1"
).split()
WIDTHS = (1200, 400)
HEIGHT = 1400
PROBE = """<script>addEventListener("load", () => {
const outside = (inner, outer) =>
  inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.bottom > outer.bottom + 1;
const said = {width: innerWidth, scroll: document.documentElement.scrollWidth,
  broken: [...document.images].filter(i => !i.complete || !i.naturalWidth).length,
  fetched: performance.getEntriesByType("resource").filter(e => !e.name.startsWith("data:")).map(e => e.name),
  svg: document.querySelectorAll("svg").length, stuck: [], faint: []};
document.querySelectorAll("details").forEach(d => d.open = true);
said.opened = document.documentElement.scrollWidth;
document.querySelectorAll("svg g > rect.box").forEach(box => box.parentNode.querySelectorAll("text").forEach(text => {
  if (outside(text.getBoundingClientRect(), box.getBoundingClientRect())) said.stuck.push(text.textContent);
  const line = v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(line);
    return .2126 * r + .7152 * g + .0722 * b + .05; };
  const [a, b] = [getComputedStyle(text).fill, getComputedStyle(box).fill].map(light);
  if (Math.max(a, b) / Math.min(a, b) < 4.5) said.faint.push(text.textContent);
}));
parent.postMessage(JSON.stringify(said), "*");
});</script>"""

FRAME = """<!doctype html><title>nothing</title><script>
addEventListener("message", event => document.title = event.data);
</script><iframe style="border:0" width="{width}" height="{height}" src="{page}"></iframe>"""
"""Windows are at least 500 wide; a frame in one is as wide as a page is to be."""


@pytest.fixture(scope="module")
def browser() -> str:
    found = next((path for path in map(shutil.which, NAMES) if path), None)
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(HOW)
        pytest.skip(HOW)
    return found


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report of a release in four columns, and a page about a plan."""
    place = tmp_path_factory.mktemp("pages")
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(20_000, 4)) + 8.0 * rng.integers(0, 2, size=(20_000, 1))
    spec = load_spec("practical_gmm", ["k=2", "d=4", "n=20000", "bound=100"])
    assert release(spec, place / "out", rows).result.status == "released"
    report = next(path for path in write(place / "out") if path.suffix == ".html")
    wide = np.stack([np.eye(12), 0.3 + 0.7 * np.eye(12)])
    model = Model(np.array([0.7, 0.3]), np.stack([np.zeros(12), np.full(12, 5.0)]), wide)
    told = shell("Pairs", "<h1>Pairs</h1>" + panels(model, [f"a long name of column {c}" for c in range(12)]))
    (place / "pairs.html").write_text(told)
    plan = draw_plan(spec.plan(), place / "plan.html", title=spec.title, full=True)
    return {"report": report, "plan": plan, "pairs": place / "pairs.html"}


def opened(browser: str, page: Path, folder: Path, width: int, *, dark: bool) -> tuple[dict[str, Any], Any]:
    """What the page says of itself once it is loaded, and a picture of it."""
    scheme = [f"--blink-settings=preferredColorScheme={0 if dark else 1}", f"--window-size={width},{HEIGHT}"]
    probed, framed = folder / "probed.html", folder / "framed.html"
    probed.write_text(page.read_text().replace("</body>", PROBE + "</body>"))
    framed.write_text(FRAME.format(width=width, height=HEIGHT, page=probed.as_uri()))

    def call(name: str, *words: str) -> str:
        command = [browser, *QUIET, f"--user-data-dir={folder / name}", *scheme, *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    title = re.search(r"<title>(\{.*?\})</title>", call("one", "--dump-dom", framed.as_uri()))
    assert title is not None
    call("two", f"--screenshot={folder / 'shot.png'}", page.as_uri())
    return json.loads(unescape(title[1])), shown((folder / "shot.png").read_bytes())


def shown(png: bytes) -> Any:
    from matplotlib.image import imread

    return np.asarray(imread(io.BytesIO(png), format="png"))[..., :3]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["report", "plan", "pairs"])
def test_a_page_fits_and_can_be_read(
    browser: str, pages: dict[str, Path], tmp_path: Path, name: str, width: int, dark: bool
) -> None:
    said, picture = opened(browser, pages[name], tmp_path, width, dark=dark)
    assert said["width"] == width
    assert said["scroll"] <= width  # the page itself never scrolls sideways
    assert said["opened"] <= width  # nor with everything unfolded
    assert said["svg"] == (66 if name == "pairs" else 1)
    assert said["broken"] == 0
    assert said["fetched"] == []
    assert said["stuck"] == []  # every text of the graph is inside its box
    assert said["faint"] == []  # with a contrast of at least 4.5
    assert picture.shape[:2] == (HEIGHT, width)
    brightness = float(np.median(picture))
    assert brightness < 0.2 if dark else brightness > 0.9
    written = 0.0005 if name == "pairs" else 0.005  # what is folded is not seen
    assert float(np.mean(np.abs(picture - brightness) > 0.3)) > written


def test_a_page_that_sticks_out_is_caught(browser: str, tmp_path: Path) -> None:
    """The twin: a wide line without a box of its own, ink as faint as paper."""
    page = tmp_path / "twin.html"
    page.write_text(
        '<!doctype html><title>t</title><body><pre style="width:3000px">wide</pre><svg><g>'
        '<rect class="box" width="9" height="9" fill="#fff"/><text y="9" fill="#eee">sticks out</text></g></svg></body>'
    )
    said, _ = opened(browser, page, tmp_path, WIDTHS[0], dark=False)
    assert said["scroll"] > WIDTHS[0]
    assert said["stuck"] == said["faint"] == ["sticks out"]
