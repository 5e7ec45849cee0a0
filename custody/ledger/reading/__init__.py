"""What the pages read: SELECTs over the projections and the log, plain dicts out.

Nothing written.
"""
