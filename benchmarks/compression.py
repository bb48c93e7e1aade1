"""`likely compress` beside xz, zstd, brotli and Parquet at their best: bytes, and MB a CPU second of ours.

python benchmarks/compression.py [TABLE ...]
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import sys
import time
from pathlib import Path

from likely import codes

DATA = Path(os.environ.get("LIKELY_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
TABLES = ("car", "tic_tac_toe", "house_votes_84", "mushroom", "bank_marketing", "adult", "nycflights13")
ROWS = 100_000


def text_of(name: str) -> bytes:
    (path,) = DATA.glob(f"{name}.csv*")
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return b"".join(text.splitlines(keepends=True)[: ROWS + 1])


def peers(text: bytes) -> dict[str, int]:
    import brotli
    import pyarrow.csv
    import pyarrow.parquet
    import zstandard

    parquet = io.BytesIO()
    table = pyarrow.csv.read_csv(io.BytesIO(text))
    pyarrow.parquet.write_table(table, parquet, compression="zstd", compression_level=19)
    return {
        "xz -9e": len(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME)),
        "zstd -19": len(zstandard.ZstdCompressor(level=19).compress(text)),
        "brotli -11": len(brotli.compress(text, quality=11, lgwin=24)),
        "parquet": parquet.tell(),
    }


def main() -> None:
    codes.compress(b"a,b\n1,2\n")  # the model of letters reads its usual words once in a process
    print(f"{'table':16}{'text':>10}{'best peer':>22}{'likely':>10}{'share':>7}{'MB/s in':>9}{'out':>7}")
    for name in sys.argv[1:] or TABLES:
        text = text_of(name)
        sizes = peers(text)
        best = min(sizes, key=lambda peer: sizes[peer])
        start = time.process_time()
        small = codes.compress(text)
        middle = time.process_time()
        assert codes.decompress(small) == text
        end = time.process_time()
        speed = [len(text) / 1e6 / max(seconds, 1e-9) for seconds in (middle - start, end - middle)]
        print(
            f"{name:16}{len(text):10,}{sizes[best]:11,} {best:>10}{len(small):10,}"
            f"{len(small) / sizes[best]:7.3f}{speed[0]:9.2f}{speed[1]:7.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
