"""The scripts behind make: what they say, and what they do where something is missing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
LINKS = ("sh", "date", "sleep", "tr", "mkdir", "cat", "env", "dirname")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder with tools/, and a PATH (bin/) that holds next to nothing."""
    shutil.copytree(TOOLS, tmp_path / "tools")
    (tmp_path / "bin").mkdir()
    for name in LINKS:
        found = shutil.which(name, path="/usr/bin:/bin")
        assert found
        (tmp_path / "bin" / name).symlink_to(found)
    return tmp_path


def has(machine: Path, name: str, script: str) -> None:
    """Put a program of that name, which runs `script`, on the machine."""
    path = machine / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def run(machine: Path, *command: str) -> subprocess.CompletedProcess[str]:
    path = {"PATH": str(machine / "bin")}
    return subprocess.run(command, cwd=machine, env=path, capture_output=True, text=True)


def test_a_stage_says_what_it_does_and_how_long_it_took_and_no_more(machine: Path) -> None:
    done = run(machine, "tools/stage", "Make tea", "sh", "-c", "echo noise; echo more >&2")
    assert done.returncode == 0
    assert done.stdout.startswith("-- Make tea ")
    assert done.stdout.endswith(" 0 s\n")
    assert "noise" not in done.stdout + done.stderr


def test_a_stage_that_fails_shows_its_output_and_its_exit_status(machine: Path) -> None:
    done = run(machine, "tools/stage", "Make tea", "sh", "-c", "echo no water >&2; exit 7")
    assert done.returncode == 7
    assert "failed after 0 s: sh -c" in done.stdout
    assert "no water" in done.stdout


def test_without_the_right_to_install_packages_it_says_which_are_missing(machine: Path) -> None:
    has(machine, "id", "echo 1000")
    has(machine, "apt-get", "touch called")
    done = run(machine, "tools/debian", "Testing", "chromium", "libzbar0")
    assert done.returncode == 1
    assert "Testing needs Debian packages" in done.stderr
    assert "apt-get install -y --no-install-recommends chromium libzbar0" in done.stderr
    assert not (machine / "called").exists()


def test_root_refreshes_the_list_and_installs_what_is_asked_for(machine: Path) -> None:
    has(machine, "id", "echo 0")
    has(machine, "apt-get", 'echo "$@" >>called')
    assert run(machine, "tools/debian", "Testing", "chromium").returncode == 0
    assert (machine / "called").read_text().splitlines() == [
        "update -q",
        "install -y -q --no-install-recommends chromium",
    ]


def test_a_machine_that_is_no_debian_is_told_what_it_needs(machine: Path) -> None:
    has(machine, "id", "echo 0")
    done = run(machine, "tools/debian", "Testing", "chromium")
    assert done.returncode == 1
    assert "chromium; this machine has no apt-get" in done.stderr


def test_a_python_that_is_too_old_is_refused(machine: Path) -> None:
    has(machine, "python3", "exit 1")
    done = run(machine, "tools/venv")
    assert done.returncode == 1
    assert "needs Python 3.11 or later" in done.stderr


def test_a_python_without_venv_brings_its_package(machine: Path) -> None:
    # The first question is whether it is recent, the second for venv, the third for its version.
    has(machine, "python3.11", 'case "$2" in *ensurepip*) exit 1;; *print*) echo 3.11;; esac')
    has(machine, "id", "echo 1000")
    done = run(machine, "tools/venv")
    assert done.returncode == 1
    assert "Making .venv needs Debian packages" in done.stderr
    assert "python3.11-venv" in done.stderr


def test_make_from_a_clean_checkout_is_what_integration_runs() -> None:
    script = TOOLS.parent / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text().splitlines()[-1] == "exec make test"
