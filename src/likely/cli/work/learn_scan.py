"""`likely learn --engine`: a model of files that are read some rows at a time, here or on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from likely.cli.work.declared import families_of, kinds_of, named_in, names_of_rows
from likely.cli.work.models import new_model
from likely.cli.work.pairs import known_column
from likely.engine.scan.scan import scan
from likely.errors import LikelyError
from likely.estimator.registry import commands, estimator_class
from likely.table.lazy.database import without_password


def train_scan(
    file: str,
    engine: str,
    address: str | None,
    *,
    target: str | None,
    model: str | None,
    kinds: Sequence[str],
    families: Sequence[str],
    prior: str,
    missing: str | None,
    weight: str | None,
    drop: Sequence[str],
    keep: Sequence[str],
) -> tuple[Any, dict[str, Any]]:
    """The fitted model, and what is to be said of what it was learnt from."""
    model = model or "naive-bayes"
    if not _learns(commands()[model].name):
        able = [n for n, row in commands().items() if _learns(row.name)]
        raise LikelyError(
            f"--engine does not apply to --model {model}, which needs all rows in memory: use "
            f"{', '.join(able)}."
        )
    if weight is not None:
        raise LikelyError("--weight does not apply with --engine: repeat the rows, or leave --engine out.")
    files = scan(file, engine=engine, address=address)
    if target is None:
        raise click.UsageError(
            f"--target is missing: name the column to predict. {without_password(file)} has "
            f"{list(files.names)!r}."
        )
    known_column(target, list(files.names), "--target")
    for name in drop:
        known_column(name, list(files.names), "--drop")
    files = files.drop(*drop)
    kept = [*keep, *named_in([*kinds, *families], files.names)]
    files = files.drop(*names_of_rows(files.first, target, kept))
    features = files.first.without(target)
    new = new_model(
        model,
        kinds=kinds_of(kinds, features),
        families=families_of(families, features.names),
        prior=prior,
        missing=missing,
    )
    new.fit(files, target)
    facts = {"target": target, "model": type(new).__name__, "engine": engine, "parts": len(files.parts)}
    return new, facts | {"rows": int(new.record_.n)}


def _learns(name: str) -> bool:
    return bool(getattr(estimator_class(name), "learns_from_scans", False))
