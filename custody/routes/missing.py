"""What a page asked for is not there, said in the language of whoever asks."""

from custody.ledger.errors import NotKnown


class Missing(NotKnown):
    """Nothing is there. The message is a sentence for the page, as the ledger's own are not."""
