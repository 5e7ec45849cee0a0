"""The rules core: what the server, the handheld and `rehearse` call."""

from .book import load
from .cites import clauses
from .fold import fold
from .forms import form
from .judge import judge
from .options import steps

__all__ = ["clauses", "fold", "form", "judge", "load", "steps"]
