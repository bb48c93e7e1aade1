"""Numbers are put into bins in one place, `stats/bins.py`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from source import Module, modules

SRC = Path(__file__).parents[2] / "src" / "likely"
PLACE = SRC / "stats" / "bins.py"
BINNERS = {"digitize", "histogram", "histogram2d", "histogramdd", "histogram_bin_edges"}
QUANTILES = {"quantile", "nanquantile", "percentile", "nanpercentile"}  # of NumPy, not of distributions
EDGES = ("edge", "bin", "cut", "lowest", "break")


def binning(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The calls of a module that make bins, or look numbers up between edges."""
    for node in nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        called, module = node.func.attr, getattr(node.func.value, "id", "")
        if called in BINNERS and module == "np":
            yield ast.unparse(node.func)
        elif called == "searchsorted" or (called in QUANTILES and module == "np"):
            words = {name.lower() for part in ast.walk(node) for name in _names(part)}
            if any(edge in word for word in words for edge in EDGES):
                yield ast.unparse(node)


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name):
        return [node.id]
    return [node.attr] if isinstance(node, ast.Attribute) else []


def test_bins_are_made_in_one_place() -> None:
    calls = {
        module.name: list(binning(module.nodes)) for module in modules() if module.name != "likely.stats.bins"
    }
    assert {path: found for path, found in calls.items() if found} == {}


def test_the_law_sees_bins() -> None:
    assert list(binning(Module("a", "np.digitize(x, e)").nodes)) == ["np.digitize"]
    assert list(binning(Module("a", "np.searchsorted(self.edges, x, 'right')").nodes)) != []
    assert list(binning(Module("a", "self.bins.searchsorted(x)").nodes)) != []
    assert list(binning(Module("a", "np.searchsorted(up_to, rng.random())").nodes)) == []
    assert list(binning(Module("a", PLACE.read_text()).nodes)) != []
