"""The group of all commands: one for each module of this folder, loaded when it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

import click

from likely import __version__
from likely.cli.command import Verb

_SHARED = {"app", "command", "run"}  # the modules of this folder that are no commands


@cache
def commands() -> tuple[str, ...]:
    """The names of all commands, in the order in which people need them; each says which it comes after."""
    names = sorted(
        module.name for module in iter_modules(import_module("likely.cli").__path__) if not module.ispkg
    )
    after: dict[str | None, list[str]] = {}
    for name in names:
        if name not in _SHARED:
            after.setdefault(_load(name).after, []).append(name)

    def following(name: str | None) -> Iterator[str]:
        for following_name in after.get(name, ()):
            yield following_name
            yield from following(following_name)

    return tuple(following(None))


def _load(name: str) -> Verb:
    verb: Verb = import_module(f"likely.cli.{name}").run
    return verb


class PipeClosed(Exception):
    """Whoever read our output has had enough; click would take a BrokenPipeError for itself."""


class Commands(click.Group):
    """A group whose commands are the modules of this folder."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(commands())

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """One command, loaded now."""
        is_command = name.isidentifier() and name not in _SHARED
        return _load(name) if is_command and find_spec(f"likely.cli.{name}") else None

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
            near = get_close_matches(args[0], commands(), 1)
            hint = f"did you mean {near[0]!r}?" if near else f"the commands are {', '.join(commands())}."
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
