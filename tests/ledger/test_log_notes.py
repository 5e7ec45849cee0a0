"""Signed notes, checkpoints and receipts, against the examples of their specifications."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from custody.ledger.log import checkpoints, notes, receipts
from custody.ledger.log.checkpoints import Checkpoint
from custody.ledger.log.errors import BadNote
from custody.ledger.log.keys import KeyFault, LogKeys
from custody.ledger.log.notes import Signer, Verifier

# The example of golang.org/x/mod/sumdb/note.
GO_SEED = base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
GO_VERIFIER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
GO_NOTE = (
    GO_TEXT + "\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXg"
    "KvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
PETER = Signer("PeterNeumann", Ed25519PrivateKey.from_private_bytes(GO_SEED))
OTHER = Signer("custody/oak", Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
ROOT = bytes(range(32))


def test_a_note_is_signed_as_the_go_package_signs_it() -> None:
    assert notes.sign(GO_TEXT, [PETER]) == GO_NOTE
    assert str(PETER.verifier) == GO_VERIFIER


def test_a_note_is_read_by_any_key_that_signed_it_and_others_are_passed_over() -> None:
    note = notes.sign(GO_TEXT, [OTHER, PETER])
    assert notes.text_of(note, [PETER.verifier]) == GO_TEXT
    assert notes.text_of(note, [OTHER.verifier, PETER.verifier]) == GO_TEXT


def test_a_note_that_no_known_key_signed_is_refused() -> None:
    with pytest.raises(BadNote, match="no key known here"):
        notes.text_of(GO_NOTE, [OTHER.verifier])


def test_a_note_whose_text_was_changed_is_refused_even_if_another_key_signed_it() -> None:
    changed = GO_NOTE.replace("answer", "ANSWER")
    text = changed.partition("\n\n")[0] + "\n"
    with pytest.raises(BadNote, match="PeterNeumann does not fit"):
        notes.text_of(changed + OTHER.line(text), [PETER.verifier, OTHER.verifier])


@pytest.mark.parametrize(
    "note",
    [
        "",
        "text only\n",
        GO_TEXT + "\n",
        GO_NOTE.rstrip("\n"),
        GO_NOTE.replace("— Peter", "- Peter"),
        GO_NOTE.replace("x08g", "x0!g"),
        GO_TEXT + "\n— PeterNeumann AAAA\n",
        "\t" + GO_NOTE,
        GO_TEXT + "\n" + OTHER.line(GO_TEXT) * 65,
    ],
)
def test_what_is_not_a_signed_note_is_refused(note: str) -> None:
    with pytest.raises(BadNote):
        notes.text_of(note, [PETER.verifier, OTHER.verifier])


def test_a_text_with_empty_lines_ends_at_the_last_of_them() -> None:
    text = "one\n\ntwo\n"
    assert notes.text_of(notes.sign(text, [PETER]), [PETER.verifier]) == text


def test_a_checkpoint_is_origin_size_root_and_extensions() -> None:
    checkpoint = Checkpoint("custody/oak/2", 12, ROOT, ("previous custody/oak 9 abc",))
    assert checkpoint.text() == (
        "custody/oak/2\n12\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
        "previous custody/oak 9 abc\n"
    )
    assert checkpoints.opened(checkpoint.signed([OTHER]), [OTHER.verifier]) == checkpoint


@pytest.mark.parametrize(
    "text",
    [
        "custody/oak\n12\n",
        "custody/oak\n012\n" + base64.b64encode(ROOT).decode() + "\n",
        "custody/oak\n-1\n" + base64.b64encode(ROOT).decode() + "\n",
        "custody/oak\n12\nAAEC\n",
        "custody/oak\n12\n***\n",
        "\n12\n" + base64.b64encode(ROOT).decode() + "\n",
    ],
)
def test_a_note_that_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        checkpoints.opened(notes.sign(text, [OTHER]), [OTHER.verifier])


def test_a_receipt_is_header_extra_index_path_and_checkpoint() -> None:
    note = Checkpoint("custody/oak", 2, ROOT).signed([OTHER])
    text = receipts.render(b"1\n5\nab\n", 1, [ROOT], note)
    assert text == (
        "c2sp.org/tlog-proof@v1\nextra MQo1CmFiCg==\nindex 1\n"
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n\n" + note
    )


def test_keys_can_be_read_by_their_owner_only(tmp_path: Path) -> None:
    keys = LogKeys(tmp_path / "keys")
    keys.rotate()
    (path,) = (tmp_path / "keys").iterdir()
    assert path.name == "log.pem"
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o640)
    with pytest.raises(KeyFault, match="chmod 600"):
        keys.signers(("custody/oak",))


def test_a_retired_key_still_verifies_what_it_signed(tmp_path: Path) -> None:
    keys = LogKeys(tmp_path)
    keys.rotate()
    note = notes.sign("x\n", keys.signers(("custody/oak",)))
    keys.rotate()
    assert len(keys.signers(("custody/oak",))) == 2
    keys.retire()
    assert len(keys.signers(("custody/oak",))) == 1
    assert notes.text_of(note, keys.verifiers(("custody/oak",))) == "x\n"
    keys.rotate()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log-2.pem", "log-3.pem", "log.pub"]


def test_the_only_key_cannot_be_retired(tmp_path: Path) -> None:
    keys = LogKeys(tmp_path)
    with pytest.raises(KeyFault, match="from a backup"):
        keys.signers(("custody/oak",))
    keys.rotate()
    with pytest.raises(KeyFault, match="one key only"):
        keys.retire()


def test_a_verifier_names_its_key() -> None:
    verifier = Verifier("custody/oak", OTHER.verifier.public)
    name, key_id, key = str(verifier).split("+", 2)
    assert (name, len(key_id)) == ("custody/oak", 8)
    assert base64.b64decode(key) == b"\x01" + verifier.public


def test_a_damaged_key_is_named_with_what_would_mend_it(tmp_path: Path) -> None:
    keys = LogKeys(tmp_path)
    keys.rotate()
    (tmp_path / "log.pem").write_text("x")
    with pytest.raises(KeyFault, match=r"log\.pem is damaged: put it back from a backup"):
        keys.signers(("custody/oak",))
