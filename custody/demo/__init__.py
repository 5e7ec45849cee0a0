"""The demonstration: a small casino with people, places, stock and a few days behind it."""
