"""Write the reference page of the command line from `likely --help`: python docs/cli_reference.py."""

from pathlib import Path

import click

from likely.cli.app import commands, likely

PAGE = Path(__file__).with_name("command-line-reference.md")
WIDTH = 100


def page() -> str:
    """The text of the page."""
    said = [
        "# Command line: reference\n",
        "What `--help` prints; [Command line](command-line.md) shows how it is used.\n",
    ]
    top = click.Context(likely, info_name="likely", terminal_width=WIDTH, **likely.context_settings)
    said.append(f"## likely\n\n```text\n{likely.get_help(top)}\n```\n")
    for name in commands():
        command = likely.get_command(top, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=top)
        said.append(f"## likely {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(said)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
