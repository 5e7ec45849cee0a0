"""The rules core: what the server, the handheld and `rehearse` call."""

from .book import load
from .fold import fold
from .forms import form
from .judge import judge
from .options import steps

__all__ = ["fold", "form", "judge", "load", "steps"]
