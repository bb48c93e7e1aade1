"""Classifiers of texts, five folds: right answers, log loss in nats, CPU seconds of fits and predictions.

python benchmarks/text_classes.py [sms_spam | mini_newsgroups ...]
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

import likely

DATA = Path(os.environ.get("LIKELY_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
TABLES = ("sms_spam", "mini_newsgroups")


def texts_of(name: str) -> tuple[pd.DataFrame, Any]:
    (path,) = DATA.glob(f"{name}.csv*")
    table = likely.read(path, into="pandas")
    if name == "mini_newsgroups":  # without headers, which name the group
        table["text"] = [text.split("\n\n", 1)[-1] for text in table["text"].str.replace("\r\n", "\n")]
        return table[["text"]], table["group"].to_numpy(object)
    return table[["text"]], table["label"].to_numpy(object)


def words(alpha: float) -> Any:
    return make_pipeline(CountVectorizer(), MultinomialNB(alpha=alpha))


MODELS = {
    "CompressionClassifier()": lambda: likely.CompressionClassifier(kinds="text"),
    "CompressionClassifier(order=5)": lambda: likely.CompressionClassifier(order=5, kinds="text"),
    "NaiveBayes()": lambda: likely.NaiveBayes(kinds="text"),
    "NaiveBayes(prior=0.1)": lambda: likely.NaiveBayes(kinds="text", prior=0.1),
    "scikit-learn, alpha=1": lambda: words(1.0),
    "scikit-learn, alpha=0.1": lambda: words(0.1),
}


def main() -> None:
    print(f"{'table':18}{'model':34}{'right':>7}{'log loss':>10}{'seconds':>9}")
    for name in sys.argv[1:] or TABLES:
        X, y = texts_of(name)
        for label, make in MODELS.items():
            right, losses, seconds = [], [], []
            for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
                peer = label.startswith("scikit")
                rows = (
                    (X["text"].iloc[train], X["text"].iloc[test]) if peer else (X.iloc[train], X.iloc[test])
                )
                start = time.process_time()
                model = make().fit(rows[0], y[train])
                p = model.predict_proba(rows[1])
                seconds.append(time.process_time() - start)
                right.append((model.classes_[p.argmax(axis=1)] == y[test]).mean())
                losses.append(log_loss(y[test], p))
            means = [float(np.mean(values)) for values in (right, losses, seconds)]
            print(f"{name:18}{label:34}{means[0]:7.3f}{means[1]:10.3f}{means[2]:9.2f}", flush=True)


if __name__ == "__main__":
    main()
