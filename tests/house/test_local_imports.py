"""Imports stand at the top of a file, except where there is a reason."""

from __future__ import annotations

from collections.abc import Iterable

from limits import OWN_IMPORTS_IN_FUNCTIONS
from source import Module, modules

# Files where any import may wait until it is needed.
FILES = {
    "likely": "names of the package are loaded when they are asked for",
    "likely.cli": "a command starts in 50 ms and loads what it needs",
    "likely.textbook": "an example shows the code that it runs, imports included",
}
# Packages that may be imported inside functions anywhere.
PACKAGES = {
    "matplotlib": "optional, and .4 s",
    "pyarrow": "optional",
    "onnx": "optional",
    "pandas": "optional",
    "polars": "optional",
    "dask": "optional",
    "pyspark": "optional",
    "ray": "optional",
    "ibis": "optional",
    "python_calamine": "optional",
    "xlsxwriter": "optional",
    "sklearn": "1 s to load; counting needs none of it",
    "scipy": ".3 to .9 s to load, by the part",
    "duckdb": ".1 s to load; tables in memory need none of it",
    "narwhals": "tables that are plain dicts need none of it",
    "rich": "progress is shown to people alone",
    "threadpoolctl": "only where threads are limited",
}


def without_reason(sources: Iterable[Module]) -> list[str]:
    return [
        f"{module.name}:{line} imports {name}"
        for module in sources
        if not any(module.name == f or (f != "likely" and module.name.startswith(f + ".")) for f in FILES)
        for name, line in sorted(set(module.local_imports()))
        if name.split(".")[0] not in PACKAGES
    ]


def test_imports_inside_functions_have_a_reason():
    lines = without_reason(modules())
    print(f"imports inside functions without a reason: {len(lines)}")
    assert len(lines) <= OWN_IMPORTS_IN_FUNCTIONS, "\n".join(lines)


def test_the_law_sees_a_hidden_import():
    made_up = "import os\ndef f():\n    import scipy.special\n    from likely.stats.sums import Sums\n"
    hidden = without_reason([Module("likely.made_up", made_up)])
    assert hidden == ["likely.made_up:4 imports likely.stats.sums"]
    assert without_reason([Module("likely.cli.made_up", made_up)]) == []
