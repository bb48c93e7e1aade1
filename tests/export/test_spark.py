"""SQL on Spark."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from databases import assert_answers, in_order, tuples
from form_cases import FORMS

import likely

sql = pytest.importorskip("pyspark.sql", reason="takes pyspark")
if shutil.which("java") is None:
    pytest.skip("takes Java", allow_module_level=True)
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]
RUN = (
    *("nb-default-3-gaps", "nb-missing-level-2-gaps", "nb-classical-3-gaps", "nb-histogram-2-gaps"),
    *("gaussian-tied-mean", "logistic-3", "logistic-average", "additive-2", "one-class"),
    *("calibrated-beta-3", "calibrated-isotonic-2", "calibrated-temperature-3", "calibrated-rates"),
)
TYPES = {"b": "BOOLEAN", "i": "BIGINT", "f": "DOUBLE", "O": "STRING"}


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.sql.shuffle.partitions", "1")
    session = builder.getOrCreate()
    yield session
    session.stop()


def answers(spark: Any, table: dict[str, Any], query: str) -> Any:
    names = [f"`{name.replace('`', '``')}` {TYPES[v.dtype.kind]}" for name, v in table.items()]
    spark.createDataFrame(tuples(table, nan=True), ", ".join(["id BIGINT", *names])).createOrReplaceTempView(
        "rows"
    )
    return in_order([tuple(row) for row in spark.sql(query).collect()])


@pytest.mark.parametrize("name", RUN)
def test_sql_answers_as_the_model(name: str, spark: Any) -> None:
    case = next(case for case in FORMS if case.name == name)
    model, asked = case.fitted()
    told = answers(spark, asked, model.to_sql("spark", keep=["id"]))
    assert_answers(model, asked, told, case.open_gaps)


def test_hostile_names_and_levels(spark: Any) -> None:
    names = ("`; DROP TABLE rows; --", "it's", "back\\slash", "new\nline", "%s {0}", 'say "no"')
    levels, rng = np.array(names, object), np.random.default_rng(5)
    y = rng.integers(0, 3, 200)
    table = {name: levels[(y + rng.integers(0, 3, 200)) % len(levels)] for name in names}
    model = likely.NaiveBayes().fit(table, levels[y])
    told = answers(spark, table, model.to_sql("spark", keep=["id"]))
    assert np.abs(told - model.predict_proba(table)).max() <= 1e-12
