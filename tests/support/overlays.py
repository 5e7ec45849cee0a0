"""How the overlays of several tests begin."""

HARBOR = """\
id = "harbor"
title = "Internal controls of the harbor"
regime = "MD"
version = "3"
in_force = 2026-12-05
reference = "IC-2026-014"
approved_on = 2026-11-20
"""
