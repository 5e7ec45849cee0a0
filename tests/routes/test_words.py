"""The desk speaks from one catalogue, so that another language is one more column."""

import re
from pathlib import Path

import pytest

import custody
from custody.routes import words
from custody.rulebooks import coverage, loader

TEMPLATES = sorted((Path(custody.__file__).parent / "templates" / "desk").rglob("*.html"))
ROUTES = sorted((Path(custody.__file__).parent / "routes").rglob("*.py"))
KEY = re.compile(r"""\b(?:t|words)\(\s*"([a-z_]+\.[a-z_-]+)"(\s*~)?""")
NAMED = re.compile(r"\{([a-z]+)\}")


def _used() -> set[str]:
    texts = [path.read_text() for path in [*TEMPLATES, *ROUTES]]
    return {key for text in texts for key, joined in KEY.findall(text) if not joined}


def test_every_text_that_a_page_names_is_in_the_catalogue() -> None:
    assert _used()
    assert _used() - set(words.catalogue()) == set()


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_text_is_there_in_each_language_with_the_same_names(language: str) -> None:
    for key, texts in words.catalogue().items():
        assert texts.get(language, "").strip(), f"{key} has no {language}"
        assert set(NAMED.findall(texts[language])) == set(NAMED.findall(texts["en"])), key


@pytest.mark.parametrize(("group", "column"), [("stage", "stage"), ("upheld", "check")])
def test_every_stage_and_check_of_the_clauses_has_its_word(group: str, column: str) -> None:
    used = {f"{group}.{clause[column]}" for clause in coverage.clauses().values()}
    assert used - set(words.catalogue()) == set()


def test_every_word_that_a_form_offers_is_in_the_rules_catalogue() -> None:
    known = {key.partition(".")[2] for key in loader.catalogue()}
    vocabulary = loader.rulebook("MD")["vocabulary"]
    offered = set(vocabulary["games"]["words"])
    for step in vocabulary["steps"].values():
        for field in step.get("fields", {}).values():
            offered |= set(field.get("words", []))
    assert {"roulette", "table_games", "micrometer"} <= offered
    assert offered - known == set()


def test_no_spanish_text_was_left_in_english() -> None:
    """What is the same in both is a name or a word of both; a sentence never is."""
    same = {k: t["en"] for k, t in words.catalogue().items() if t["en"] == t["es"]}
    bare = {key: NAMED.sub("", text) for key, text in same.items()}
    assert {key: text for key, text in bare.items() if len(re.findall(r"\w+", text)) > 1} == {}


def test_a_text_that_is_not_there_is_an_error_and_not_a_blank() -> None:
    with pytest.raises(words.UnknownWordError, match=r"today\.nosuch"):
        words.words("today.nosuch")


def test_one_of_a_thing_is_written_as_one() -> None:
    assert words.words("items.events", n=1) == "1 event"
    assert words.words("items.events", n=2) == "2 events, newest first"


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_page_holds_no_text_of_its_own(path: Path) -> None:
    bare = re.sub(
        r"\{% call parts\.field.*?endcall %\}|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}",
        " ",
        path.read_text(),
        flags=re.DOTALL,
    )
    texts = re.findall(r">([^<]*)<", re.sub(r"<pre.*?</pre>", "", bare, flags=re.DOTALL))
    wordy = [text.strip() for text in texts if re.search(r"[A-Za-z]{2,}", text)]
    assert wordy == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_page_carries_no_script_or_style_of_its_own(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"""\s(?:on\w+|style|hx-on[\w:-]*)=|<style|javascript:|"js:""", text)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))
