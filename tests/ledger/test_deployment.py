"""What docs/deployment.md tells an operator to set is what the failover was tried with."""

from __future__ import annotations

from pathlib import Path

from bench import cluster

PAGE = (Path(__file__).parents[2] / "docs" / "deployment.md").read_text(encoding="utf-8")


def test_the_page_has_the_settings_that_were_tried() -> None:
    tried = [line for line in [*cluster.PRIMARY.split("\n"), cluster.SYNCHRONOUS] if line]
    assert tried
    assert [line for line in tried if f"    {line}\n" not in PAGE] == []


def test_the_page_names_both_servers_as_the_clients_did() -> None:
    servers = [cluster.Postgres(Path(name)) for name in ("a", "b")]
    query = cluster.url("custody", *servers).partition("?")[2]
    shown = query.replace(servers[0].address, "db1:5432").replace(servers[1].address, "db2:5432")
    assert shown in PAGE
