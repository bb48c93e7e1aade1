"""Everything that `likely` raises or warns with, in one place.

ValueError
 └── LikelyError            the input cannot be used: column, value and remedy are in the message
UserWarning
 └── LikelyWarning          the answer stands, but the user should know something about it
"""

from __future__ import annotations

import warnings


class LikelyError(ValueError):
    """The input cannot be used. The message names the column, the value and the remedy."""


class LikelyWarning(UserWarning):
    """The answer stands, but something about it deserves a look."""


def notice(message: str, *, stacklevel: int = 3) -> None:
    """Say something once to whoever called the public method.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     notice("column 'id' is ignored")
    >>> said[0].category.__name__
    'LikelyWarning'
    """
    warnings.warn(message, LikelyWarning, stacklevel=stacklevel)
