"""Shapes of covariance: which family describes the quantitative columns together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.dist import (
    Family,
    KnownNormal,
    LedoitWolfNormal,
    LedoitWolfTied,
    MultivariateNormal,
    Normal,
    NormalInverseWishart,
    Shrinkage,
    SphericalNormal,
    TiedDiagonalNormal,
    TiedNormal,
    TiedSphericalNormal,
)
from likely.dist.family import Priors
from likely.errors import LikelyError
from likely.models.parts.part import said
from likely.models.parts.plan import FamilyWords
from likely.table.column.kinds import Kind
from likely.table.frame import Frame
from likely.table.schema import Schema, declared_by_name

SHAPES: dict[str, type[Family]] = {
    "full": MultivariateNormal,
    "tied": TiedNormal,
    "diagonal": Normal,
    "tied_diagonal": TiedDiagonalNormal,
    "spherical": SphericalNormal,
    "tied_spherical": TiedSphericalNormal,
    "identity": KnownNormal,
}
LEDOIT_WOLF: dict[str, type[Family]] = {"full": LedoitWolfNormal, "tied": LedoitWolfTied}


def shaped(
    schema: Schema, families: FamilyWords, covariance: str, shrinkage: float | str | None = None
) -> dict[str, Any]:
    """The families by column: those that were asked for, and for other quantitative columns the shape's."""
    family = _family(covariance, shrinkage)
    asked = dict(declared_by_name(schema.names, families, "families"))
    for column in schema.columns:
        if column.kind is Kind.QUANTITATIVE and column.name not in asked:
            asked[column.name] = family
    return asked


def shrunk(
    frame: Frame, families: Mapping[str, Any], prior: Priors, shrinkage: float | str | None, estimate: str
) -> Any:
    """The priors by column, if a shrinkage is to be the prior of the columns of a shape, whatever that is."""
    if shrinkage is None:
        return prior
    if estimate == "ml":
        raise LikelyError(
            f"shrinkage={shrinkage!r} is a prior, of which estimate='ml' takes none: use estimate='mean' "
            "(with prior=None for maximum likelihood of all else)."
        )
    by_column = isinstance(prior, Mapping)
    priors = dict(declared_by_name(frame.names, prior if by_column else None, "prior"))
    chosen = [name for name, family in families.items() if family in _SHRINKING]
    stated = [own for own in (map(priors.get, chosen) if by_column else [prior]) if _of_covariances(own)]
    if stated:
        raise LikelyError(
            f"shrinkage={shrinkage!r} takes the place of prior={said(stated[0])}: give one of them."
        )
    if not by_column:
        priors = dict.fromkeys(frame.names, prior)
    instead = "default" if isinstance(shrinkage, str) else Shrinkage(shrinkage)
    return priors | dict.fromkeys(chosen, instead)


def _of_covariances(prior: object) -> bool:
    return isinstance(prior, NormalInverseWishart | Shrinkage)


_SHRINKING = (MultivariateNormal, TiedNormal, LedoitWolfNormal, LedoitWolfTied)


def _family(covariance: str, shrinkage: float | str | None) -> type[Family]:
    if covariance not in SHAPES:
        raise LikelyError(f"covariance={covariance!r} is unknown: use one of {', '.join(SHAPES)}.")
    if shrinkage is None:
        return SHAPES[covariance]
    if covariance not in LEDOIT_WOLF:
        raise LikelyError(
            f"shrinkage={shrinkage!r} draws covariances towards none, and covariance={covariance!r} has "
            f"none: use it with covariance={' or '.join(map(repr, LEDOIT_WOLF))}."
        )
    if isinstance(shrinkage, str) and shrinkage == "ledoit_wolf":
        return LEDOIT_WOLF[covariance]
    number = isinstance(shrinkage, int | float | np.number) and not isinstance(shrinkage, bool)
    if not number or not 0 <= shrinkage <= 1:  # type: ignore[operator]
        raise LikelyError(f"shrinkage={shrinkage!r}: give a share from 0 to 1, or 'ledoit_wolf'.")
    return SHAPES[covariance]
