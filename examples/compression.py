"""What a table costs in bits, column by column, and what each column hangs on; codes for single symbols."""

import tempfile
from pathlib import Path

import likely
from likely import codes

print(codes.huffman({"a": 0.3, "b": 0.5, "c": 0.2}))

with tempfile.TemporaryDirectory() as folder:
    table, small, again = (Path(folder) / name for name in ("titanic.csv", "titanic.csv.ltz", "again.csv"))
    likely.write(likely.read("titanic"), table)
    print()
    print(codes.compress_file(table, small))
    codes.decompress_file(small, again)
    print("\nThe same to the letter:", again.read_bytes() == table.read_bytes())
