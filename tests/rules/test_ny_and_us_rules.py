"""Every core rule of New York and of the federal standards has the story that exercises it."""

from __future__ import annotations

import csv
import re
from importlib.resources import files as resources

import pytest

from tests.rules.stories import files


def rules() -> list[str]:
    """Return the core gates, roles, deadlines and counts of what lies on the floor."""
    text = resources("custody.rulebooks").joinpath("clauses.csv").read_text("utf-8")
    return [
        row["id"]
        for row in csv.DictReader(text.splitlines())
        if row["regime"] in ("NY", "US542", "US543")
        and row["scope"] == "core"
        and row["check"] in ("gate", "role", "deadline", "count")
        and row["id"] not in RECORDS
    ]


# What a page of the desk shows, or a review there, and no step of the floor.
RECORDS = ("NY-5322.15-m.6", "US-542.12-e.2", "US-542.12-j.3")
ALL = "\n".join(path.read_text("utf-8") for path in files("ny-*", "us542-*", "us543-*"))


@pytest.mark.parametrize("clause", rules())
def test_a_story_exercises_every_core_rule(clause: str) -> None:
    assert re.search(re.escape(clause) + r"(?![\w.-])", ALL), clause
