"""How hard property tests look: `make soak` asks for far more examples than `make test`."""

from hypothesis import settings

settings.register_profile("soak", max_examples=20_000, deadline=None, print_blob=True)
