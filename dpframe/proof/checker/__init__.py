"""From a certificate to a verdict, by recomputing its proof from the theorems alone.

The planner that made the certificate is not imported. The graph is typed and priced by a traversal of its own, and
every number that the certificate gives is compared with the recomputed one. What is *not* checked here: that the
spec describes this graph, that the program which ran was this one, and who ran it (the certificate is unsigned).

Examples
--------
>>> verify(b"[[[[").reasons
('certificate: is not JSON: Expecting value at line 1, column 5',)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import attrs

import dpframe.proof.families  # noqa: F401  its theorems are known to the checker
from dpframe.errors import CertificateError, DpframeError
from dpframe.proof.checker import totals
from dpframe.proof.checker.checked import Checked as Checked
from dpframe.proof.checker.checked import Listed as Listed
from dpframe.proof.checker.checked import Noise as Noise
from dpframe.proof.checker.checked import as_checked
from dpframe.proof.checker.edges import Typed, check_graph
from dpframe.proof.checker.pricing import Pricing, check_claims, check_listed, split_delta
from dpframe.proof.checker.reading import Document, read
from dpframe.proof.losses import Loss
from dpframe.proof.readers import built
from dpframe.proof.spaces import adjacency_from_json
from dpframe.proof.spaces.documents import MAX_BYTES, check_json, parse_json, read_bytes
from dpframe.proof.theorems.declaring import PUBLIC
from dpframe.shown import few, folded, items, safe

File = bytes | str | os.PathLike[str]


@attrs.frozen
class Verdict:
    """Whether a certificate is verified; if not, why not; if so, the hypotheses that its proof rests on.

    ``assertions`` is the number of hypotheses, those that say of constants that they are public aside.
    """

    verified: bool
    reasons: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    assertions: int = 0

    def __repr__(self) -> str:
        if not self.verified:
            return f"<Verdict: not verified: {few(self.reasons, 3, width=300)}>"
        given = f", given {self.assertions} assertion{'s' * (self.assertions != 1)}" if self.assertions else ""
        return f"<Verdict: verified{given}; hypotheses: {len(self.hypotheses)}>"

    def _repr_html_(self) -> str:
        listed = folded(f"hypotheses: {len(self.hypotheses)}", items(self.hypotheses)) if self.hypotheses else ""
        return f"<pre>{safe(repr(self))}</pre>{listed}"


def verify(certificate: Mapping[str, Any] | File, *, spec: File | None = None, result: File | None = None) -> Verdict:
    """Check a certificate, and that it belongs to a spec and a result where they are given.

    Parameters
    ----------
    certificate : dict, bytes or path
        The JSON object, the bytes of its file, or where the file is. A ``str`` is a path.
    spec, result : bytes or path, optional
        The files of the run; compared with the certificate's digests byte by byte.

    Returns
    -------
    Verdict
        Never raises: whatever is malformed, too large or inconsistent is a reason.

    Formal guarantees
    -----------------
    When verified, the listed graph, run as listed with the listed noise, has the listed total under the listed
    adjacency, if the listed hypotheses hold (``docs/theory/certificates.md``).
    """
    reasons: list[str] = []
    document = _attempt("certificate", lambda: read(_parsed(certificate)), reasons)
    if document is not None:
        found: Document = document
        _attempt("certificate", lambda: _check(found), reasons)
        if spec is not None:
            _attempt("spec", lambda: _check_spec(spec, found), reasons)
        if result is not None:
            _attempt("result", lambda: _check_result(result, found), reasons)
    if reasons or document is None:
        return Verdict(False, tuple(reasons))
    said = tuple(f"node {node!r}: {hypothesis}" for node, _, hypothesis in document.hypotheses)
    # A plugin's own words follow its quoted name, so none of them begins as the hypothesis on constants does.
    return Verdict(True, (), said, sum(not hypothesis.startswith(PUBLIC) for _, _, hypothesis in document.hypotheses))


def _attempt(what: str, work: Callable[[], Any], reasons: list[str]) -> Any:
    """Do one part of the check; any failure at all is a reason against the certificate."""
    try:
        return work()
    except DpframeError as error:
        reasons.append(f"{what}: {error.message}")
    except Exception as error:  # noqa: BLE001  a file that breaks the checker is not verified
        reasons.append(f"{what}: can't be checked ({type(error).__name__})")
    return None


def _parsed(certificate: Mapping[str, Any] | File) -> Any:
    if isinstance(certificate, (bytes, str, os.PathLike)):
        return parse_json(_bytes(certificate, MAX_BYTES))
    check_json(certificate)
    return certificate


def _bytes(file: File, limit: int) -> bytes:
    if isinstance(file, bytes):
        return file
    if not isinstance(file, (str, os.PathLike)):
        raise CertificateError("must be given as bytes or as a path")
    return read_bytes(file, limit=limit)


def check(content: bytes) -> Checked:
    """Check a certificate for a run of its own: as :func:`verify` does, but of a simulated run too.

    Returns
    -------
    Checked
        What a run may execute; it holds nothing but what these bytes say and what follows from them.

    Raises
    ------
    CertificateError
        Whatever is wrong.
    """
    try:
        document = read(parse_json(content))
        return as_checked(content, document, *_examine(document, for_run=True))
    except CertificateError:
        raise
    except DpframeError as error:
        raise CertificateError(error.message) from None
    except Exception as error:  # noqa: BLE001  what breaks the checker is not accepted
        raise CertificateError(f"can't be checked ({type(error).__name__})") from None


def _check(document: Document) -> None:
    if document.simulated:
        raise CertificateError("the run was simulated: its noise came from a seed, so it proves nothing")
    _examine(document)


def _examine(document: Document, *, for_run: bool = False) -> tuple[Typed, Pricing, Loss]:
    """Recompute everything that the certificate says of its graph."""
    adjacency = built("the adjacency", lambda: adjacency_from_json(document.adjacency))
    typed = check_graph(document.net, adjacency)
    pricing = Pricing()
    loss = pricing.total(typed, adjacency)
    check_claims(typed, pricing)
    split = split_delta(typed, adjacency, pricing, check_listed(typed, pricing))
    totals.check_totals(document, adjacency, loss, split, for_run=for_run)
    totals.check_scopes(document, typed)
    totals.check_hypotheses(document, typed)
    return typed, pricing, loss


def _check_spec(spec: File, document: Document) -> None:
    totals.check_digest(_bytes(spec, MAX_BYTES), document.digests["spec_sha256"], "spec")


def _check_result(result: File, document: Document) -> None:
    data = _bytes(result, totals.RESULT_BYTES)
    totals.check_digest(data, document.digests["result_sha256"], "result")
    totals.check_result(data, document)
