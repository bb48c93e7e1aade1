"""Models -> code lengths, bits and back: what is probable takes few bits.

`shannon`, `fano` and `huffman` give every symbol a word of whole bits; `arithmetic` and `adaptive` give a
whole message one word, within two bits of its information. `ModelCode` codes rows by a fitted model;
`compress` makes small files of tables.

>>> from likely import codes
>>> code = codes.huffman({"a": 0.4, "b": 0.3, "c": 0.3})
>>> code.encode("abac")
'010011'
"""

from likely.codes.arithmetic import ArithmeticCode, adaptive, arithmetic
from likely.codes.prefix import PrefixCode, fano, huffman, shannon
from likely.codes.rows.model_code import ModelCode
from likely.codes.tables.file import Bill, compress, compress_file, decompress, decompress_file
from likely.codes.tables.segment import ColumnBill

__all__ = [
    "ArithmeticCode",
    "Bill",
    "ColumnBill",
    "ModelCode",
    "PrefixCode",
    "adaptive",
    "arithmetic",
    "compress",
    "compress_file",
    "decompress",
    "decompress_file",
    "fano",
    "huffman",
    "shannon",
]
