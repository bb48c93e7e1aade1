"""How tables are read where a call does not say: what the options of a command set for all of its files."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class ReadOptions:
    """Marks for missing cells, the mark before a fraction, and how the text of a file is cut into cells."""

    missing: tuple[str | float, ...] = ()
    decimal: str | None = None
    encoding: str | None = None
    separator: str | None = None
    header: bool = True

    def over(
        self,
        missing: str | float | Iterable[str | float] = (),
        decimal: str | None = None,
        encoding: str | None = None,
        separator: str | None = None,
        header: bool = True,
    ) -> ReadOptions:
        """These, but for what a call says itself; its marks hold beside them."""
        several = isinstance(missing, Iterable) and not isinstance(missing, str)
        marks = tuple(missing) if several else (missing,)  # type: ignore[arg-type]
        return ReadOptions(
            (*self.missing, *marks),
            decimal or self.decimal,
            encoding or self.encoding,
            separator or self.separator,
            header and self.header,
        )


_UNSAID = ReadOptions()
OPTIONS: ContextVar[ReadOptions] = ContextVar("how tables are read", default=_UNSAID)
