"""Reading and writing network files beside pyAgrum: python benchmarks/network_files.py FOLDER.

FOLDER holds the files (munin.bif, ...), by default ../shared/data/bif. Times are the best of some, of the
processor, both in one run; ours is from the file to the checked record. Without pyAgrum
(`pip install --group peers`) only ours are shown.
"""

from __future__ import annotations

import gzip
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from figures import keep

from likely.archive import network_files

try:
    import pyagrum
except ImportError:
    pyagrum = None

FILES = ("alarm.bif", "hailfinder.bif", "water.bif", "link.bif", "munin.bif", "diabetes.bif.gz")
FORMATS = ("bif", "xmlbif", "xdsl", "net", "dsc")


def best(work: Callable[[], Any], times: int = 7) -> float:
    """Seconds of the processor, at the best of some times."""
    took = []
    for _ in range(times):
        start = time.process_time()
        work()
        took.append(time.process_time() - start)
    return min(took)


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        print(f"{'network':12} {'kB':>7} {'read':>8} {'pyAgrum':>8}  ratio     memory   (ms, MB)")
        for name in FILES:
            content = (folder / name).read_bytes()
            plain = Path(place, name.removesuffix(".gz"))
            plain.write_bytes(gzip.decompress(content) if name.endswith(".gz") else content)
            ours = best(lambda plain=plain: network_files.read(plain))
            theirs = best(lambda plain=plain: pyagrum.loadBN(str(plain))) if pyagrum else float("nan")
            tracemalloc.start()
            network = network_files.read(plain)
            memory = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            size = plain.stat().st_size / 1e3
            print(
                f"{plain.stem:12} {size:7.0f} {ours * 1e3:8.1f} {theirs * 1e3:8.1f} {theirs / ours:6.1f} "
                f"{memory / 1e6:10.1f}"
            )
            keep(f"read {plain.stem}", ours * 1e3, "ms")
        print(f"\n{'diabetes as':12} {'kB':>7} {'read':>8} {'write':>8}   (ms)")
        for ending in FORMATS:
            file = Path(place, f"it.{ending}")
            written = best(lambda file=file, network=network: network_files.write(file, network), 3)
            read = best(lambda file=file: network_files.read(file), 3)
            assert network_files.read(file) == network
            print(f"{ending:12} {file.stat().st_size / 1e3:7.0f} {read * 1e3:8.1f} {written * 1e3:8.1f}")


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[2] / "shared" / "data" / "bif"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else here)
