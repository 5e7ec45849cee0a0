"""Codes as bars and squares: Code 128 by python-barcode, QR by qrcode."""

from __future__ import annotations

from barcode.codex import Code128
from barcode.errors import BarcodeError
from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

from custody.documents.errors import LabelError

QUIET = 10
"""Modules without ink on both sides of Code 128 (ISO/IEC 15417, section 4.2)."""
QR_QUIET = 4
"""Modules without ink around a QR code (ISO/IEC 18004, section 6.3.8)."""


def bars(code: str) -> str:
    """The bars of Code 128 as a text of 1 and 0, without quiet zones."""
    try:
        return "".join(Code128(code).build())
    except BarcodeError as error:
        raise LabelError(f"{code!r} cannot be printed as bars: {error}") from error


def squares(code: str) -> tuple[tuple[bool, ...], ...]:
    """The rows of a QR code with error correction M, without quiet zone."""
    qr: QRCode[object] = QRCode(error_correction=ERROR_CORRECT_M, border=0)
    qr.add_data(code)
    qr.make(fit=True)
    return tuple(tuple(bool(dark) for dark in row) for row in qr.get_matrix())
