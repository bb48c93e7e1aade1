"""Models in the languages of other programs, and rows that are scored by DuckDB alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from likely.cli.work.files import check_free
from likely.cli.work.models import load_model
from likely.cli.work.output import show
from likely.errors import LikelyError
from likely.export.sql import sql_of
from likely.table.batch.batches import files_of
from likely.table.read.duck import connected, quoted
from likely.table.write.whole_file import whole_file

PARQUET = (".parquet", ".pq")
COPIED = {
    ".parquet": "FORMAT parquet",
    ".pq": "FORMAT parquet",
    ".csv": "FORMAT csv, HEADER",
    ".json": "FORMAT json",
}


def exportable(path: str) -> Any:
    """The model in a file, if other programs can score rows with it."""
    model = load_model(path)
    if not hasattr(model, "scoring_form"):
        raise LikelyError(
            f"a {type(model).__name__} cannot be exported: naive Bayes, Gaussian classifiers, mixtures, "
            "logistic and linear regression, additive pools, and these calibrated can."
        )
    return model


def sql_text(
    path: str, dialect: str, source: str = "rows", keep: Sequence[str] = (), output: str = "proba"
) -> str:
    """The query that scores a table."""
    text: str = exportable(path).to_sql(dialect, source, keep, output)
    return text


def json_text(path: str) -> str:
    """The scoring form of a model."""
    text: str = exportable(path).to_json()
    return text


def pmml_text(path: str) -> str:
    """A model as PMML."""
    text: str = exportable(path).to_pmml()
    return text


def onnx_bytes(path: str) -> bytes:
    """A model as ONNX."""
    made: bytes = exportable(path).to_onnx().SerializeToString()
    return made


def give_text(text: str, data: Mapping[str, Any], out: Path | None, force: bool, as_json: bool) -> None:
    """A text into OUT, or to standard output."""
    if out is None:
        show(data, text, as_json=as_json)
    else:
        give_bytes(f"{text}\n".encode(), out, force, as_json)


def give_bytes(content: bytes, out: Path | None, force: bool, as_json: bool) -> None:
    """What is no text, into OUT."""
    if out is None:
        raise LikelyError("this is no text for a terminal: name the file to write to, with -o OUT.")
    check_free(out, force)
    with whole_file(out) as file:
        file.write(content)
    show(
        {"written": str(out), "bytes": len(content)}, f"wrote {out}: {len(content):,} bytes", as_json=as_json
    )


def predict_in_duckdb(path: str, pattern: str, out: Path | None) -> int:
    """Score Parquet files by a query of DuckDB alone, into OUT; how many rows that were."""
    model = exportable(path)
    if out is None or out.suffix.lower() not in COPIED:
        raise LikelyError(f"--sql writes {', '.join(COPIED)}: name such a file, with -o OUT.")
    form = model.scoring_form()
    with files_of(pattern) as files, connected() as connection:
        if any(Path(file).suffix.lower() not in PARQUET for file in files):
            raise LikelyError(
                f"--sql reads Parquet files, whose columns have types, and not {files[0]}: leave --sql "
                "out, or write the table as Parquet first."
            )
        connection.execute("SET disabled_optimizers = ''")  # the query is made of repeated expressions
        rows = f"read_parquet([{', '.join(quoted(str(file)) for file in files)}])"
        names = [str(row[0]) for row in connection.execute(f"DESCRIBE SELECT * FROM {rows}").fetchall()]
        lacking = [one.name for one in form.inputs if one.name not in names]
        if lacking:
            raise LikelyError(f"{files[0]} has no column {lacking[0]!r}, which the model looks at.")
        query = sql_of(form, "duckdb", f"(SELECT * FROM {rows})", names, ("proba", "class"))
        with whole_file(out) as file:
            copied = f"COPY ({query}) TO {quoted(str(file.name))} ({COPIED[out.suffix.lower()]})"
            return int(connection.execute(copied).fetchall()[0][0])
