"""What can be wrong with a code or a range of codes. Each error has the `code` of its sentence in
the catalogue and the `values` that the sentence names."""

try:
    from typing import Any
except ImportError:  # MicroPython has no typing and reads no annotations
    Any = object  # type: ignore[assignment,misc]


class CodeError(ValueError):
    """Something is wrong with a code; `code` names the sentence, `values` fill it in."""

    code = ""

    def __init__(self, message: str, values: dict[str, Any]) -> None:
        super().__init__(message)
        self.values = values


class CodePrefixError(CodeError):
    """Custody issues no codes with this prefix."""

    code = "scan.prefix"

    def __init__(self, prefix: str, known: list[str]) -> None:
        names = ", ".join(sorted(known))
        message = "Custody issues no codes for '" + prefix + "'. Its prefixes are " + names + "."
        super().__init__(message, {"prefix": prefix, "known": names})


class CodeNumberError(CodeError):
    """A number is negative or has more digits than codes of its prefix."""

    code = "scan.number"

    def __init__(self, prefix: str, number: int, width: int) -> None:
        last = "9" * width
        message = prefix + " codes are numbered 0 to " + last + ", not " + str(number) + "."
        super().__init__(message, {"prefix": prefix, "number": number, "last": last})


class CodeRangeError(CodeError):
    """A range such as `D5-001..D5-240` cannot be read; `code` says which way."""

    def __init__(self, code: str, text: str, message: str, more: dict[str, Any]) -> None:
        values = {"range": text}
        values.update(more)
        super().__init__(text + ": " + message, values)
        self.code = code
