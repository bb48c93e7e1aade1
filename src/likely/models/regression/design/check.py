"""Whether a design is one that can have been learnt."""

from __future__ import annotations

from likely.estimator.check_column import check_schema, demand
from likely.models.groups.check_statistic import check_finite
from likely.models.regression.design.design import Design
from likely.table.schema import Alike

SILENT = 100_000  # columns of one level: nothing but their number shows how many there are


def check_design(design: Design, width: int) -> None:
    """Refuse a design that has not `width` columns, or that no table can have given."""
    columns = design.schema.columns
    if isinstance(columns, Alike):  # as long as it says: compared with what there is before it is looked at
        demand(len(columns) <= max(SILENT, width), "it has more columns than it has numbers for")
    check_schema(design.schema)
    m, d = len(design.counted), len(columns)
    check_finite("the means of its columns", design.mean, (m,))
    check_finite("the deviations of its columns", design.sd, (m,))
    demand(bool((design.sd >= 0).all()), "the deviation of a column is below 0")
    holes = set(design.gaps)
    demand(len(holes) == len(design.gaps) and holes <= set(range(d)), "its gaps are in no column")
    demand(holes.isdisjoint(design.texts), "its gaps are in texts")
    order = [*design.counted, *design.coded]
    places = [order.index(j) for j in design.gaps] if holes else []
    demand(places == sorted(places), "its gaps are not in the order of the columns")
    demand(len(design.names) == width, "its coefficients are not those of its columns")
