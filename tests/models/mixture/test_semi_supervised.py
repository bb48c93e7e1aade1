"""Naive Bayes with few labels and many rows without: EM makes use of the others (mini newsgroups)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likely

LABELS = 5  # of each of 20 groups
TEST = 500
SPLITS = 20


def _articles(folder: Path) -> tuple[Any, Any]:
    """The texts without their headers, which name the group, and the groups."""
    table = likely.read(folder / "mini_newsgroups.csv.gz", into="pandas")
    texts = [text.split("\n\n", 1)[-1] for text in table["text"].str.replace("\r\n", "\n")]
    return np.array(texts, object), table["group"].to_numpy(object)


def _words(min_count: int) -> likely.Words:
    return likely.Words(stop="english", min_count=min_count, pattern=r"[a-z]{3,}")


def _split(rng: np.random.Generator, groups: Any) -> tuple[Any, Any]:
    """Rows to test on, and rows that tell their group."""
    order = rng.permutation(len(groups))
    rest = order[TEST:]
    told = [row for group in np.unique(groups) for row in rest[groups[rest] == group][:LABELS]]
    return order[:TEST], np.array(told)


@pytest.mark.long
def test_unlabelled_articles_help(shared_data: Path) -> None:
    texts, groups = _articles(shared_data)
    assert len(texts) == 2000
    scores = []
    for split in range(SPLITS):
        test, told = _split(np.random.default_rng(split), groups)
        assert len(told) == 100
        train = np.setdiff1d(np.arange(len(texts)), test)
        labels = np.full(len(texts), None, object)
        labels[told] = groups[told]
        learnt = likely.Mixture(
            20, kinds={"text": _words(3)}, prior=0.1, base_rate="uniform", max_iter=30, tol=1e-3
        ).fit({"text": texts[train]}, labels[train])
        twins = [
            likely.NaiveBayes(kinds={"text": _words(count)}, prior=0.1, base_rate="uniform").fit(
                {"text": texts[told]}, groups[told]
            )
            for count in (3, 1)
        ]
        held_out = {"text": texts[test]}
        scores.append([(model.predict(held_out) == groups[test]).mean() for model in (learnt, *twins)])
    found = np.array(scores)
    print(
        "accuracy: EM, supervised with words seen three times, with all words:", found.mean(axis=0).round(3)
    )
    for twin in (1, 2):
        gain = found[:, 0] - found[:, twin]
        assert gain.mean() > 2 * gain.std(ddof=1) / np.sqrt(SPLITS)
