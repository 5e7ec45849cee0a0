"""The handheld opened by a name that is not this machine's own: over HTTPS, and over plain HTTP."""

import base64
import datetime
import hashlib
import re
import socket
import ssl
import urllib.request
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.verification import PolicyBuilder, Store

from custody.demo.authority import Authority
from tests.browser.conftest import OpenDevice, StartServer
from tests.support.casino import Templates

NAME = "custody.test"
ABILITIES = """async () => {
  const registration = await navigator.serviceWorker.ready;
  const kind = { name: "ECDSA", namedCurve: "P-256" };
  const key = await crypto.subtle.generateKey(kind, false, ["sign"]);
  return {
    secure: window.isSecureContext,
    worker: new URL(registration.active.scriptURL).pathname,
    extractable: key.privateKey.extractable,
    camera: "mediaDevices" in navigator,
  };
}"""
ABLE = {"secure": True, "worker": "/h/sw.js", "extractable": False, "camera": True}


def trusting(authority: bytes, leaf: bytes, name: str) -> tuple[str, ...]:
    """Return Chromium's arguments to find `name` here, and to trust `leaf` if `authority` does.

    Chromium takes no authority from its command line, so the chain is checked before.
    """
    root, server = (x509.load_pem_x509_certificate(pem) for pem in (authority, leaf))
    verifier = PolicyBuilder().store(Store([root])).build_server_verifier(x509.DNSName(name))
    verifier.verify(server, [])
    form = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    digest = hashlib.sha256(server.public_key().public_bytes(*form)).digest()
    return (
        f"--host-resolver-rules=MAP {name} 127.0.0.1",
        f"--ignore-certificate-errors-spki-list={base64.b64encode(digest).decode()}",
    )


def test_over_https_a_name_of_the_lan_can_do_all_that_a_handheld_needs(
    open_device: OpenDevice, start_server: StartServer, templates: Templates, tmp_path: Path
) -> None:
    authority = Authority(tmp_path / "tls")
    certificate, key = authority.ensure([NAME], datetime.datetime.now(datetime.UTC))
    data = templates.copy(tmp_path / "casino", history=False)
    tls = ("--tls-cert", str(certificate), "--tls-key", str(key))
    port = start_server("serve", data, *tls).url.rsplit(":", 1)[1]
    files = (authority.certificate_file, certificate)
    arguments = trusting(*(file.read_bytes() for file in files), NAME)
    device = open_device(f"https://{NAME}:{port}", arguments=arguments)
    device.open("/h/")
    assert device.page.evaluate(ABILITIES) == ABLE


def test_over_plain_http_the_page_says_what_is_missing_and_starts_nothing(
    open_device: OpenDevice, start_server: StartServer, templates: Templates, tmp_path: Path
) -> None:
    data = templates.copy(tmp_path / "casino", history=False)
    port = start_server("serve", data).url.rsplit(":", 1)[1]
    arguments = (f"--host-resolver-rules=MAP {NAME} 127.0.0.1",)
    device = open_device(f"http://{NAME}:{port}", arguments=arguments)
    page = device.open("/h/")
    said = page.inner_text("body")
    assert "HTTPS" in said
    assert re.search("camera", said, re.IGNORECASE)
    assert page.evaluate("[window.isSecureContext, 'serviceWorker' in navigator]") == [False, False]
    assert page.locator("script").count() == 0
    device.shot("plain http")


def test_the_lan_demonstration_can_be_trusted_and_then_enrols_a_handheld(
    open_device: OpenDevice, start_server: StartServer, templates: Templates, tmp_path: Path
) -> None:
    data = templates.copy(tmp_path / "casino", history=False)
    server = start_server("demo", data, "--lan")
    server.wait_for("SHA-256")
    said = server.output()
    installing = re.search(r"certificate at http://[^/]+:(\d+)/", said)
    enrolling = re.search(r"enrols at +https://[^/]+:(\d+)(/h/enrol#\w+)", said)
    assert installing
    assert enrolling
    with urllib.request.urlopen(f"http://127.0.0.1:{installing[1]}/ca.crt", timeout=60) as answer:
        certificate = answer.read()
    root = x509.load_pem_x509_certificate(certificate)
    assert root.fingerprint(hashes.SHA256()).hex(":").upper() in said
    name = socket.gethostname().lower()
    leaf = ssl.get_server_certificate(("127.0.0.1", int(enrolling[1]))).encode()
    arguments = trusting(certificate, leaf, name)
    device = open_device(f"https://{name}:{enrolling[1]}", arguments=arguments)
    device.open(enrolling[2])
    assert device.page.evaluate(ABILITIES) == ABLE


def test_the_policy_is_on_every_answer(
    start_server: StartServer, templates: Templates, tmp_path: Path
) -> None:
    url = start_server("serve", templates.copy(tmp_path / "casino", history=False)).url
    opener = urllib.request.build_opener(Lenient)
    for path in ("/h/", "/h/item/DS-0000001V", "/sign-in", "/health", "/nowhere", "/static/no.js"):
        with opener.open(url + path, timeout=60) as answer:
            policy = answer.headers["Content-Security-Policy"].split("; ")
        assert "script-src 'self' 'wasm-unsafe-eval'" in policy, path
        assert "default-src 'self'" in policy, path
        assert not [part for part in policy if "unsafe-inline" in part or "*" in part], path


class Lenient(urllib.request.HTTPErrorProcessor):
    """Takes every status for an answer."""

    def http_response(self, request: urllib.request.Request, response: object) -> object:  # type: ignore[override]
        return response
