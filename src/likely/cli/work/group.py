"""What the commands that look for hidden groups, or states, share: how many, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from likely.cli.work.output import Table
    from likely.models.mixture.em_estimator import Curve

STARTS = 5  # that are tried for each number of groups


def how_many_option(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option -k: how many groups there are, whatever they are called."""
    return click.option(
        "-k",
        what,
        metavar="N",
        default="auto",
        show_default=True,
        callback=_how_many,
        help=f"How many {what}; auto tries 1, 2, 3 and so on, and takes what needs the fewest bits.",
    )


def _how_many(_: click.Context, parameter: click.Parameter, typed: str) -> int | str:
    """A number from 1, or "auto"."""
    if typed != "auto" and not (typed.isdigit() and int(typed)):
        raise click.BadParameter(f"{typed!r}: give the number of {parameter.name}, from 1, or 'auto'.")
    return typed if typed == "auto" else int(typed)


def show_groups(model: Any, what: str, out: Path | None, as_json: bool, **more: float) -> None:
    """The groups in words, after the numbers of them that were tried; `more` is for JSON alone."""
    from likely.cli.work.output import show

    curve = getattr(model, "curve_", None)
    portraits = model.describe()
    data = {
        **portraits.to_dict(),
        **more,
        "converged": model.converged_,
        "tried": curve and [asdict(one) for one in curve.tried],
        "written": out and str(out),
    }
    parts: list[Any] = [] if curve is None else [_curve_table(curve, what)]
    ends = [] if out is None else [f"wrote {out}"]
    show(data, *parts, str(portraits), *ends, as_json=as_json)


def _curve_table(curve: Curve, what: str) -> Table:
    """How many bits each number of groups takes."""
    from likely.cli.work.output import Table

    rows = [
        [
            f"{one.components}",
            f"{one.parameters}",
            f"{one.log_likelihood:.2f}",
            f"{one.bits:.1f}" if isfinite(one.bits) else "-",
            "fewest" if one.components == curve.best else "" if isfinite(one.bits) else "too narrow to count",
        ]
        for one in curve.tried
    ]
    heads = (what, "parameters", "log-likelihood", f"bits ({curve.criterion})", "")
    return Table(f"How many {what}?", heads, rows, ">>>><")
