"""A setting is checked word by word before anything is made (vocabulary.md, "Scenarios")."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from custody.cli import main
from custody.config import Config, ConfigError, database_url, load
from custody.ledger import schema
from custody.ledger.core import open_ledger
from custody.ledger.database import Database
from custody.ledger.errors import NotInitialised, SettingError
from custody.ledger.keys import KeysMissing, private_key
from custody.ledger.setting import check_setting, read_setting
from tests.support import cast

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def place(**fields: object) -> dict[str, Any]:
    return {"places": {"x": fields}}


def person(given: object) -> dict[str, Any]:
    return {"people": {"x": given}}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"site": None}, ["lacks", "site"]),
        ({"regime": "MX"}, ["regime", "'MX'", "MD"]),
        ({"zone": "America/Newyork"}, ["zone", "America/New_York"]),
        ({"zone": 5}, ["zone", "America/New_York"]),
        ({"day_starts": "6am"}, ["day_starts", "06:00"]),
        ({"site": "two words"}, ["site", "letters"]),
        ({"colour": "red"}, ["'colour'", "known are"]),
        ({"peoples": {}}, ["'peoples'", "did you mean 'people'"]),
        ({"people": []}, ["people", "object"]),
        (person("florperson"), ["person 'x'", "did you mean 'floorperson'"]),
        (person({"job": "dealer", "age": 5}), ["person 'x'", "'age'"]),
        (person({"job": "dealer", "supervises": "craps"}), ["supervises", "list"]),
        (person({"job": "dealer", "lease_hours": 400}), ["lease_hours", "168"]),
        (person(7), ["person 'x'", "floorperson"]),
        ({"people": {"two words": "dealer"}}, ["'two words'", "blanks"]),
        (place(type="cellar"), ["place 'x'", "'cellar'"]),
        (place(type="dock", colour="red"), ["place 'x'", "'colour'"]),
        (place(type="table", decks="8"), ["decks", "int"]),
        (place(type="table", handled=1), ["handled", "bool"]),
        (place(type="table", pit="y"), ["pit 'y'", "pit stand"]),
        (place(), ["place 'x'", "type"]),
        ({"controls": {"dice_inspektion": "x"}}, ["did you mean 'dice_inspection'"]),
        ({"controls": {"device_approval": "maybe"}}, ["device_approval", "automatic"]),
    ],
)
def test_a_wrong_word_is_named_with_what_would_be_right(
    change: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(SettingError) as refused:
        check_setting(cast.setting(**change))
    for word in words:
        assert word in str(refused.value)


@pytest.mark.parametrize("name", [path.stem for path in SCENARIOS.glob("md-dice-*.jsonl")])
def test_the_first_line_of_a_scenario_with_a_site_will_do(name: str) -> None:
    lines = (SCENARIOS / f"{name}.jsonl").read_text().splitlines()
    first = next(line for line in lines if not line.startswith("#"))
    raw = json.dumps({**json.loads(first), "site": "oak"})
    assert read_setting(raw.encode()).site["id"] == "oak"
    whole = "\n".join(["# a comment", raw, *lines[1:]])
    assert read_setting(whole.encode()).people.keys() == json.loads(first)["people"].keys()


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b"# only\n# comments\n", b'{"site":1.5}'])
def test_a_file_that_is_no_setting_is_told_as_such(raw: bytes) -> None:
    with pytest.raises(SettingError):
        read_setting(raw)


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        (b'{"site":"oak",\n"name":"\xff\xfe"}', "line 2 holds bytes that are no UTF-8"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "line 1, column 1 is no JSON"),
        (b'# a comment\n{"site":"oak",\n "regime" "MD"}', "line 3, column 11 is no JSON"),
        (b'# a comment\n{"site":"oak" "regime":"MD"}\n{}', "line 2, column 15 is no JSON"),
        (b"", "line 1, column 1 is no JSON"),
        (b'["oak"]', "the setting is no JSON object"),
        (b'{"site":"oak","site":"elm"}', "the key 'site' is there twice"),
        (b"[" * 100_000, "nested too deep"),
    ],
)
def test_init_says_in_which_line_of_which_file_a_setting_is_none_and_what_would_be_right(
    tmp_path: Path, raw: bytes, where: str
) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_bytes(raw)
    told = run("init", "--data", str(tmp_path / "data"), "--setting", str(wrong))
    assert told.exit_code == 1
    assert told.stderr.startswith(f"Error: {wrong}: ")
    assert where in told.stderr
    assert '{"site":"...","regime":"MD",...}' in told.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("value", [5, None, [], {}, True, [[]], {"x": 1}, "\u0000"])
def test_a_field_of_the_wrong_shape_is_named(value: object) -> None:
    for field in ("site", "name", "regime", "zone", "day_starts"):
        with pytest.raises(SettingError, match=field):
            check_setting({**cast.setting(), field: value})
    for field in ("people", "places", "controls"):
        if value != {}:
            with pytest.raises(SettingError, match=rf"{field}|person 'x'|place 'x'"):
                check_setting({**cast.setting(), field: value})


def test_people_are_named_by_their_keys_unless_said() -> None:
    people = {"fay": "floorperson", "gus": {"job": "dealer", "name": "Gus Hill"}}
    made = check_setting(cast.setting(people=people)).people
    assert (made["fay"]["name"], made["fay"]["department"]) == ("fay", "table_games")
    assert made["gus"]["name"] == "Gus Hill"
    assert made["fay"]["pin"] is None


# --- the commands ---


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "setting.json"
    path.write_text(json.dumps(cast.setting()))
    return path


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, list(arguments))


def test_init_makes_a_ledger_and_prints_the_administrators_link(tmp_path: Path, file: Path) -> None:
    data = tmp_path / "data"
    told = run("init", "--data", str(data), "--setting", str(file), "--url", "https://oak.example")
    assert told.exit_code == 0, told.output
    assert told.stdout.startswith("https://oak.example/welcome/")
    ledger = open_ledger(load(data))
    assert (ledger.site, ledger.size()) == ("oak", 1)
    ledger.close()


def test_init_keeps_its_keys_from_other_users(tmp_path: Path, file: Path) -> None:
    run("init", "--data", str(tmp_path / "data"), "--setting", str(file))
    keys = sorted((tmp_path / "data" / "keys").iterdir())
    assert [key.name for key in keys] == ["cookies.key", "desk.pem", "log.pem"]
    assert {os.stat(key).st_mode & 0o777 for key in keys} == {0o600}


def test_init_keeps_its_database_from_other_users(tmp_path: Path, file: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    run("init", "--data", str(data), "--setting", str(file))
    ledger = open_ledger(load(data))
    with ledger.database.reading():
        found = {path.name: os.stat(path).st_mode & 0o777 for path in data.glob("custody.db*")}
    ledger.close()
    assert found.keys() > {"custody.db"}
    assert set(found.values()) == {0o600}


def test_init_says_why_a_folder_cannot_be_used(tmp_path: Path, file: Path) -> None:
    for data in (file, file / "below"):
        told = run("init", "--data", str(data), "--setting", str(file))
        assert told.exit_code == 1
        assert told.stderr.startswith(f"Error: {data} cannot be used: ")


def test_a_file_that_begins_with_a_byte_order_mark_is_read(tmp_path: Path, file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    told = run("init", "--data", str(tmp_path / "data"), "--setting", str(file))
    assert told.exit_code == 0, told.output


@pytest.mark.parametrize(
    ("name", "value"),
    [("dice_inspection", "alternative_9"), ("dice_inspection", ["alternative_1"]), ("measures", 5)],
)
def test_a_choice_that_the_rulebook_does_not_leave_is_refused(name: str, value: object) -> None:
    with pytest.raises(SettingError, match=f"controls, {name}: "):
        check_setting({**cast.setting(), "controls": {name: value}})


def test_every_scenario_may_be_made_a_ledger_of() -> None:
    files = sorted((Path(__file__).parents[1] / "scenarios").rglob("*.jsonl"))
    assert len(files) > 20
    for path in files:
        lines = path.read_text().splitlines()
        setting = json.loads(next(line for line in lines if line.startswith("{")))
        assert check_setting({**setting, "site": "oak"})


def test_init_never_replaces_a_ledger(tmp_path: Path, file: Path) -> None:
    data = str(tmp_path / "data")
    run("init", "--data", data, "--setting", str(file))
    before = (tmp_path / "data" / "keys" / "desk.pem").read_bytes()
    told = run("init", "--data", data, "--setting", str(file))
    assert (told.exit_code, "already" in told.stderr) == (1, True)
    assert (tmp_path / "data" / "keys" / "desk.pem").read_bytes() == before


def test_init_never_takes_over_a_database_in_use(
    tmp_path: Path, file: Path, config: Config
) -> None:
    first = ["--data", str(config.data), "--database", config.database_url]
    assert run("init", *first, "--setting", str(file)).exit_code == 0
    other = ["--data", str(tmp_path / "b"), "--database", config.database_url]
    told = run("init", *other, "--setting", str(file))
    assert (told.exit_code, "already" in told.stderr) == (1, True)
    assert not (tmp_path / "b" / "keys").exists()


def test_a_wrong_setting_leaves_nothing_behind(tmp_path: Path, file: Path) -> None:
    file.write_text(json.dumps(cast.setting(regime="XX")))
    told = run("init", "--data", str(tmp_path / "data"), "--setting", str(file))
    assert (told.exit_code, "XX" in told.stderr) == (1, True)
    assert not (tmp_path / "data").exists()


def test_device_code_prints_the_code_alone_and_then_its_qr(tmp_path: Path, file: Path) -> None:
    run("init", "--data", str(tmp_path / "data"), "--setting", str(file))
    lines = run("device-code", "--data", str(tmp_path / "data")).stdout.splitlines()
    assert len(lines[0]) == 12
    assert lines[0].isalnum()
    assert len(lines) > 15


@pytest.mark.parametrize(
    "url",
    ["oak.example", "ftp://oak.example", "https://", "http:oak", "https://a b", "javascript:x"],
)
def test_an_address_that_is_no_http_url_is_refused_before_anything_is_done(
    tmp_path: Path, file: Path, url: str
) -> None:
    at = ("--data", str(tmp_path / "data"), "--url", url)
    for told in (run("init", "--setting", str(file), *at), run("device-code", *at)):
        assert told.exit_code == 2
        assert "such as https://custody.example:8443" in told.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "command", ["serve", "device-code", "verify", "rebuild", "export events --out x"]
)
def test_a_folder_without_a_ledger_is_told_as_such(tmp_path: Path, command: str) -> None:
    told = run(*command.split(), "--data", str(tmp_path))
    assert (told.exit_code, "custody init" in told.stderr) == (1, True), told.output


def test_without_a_folder_the_usage_says_what_to_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUSTODY_DATA", raising=False)
    told = run("rebuild")
    assert (told.exit_code, "CUSTODY_DATA" in told.stderr) == (2, True)


def test_the_environment_stands_for_the_options(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUSTODY_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("CUSTODY_DATABASE_URL", f"sqlite:///{tmp_path / 'elsewhere.db'}")
    assert run("init", "--setting", str(file)).exit_code == 0
    assert (tmp_path / "elsewhere.db").exists()
    assert run("rebuild").exit_code == 0


@pytest.mark.parametrize(
    ("given", "made"),
    [
        (None, "sqlite:////d/custody.db"),
        ("postgresql://u@h/n", "postgresql+psycopg://u@h/n"),
        ("postgres://u@h/n", "postgresql+psycopg://u@h/n"),
    ],
)
def test_a_database_is_named_as_everyone_writes_it(
    given: str | None, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CUSTODY_DATABASE_URL", raising=False)
    assert database_url(Path("/d"), given) == made


def test_an_unknown_database_is_named() -> None:
    with pytest.raises(ConfigError, match="mysql"):
        database_url(Path("/d"), "mysql://h/n")


def test_a_ledger_of_no_schema_is_not_opened(config: Config) -> None:
    config.data.mkdir()
    with pytest.raises(NotInitialised):
        open_ledger(config)


def test_keys_stay_with_their_ledger(tmp_path: Path, file: Path) -> None:
    data = tmp_path / "data"
    run("init", "--data", str(data), "--setting", str(file))
    (data / "keys" / "cookies.key").unlink()
    told = run("serve", "--data", str(data), "--port", "0")
    assert (told.exit_code, "backup" in told.stderr) == (1, True)
    desk = data / "keys" / "desk.pem"
    desk.write_text("x")
    with pytest.raises(KeysMissing, match=r"desk\.pem is damaged; restore it from the backup"):
        private_key(desk)
    cookies = data / "keys" / "cookies.key"
    cookies.mkdir()
    told = run("serve", "--data", str(data), "--port", "0")
    assert (told.exit_code, f"{cookies} cannot be used: Is a directory" in told.stderr) == (1, True)
    desk.parent.rename(data / "gone")
    told = run("verify", "--data", str(data))
    assert (told.exit_code, f"put {desk.parent} back" in told.stderr) == (1, True)


def test_the_first_administrator_comes_with_the_ledger(tmp_path: Path, file: Path) -> None:
    people = {"fay": "floorperson", "admin": "dealer"}
    file.write_text(json.dumps(cast.setting(people=people)))
    run("init", "--data", str(tmp_path / "data"), "--setting", str(file))
    ledger = open_ledger(load(tmp_path / "data"))
    with ledger.database.reading() as connection:
        users = connection.execute(text('SELECT "user", person FROM account')).all()
    assert [tuple(one) for one in users] == [("administrator", "administrator")]
    ledger.close()


def test_a_failure_on_the_way_leaves_no_keys_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from custody.ledger import founding

    def fail(*_: object) -> str:
        raise OSError("disk full")

    monkeypatch.setattr(founding, "_fill", fail)
    config = load(tmp_path / "data")
    with pytest.raises(OSError, match="disk full"):
        founding.found(config, check_setting(cast.setting()))
    assert [one.name for one in config.data.glob("keys*")] == []


def test_keys_whose_ledger_the_disk_did_not_take_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from custody.ledger import founding

    put = founding._put_in_place

    def put_and_fail(draft: Path, place: Path) -> None:
        put(draft, place)
        raise OSError("disk full")

    monkeypatch.setattr(founding, "_put_in_place", put_and_fail)
    config = load(tmp_path / "data")
    with pytest.raises(OSError, match="disk full"):
        founding.found(config, check_setting(cast.setting()))
    assert [one.name for one in config.data.glob("keys*")] == []


def test_an_init_that_was_killed_can_be_begun_again(tmp_path: Path, file: Path) -> None:
    config = load(tmp_path / "data")
    config.data.mkdir()
    database = Database(config.database_url)
    schema.migrate(database)
    database.close()
    (config.data / "keys.killed.part").mkdir()
    (config.data / "keys.killed.part" / "desk.pem").write_text("half a key")
    told = run("init", "--data", str(config.data), "--setting", str(file))
    assert told.exit_code == 0, told.output
    assert [one.name for one in config.data.glob("keys*")] == ["keys"]
    assert run("verify", "--data", str(config.data)).exit_code == 0
    told = run("init", "--data", str(config.data), "--setting", str(file))
    assert (told.exit_code, "already" in told.stderr) == (1, True)


def test_a_mistyped_database_makes_no_file(tmp_path: Path, file: Path) -> None:
    run("init", "--data", str(tmp_path / "data"), "--setting", str(file))
    wrong = tmp_path / "wrong.db"
    told = run("verify", "--data", str(tmp_path / "data"), "--database", f"sqlite:///{wrong}")
    assert (told.exit_code, "there is no ledger" in told.stderr) == (1, True)
    assert not wrong.exists()


def test_a_database_that_is_none_is_told(tmp_path: Path, file: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "custody.db").write_bytes(b"no database at all" * 100)
    told = run("init", "--data", str(tmp_path / "data"), "--setting", str(file))
    assert (told.exit_code, "database cannot be used" in told.stderr) == (1, True), told.output
