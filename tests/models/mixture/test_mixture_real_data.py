"""Hidden groups of real tables: what the page on mixtures says of Old Faithful and of the penguins."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from checkout import DOCS
from sklearn.mixture import GaussianMixture

import likely

PAGE = (DOCS / "mixtures.md").read_text()


def test_old_faithful_has_two_kinds_of_eruption(shared_data: Path) -> None:
    geyser = likely.read(shared_data / "old_faithful.csv", into="pandas")
    assert len(geyser) == 272
    model = likely.Mixture("auto", random_state=0).fit(geyser)
    assert model.curve_.best == 2
    part = model.record_.core.parts[0].distribution
    for g, n in enumerate(model.record_.tally.groups):
        says = "; ".join(f"{name} {part.describe(g, j)}" for j, name in enumerate(geyser.columns))
        assert f"group {g}: {n:.0f} rows ({n / 2.72:.0f} %), {says}\n" in PAGE
    # The maximum of the likelihood is that of scikit-learn.
    ml = likely.Mixture(2, prior=None, random_state=0, tol=1e-10, max_iter=1000).fit(geyser)
    peer = GaussianMixture(2, reg_covar=0, tol=1e-12, max_iter=1000, random_state=0).fit(geyser.to_numpy())
    assert ml.score(geyser) == pytest.approx(peer.score(geyser.to_numpy()), abs=1e-8)


@pytest.mark.long
def test_penguins_with_missing_cells_fall_into_five_groups(shared_data: Path) -> None:
    table = likely.read(shared_data / "penguins.csv", into="pandas")
    rows = table.drop(columns=["species", "island", "year"])
    assert len(rows) == 344
    assert int(rows.isna().sum().sum()) == 19
    model = likely.Mixture("auto", restarts=5, random_state=0).fit(rows)
    assert model.curve_.best == 5
    found = pd.crosstab(model.predict(rows), table["species"]).to_numpy()
    shown = re.findall(r"^group \d +(\d+) +(\d+) +(\d+)", PAGE, re.MULTILINE)
    assert [tuple(row) for row in found.tolist()] == [tuple(map(int, row)) for row in shown]
    sex = pd.crosstab(model.predict(rows), table["sex"]).to_numpy()
    assert (sex.min(axis=1) <= 2).all()  # each is of one sex, but for one or two
    filled = likely.Impute("mixture", components=5, random_state=0).fit_transform(rows)
    assert not filled.isna().any().any()
    assert filled[rows.notna().all(axis=1)].equals(rows[rows.notna().all(axis=1)])


def test_missing_cells_of_the_penguins_are_summed_out(shared_data: Path) -> None:
    """The probability of a row's groups is that of its known cells, by the formula of the marginal."""
    from scipy.stats import multivariate_normal

    table = likely.read(shared_data / "penguins.csv", into="pandas")
    rows = table[["bill_length_mm", "flipper_length_mm", "body_mass_g"]].copy()
    rows.iloc[10:30, 1] = np.nan
    model = likely.Mixture(3, random_state=0).fit(rows)
    part, weights = model.record_.core.parts[0].distribution, np.exp(model.record_.core.log_weights)
    known = [0, 2]
    joint = np.stack(
        [
            w * multivariate_normal(mean[known], matrix[np.ix_(known, known)]).pdf(rows.iloc[10:30, known])
            for w, mean, matrix in zip(weights, part.mean, part.covariance, strict=True)
        ],
        axis=1,
    )
    np.testing.assert_allclose(
        model.predict_proba(rows)[10:30], joint / joint.sum(axis=1, keepdims=True), rtol=1e-8
    )
