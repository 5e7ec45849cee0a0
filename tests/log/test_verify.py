"""The independent verifier: what it accepts, and each thing it must find."""

from __future__ import annotations

import ast
import base64
import copy
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from custody.verify import __main__ as command
from custody.verify import export, fields, notes, receipts, tree
from tests.log.exports import ORIGIN, Device, Export, checkpoint, naive_root, verifier

FOLDER = Path(export.__file__).parent
Records = list[dict[str, Any]]


def made() -> Export:
    """Two devices and the desk, pushes of one to three events, an unreadable line, bytes that are
    no text, and a fork."""
    out = Export()
    first, second, desk = out.enrol("h1"), out.enrol("h2"), out.enrol("desk")
    out.push(first, [partial(first.event, step="issue", n=n) for n in range(3)])
    out.push(desk, [partial(desk.event, step="administer")])
    out.push(second, [second.event, partial(second.raw, b"no json"), second.event])
    fork = copy.copy(first)
    out.push(first, [partial(first.event, step="store")] * 2)
    out.push(fork, [partial(fork.event, step="other")] * 2, branch=2)
    out.push(second, [partial(second.raw, b"\xff\xfe"), second.event])
    out.sign()
    return out


def check(records: Records, **more: Any) -> export.Report:
    return export.check(lambda: records, **more)


def test_what_was_written_properly_holds() -> None:
    report = check(made().records())
    assert report.faults == []
    assert report.is_sound
    assert (report.events, report.devices, report.chains, report.forks) == (13, 3, 3, 1)
    assert (report.signatures, report.unreadable, report.covered) == (6, 2, 13)
    assert report.checkpoints == [f"{ORIGIN} 13"]


def test_events_after_the_checkpoint_are_counted_and_no_fault() -> None:
    out = made()
    device = out.enrol("h3")
    out.push(device, [device.event] * 4)
    report = check(out.records())
    assert report.is_sound
    assert (report.events, report.covered) == (17, 13)


def _edit(line: str) -> str:
    return line.replace('"n": 1', '"n": 9')


def _events(records: Records) -> Records:
    return [record for record in records if record["of"] == "event"]


def changed_byte(records: Records) -> None:
    record = _events(records)[1]
    record["line"] = _edit(record["line"])


def later_receipt(records: Records) -> None:
    _events(records)[4]["received"] += 1


def removed(records: Records) -> None:
    records.remove(_events(records)[5])


def removed_at_the_end(records: Records) -> None:
    records.remove(_events(records)[-1])


def swapped(records: Records) -> None:
    one, two = _events(records)[0], _events(records)[1]
    one["line"], two["line"] = two["line"], one["line"]


def slipped_in(records: Records) -> None:
    stranger = Device("h1")
    stranger.seq = 2
    last = _events(records)[-1]
    extra = {**last, "position": 13, "device": "h1", "seq": 6, "line": stranger.event().decode()}
    records.append(extra)


def other_key(records: Records) -> None:
    next(each for each in records if each["of"] == "device")["key"] = Device("x").record()["key"]


def no_key(records: Records) -> None:
    records.remove(next(each for each in records if each["of"] == "device"))


def lost_signature(records: Records) -> None:
    records.remove([each for each in records if each["of"] == "push"][-1])


def foreign_signature(records: Records) -> None:
    pushes = [each for each in records if each["of"] == "push"]
    pushes[0]["sig"] = pushes[1]["sig"]


def broken_fork(records: Records) -> None:
    stranger = Device("h1")
    stranger.seq, stranger.head = 3, "ab" * 32
    record = next(each for each in _events(records) if each["branch"] == 2)
    record["line"] = stranger.event().decode()


def changed_checkpoint(records: Records) -> None:
    records[0]["checkpoint"] = records[0]["checkpoint"].replace("\n13\n", "\n12\n")


def checkpoint_of_others(records: Records) -> None:
    records[0]["checkpoint"] = checkpoint(13, bytes(32))


def bad_verifier(records: Records) -> None:
    records[0]["verifiers"] = [verifier().replace("oak", "elm")]


def no_log(records: Records) -> None:
    del records[0]


def unknown_record(records: Records) -> None:
    records.append({"of": "note"})


def missing_field(records: Records) -> None:
    del _events(records)[3]["received"]


TAMPERINGS: list[tuple[Callable[[Records], None], str]] = [
    (changed_byte, "does not hold|the event says|not those"),
    (later_receipt, "first 13 events are not those"),
    (removed, "position 5 was expected"),
    (removed_at_the_end, "ends after 12 events"),
    (swapped, "its place in the chain"),
    (slipped_in, "its place in the chain"),
    (other_key, "signature does not hold"),
    (no_key, "no key for this run"),
    (lost_signature, "no signature covers events 4 to 5"),
    (foreign_signature, "signature does not hold"),
    (broken_fork, "no event abab"),
    (changed_checkpoint, "does not fit the text"),
    (checkpoint_of_others, "first 13 events are not those"),
    (bad_verifier, "its key makes"),
    (no_log, "no record of the log"),
    (unknown_record, "one of log, device, event, push is expected"),
    (missing_field, "`received` of the event record is missing: a whole number from 0 is expected"),
]


@pytest.mark.parametrize(
    ("tamper", "found"), TAMPERINGS, ids=lambda each: getattr(each, "__name__", "")
)
def test_a_tampered_export_is_found_out(tamper: Callable[[Records], None], found: str) -> None:
    records = copy.deepcopy(made().records())
    tamper(records)
    report = check(records)
    assert not report.is_sound
    told = "\n".join(f"{where}: {what}" for where, what in report.faults)
    assert re.search(found, told), told


ABSENT = object()
FIELDS = [
    (kind, field)
    for kind, wanted in fields.WANTED.items()
    for field in (
        "of",
        *wanted,
        *{"event": ("line", "base64"), "log": ("checkpoint",)}.get(kind, ()),
    )
]


@pytest.mark.parametrize("garbled", [ABSENT, None, 5.5, True, [], {"a": 1}, "\ud800", 1 << 70])
def test_a_record_without_a_field_or_with_a_garbled_one_is_named_with_what_is_right(
    garbled: object,
) -> None:
    """Whatever stands there: the record, the field, and never the value; the rest is still read."""
    whole = made().records()
    for kind, field in FIELDS:
        records = copy.deepcopy(whole)
        number, record = next(
            (number, one)
            for number, one in enumerate(records, 1)
            if one["of"] == kind and (field in one or field == "checkpoint")
        )
        record[field] = garbled
        if garbled is ABSENT:
            del record[field]
        if (field, garbled) in (("checkpoint", None), ("checkpoint", ABSENT), ("verifiers", [])):
            continue  # no checkpoint yet, and nobody to have signed one
        report = check(records)
        told = dict(report.faults)[f"record {number}"]
        named = "line" if (field, garbled) == ("base64", ABSENT) else field
        assert told.startswith(f"`{named}` of the "), (kind, field)
        assert "expected" in told
        assert report.devices >= 2


def test_an_event_that_says_anything_at_all_is_read() -> None:
    lists: dict[str, object] = {"device": [], "run": [], "seq": [], "prev": []}
    saying: tuple[object, ...] = (None, [], {}, 5, "x", lists)
    for said in saying:
        for branch in (1, 2):
            out = made()
            device = out.enrol("h9")
            device.seq += branch - 1
            out.push(device, [partial(device.raw, json.dumps(said).encode())], branch=branch)
            assert check(out.records()).events == 14


def test_a_checkpoint_that_the_auditor_kept_is_checked_too() -> None:
    out = made()
    kept = checkpoint(5, naive_root(out.leaves[:5]))
    assert f"{ORIGIN} 5" in check(out.records(), checkpoints=[kept]).checkpoints
    other = checkpoint(5, naive_root(out.leaves[1:6]))
    assert not check(out.records(), checkpoints=[other]).is_sound
    ahead = checkpoint(99, bytes(32))
    assert not check(out.records(), checkpoints=[ahead]).is_sound


def test_the_auditors_own_verifier_is_trusted_rather_than_the_exports() -> None:
    out = made()
    stranger = verifier(key=Ed25519PrivateKey.generate())
    report = check(out.records(), trusted=[stranger])
    assert "none of the given keys" in report.faults[0][1]


def test_faults_beyond_a_hundred_are_counted() -> None:
    out = Export()
    for number in range(150):
        device = Device(f"d{number}")
        out.push(device, [device.event])
    out.sign()
    report = check(out.records())
    assert (len(report.faults), report.fault_count) == (100, 300)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 300))
def test_the_growing_tree_has_the_rfcs_root_at_every_size(size: int) -> None:
    growing = tree.GrowingTree()
    leaves = [tree.leaf(str(n).encode()) for n in range(size)]
    for leaf in leaves:
        growing.append(leaf)
    assert growing.root() == naive_root(leaves)


def path_of(leaves: list[bytes], index: int) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = 1 << (len(leaves) - 1).bit_length() - 1
    if index < k:
        return [*path_of(leaves[:k], index), naive_root(leaves[k:])]
    return [*path_of(leaves[k:], index - k), naive_root(leaves[:k])]


def receipt_of(out: Export, index: int) -> str:
    packed = [base64.b64encode(each).decode() for each in path_of(out.leaves, index)]
    extra = base64.b64encode(out.texts[index]).decode()
    lines = ["c2sp.org/tlog-proof@v1", f"extra {extra}", f"index {index}", *packed]
    return "\n".join(lines) + f"\n\n{out.note}"


@pytest.mark.parametrize("index", range(13))
def test_a_receipt_proves_its_event(index: int) -> None:
    out = made()
    event = export.line_of(_events(out.records())[index])
    proven = receipts.check(receipt_of(out, index), [notes.key(verifier())], event)
    assert (proven.position, proven.received) == (index, 1_796_044_800_000 + index)
    assert (proven.checkpoint.origin, proven.checkpoint.size) == (ORIGIN, 13)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("tlog-proof@v1", "tlog-proof@v2", "starts with"),
        ("index 4", "index 5", "its leaf for 4"),
        ("extra ", "extra A", "not base64|no leaf"),
        ("\n13\n", "\n14\n", "does not fit"),
        (
            "index 4\n",
            "index 4\n" + base64.b64encode(bytes(32)).decode() + "\n",
            "more hashes|lead",
        ),
        ("extra ", "other ", "should start with 'extra'"),
    ],
)
def test_a_receipt_that_was_touched_proves_nothing(old: str, new: str, found: str) -> None:
    text = receipt_of(made(), 4)
    assert old in text
    with pytest.raises((receipts.ReceiptError, notes.NoteError), match=found):
        receipts.check(text.replace(old, new, 1), [notes.key(verifier())])


def test_a_receipt_for_another_event_says_so() -> None:
    with pytest.raises(receipts.ReceiptError, match="another event"):
        receipts.check(receipt_of(made(), 4), [notes.key(verifier())], b"{}")


def test_the_command_checks_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = made()
    file, trusted, receipt = tmp_path / "e.jsonl", tmp_path / "verifier", tmp_path / "r.tlog-proof"
    file.write_text("".join(json.dumps(record) + "\n" for record in out.records()))
    trusted.write_text(verifier() + "\n")
    receipt.write_text(receipt_of(out, 3))
    arguments = [str(file), "--verifier", str(trusted), "--receipt", str(receipt)]
    assert command.main(arguments) == 0
    assert "13 events" in (told := capsys.readouterr().out)
    assert "all holds" in told
    file.write_text(file.read_text().replace('\\"n\\": 1', '\\"n\\": 7'))
    assert command.main(arguments) == 1
    assert "WRONG" in capsys.readouterr().out
    file.write_text("{\n")
    assert command.main(arguments) == 2
    assert "line 1" in capsys.readouterr().err


def test_the_verifier_imports_nothing_of_the_writer() -> None:
    for source in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert not name.startswith("custody") or name.startswith("custody.verify"), source
