"""Parameters say what they take."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from limits import SHARE_OF_ANY
from source import Module, modules


def parameters(sources: Iterable[Module]) -> Iterator[tuple[str, ast.arg]]:
    """Each parameter of each function, `self` and `cls` left out, with where it stands."""
    for module in sources:
        for function in module.functions():
            a = function.args
            every = [*a.posonlyargs, *a.args, *a.kwonlyargs, *(x for x in (a.vararg, a.kwarg) if x)]
            for arg in every:
                if arg.arg not in ("self", "cls"):
                    yield f"{module.name}:{arg.lineno}", arg


def share_of_any(sources: Iterable[Module]) -> float:
    bare = [
        isinstance(arg.annotation, ast.Name) and arg.annotation.id == "Any" for _, arg in parameters(sources)
    ]
    return sum(bare) / len(bare)


def test_few_parameters_are_any():
    share = share_of_any(modules())
    print(f"bare Any: {share:.1%} of parameters")
    assert share <= SHARE_OF_ANY


def test_the_law_sees_any():
    made_up = "class A:\n    def f(self, x: Any, *y: int, z: 'dict[str, Any]'): ...\ndef g(w: Any): ...\n"
    assert share_of_any([Module("made_up", made_up)]) == 0.5
