"""Which columns say nothing that those before them have not said."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DEPENDENT = 1e-11  # share of a column's square that must be left when those before it are taken out


def dependent(gram: Floats) -> NDArray[np.bool_]:
    """For each column, from the products of all columns (p, p), whether those before it determine it.

    >>> a = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    >>> dependent(a.T @ a)
    array([False, False,  True])
    """
    p = len(gram)
    scale = np.sqrt(np.maximum(np.diagonal(gram), np.finfo(np.float64).tiny))
    unit = gram / scale / scale[:, None]
    root, dependent = np.zeros((p, p)), np.zeros(p, bool)
    for j in range(p):
        left = unit[j, j] - float(root[j, :j] @ root[j, :j])
        if not left > DEPENDENT:
            dependent[j] = True
            continue
        root[j, j] = np.sqrt(left)
        root[j + 1 :, j] = (unit[j + 1 :, j] - root[j + 1 :, :j] @ root[j, :j]) / root[j, j]
    return dependent
