"""Signatures beside certificates, advisories that `dpframe verify` names, and the tables that ship."""

from __future__ import annotations

import builtins
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from dpframe.cli import main
from dpframe.front.advisories import PUBLISHED
from dpframe.version import VERSION
from tests.cli.commands import FILES, read, run

OLD = Path(__file__).parents[1] / "corpus" / "0.1.0" / "small" / "certificate.json"


def private(key: Any, password: KeySerializationEncryption | None = None) -> bytes:
    made: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, password or NoEncryption())
    return made


def public(key: Any) -> bytes:
    made: bytes = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return made


KEY, OTHER, CURVE = ed25519.Ed25519PrivateKey.generate(), ed25519.Ed25519PrivateKey.generate(), ec.SECP256R1()
BAD_KEYS = {
    "none": None,
    "empty": b"",
    "noise": b"\0\xff" * 40,
    "curve": private(ec.generate_private_key(CURVE)),
    "password": private(KEY, BestAvailableEncryption(b"secret")),
    "broken": private(KEY)[:-40],
    "public": public(KEY),
}


@pytest.fixture
def keys(here: Path) -> Path:
    (here / "key.pem").write_bytes(private(KEY))
    (here / "key.pub.pem").write_bytes(public(KEY))
    (here / "other.pub.pem").write_bytes(public(OTHER))
    return here


def verified(*more: str) -> int:
    return main(["verify", "out/certificate.json", "--spec", "out/spec.toml", "--result", "out/result.json", *more])


def test_a_signed_run_verifies_by_its_key_alone(keys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--sign", "key.pem") == 0
    assert {path.name for path in Path("out").iterdir()} == {*FILES, "certificate.sig"}
    KEY.public_key().verify(Path("out/certificate.sig").read_bytes(), Path("out/certificate.json").read_bytes())
    capsys.readouterr()
    assert verified("--key", "key.pub.pem") == 0
    assert capsys.readouterr().out.startswith("verified, signed by this key")
    assert verified() == 0
    assert verified("--key", "other.pub.pem") == 1
    assert "is not of this certificate by this key" in capsys.readouterr().out


@pytest.mark.parametrize(
    "damage",
    [
        lambda sig: sig.unlink(),
        lambda sig: sig.write_bytes(b""),
        lambda sig: sig.write_bytes(bytes(64)),
        lambda sig: sig.write_bytes(sig.read_bytes()[:-1]),
        lambda sig: sig.write_bytes(sig.read_bytes() + b"\n"),
        lambda sig: (sig.unlink(), sig.mkdir()),
        lambda sig: sig.with_suffix(".json").write_bytes(sig.with_suffix(".json").read_bytes() + b"\n"),
    ],
)
def test_a_missing_or_wrong_signature_is_not_verified(
    keys: Path, damage: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--sign", "key.pem") == 0
    damage(Path("out/certificate.sig"))
    capsys.readouterr()
    assert verified("--key", "key.pub.pem") == 1
    assert "signature: certificate.sig" in capsys.readouterr().out


@pytest.mark.parametrize("which", BAD_KEYS)
def test_a_bad_key_is_refused_before_anything_is_read(
    keys: Path, which: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = BAD_KEYS[which]
    if content is not None:
        Path("bad.pem").write_bytes(content)
    assert run("--sign", "bad.pem", spec="no.toml", data="no.npy") == 2
    assert not Path("out").exists()
    said = capsys.readouterr().err
    assert "bad.pem" in said
    assert "no.npy" not in said
    if content != public(KEY):
        assert main(["verify", "no.json", "--key", "bad.pem"]) == 1
        assert "--key: " in capsys.readouterr().out
    assert main(["verify", "no.json", "--key", "key.pem"]) == 1
    assert "'key.pem' is no public Ed25519 key in PEM. Fix: " in capsys.readouterr().out


def test_without_cryptography_the_extra_is_named(
    keys: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any, **also: Any) -> Any:
        if name.startswith("cryptography"):
            raise ImportError(name)
        return real(name, *more, **also)

    monkeypatch.setattr(builtins, "__import__", without)
    assert run("--sign", "key.pem") == 2
    assert "dpframe[sign]" in capsys.readouterr().err


# --------------------------------------------------------------------------------------- advisories


def test_a_certificate_of_a_version_with_faults_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(OLD)]) == 1
    said = capsys.readouterr().out
    assert all(f"warning: dpframe 0.1.0 has the published fault {a.id}: " in said for a in PUBLISHED)
    assert main(["verify", str(OLD), "--json"]) == 1
    assert [a["id"] for a in json.loads(capsys.readouterr().out)["advisories"]] == [a.id for a in PUBLISHED]


def test_advisories_do_not_change_the_exit_code(
    released: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The version is what a certificate says: one that claims to be older is named with that version's faults."""
    assert read(released / "certificate.json")["dpframe_version"] == VERSION
    assert main(["verify", str(released / "certificate.json")]) == 0
    assert "warning" not in capsys.readouterr().out
    shutil.copy(released / "certificate.json", tmp_path / "certificate.json")
    older = {**read(released / "certificate.json"), "dpframe_version": "0.1.0"}
    (tmp_path / "certificate.json").write_text(json.dumps(older))
    assert main(["verify", str(tmp_path / "certificate.json")]) == 0
    said = capsys.readouterr().out
    assert said.startswith("verified")
    assert said.count("warning: ") == len(PUBLISHED)


# ------------------------------------------------------------------------------------------ tables


def test_the_table_that_ships_can_be_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "flights"]) == 0
    assert Path(capsys.readouterr().out.strip()).stat().st_size > 1000
    assert main(["data", "--json"]) == 0
    assert "flights" in json.loads(capsys.readouterr().out)
    assert main(["data"]) == 0
    assert main(["data", "flihgts"]) == 2
    assert "flights" in capsys.readouterr().err
