"""What all commands share: options, arguments, and how the shell completes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from glob import escape, glob
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from likely.cli.work import MODEL_SUFFIX

Function = Callable[..., None]


class Verb(click.Command):
    """A command of `likely`."""

    after: str | None = None  # the command that it follows in the list of commands


def command(name: str, *, after: str | None, examples: str) -> Callable[[Function], Verb]:
    """A command of `likely`: with examples below its help, and the options that all commands have."""

    def made(function: Function) -> Verb:
        shown = "\n".join(f"  {line}" for line in examples.strip().splitlines())
        new = click.command(name, cls=Verb, epilog=f"\b\nExamples:\n{shown}")(function)
        new.after = after
        tables = any(param.name == "file" for param in new.params)
        new.params += [*(_READING if tables else ()), _JSON, _DEBUG]  # after its own
        return new

    return made


def options_of(verb: Verb, *names: str) -> Callable[[Function], Function]:
    """Options that another command has, under these names."""

    def added(function: Function) -> Function:
        own = [param for param in verb.params if param.name in names]
        before = getattr(function, "__click_params__", [])
        function.__click_params__ = [*before, *reversed(own)]  # type: ignore[attr-defined]
        return function

    return added


def _remember(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and isinstance(ctx.find_root().obj, dict):
        ctx.find_root().obj["debug"] = True


_JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print JSON, for programs to read.")
_DEBUG = click.Option(
    ["--debug"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_remember,
    help="Show the traceback of an error.",
)


def _tables(_: object, __: object, incomplete: str) -> list[CompletionItem]:
    """Bundled tables and files; where no bundled one fits, the shell completes files by itself."""
    from likely.table.read.read import bundled_names

    bundled = [name for name in bundled_names() if name.startswith(incomplete)]
    files = [path for path in glob(f"{escape(incomplete)}*") if Path(path).is_file()]
    return _items([*bundled, *sorted(files)] if bundled else [], incomplete)


def _models(_: object, __: object, incomplete: str) -> list[CompletionItem]:
    known = (MODEL_SUFFIX, ".bif", ".xmlbif", ".xdsl", ".net", ".dsc")
    return _items(sorted(name for name in glob(f"{escape(incomplete)}*") if name.endswith(known)), incomplete)


def _items(names: list[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="file")]


def _read_by(
    field: str, meaning: Callable[[object], object] = lambda value: value
) -> Callable[[click.Context, click.Parameter, object], None]:
    """How the tables of a command are read, until it is done."""

    def remember(ctx: click.Context, _: click.Parameter, value: object) -> None:
        from likely.table.read.options import OPTIONS

        if value:
            token = OPTIONS.set(replace(OPTIONS.get(), **{field: meaning(value)}))  # type: ignore[arg-type]
            ctx.call_on_close(lambda: OPTIONS.reset(token))

    return remember


_READING = [
    click.Option(
        ["--decimal"],
        type=click.Choice([".", ","]),
        expose_value=False,
        callback=_read_by("decimal"),
        help="The mark before fractions in text files. Default: what each column shows.",
    ),
    click.Option(
        ["--encoding"],
        metavar="NAME",
        expose_value=False,
        callback=_read_by("encoding"),
        help="The encoding of text files. Default: UTF-8, or else UTF-16 or Latin-1.",
    ),
    click.Option(
        ["--separator"],
        metavar="CHARACTER",
        expose_value=False,
        callback=_read_by("separator"),
        help="What stands between cells of text files; ' ' for any number of spaces. Default: what the "
        "first row shows.",
    ),
    click.Option(
        ["--no-header"],
        is_flag=True,
        expose_value=False,
        callback=_read_by("header", lambda absent: not absent),
        help="The first row of text files holds no names: the columns are column1, column2, ...",
    ),
    click.Option(
        ["--na"],
        metavar="MARK",
        multiple=True,
        expose_value=False,
        callback=_read_by("missing"),
        help="What stands for a missing cell, beside nothing, ? and NA; may be repeated.",
    ),
]
table_argument = click.argument("file", metavar="FILE", shell_complete=_tables)


def model_argument(name: str = "model", metavar: str = "MODEL") -> Callable[[Function], Function]:
    """An argument that is the file of a model."""
    return click.argument(name, metavar=metavar, shell_complete=_models)


about_option = click.option(
    "--about", metavar="NODE", help="Of a network: which node. Default: its target, if it has one."
)
out_option = click.option(
    "-o", "--out", metavar="OUT", type=click.Path(path_type=Path), help="The file to write to."
)
force_option = click.option("--force", is_flag=True, help="Replace OUT if it exists.")
dialect_option = click.option(
    "--dialect",
    type=click.Choice(["duckdb", "postgres", "sqlite", "spark", "snowflake", "bigquery"]),
    default="duckdb",
    show_default=True,
    help="Of SQL: the database that will run it.",
)
kind_option = click.option(
    "--kind",
    "kinds",
    metavar="COLUMN=KIND",
    multiple=True,
    help="What a column means: boolean, categorical, ordinal, quantitative, count, text, or its levels in "
    "order as low<middle<high. Without COLUMN=, of all columns.",
)
drop_option = click.option(
    "--drop", metavar="COLUMN", multiple=True, help="Leave a column out; may be repeated."
)


def seed_option(decides: str) -> Callable[[Function], Function]:
    """A number that decides what chance decides: the same seed, the same answer."""
    return click.option("--seed", type=int, default=0, show_default=True, help=decides)
