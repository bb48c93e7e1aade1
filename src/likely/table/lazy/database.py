"""A table of a database server by its address, through Ibis: `postgresql://host/shop#orders`."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from likely.errors import LikelyError

_ADDRESS = re.compile(r"([a-z][a-z0-9+]*)://", re.IGNORECASE)
_OF_FILES = ("file", "http", "https", "ftp", "s3", "gs", "gcs", "az", "abfs")
_EXTRAS = {"postgresql": "postgres"}  # what Ibis calls them


def is_address(source: object) -> bool:
    """Whether a source names a database server, and not a file.

    >>> is_address("postgresql://localhost/shop#orders"), is_address("orders.csv"), is_address("s3://a/b.parquet")
    (True, False, False)
    """
    scheme = _ADDRESS.match(source) if isinstance(source, str) else None
    return scheme is not None and scheme[1].lower() not in _OF_FILES


def without_password(source: str) -> str:
    """A source as it may be printed.

    >>> without_password("postgresql://me:secret@localhost/shop#orders")
    'postgresql://me:...@localhost/shop#orders'
    """
    password = urlsplit(source).password if is_address(source) else None
    return source.replace(f":{password}@", ":...@", 1) if password else source


def table_name(address: str) -> str:
    """What a table is called, without its schema; "" if the address names none.

    >>> table_name("postgresql://localhost/shop#public.orders")
    'orders'
    """
    return address.partition("#")[2].rpartition(".")[2]


def database_table(address: str) -> Any:
    """The table that is named after the #, as `table` or `schema.table`; none of its rows are read."""
    url, _, named = address.partition("#")
    shown = without_password(url)
    try:
        import ibis
    except ImportError as cause:
        scheme = url.partition(":")[0].lower()
        raise LikelyError(
            f"{shown}: tables of databases are reached through Ibis, which is not installed: "
            f"pip install 'ibis-framework[{_EXTRAS.get(scheme, scheme)}]'."
        ) from cause
    try:
        connection = ibis.connect(url)
        names = sorted(connection.list_tables())
    except Exception as cause:  # of the driver, which is any of many
        raise LikelyError(
            f"{shown}: {_said(cause, url)}. Check the address, and that its driver is there."
        ) from None
    schema, _, name = named.rpartition(".")
    if not named and len(names) == 1:
        name = names[0]
    if not schema and name not in names:
        which = f"there is no table {name!r}" if name else "no table is named"
        raise LikelyError(
            f"{shown}: {which}. Write #TABLE after it; there are {', '.join(names[:20]) or 'none'}."
        )
    try:
        return connection.table(name, database=schema or None)
    except Exception as cause:
        raise LikelyError(f"{shown}: there is no table {named!r} ({_said(cause, url)}).") from None


def _said(error: Exception, url: str) -> str:
    said = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
    password = urlsplit(url).password
    return said.replace(password, "...") if password else said
