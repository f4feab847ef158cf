"""What a run released, for whoever reads it: outputs by name, errors, what was used, and the files of it.

All of it is made of released and public values after the run; the run itself is :mod:`dpframe.runtime.run`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import attrs

from dpframe.errors import RunError, SpecError
from dpframe.planning.documents import SCHEMA_VERSION, as_spent, plain, result_name, to_bytes
from dpframe.planning.dp_events import to_dp_event
from dpframe.planning.learners import check_learners
from dpframe.planning.sealing import Certificate, sealed
from dpframe.proof.certificates import digest
from dpframe.proof.checker import Checked
from dpframe.proof.spaces import Centred
from dpframe.runtime import gate, run
from dpframe.shown import cut, few, items, safe, table, total, value

P = ParamSpec("P")


@attrs.frozen(eq=False, repr=False)
class RunResult(run.Ran):
    """What a run released: named outputs, or why it failed, with the plan it ran.

    Attributes are those of :class:`dpframe.runtime.run.Ran`.
    """

    @classmethod
    def of(cls, ran: run.Ran) -> RunResult:
        """The result of a run, with the methods that read it."""
        return cls(**{field.name: getattr(ran, field.name) for field in attrs.fields(run.Ran)})

    def __repr__(self) -> str:
        mark = " SIMULATED" if self.simulated else ""
        ended = few(self.outputs) or cut(self.reason, 300)
        spent = f"; {total(self.proof.total)}" if self.proof is not None else ""
        return f"<RunResult{mark} {self.status}: {ended}{spent}>"

    def _repr_html_(self) -> str:
        """The same with the released values, cut where they are long, and their quality; nothing else."""
        said = self.warnings if self.proof is not None else list(self.remarks)
        quality = f"quality: {self.quality.verdict}. {self.quality.why}"
        notes = [self.advice if self.status == "failed" else quality, *said]
        values = table(("output", "released"), [(cut(k), value(v)) for k, v in self.outputs.items()])
        return f"<pre>{safe(repr(self))}</pre>{values if self.outputs else ''}{items(cut(n, 500) for n in notes if n)}"

    def __getitem__(self, name: str) -> Any:
        if self.status == "failed":
            raise RunError(f"the run failed after spending: {self.reason}", fix=self.advice)
        if name not in self.outputs:
            raise SpecError(f"the run has no output {name!r}", fix=f"it has {', '.join(self.outputs)}")
        return self.outputs[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.outputs)

    def keys(self) -> list[str]:
        """Names of the outputs, so that ``dict(result)`` gives them all."""
        return list(self.outputs)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the result: with its certificate into a folder, or by itself into a ``.json`` file.

        Returns
        -------
        Path
            The result's file: ``result.json``, or ``simulated.json``, as ``dpframe run`` writes it. ``dpframe verify
            DIR/certificate.json --result DIR/result.json`` checks the two.

        Raises
        ------
        RunError
            Where there is such a file already, or none can be written; where a simulated result is to have a release's
            name, or the other way round.
        """
        return save(self, path)

    @property
    def uncertainty(self) -> dict[str, Any]:
        """Standard errors by output, ``noise`` and ``sampling`` apart, where they are known; they cost nothing."""
        if self.status == "failed" or self.plan is None:
            return {}
        found: dict[str, Any] = self.plan.uncertainty(self.outputs, self.rows, self.judged)
        return found

    @property
    def centres(self) -> dict[str, Any]:
        """What each sum among the outputs is about: its centre; of a list, one for each item.

        Examples
        --------
        >>> result = RunResult(None, {"total": Centred([2.0], centre=[10.0]), "n": 5.0}, "released", True)
        >>> result.centres["total"].tolist(), "n" in result.centres
        ([10.0], False)
        """
        found = {name: _centre(value) for name, value in self.outputs.items()}
        return {name: centre for name, centre in found.items() if centre is not None}

    @property
    def loss(self) -> dict[str, Any]:
        """The certified guarantee; what a run used beside it, ``used``, never takes its place."""
        return dict(self._proved.total)

    @property
    def used(self) -> dict[str, Any]:
        """What the parts that divisions made compose to, in the form of ``loss``; empty where nothing was divided.

        A division reserves the deepest tree; a run that divides less releases less. This is computed from released
        values (which parts were split) and says how much of the reserve served. It is no guarantee: that a run would
        stop there was not known before. Ledgers book ``loss``.
        """
        return self.plan.used(self.taken) if self.taken and self.plan is not None else {}

    def to_dp_event(self, *, without_delta: bool = False) -> Any:
        """What the run spent as an event of dp-accounting; see :func:`dpframe.planning.dp_events.to_dp_event`."""
        return to_dp_event(self._proved.loss, without_delta=without_delta)

    @property
    def warnings(self) -> list[str]:
        """The plan's warnings, and remarks on what was released."""
        return [*self._proved.warnings, *self.remarks]

    @property
    def certificate(self) -> Certificate:
        """The certificate that was checked before the run, with the run's status."""
        return self.sealed(None)

    def sealed(self, result_sha256: str | None) -> Certificate:
        """The same, bound to a result's file by its digest."""
        return sealed(self._proved.content, spec_sha256=None, result_sha256=result_sha256, status=self.status)

    @property
    def _proved(self) -> Checked:
        if self.proof is None:
            raise RunError("this result is of no run", fix="take the one that run() returned")
        return self.proof


def _centre(value: Any) -> Any:
    """The centre of a sum, those of a list of sums, or None."""
    if isinstance(value, (list, tuple)):
        inner = [_centre(v) for v in value]
        return inner if any(c is not None for c in inner) else None
    return value.centre if isinstance(value, Centred) else None


def document(result: RunResult) -> dict[str, Any]:
    """The content of ``result.json``."""
    found: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "status": result.status,
        "simulated": result.simulated,
        "outputs": {name: plain(value) for name, value in result.outputs.items()},
        "columns": list(result.columns),
        "loss": as_spent(result.loss),
        "warnings": result.warnings,
        "quality": plain(result.quality),
    }
    if errors := result.uncertainty:
        found["uncertainty"] = plain(errors)
    if used := result.used:
        found["used"] = as_spent(used)
    if result.centres:
        found["centres"] = plain(result.centres)
    if result.status == "failed":
        found |= {"reason": result.reason, "advice": result.advice}
    return found


def save(result: RunResult, path: str | os.PathLike[str]) -> Path:
    """Write a result: with its certificate into a folder, or by itself into a ``.json`` file.

    Raises
    ------
    RunError
        Where either file is there already, or can't be written, and for ``result.json`` as the name of a simulated
        result, or the other way round.
    """
    place, own, other = Path(path), *(result_name(simulated=s) for s in (result.simulated, not result.simulated))
    if place.name.lower() == other:
        raise RunError(
            f"{other!r} is the name of a {'release' if result.simulated else 'simulated result'}, and this is none",
            fix=f"save it as {own!r}, or under another name",
        )
    alone = place.suffix == ".json"
    target = place if alone else place / own
    proof = None if alone else place / "certificate.json"
    content = to_bytes(document(result))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() or (proof is not None and proof.exists()):
            raise RunError(f"{str(target)!r} is there already, or its certificate", fix="save to another place")
        if proof is not None:
            result.sealed(digest(content)).save(proof)
        partial = target.with_name(target.name + ".part")
        partial.write_bytes(content)
        partial.replace(target)
    except OSError as error:
        raise RunError(f"{str(target)!r} can't be written: {error.strerror}", fix="save to another place") from None
    return target


def _read(runner: Callable[P, run.Ran]) -> Callable[P, RunResult]:
    """Make a run return a :class:`RunResult`."""

    @wraps(runner)
    def made(*args: P.args, **kwargs: P.kwargs) -> RunResult:
        return RunResult.of(runner(*args, **kwargs))

    return made


@wraps(run.run_plan)
def _run_plan(plan: Any, tables: Mapping[str, Any], **options: Any) -> run.Ran:
    admitted = gate.admit(plan, simulated=options.get("simulate") is not None)
    if options.get("on") is None:
        check_learners(admitted.graph)
    return run.run_plan(admitted, tables, **options)


run_plan, ended = _read(_run_plan), _read(run.ended)
