"""What every response says about what a page may do.

No script but the app's own files (and WebAssembly made from them), no style attribute, no request
and no frame to or from another origin. The camera is for the handheld; nothing else is asked for.
"""

from __future__ import annotations

from flask import Response, request

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def add(response: Response) -> Response:
    """Add `HEADERS` to a response that does not set them itself."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.is_secure:  # over plain HTTP a browser only complains of it
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    return response
