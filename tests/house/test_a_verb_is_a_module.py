"""A command is one module of `cli/`: it is in the list by being there, and says where it stands in it."""

from __future__ import annotations

from pathlib import Path

from likely.cli.app import _SHARED, commands
from likely.cli.app import likely as group

CLI = Path(__file__).parents[2] / "src" / "likely" / "cli"


def test_every_module_is_a_command() -> None:
    modules = {path.stem for path in CLI.glob("*.py")} - _SHARED - {"__init__"}
    assert set(commands()) == modules
    assert len(commands()) == len(modules)
    assert {path.stem for path in CLI.glob("*.py")} > _SHARED
    for name in modules:
        found = group.get_command(None, name)  # type: ignore[arg-type]
        assert found is not None
        assert found.name == name


def test_help_lists_commands_in_the_order_of_need() -> None:
    order = commands()
    assert order[0] == "profile"
    assert order.index("learn") < order.index("predict") < order.index("evaluate") < order.index("decide")


def test_a_new_module_is_a_new_command(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """A file in a folder of the package is enough; here the folder is one more of its paths."""
    import likely.cli

    text = (
        'from likely.cli.command import command\n\n\n@command("hum", after="learn", examples="likely hum")\n'
    )
    (tmp_path / "hum.py").write_text(text + 'def run(as_json: bool) -> None:\n    """Hum."""\n')
    monkeypatch.setattr(likely.cli, "__path__", [*likely.cli.__path__, str(tmp_path)])
    commands.cache_clear()
    try:
        order = commands()
        assert order[order.index("learn") + 1 : order.index("learn") + 3] == ("hum", "predict")
        assert group.get_command(None, "hum") is not None  # type: ignore[arg-type]
    finally:
        commands.cache_clear()
