"""The `custody` command. Its subcommands live in `custody.commands`, imported when called."""

from __future__ import annotations

import importlib
import importlib.util

import click

from custody import __version__

COMMANDS = {
    "backup": "backup",
    "clauses": "clauses",
    "demo": "demo",
    "device-code": "device_code",
    "export": "export",
    "init": "init",
    "label": "label",
    "log": "log",
    "move": "move",
    "rebuild": "rebuild",
    "rehearse": "rehearse",
    "restore": "restore",
    "rulebook": "rulebook",
    "serve": "serve",
    "simulate": "simulate",
    "verify": "verify",
}


class LazyGroup(click.Group):
    """A group that imports a module of `custody.commands` when its `command` is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in sorted(COMMANDS) if _exists(COMMANDS[name])]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS or not _exists(COMMANDS[cmd_name]):
            return None
        command = importlib.import_module(f"custody.commands.{COMMANDS[cmd_name]}").command
        assert isinstance(command, click.Command)
        return command


def _exists(module: str) -> bool:
    return importlib.util.find_spec(f"custody.commands.{module}") is not None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="custody")
def main() -> None:
    """Keep the custody record of dice, cards, tiles and coupons."""
