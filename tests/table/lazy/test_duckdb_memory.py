"""What DuckDB keeps of the memory that it took to hand out rows."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

GROWN = """
import sys, duckdb, pyarrow, narwhals.stable.v2 as nw
from likely.table.lazy.rows import batches_of

def held():
    return int(open("/proc/self/statm").read().split()[1]) * {page} / 1e6

table = nw.from_native(duckdb.sql(f"FROM '{{sys.argv[1]}}'"))
before = held()
for batch in batches_of(table, 1 << 16):
    batch = None
print(held() - before)
"""


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is told by /proc")
def test_most_memory_is_given_back_when_all_rows_were_handed_out(tmp_path):
    """Of 200 MB of rows, after which DuckDB 2.0 kept 260 MB."""
    file = str(tmp_path / "rows.parquet")
    columns = ", ".join(f"hash(range + {j}) / 7.0 AS x{j}" for j in range(10))
    duckdb.sql(f"COPY (SELECT {columns} FROM range(2500000)) TO '{file}' (ROW_GROUP_SIZE 250000)")
    code = GROWN.format(page=resource.getpagesize())
    run = subprocess.run([sys.executable, "-c", code, file], capture_output=True, text=True, check=True)
    assert float(run.stdout) < 80
