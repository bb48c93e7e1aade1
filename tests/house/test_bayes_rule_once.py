"""Bayes' rule is written once, in `infer/bayes.py`: nobody else normalises powers of logs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from source import Module, modules

HOME = "likely.infer.bayes"
# These stand below it and may not import it; what they normalise are draws of shares, not classes of rows.
BELOW = ("likely.table", "likely.stats", "likely.dist", "likely.engine")
EXPONENTIALS = {"exp", "exp2", "powers"}
READY_MADE = {"logsumexp", "softmax", "log_softmax"}


def normalising(module: Module) -> Iterator[int]:
    """The lines with logsumexp, softmax, or the power of something less its maximum."""
    for node in module.nodes:
        if isinstance(node, ast.ImportFrom):
            if {alias.name for alias in node.names} & READY_MADE:
                yield node.lineno
        elif isinstance(node, ast.Attribute) and node.attr in READY_MADE:
            yield node.lineno
        elif isinstance(node, ast.Call) and _called(node) in EXPONENTIALS:
            for part in ast.walk(node):
                if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) and _is_maximum(part.right):
                    yield node.lineno


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _is_maximum(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) and _called(part) in ("max", "amax") for part in ast.walk(node))


def offenders(sources: list[Module]) -> list[str]:
    above = (module for module in sources if not module.name.startswith(BELOW) and module.name != HOME)
    return [f"{module.name}:{line}" for module in above for line in normalising(module)]


def test_bayes_rule_is_written_once():
    assert offenders(list(modules())) == []


def test_the_law_sees_a_second_copy():
    copy = "def f(x):\n    p = np.exp(x - x.max(axis=1)[:, None])\n    return p / p.sum()\n"
    assert offenders([Module("likely.models.made_up", copy)]) == ["likely.models.made_up:2"]
    taken = "from scipy.special import logsumexp\n"
    assert offenders([Module("likely.models.made_up", taken)]) == ["likely.models.made_up:1"]
    called = "import scipy.special\ny = scipy.special.logsumexp(x)\n"
    assert offenders([Module("likely.models.made_up", called)]) == ["likely.models.made_up:2"]
    assert not offenders([Module("likely.models.made_up", "y = np.exp(a - b)\n")])
