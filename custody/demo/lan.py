"""What `custody demo --lan` adds: the machine's names, and a page to install its authority from."""

from __future__ import annotations

import html
import ipaddress
import socket
import threading
from collections.abc import Iterable
from typing import Any

from cheroot.wsgi import Server
from werkzeug.wrappers import Request, Response

from custody.demo.authority import Authority
from custody.security_headers import HEADERS
from custody.tls import wait_for_data

# A documentation address (RFC 5737): choosing a route to it sends nothing.
_ELSEWHERE = ("192.0.2.1", 9)

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Trust this demonstration</title></head><body>
<h1>Trust this demonstration of Custody</h1>
<p>A handheld keeps keys, works without a network and opens its camera only on a page that it
trusts. Install this certificate of a small authority that can vouch for this machine alone.</p>
<p><a href="/ca.crt">Install the certificate</a></p>
<p>Compare its SHA-256 fingerprint with the one that the demonstration printed:<br>
<code>{fingerprint}</code></p>
<h2>Android</h2><p>Open the downloaded file from Settings, Security, Encryption and credentials,
Install a certificate, CA certificate.</p>
<h2>iPhone and iPad</h2><p>Allow the download, install it under Settings, General, VPN and Device
Management, then switch it on under Settings, General, About, Certificate Trust Settings.</p>
<h2>Computer</h2><p>Import it as an authority for websites in the browser's or system's
certificate settings.</p>
<h2>Afterwards</h2><p>Open <a href="{address}">{address}</a>. Remove the certificate when you have
done with the demonstration.</p>
</body></html>
"""


def names() -> list[str]:
    """Return this machine's names and addresses, the one that the LAN reaches it by first."""
    address, host = _lan_address(), socket.gethostname().lower()
    found = [address, host, socket.getfqdn().lower(), f"{host.partition('.')[0]}.local"]
    found += [*_addresses_of(host), "localhost", "127.0.0.1"]
    return list(dict.fromkeys(name for name in found if _usable(name)))


def _lan_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
        except OSError:  # no network at all
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _addresses_of(host: str) -> Iterable[str]:
    try:
        return [str(found[4][0]) for found in socket.getaddrinfo(host, None, socket.AF_INET)]
    except OSError:  # a host that does not resolve its own name
        return []


def _usable(name: str) -> bool:
    """Say whether a certificate can hold the name: an address, or letters, digits, dots, dashes."""
    try:
        return not ipaddress.ip_address(name).is_unspecified
    except ValueError:
        return name.replace("-", "").replace(".", "").isalnum() and name.isascii()


def serve_authority(authority: Authority, address: str, port: int = 0) -> Server:
    """Serve the authority's certificate and how to install it over plain HTTP, and nothing else.

    `address` is that of the demonstration. Returns the running server; `stop` ends it.
    """
    certificate = authority.certificate_file.read_bytes()
    page = PAGE.format(fingerprint=authority.fingerprint(), address=html.escape(address))
    answers = {
        "/": Response(page, mimetype="text/html"),
        "/ca.crt": Response(certificate, mimetype="application/x-x509-ca-cert"),
    }
    for answer in answers.values():
        answer.headers.extend(HEADERS)
    server = Server(("0.0.0.0", port), _only(answers), numthreads=2)
    server.prepare()
    wait_for_data(server.socket)
    threading.Thread(target=server.serve, daemon=True).start()
    return server


def _only(answers: dict[str, Response]) -> Any:
    @Request.application
    def answer(request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return Response("Only GET is answered here.\n", 405, {"Allow": "GET, HEAD"})
        return answers.get(request.path) or Response("There is only / and /ca.crt here.\n", 404)

    return answer
