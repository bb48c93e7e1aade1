"""Fitted models that other programs can score rows with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from likely.export.form import ScoringForm
from likely.export.onnx_model import onnx_of
from likely.export.plain import to_json
from likely.export.pmml import pmml_of
from likely.export.sql import sql_of
from likely.export.sql_layers import Source
from likely.table.accepted import Level


class Exportable:
    """A model whose record has a scoring form: stands before `FittedModel`."""

    if TYPE_CHECKING:
        _known: Callable[[], Any]

    def scoring_form(self) -> ScoringForm:
        """How rows are scored, as plain records: what every export writes out."""
        form: ScoringForm = self._known().scoring_form()
        return form

    def to_json(self) -> str:
        """How rows are scored, as JSON that any language can work out."""
        return to_json(self.scoring_form())

    def to_onnx(self) -> Any:
        """The model for ONNX runtimes, as a `ModelProto`: write `SerializeToString()` of it to a file.

        Every column is an input (n, 1) of its name: texts, empty where missing, or doubles, NaN where
        missing. The outputs are `predicted` and, of classes, `probabilities`. Takes the package onnx.
        """
        return onnx_of(self.scoring_form())

    def to_pmml(self) -> str:
        """The model as PMML 4.4, for scorers such as those of Java: derived fields, and a regression of them.

        The outputs are p_CLASS for each class, and predicted. Calibrated models have no PMML.
        """
        return pmml_of(self.scoring_form())

    def to_sql(
        self,
        dialect: str = "duckdb",
        source: Source = "rows",
        keep: Sequence[str] = (),
        output: str = "proba",
        *,
        favoured: Level | None = None,
        against: Level | None = None,
    ) -> str:
        """One query that scores every row of a table where it lies.

        NULL and NaN are missing cells, infinite numbers too. Answers are NULL where the model itself would
        have to average or to integrate: in rows with many gaps in columns that are described together, with
        missing numbers of `LogisticRegression(missing="average")`, and with gaps that a pool has never seen.

        Parameters
        ----------
        dialect : "duckdb", "postgres", "sqlite", "spark", "snowflake" or "bigquery"
            The database that will run it.
        source : str or list of str
            The table: its name, with dots between schema and table, or a list of the parts; or a query in
            brackets, which is taken as it is.
        keep : list of str
            The columns of the table to hand on beside the answers, such as its key.
        output : "proba", "class" or "evidence"
            P(class) of every class, as p_CLASS; the most probable class, as predicted; or what each column
            adds to the log-odds of one class against another, in nats. Of a number, predicted.
        favoured, against : class, optional
            The two classes of "evidence"; the last against the first, if they are not named.
        """
        return sql_of(self.scoring_form(), dialect, source, keep, output, favoured, against)
