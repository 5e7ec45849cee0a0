"""Destruction by a vendor off site: collected until its certificate is matched."""

from . import failing
from .shapes import Any, Json


def same_vendor(found: Json, group: Json, need: Json) -> Any:
    """The certificate is of the vendor to which it went; none named is that one."""
    named = found["with"].get("vendor")
    return failing.of(group, lambda v: named not in (None, (v.get("vendor") or {}).get("name")))


CHECKS: Json = {"same_vendor": same_vendor}

CODES = {"same_vendor": "vendor-other"}


def awaits(event: Json) -> bool:
    """Whether a vendor has it and has not certified its end."""
    return bool(event["with"].get("vendor")) and not event["with"].get("certificate")


def sent(value: Json, event: Json) -> None:
    """It is on its way to the vendor, or there, and still in the books."""
    value["state"] = "collected"
    value["place"] = event["where"] or event["to"] or value["place"]
    value["holder"] = None
    value["in"] = None
    value["vendor"] = {"name": event["with"]["vendor"], "at": event["at"], "by": event["by"]}
