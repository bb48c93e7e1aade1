"""Words such as n/a among numbers mean that a number is missing, whatever reads the file."""

import pandas as pd
import pytest

import likely
from likely.table.batch.batches import batches


@pytest.fixture
def discounts(tmp_path):
    cells = ["17.3%", "n/a", "11.0%", "0.3%", "N/A", "4%"]
    lines = [f"{cell},{grade},{i}" for i, (cell, grade) in enumerate(zip(cells, "AbCdef", strict=True))]
    path = tmp_path / "discounts.csv"
    path.write_text("\n".join(["discount,grade,y", *lines]))
    return path


@pytest.mark.filterwarnings("ignore:column 'discount' is written as")
def test_read_takes_them_for_gaps_with_one_notice(discounts):
    with pytest.warns(UserWarning, match="'n/a' in column 'discount', which is numbers otherwise"):
        table = likely.read(discounts, into="pandas")
    assert table.discount.isna().tolist() == [False, True, False, False, True, False]
    assert table.discount.dropna().tolist() == [17.3, 11, 0.3, 4]


@pytest.mark.parametrize(
    "cells", [["1", "n/a", "n/a"], ["1", "2", "none"], ["1", "2", "x"], ["a", "b", "n/a"]]
)
def test_other_texts_stay_texts(tmp_path, cells):
    path = tmp_path / "texts.csv"
    path.write_text("\n".join(["a", *cells]))
    assert likely.read(path, into="pandas").a.tolist() == cells


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_batches_read_them_alike(discounts):
    (batch,) = batches(discounts)
    whole = likely.read(discounts, into="pandas")
    rows = pd.DataFrame({name: batch.table[name].to_pylist() for name in batch.table.column_names})
    pd.testing.assert_frame_equal(rows.astype({"discount": float}), whole.astype({"discount": float}))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_model_that_learnt_numbers_reads_them_in_new_rows(tmp_path, discounts, cli):
    learn = ["learn", str(discounts), "-t", "y", "--model", "linear", "--drop", "grade", "--folds", "0"]
    cli.ok(*learn, "-o", str(tmp_path / "m.likely"))
    new = tmp_path / "new.csv"
    new.write_text("discount\n3%\nnot available\n5.5%\n")
    rows = pd.read_csv(pd.io.common.StringIO(cli.ok("predict", str(tmp_path / "m.likely"), str(new))))
    assert rows.predicted.notna().all()
    new.write_text("discount\n3%\nfree\n5.5%\n4%\n")
    assert "row 2 holds 'free'" in cli("predict", str(tmp_path / "m.likely"), str(new)).err
