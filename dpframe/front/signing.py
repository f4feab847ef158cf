"""Signatures of certificates by Ed25519: who ran it, for those who know the key.

A signature is detached: the 64 bytes of ``certificate.sig``, over the exact bytes of ``certificate.json`` beside it.
The certificate holds the digests of spec and result, so one signature covers all three. Other tools read it too::

    openssl genpkey -algorithm ed25519 -out key.pem
    openssl pkey -in key.pem -pubout -out key.pub.pem
    openssl pkeyutl -verify -pubin -inkey key.pub.pem -rawin -in certificate.json -sigfile certificate.sig

Formal guarantees
-----------------
A signature says that someone who holds the key signed these bytes. It adds nothing to the proof that the bytes hold,
and says nothing of the table or of how often it was used.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import attrs

from dpframe.errors import CertificateError, SpecError
from dpframe.proof.spaces.documents import read_bytes

SUFFIX = ".sig"
MAX_KEY_BYTES = 1 << 16
MAKE = "openssl genpkey -algorithm ed25519 -out key.pem; openssl pkey -in key.pem -pubout -out key.pub.pem"


def signature_file(certificate: str | os.PathLike[str]) -> Path:
    """Where the signature of a certificate is: beside it, ``certificate.sig``."""
    return Path(certificate).with_suffix(SUFFIX)


@attrs.frozen(eq=False)
class Signer:
    """A private key that was read and fits; see :func:`signer`."""

    _key: Any = attrs.field(repr=False)

    def sign(self, content: bytes) -> bytes:
        """The signature of these bytes."""
        signature: bytes = self._key.sign(content)
        return signature


@attrs.frozen(eq=False)
class Signed:
    """A public key that was read and fits; see :func:`public_key`."""

    _key: Any = attrs.field(repr=False)

    def problem(self, certificate: str | os.PathLike[str], content: bytes | None = None) -> str:
        """What is wrong with the signature beside a certificate; empty where it is right.

        With ``content`` it is to be of these bytes, which were read from there before.
        """
        from cryptography.exceptions import InvalidSignature

        place = signature_file(certificate)
        try:
            self._key.verify(read_bytes(place, limit=64), read_bytes(certificate) if content is None else content)
        except CertificateError as error:
            return f"signature: {place.name} {error.message}"
        except InvalidSignature:
            return f"signature: {place.name} is not of this certificate by this key"
        return ""


def signer(path: str | os.PathLike[str]) -> Signer:
    """Read a private Ed25519 key: PEM, without a password.

    Raises
    ------
    SpecError
        Where the file is no such key, or ``cryptography`` is not installed.
    """
    return Signer(_read(path, private=True))


def public_key(path: str | os.PathLike[str]) -> Signed:
    """Read a public Ed25519 key: PEM.

    Raises
    ------
    SpecError
        Where the file is no such key, or ``cryptography`` is not installed.
    """
    return Signed(_read(path, private=False))


def _read(path: str | os.PathLike[str], *, private: bool) -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
        from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key
    except ImportError:
        raise SpecError("signatures need cryptography", fix="pip install 'dpframe[sign]'") from None
    kind = "private" if private else "public"
    try:
        text = read_bytes(path, limit=MAX_KEY_BYTES)
    except CertificateError as error:
        raise SpecError(f"the key {str(path)!r} {error.message}", fix=f"make one: {MAKE}") from None
    key: Any = None
    try:
        key = load_pem_private_key(text, None) if private else load_pem_public_key(text)
    except TypeError:
        raise SpecError(f"the key {str(path)!r} has a password", fix="give a key file without one") from None
    except Exception:  # noqa: BLE001  whatever the library calls it, and never its words: they may quote the key
        key = None
    if not isinstance(key, ed25519.Ed25519PrivateKey if private else ed25519.Ed25519PublicKey):
        raise SpecError(f"{str(path)!r} is no {kind} Ed25519 key in PEM", fix=f"make one: {MAKE}")
    return key
