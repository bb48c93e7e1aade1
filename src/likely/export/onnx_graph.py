"""A graph of ONNX in the making: numbers with 53 bits, named one after another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import LikelyError
from likely.table.frame import free_name

OPSET, ML_OPSET, IR = 18, 3, 9  # what programs of the last years can run


class Graph:
    """Nodes and constants; every method adds a node, and gives the name of what comes out.

    No name is one of the columns': they are the inputs.
    """

    def __init__(self, columns: Iterable[str] = ()) -> None:
        try:
            from onnx import TensorProto, helper, numpy_helper
        except ImportError:
            raise LikelyError(
                "to write ONNX takes the package onnx: install it with pip install 'likely[onnx]'."
            ) from None
        self.helper: Any = helper  # whose types differ from version to version
        self.arrays, self.types = numpy_helper, TensorProto
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []
        self.columns = frozenset(columns)

    def _name(self) -> str:
        return free_name(f"v{len(self.nodes) + len(self.constants)}", self.columns)

    def read(self, name: str, text: bool) -> str:
        """A column of the table, (n, 1): texts, or numbers."""
        made_of = self.types.STRING if text else self.types.DOUBLE
        self.inputs.append(self.helper.make_tensor_value_info(name, made_of, [None, 1]))
        return name

    def constant(self, values: ArrayLike, dtype: Any = np.float64) -> str:
        """An array that is part of the graph."""
        name = self._name()
        array = np.asarray(values, dtype)
        if array.dtype.kind in "OU":
            texts: Any = [str(text).encode() for text in array.ravel()]
            tensor = self.helper.make_tensor(name, self.types.STRING, array.shape, texts)
        else:
            tensor = self.arrays.from_array(array, name)
        self.constants.append(tensor)
        return name

    def do(self, operation: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """What an operation makes of some values."""
        name = self._name()
        self.nodes.append(self.helper.make_node(operation, list(inputs), [name], domain=domain, **attributes))
        return name

    def whole(self, value: str) -> str:
        """As whole numbers."""
        return self.do("Cast", value, to=self.types.INT64)

    def real(self, value: str) -> str:
        """As numbers with 53 bits."""
        return self.do("Cast", value, to=self.types.DOUBLE)

    def sum(self, value: str, operation: str = "ReduceSum") -> str:
        """Over the second axis, (n, 1)."""
        return self.do(operation, value, self.constant([1], np.int64), keepdims=1)

    def log_sum(self, value: str) -> str:
        """The log of the sum of the powers of (n, k), (n, 1)."""
        best = self.sum(value, "ReduceMax")
        powers = self.do("Exp", self.do("Sub", value, best))
        return self.do("Add", best, self.do("Log", self.sum(powers)))

    def column(self, value: str, place: int) -> str:
        """One of the columns of (n, k), (n, 1)."""
        return self.do("Gather", value, self.constant([place], np.int64), axis=1)

    def clip(self, value: str, low: float, high: float) -> str:
        """Moved into a range."""
        return self.do("Max", self.do("Min", value, self.constant(high)), self.constant(low))

    def model(self, outputs: dict[str, tuple[str, Any, int]]) -> Any:
        """The whole model, whose outputs have these values, types and widths."""
        infos = []
        for wanted, (value, made_of, width) in outputs.items():
            name = free_name(wanted, self.columns)
            self.nodes.append(self.helper.make_node("Identity", [value], [name]))
            shape = [None, width] if width else [None]
            infos.append(self.helper.make_tensor_value_info(name, made_of, shape))
        used = {name for node in self.nodes for name in node.input}
        constants = [one for one in self.constants if one.name in used]  # runtimes warn of others
        graph = self.helper.make_graph(self.nodes, "likely", self.inputs, infos, constants)
        opsets = [self.helper.make_opsetid("", OPSET), self.helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
        return self.helper.make_model(graph, opset_imports=opsets, producer_name="likely", ir_version=IR)
