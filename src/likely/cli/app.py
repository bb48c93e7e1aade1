"""The commands by name; each lives in a file of its own that is loaded when it is needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from likely import __version__

# In the order in which people need them, which is the order of the help page.
COMMANDS = (
    "profile",
    "group",
    "segment",
    "impute",
    "learn",
    "predict",
    "explain",
    "ask",
    "next",
    "sample",
    "show",
    "diff",
    "evaluate",
    "calibrate",
    "decide",
    "compare",
    "textbook",
)
_ELSEWHERE = {"group": "groups"}  # this file has the name of a command


class PipeClosed(Exception):
    """Whoever read our output has had enough; click would take a BrokenPipeError for itself."""


class Commands(click.Group):
    """A group whose commands are the modules of this folder."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """One command, loaded now."""
        if name not in COMMANDS:
            return None
        found: click.Command = import_module(f"likely.cli.{_ELSEWHERE.get(name, name)}").run
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeClosed from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name where there is no such command."""
        from difflib import get_close_matches

        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], COMMANDS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"the commands are {', '.join(COMMANDS)}."
            raise click.UsageError(f"there is no command {args[0]!r}: {hint}", ctx) from error


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Start here, with a table that comes along:
  likely learn titanic --target survived
  likely explain titanic.likely titanic --row 1

\b
FILE is a CSV, TSV, JSON lines, Parquet, Arrow, Excel, DuckDB or SQLite file, "-" for standard
input, a pattern such as "part-*.csv", or a bundled table: emails, play_tennis, titanic.""",
)
@click.version_option(__version__, prog_name="likely", message="%(prog)s %(version)s")
@click.pass_context
def likely(ctx: click.Context) -> None:
    """Learn from a table, and say how likely things are and why."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
