"""The rules core: what the server, the handheld and `rehearse` call."""

from .book import load
from .choosing import kinds
from .cites import clauses, unticked
from .fold import fold
from .forms import form
from .judge import judge
from .options import steps

__all__ = ["clauses", "fold", "form", "judge", "kinds", "load", "steps", "unticked"]
