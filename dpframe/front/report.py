"""A release as tables, a picture and one HTML page: made from the released files only, never from rows."""

from __future__ import annotations

import base64
import contextlib
import datetime as dt
import errno
import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from dpframe.errors import DataError, SpecError
from dpframe.front.constants import refused_constants
from dpframe.front.files import save
from dpframe.front.pages import scrolled, shell
from dpframe.front.panels import panels
from dpframe.front.pictures import MOST, Model, cells, draw, table
from dpframe.planning.explain import WEAK, counted
from dpframe.planning.picture import svg
from dpframe.proof.checker import Verdict, verify
from dpframe.proof.theorems.declaring import PUBLIC
from dpframe.shown import cut, folded, items, safe
from dpframe.shown import table as html_table

RESULTS = ("result.json", "simulated.json")

FAR = 700.0
"""The ε beyond which its exponential is not written out."""

__all__ = ["Files", "Model", "draw", "page", "table", "write"]


@attrs.frozen(eq=False)
class Files:
    """The files of one run, read."""

    folder: Path
    result: Mapping[str, Any]
    certificate: Mapping[str, Any]
    spec: Mapping[str, Any]
    verdict: Verdict

    @staticmethod
    def read(folder: str | Path) -> Files:
        """Read a folder that ``dpframe run`` or a result's ``save`` wrote, and verify it.

        The latter has no ``spec.toml``, and its certificate is of none.

        Raises
        ------
        DataError
            When a file is missing or no longer what a run wrote.
        """
        place = Path(folder)
        try:
            name = next((n for n in RESULTS if (place / n).is_file()), RESULTS[0])
            released, proof = _content(place / name), _content(place / "certificate.json")
            result, certificate = json.loads(released.decode()), json.loads(proof.decode())
            of_none = isinstance(certificate, dict) and certificate.get("spec_sha256") is None
            written = not of_none or (place / "spec.toml").is_file()
            text = _content(place / "spec.toml") if written else b""
            spec = tomllib.loads(text.decode())
        except OSError as error:
            missing = Path(str(error.filename)).name
            raise DataError(
                f"{str(place)!r} holds no finished run: {missing}: {error.strerror}", fix="give its folder"
            ) from None
        except (ValueError, RecursionError):
            raise _malformed(place) from None
        verdict = verify(proof, spec=text if written else None, result=released)  # of what is shown, byte by byte
        if verdict.verified and (refused := refused_constants(certificate)):
            verdict = Verdict(False, tuple(refused))
        return Files(place, result, certificate, spec, verdict)

    @property
    def model(self) -> Model | None:
        """The first released mixture or Gaussian."""
        return next((Model.of(value) for value in self.result["outputs"].values() if _is_model(value)), None)

    @property
    def started(self) -> str:
        """When the run began, as ``attempt.json`` says; empty where it does not."""
        try:
            told = json.loads(_content(self.folder / "attempt.json").decode())["started"]
            return dt.datetime.fromisoformat(told).strftime("%Y-%m-%d %H:%M UTC")
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return ""

    def columns(self, d: int) -> list[str]:
        """Names of the columns, numbers where the table has none."""
        named = self.result.get("columns")
        if not isinstance(named, list) or len(named) != d:
            named = range(d)
        texts = [f"column {c}" if isinstance(c, int) else str(c) for c in named]
        return [text.encode(errors="backslashreplace").decode() for text in texts]  # no picture has lone surrogates


def _content(path: Path) -> bytes:
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise OSError(errno.EINVAL, "no regular file", str(path))
    return path.read_bytes()


# -------------------------------------------------------------------------------------------- HTML


def page(files: Files, *, picture: bytes | None = None) -> str:
    """One self-contained HTML page: what was promised, the ledger, the model, and whether it verifies."""
    result, certificate = files.result, files.certificate
    title = str(files.spec.get("title") or files.spec.get("name") or "A release")
    parts = [f"<h1>{safe(title)}</h1>", f'<p class="note">{safe(files.spec.get("source", ""))}</p>']
    if result["simulated"]:
        parts.append('<p class="bad">Simulated: the noise came from a seed. This is no release.</p>')
    if result["status"] == "failed":
        parts.append(f'<p class="bad">Failed: {safe(result["reason"])}</p><p>{safe(result["advice"])}</p>')
    quality = result.get("quality", {})
    if quality.get("verdict") == "poor":
        parts.append(f'<p class="bad">The result is poor: {safe(quality.get("why", ""))}</p>')
    parts.append(f"<h2>What was protected</h2><p>{safe(_plainly(result, verified=files.verdict.verified))}</p>")
    if files.verdict.verified:
        parts.append(f"<h2>How strongly</h2><p>{safe(_strength(result['loss']))}</p>")
    parts.append(f"<p>{safe(_promise(result, verified=files.verdict.verified))}</p>" + items(_facts(files)))
    parts.append(f"<h2>What was released</h2>{_released(files)}")
    if picture is not None:
        data = base64.b64encode(picture).decode()
        parts.append(f'<p><img alt="The released model" src="data:image/png;base64,{data}"></p>')
    model = files.model
    if model is not None and (model.d > MOST or (picture is None and model.d > 1)):
        parts.append(panels(model, files.columns(model.d)))
    rows = _ledger_rows(certificate["graph"]["nodes"], "")
    spending = sum(bool(row[2]) for row in rows)
    steps = html_table(("node", "operation", "loss", "theorem"), rows, right=(2,))
    parts.append("<h2>How it was computed</h2>")
    parts.append(folded(f"The ledger: {len(rows)} steps, {spending} of them with a loss; the rest is free", steps))
    parts.append(folded("The graph of these steps", scrolled(svg(certificate))))
    parts.append("<h2>Proof</h2>" + _proof(files))
    return shell(title, "\n".join(parts))


def _facts(files: Files) -> list[str]:
    """Rows, date, columns and version, as far as the files name them."""
    private = [item for item in files.certificate["graph"]["inputs"] if item.get("kind") == "private"]
    sizes = [f"{item['n']:,}" if isinstance(item.get("n"), int) else "not public" for item in private]
    named = files.result.get("columns")
    listed = ", ".join(map(str, named)) if isinstance(named, list) else ""
    found = [("rows", ", ".join(sizes)), ("columns", cut(listed, 300)), ("started", files.started)]
    found.append(("dpframe", str(files.certificate.get("dpframe_version", ""))))
    return [f"{word}: {told}" for word, told in found if told]


def _released(files: Files) -> str:
    """Every output: of a mixture or a Gaussian a table, of others their values, with their errors where known."""
    outputs, errors = files.result["outputs"], files.result.get("uncertainty", {})
    if not outputs:
        return "<p>Nothing.</p>"
    parts, others = [], []
    for name, content in outputs.items():
        if _is_model(content):
            model = Model.of(content)
            header, rows = cells(model, files.columns(model.d))
            parts.append(f"<p>{safe(name)}:</p>" + html_table(header, rows, right=range(len(header))))
        else:
            others.append((name, _values(content), _values(errors.get(name, {}).get("noise", ""))))
    shown = any(row[2] for row in others)
    titles = ("output", "released", *(["noise (standard error)"] if shown else []))
    return "".join(parts) + (html_table(titles, [row[: len(titles)] for row in others]) if others else "")


def _values(content: Any, most: int = 12) -> str:
    """Numbers to six digits, lists cut where they are long."""
    if isinstance(content, bool) or not isinstance(content, (int, float, list, Mapping)):
        return cut(content, 200)
    if isinstance(content, (int, float)):
        return f"{content:,.6g}" if abs(content) < 1e15 else f"{content:.6g}"
    if isinstance(content, Mapping):
        return "; ".join(f"{cut(k)}: {_values(v)}" for k, v in list(content.items())[:most])
    more = f" and {len(content) - most} more" if len(content) > most else ""
    inner = [f"[{_values(v, 6)}]" if isinstance(v, list) else _values(v) for v in content[:most]]
    return ", ".join(inner) + more


def _is_model(content: Any) -> bool:
    return isinstance(content, Mapping) and ("means" in content or "covariance" in content)


def _plainly(result: Mapping[str, Any], *, verified: bool) -> str:
    """Who is protected, for a reader who knows no accountant; nothing where no proof stands behind it."""
    if result["simulated"]:
        return "This run tried the program out; its noise can be repeated, so it protects nobody."
    if not verified:
        return "Nothing shows that these results protect anybody: the proof below does not verify."
    loss = result["loss"]
    return f"Noise was added so that these results would be nearly as likely with {_change(loss)}."


def _change(loss: Mapping[str, Any]) -> str:
    who = f"all rows of one {loss['unit']!r}" if "unit" in loss else "any one row"
    change = {"replace_one": "replaced by another", "add_remove": "added or left out"}.get(loss["adjacency"], "changed")
    return f"{who} {change}"


def _strength(loss: Mapping[str, Any]) -> str:
    """What the total means, as a factor; the larger it is, the less is promised."""
    epsilon = loss.get("epsilon")
    if not isinstance(epsilon, (int, float)):
        return "How nearly is what the numbers below say: smaller ones protect better."
    factor = math.exp(epsilon) if epsilon < FAR else math.inf
    told = f"{factor:,.4g}" if factor < 1e6 else f"e to the power of {epsilon:,.4g}"
    delta = loss.get("delta")
    rest = f", plus a chance of {delta:.3g}" if isinstance(delta, (int, float)) and delta else ""
    weak = " That is so much that it protects little." if epsilon > WEAK else ""
    return f"No set of results is more than {told} times as likely{rest}, whatever that change is.{weak}"


def _promise(result: Mapping[str, Any], *, verified: bool) -> str:
    loss = result["loss"]
    numbers = ", ".join(f"{k} = {v:.6g}" for k, v in loss.items() if isinstance(v, (int, float)))
    said = f"ifferential privacy with {numbers} under {loss['adjacency']}, by the accountant {loss['accountant']}."
    return f"D{said}" if verified else f"Claimed, and not proved: d{said}"


def _ledger_rows(nodes: Sequence[Mapping[str, Any]], prefix: str) -> list[list[str]]:
    rows = []
    for node in nodes:
        name = prefix + str(node["name"])
        mechanism = node.get("mechanism")
        loss = _loss_words(mechanism["worst"]["loss"]) if mechanism else ""
        rows.append([name, str(node["operation"]), loss, str(node["theorem"])])
        for label, body in node.get("bodies", {}).items():
            rows += _ledger_rows(body["nodes"], f"{name}/{label}/")
    return rows


def _loss_words(loss: Mapping[str, Any]) -> str:
    words = []
    for event, times in loss["events"]:
        inner = ", ".join(f"{k}={v:.4g}" for k, v in event.items() if isinstance(v, float))
        words.append(f"{event['type']} {inner}".strip() + (f" ×{times}" if times != 1 else ""))
    if loss.get("delta"):
        words.append(f"δ={loss['delta']:.3g}")
    return " + ".join(words) or "0"


def _proof(files: Files) -> str:
    certificate = files.certificate
    if files.verdict.verified:
        whose = "this spec and this result" if certificate.get("spec_sha256") else "this result"
        parts = [f"<p>The certificate verifies, and belongs to {whose}.</p>"]
        said = [(text, text.partition(": ")[2].startswith(PUBLIC)) for text in files.verdict.hypotheses]
        given, constants = ([t for t, public in said if public is which] for which in (False, True))
        if files.verdict.assertions or given:
            parts.append(f"<p>It holds, given {counted(files.verdict.assertions)}:</p>{items(given)}")
        if constants:
            told = f"Taken to be public, not computed from the table: what {len(constants)} steps hold"
            parts.append(folded(told, items(text.replace(f": {PUBLIC}", "") for text in constants)))
    else:
        reasons = "; ".join(files.verdict.reasons)
        parts = [f'<p class="bad">The certificate does not verify: {safe(reasons)}</p>']
    digests = "".join(
        f"<li>{name}: <code>{safe(certificate.get(key))}</code></li>"
        for name, key in (("spec.toml", "spec_sha256"), ("result", "result_sha256"))
    )
    parts.append(f'<p class="note">{safe(certificate.get("statement", ""))}</p><ul>{digests}</ul>')
    return "".join(parts)


# ------------------------------------------------------------------------------------------- files


def write(folder: str | Path) -> list[Path]:
    """Draw ``model.png`` (where a model was released and matplotlib is there) and ``report.html`` into the folder.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    DataError
        When the folder holds no finished run, or can't be written to.
    """
    files = Files.read(folder)
    try:
        picture, text = _drawn(files)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        if files.verdict.verified:
            raise
        raise _malformed(files.folder) from None
    made = {} if picture is None else {files.folder / "model.png": picture}
    made[files.folder / "report.html"] = text.encode(errors="backslashreplace")  # of names that are no UTF-8
    for path, content in made.items():
        try:
            save(path, content)
        except OSError as error:
            fix = "make room for it, or copy the run's files into a folder that can be written to"
            raise DataError(f"{str(path)!r} can't be written: {error.strerror}", fix=fix) from None
    return list(made)


def _drawn(files: Files) -> tuple[bytes | None, str]:
    """Write the picture, if there is a model to draw, and the page."""
    picture, model = None, files.model
    if model is not None:
        with contextlib.suppress(SpecError):
            picture = draw(model, files.columns(model.d), title=_caption(files))
    return picture, page(files, picture=picture)


def _malformed(place: Path) -> DataError:
    return DataError(f"a file in {str(place)!r} is malformed", fix="run again into another folder")


def _caption(files: Files) -> str:
    loss = files.result["loss"]
    numbers = ", ".join(f"{_GREEK.get(k, k)} = {v:.3g}" for k, v in loss.items() if isinstance(v, (int, float)))
    mark = "SIMULATED, " if files.result["simulated"] else "" if files.verdict.verified else "NOT VERIFIED, "
    return f"{mark}{files.spec.get('title', '')}\n{numbers}, {loss['adjacency'].replace('_', '-')}"


_GREEK = {"epsilon": "ε", "delta": "δ", "rho": "ρ", "mu": "μ"}
