"""Pushes of which nothing is stored: header, chain, signature, gap, size (protocol.md, "Push")."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from custody.ledger import keys
from custody.ledger.core import Ledger
from tests.support import cast
from tests.support.device import NO_EVENT, Answer, Device, line_of


@pytest.fixture
def two(device: Device, ledger: Ledger) -> Device:
    """A device with two events to push."""
    device.record("receive", **cast.receive("D5-001"))
    device.record("store", **cast.store("D5-001"))
    return device


def refused(answer: Answer, device: Device, ledger: Ledger, status: int, type_: str) -> None:
    """Check a refusal, that nothing was stored, and that the device goes on as before."""
    assert (answer.status, answer.json["type"]) == (status, type_), answer.body
    assert answer.headers["Content-Type"].startswith("application/problem+json")
    assert answer.json["detail"]
    body = device.batch(1, 1)
    assert device.push(body).json["acked"] == 1


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ({"first": 0}, "first"),
        ({"first": "1"}, "first"),
        ({"first": True}, "first"),
        ({"last": 3}, "last"),
        ({"first": 2, "last": 1}, "last"),
        ({"run": None}, "run"),
        ({"head": "xyz"}, "head"),
        ({"head": None}, "head"),
        ({"sig": 5}, "sig"),
    ],
)
def test_a_wrong_header_is_named(
    two: Device, ledger: Ledger, header: dict[str, object], field: str
) -> None:
    told = {"device": two.id, "run": 1, "first": 1, "last": 2, "head": two.head(), "sig": "x"}
    body = b"\n".join((json.dumps({**told, **header}).encode(), *two.log, b""))
    answer = two.push(body)
    assert answer.json["field"] == field
    refused(answer, two, ledger, 400, "bad-header")


def test_a_header_that_is_no_json_is_refused(two: Device, ledger: Ledger) -> None:
    refused(two.push(b"not json\n" + two.log[0] + b"\n"), two, ledger, 400, "bad-header")


def test_a_body_cut_in_the_middle_of_its_lines_is_refused(two: Device, ledger: Ledger) -> None:
    body = two.batch()
    whole_lines = body[: -len(two.log[1]) - 1]
    refused(two.push(whole_lines), two, ledger, 400, "bad-header")
    two.acked = 0
    refused(two.push(body[:-40]), two, ledger, 400, "bad-chain")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"device": "other"}, "device"),
        ({"run": 2}, "run"),
        ({"seq": 3}, "seq"),
        ({"seq": True}, "seq"),
        ({"prev": "a" * 64}, "prev"),
    ],
)
def test_a_line_that_does_not_fit_its_chain_is_named(
    two: Device, ledger: Ledger, change: dict[str, object], field: str
) -> None:
    event = {**json.loads(two.log[1]), **change}
    good = two.log.pop()
    two.write(line_of(event))
    answer = two.push()
    assert (answer.json["line"], answer.json["field"]) == (3, field)
    two.log[1] = good
    refused(answer, two, ledger, 400, "bad-chain")


def test_the_first_event_of_a_run_continues_nothing(device: Device, ledger: Ledger) -> None:
    device.write(line_of({**device.event("note"), "prev": "b" * 64}))
    answer = device.push()
    assert (answer.status, answer.json["type"], answer.json["line"]) == (400, "bad-chain", 2)


def test_an_event_that_continues_another_than_the_servers_is_refused(
    two: Device, ledger: Ledger
) -> None:
    two.push()
    two.write(line_of({**two.event("note"), "prev": NO_EVENT}))
    answer = two.push()
    assert (answer.status, answer.json["type"], answer.json["line"]) == (400, "bad-chain", 2)


def test_a_head_that_is_not_the_last_line_is_refused(two: Device, ledger: Ledger) -> None:
    refused(two.push(two.batch(head="c" * 64)), two, ledger, 400, "bad-chain")


def _of_another_key(device: Device) -> str:
    text = f"custody-events-v1\n{device.id}\n1\n2\n{device.head()}\n"
    return keys.sign(ec.generate_private_key(ec.SECP256R1()), text.encode())


def _of_another_text(device: Device) -> str:
    return keys.sign(device.key, b"custody-events-v1\n")


def _as_der(device: Device) -> str:
    text = f"custody-events-v1\n{device.id}\n1\n2\n{device.head()}\n"
    return keys.base64url(device.key.sign(text.encode(), keys.ECDSA))


@pytest.mark.parametrize(
    "make",
    [
        _of_another_key,
        _of_another_text,
        _as_der,
        lambda device: "A" * 86,
        lambda device: "AAAA",
        lambda device: "not base64url!",
    ],
)
def test_a_signature_that_does_not_fit_is_refused(
    two: Device, ledger: Ledger, make: Callable[[Device], str]
) -> None:
    answer = two.push(two.batch(sig=make(two)))
    assert answer.json["line"] == 1
    refused(answer, two, ledger, 400, "bad-signature")


def test_a_gap_names_the_event_that_is_expected(two: Device, ledger: Ledger) -> None:
    answer = two.push(two.batch(2, 2))
    assert answer.json["expected"] == 1
    refused(answer, two, ledger, 409, "gap")


def test_a_gap_after_stored_events_names_the_next(two: Device) -> None:
    two.push()
    for n in range(2):
        two.record("receive", **cast.receive(f"D5-1{n}0"))
    answer = two.push(two.batch(4, 4))
    assert (answer.status, answer.json["expected"]) == (409, 3)


def test_a_run_that_never_enrolled_is_not_found(two: Device, ledger: Ledger) -> None:
    text = f"custody-events-v1\n{two.id}\n2\n2\n{two.head()}\n"
    head = {"device": two.id, "run": 2, "first": 1, "last": 2, "head": two.head()}
    head["sig"] = keys.sign(two.key, text.encode())
    lines = [line_of({**json.loads(line), "run": 2}) for line in two.log]
    lines[1] = line_of(
        {**json.loads(lines[1]), "prev": __import__("hashlib").sha256(lines[0]).hexdigest()}
    )
    head["head"] = __import__("hashlib").sha256(lines[1]).hexdigest()
    answer = two.push(b"\n".join((json.dumps(head).encode(), *lines, b"")))
    assert (answer.status, answer.json["field"]) == (404, "run")


def test_501_events_are_too_many(device: Device, ledger: Ledger) -> None:
    for n in range(501):
        device.record("receive", **cast.receive(f"D5-{n:03}"))
    refused(device.push(), device, ledger, 413, "too-large")


def test_a_body_over_a_mebibyte_is_refused(two: Device, ledger: Ledger) -> None:
    refused(two.push(two.batch() + b" " * (1 << 20)), two, ledger, 413, "too-large")


def test_a_gzip_bomb_is_refused_before_it_is_expanded(two: Device, ledger: Ledger) -> None:
    bomb = gzip.compress(b" " * (200 << 20))
    assert len(bomb) < 1 << 20
    answer = two.call(
        "POST",
        "/sync/v1/events",
        bomb,
        Content_Type="application/x-ndjson",
        Content_Encoding="gzip",
    )
    refused(answer, two, ledger, 413, "too-large")


@pytest.mark.parametrize(
    "body",
    [b"no gzip at all", gzip.compress(b"x" * 100)[:-9], gzip.compress(b"a") + b"more"],
    ids=["no gzip at all", "cut short", "more behind it"],  # the bytes hold the second they are of
)
def test_a_gzip_stream_that_is_none_is_refused(two: Device, ledger: Ledger, body: bytes) -> None:
    answer = two.call(
        "POST",
        "/sync/v1/events",
        body,
        Content_Type="application/x-ndjson",
        Content_Encoding="gzip",
    )
    refused(answer, two, ledger, 400, "bad-gzip")


def test_an_unknown_encoding_or_type_is_refused(two: Device, ledger: Ledger) -> None:
    answer = two.push(two.batch(), Content_Encoding="br")
    refused(answer, two, ledger, 415, "content-encoding")
    answer = two.push(two.batch(), Content_Type="application/json")
    assert (answer.status, answer.json["type"]) == (415, "content-type")
