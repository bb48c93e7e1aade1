"""A logistic regression under another base rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from likely.errors import LikelyError
from likely.models.groups.base_rate import Settings, base_rates
from likely.models.regression.logistic.record import LogisticRecord


def under_base_rate(record: LogisticRecord, base_rate: Mapping[Any, float] | str) -> LogisticRecord:
    """What would have been learnt, had the classes had these shares: other intercepts, the same evidence.

    The likelihood ratios of the classes stay, so that the log-odds move by the log of new / old odds.
    """
    new, old = base_rates(record.classes, record.class_counts, Settings(base_rate=base_rate)), record.rates
    for label, share, had in zip(record.classes, new.tolist(), old.tolist(), strict=True):
        if share <= 0 or had <= 0:
            raise LikelyError(
                f"base_rate: class {label!r} has the share {share:g}, and had {had:g} in training: log-odds "
                "have no intercept for a share of 0. Give each class a share, however small."
            )
    shift = np.log(new) - np.log(old)
    theta = record.theta.copy()
    theta[:, 0] += shift[1] - shift[0] if len(theta) == 1 else shift
    beside = None if record.beside is None else replace(record.beside, log_share=np.log(new))
    return replace(record, theta=theta, class_counts=new * record.n, beside=beside)
