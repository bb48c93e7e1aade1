"""The words that people of the field search for stand where they look for them."""

from __future__ import annotations

import re
from functools import reduce

import pytest
from checkout import DOCS

import likely

# A word of the field: the page that its reader needs and, where one thing is meant, the name it belongs to.
WORDS = {
    "clustering": ("mixtures", "Mixture"),
    "GMM": ("mixtures", "Mixture"),
    "Gaussian mixture": ("mixtures", "Mixture"),
    "latent variable": ("em", "Mixture"),
    "responsibility": ("mixtures", "Mixture"),
    "local optimum": ("em", None),
    "HMM": ("hidden-markov", "HiddenMarkov"),
    "Baum-Welch": ("hidden-markov", "HiddenMarkov"),
    "LDA": ("gaussian", "GaussianClassifier"),
    "QDA": ("gaussian", "GaussianClassifier"),
    "z-score": ("gaussian", None),
    "one-hot": ("regression", "LogisticRegression"),
    "regularisation": ("regression", "LogisticRegression"),
    "overfitting": ("regression", None),
    "hyperparameter": ("regression", None),
    "discriminative": ("regression", "LogisticRegression"),
    "conditional likelihood": ("regression", "LogisticRegression"),
    "sigmoid": ("regression", "LogisticRegression"),
    "logistic loss": ("regression", None),
    "learning rate": ("regression", "LogisticRegression"),
    "naive Bayes assumption": ("naive-bayes", "NaiveBayes"),
    "conditional independence": ("joint", None),
    "multivariate Bernoulli": ("naive-bayes", None),
    "Laplace correction": ("naive-bayes", "Laplace"),
    "equivalent sample size": ("naive-bayes", "MEstimate"),
    "stop word": ("text", "Words"),
    "n-gram": ("text", "Words"),
    "maximum a posteriori": ("posteriors", "Posterior.map"),
    "degree of belief": ("posteriors", None),
    "consistent learner": ("hypotheses", "hypotheses.Conjunctions"),
    "Find-S": ("hypotheses", "hypotheses.Conjunctions"),
    "Candidate-Elimination": ("hypotheses", "hypotheses.Conjunctions"),
    "Occam": ("hypotheses", None),
    "Bayes-optimal": ("decisions", "compare.Known"),
    "F-measure": ("decisions", "score.Contingency.f_measure"),
    "product rule": ("joint", None),
    "marginalisation": ("joint", None),
    "information content": ("information", "score.information"),
    "nominal": ("tables", None),
    "central tendency": ("profile", None),
    "dispersion": ("profile", None),
    "feature calibration": ("calibration", None),
    "d-prime": ("calibration", "calibrate.logistic_by_means"),
    "log-odds space": ("calibration", "calibrate.logistic_by_means"),
}
PLURALS = {"responsibility": "responsibilit(y|ies)", "local optimum": "local optim(um|a)"}


def occurs(word: str, text: str) -> bool:
    pattern = PLURALS.get(word, re.escape(word).replace(r"\ ", r"\s+") + "s?")
    pattern = pattern.replace("degree", "degrees?")
    return bool(re.search(rf"(?<![\w-]){pattern}(?![\w-])", text, 0 if word.isupper() else re.IGNORECASE))


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_the_field_is_on_its_page(word):
    page, _ = WORDS[word]
    assert occurs(word, (DOCS / f"{page}.md").read_text())


@pytest.mark.parametrize("word", [word for word, (_, name) in WORDS.items() if name])
def test_a_word_of_the_field_is_in_its_docstring(word):
    assert occurs(word, reduce(getattr, WORDS[word][1].split("."), likely).__doc__)


@pytest.mark.parametrize(
    ("said", "here"),
    [
        ("prior of the classes", "base rate"),
        ("log likelihood ratio", "evidence"),
        ("latent", "hidden"),
        ("latent class", "group"),
        ("maximum a posteriori", "map"),
        ("Laplace correction", "Laplace()"),
        ("equivalent sample size", "MEstimate"),
        ("responsibility", "predict_proba"),
        ("regularisation", "prior"),
        ("learning rate", "rate="),
    ],
)
def test_synonyms(said, here):
    lines = (DOCS / "glossary.md").read_text().split("## In other words")[1].splitlines()
    cells = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
    assert any(said in elsewhere and here in ours for elsewhere, ours in cells[2:])
