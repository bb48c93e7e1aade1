"""`likely export`: a model in the language of another program."""

from __future__ import annotations

from pathlib import Path

import click

from likely.cli.command import command, dialect_option, force_option, model_argument, out_option


@command(
    "export",
    after="convert",
    examples="""
likely export titanic.likely --to onnx -o titanic.onnx
likely export titanic.likely --to pmml -o titanic.pmml
likely export titanic.likely --to json -o titanic.json
likely export titanic.likely --to sql --dialect snowflake
""",
)
@model_argument()
@click.option(
    "--to",
    "language",
    type=click.Choice(["onnx", "pmml", "sql", "json"]),
    required=True,
    help="The language: of ONNX runtimes, of PMML scorers, of databases, or plain JSON.",
)
@dialect_option
@out_option
@force_option
def run(model: str, language: str, dialect: str, out: Path | None, force: bool, as_json: bool) -> None:
    """Write a model so that another program scores rows with it.

    Naive Bayes, Gaussian classifiers, mixtures, logistic and linear regression, additive pools, and these
    calibrated. What cannot be written is refused by name. Without OUT the text goes to standard output;
    ONNX is no text, and takes OUT.
    """
    from likely.cli.work.export import give_bytes, give_text, json_text, onnx_bytes, pmml_text, sql_text

    if language == "onnx":
        give_bytes(onnx_bytes(model), out, force, as_json)
        return
    if language == "sql":
        text = sql_text(model, dialect)
    else:
        text = pmml_text(model) if language == "pmml" else json_text(model)
    give_text(text, {"language": language, "text": text}, out, force, as_json)
