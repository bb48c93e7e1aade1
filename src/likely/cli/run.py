"""One place where the command starts, and where everything that goes wrong is said in a line or two."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from likely.cli.app import PipeClosed, likely
from likely.cli.work.output import say
from likely.cli.work.wording import for_the_command_line
from likely.errors import LikelyError, LikelyWarning

# Beside 0 for success and click's own 2 for a command that cannot be understood.
UNUSABLE = 1  # the input cannot be used
UNEXPECTED = 70  # a fault of the program (EX_SOFTWARE)
INTERRUPTED = 130  # Ctrl-C (128 + SIGINT)
PIPE_CLOSED = 141  # whoever read our output has had enough (128 + SIGPIPE)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `likely` with the arguments of the command line, and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter is no reason to stop
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """The exit code of a command; what it has to say is printed."""
    state: dict[str, Any] = {"debug": False}
    with warnings.catch_warnings(), _interrupts() as interrupted:
        _say_notices_once()
        try:
            code = likely.main(arguments, prog_name="likely", standalone_mode=False, obj=state)
            sys.stdout.flush()
            return code if isinstance(code, int) else 0
        except (click.Abort, KeyboardInterrupt):
            return _said("interrupted", INTERRUPTED)
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else "likely"
            return _said(f"error: {error.format_message()}\nTry `{path} --help`.", error.exit_code)
        except click.ClickException as error:
            return _said(f"error: {error.format_message()}", UNUSABLE)
        except (BrokenPipeError, PipeClosed):
            # Python would complain when it flushes the closed pipe at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return PIPE_CLOSED
        except Exception as error:
            if interrupted():  # whatever a library has made of it
                return _said("interrupted", INTERRUPTED)
            if state["debug"]:
                raise
            if isinstance(error, LikelyError):
                return _said(f"error: {for_the_command_line(str(error))}", UNUSABLE)
            what = f"{type(error).__name__}: {error}".splitlines()[0]
            return _said(f"unexpected error: {what}\nRun again with --debug for the traceback.", UNEXPECTED)


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed."""
    seen = []

    def stop(*_: object) -> None:
        seen.append(True)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # only that one may handle signals
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield lambda: bool(seen)
    finally:
        signal.signal(signal.SIGINT, before)


def _said(message: str, code: int) -> int:
    say(message)
    return code


def _say_notices_once() -> None:
    """Notices are notes to the reader on standard error; what other libraries warn of is not for him."""
    said: set[str] = set()

    def note(message: Warning | str, *_: object, **__: object) -> None:
        text = for_the_command_line(str(message))
        if text not in said:
            said.add(text)
            say(text if text.startswith("warning: ") else f"note: {text}")

    warnings.simplefilter("ignore")
    warnings.simplefilter("always", LikelyWarning)
    warnings.showwarning = note
