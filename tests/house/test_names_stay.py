"""What people typed with release 0.1 works: each name is there, and takes the parameters that it took.

`names_of_0_1.txt` is the public surface of that release, a line each thing: a class with its members after a
colon. A name that a better word replaces stays for one release and warns.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likely
from likely.dist import Beta, Dirichlet, Gamma, MultivariateNormal, NormalInverseGamma, Poisson
from likely.errors import LikelyError

LINES = (Path(__file__).parent / "names_of_0_1.txt").read_text(encoding="utf-8").splitlines()
# Parameters that are gone, and why nobody is told by a warning.
GONE = {
    "log_natural": "of priors, asked by EM alone: parameters, not the family that has them",
    "Impute.fit_transform": "`fit_params`: `fit` took none, so that any was refused",
}


@dataclass(frozen=True)
class Name:
    """A thing of the public surface: where it is, and what it takes."""

    path: str  # likely.Beta.cdf
    takes: tuple[str, ...]

    @property
    def excused(self) -> bool:
        return any(self.path.endswith(f".{end}") for end in GONE)


def names(line: str) -> Iterator[Name]:
    """What a line of the file names: a thing, and its members."""
    thing, _, members = line.partition(": ")
    yield (whole := _name("", thing))
    yield from (_name(f"{whole.path}.", member) for member in members.split("; ") if member)


def _name(before: str, written: str) -> Name:
    path, _, takes = written.rstrip(")").partition("(")
    return Name(before + path, tuple(takes.split(", ")) if takes else ())


def fault(name: Name) -> str | None:
    """What a program of the release before would stumble over; None if over nothing."""
    if name.excused:
        return None
    thing: Any = likely
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        for step in name.path.split(".")[1:]:
            fields = getattr(thing, "__dataclass_fields__", {})
            if not hasattr(thing, step) and step not in fields:
                return f"{name.path} is gone"
            thing = getattr(thing, step, None)
    return None if not callable(thing) else _refused(name, thing)


def _refused(name: Name, thing: Any) -> str | None:
    """Parameters that are gone, or that stand in another order, so that others are meant by place."""
    try:
        now = inspect.signature(thing).parameters
    except ValueError:
        return None
    if any(p.kind is p.VAR_KEYWORD for p in now.values()):
        return None
    stand = [p for p in now if p in name.takes]
    return None if stand == list(name.takes) else f"{name.path} took {name.takes}, takes {tuple(now)}"


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.partition("(")[0].partition(":")[0])
def test_names_of_0_1_stay(line: str) -> None:
    assert [said for name in names(line) if (said := fault(name))] == []


def test_the_law_sees_what_is_gone() -> None:
    gone, other = names("likely.Bern(p): cdf(x)")
    assert fault(gone) == "likely.Bern is gone"
    assert (other.path, other.takes) == ("likely.Bern.cdf", ("x",))
    assert fault(Name("likely.Beta", ("b", "a"))) == "likely.Beta took ('b', 'a'), takes ('a', 'b')"
    assert fault(Name("likely.Beta", ("a", "b", "c"))) is not None
    assert fault(Name("likely.Beta", ("a", "b"))) is None


@pytest.mark.parametrize(
    ("room", "old", "new"),
    [
        ("draw", "Curve", "draw.densities.DensityCurve"),
        ("draw", "Step", "draw.bars.WaterfallStep"),
        ("draw", "BLUE", "format.svg.BLUE"),
        ("draw", "ORANGE", "format.svg.ORANGE"),
        ("evidence", "Line", "evidence.ledger.LedgerLine"),
        ("report", "Caution", "report.profile.warnings.ColumnWarning"),
        ("dist", "Grouped", "dist.distribution.Distribution"),
    ],
)
def test_old_names_of_rooms_warn(room: str, old: str, new: str) -> None:
    home, _, name = new.rpartition(".")
    place = import_module(f"likely.{room}")
    with pytest.warns(FutureWarning, match=rf"likely\.{room}\.{old} is likely\."):
        thing = getattr(place, old)
    assert thing is getattr(import_module(f"likely.{home}"), name)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        place.nonsense  # noqa: B018


def test_priors_make_distributions_by_their_old_methods() -> None:
    """Poisson of a Gamma, and so on: what release 0.1 gave, to the last bit; draws included."""
    gamma = Gamma([2.0, 5.0], 3.0)
    with pytest.warns(FutureWarning, match=r"Gamma\.mean_of is Poisson\.at_mean\(prior, \.\.\.\) now"):
        assert np.array_equal(gamma.mean_of().rate, [2 / 3, 5 / 3])
    with pytest.warns(FutureWarning):
        assert np.array_equal(gamma.mode_of().rate, [1 / 3, 4 / 3])
    with pytest.warns(FutureWarning):
        drawn = gamma.draw_of(np.random.default_rng(1), 2)
    assert np.array_equal(drawn.rate, Poisson.at_draws(gamma, np.random.default_rng(1), 2).rate)
    with pytest.warns(FutureWarning):
        assert repr(Beta(10, 2).predictive()) == "Bernoulli(p=0.8333333333333334)"
    with pytest.warns(FutureWarning):
        assert type(Dirichlet([1, 2], trials=4).predictive()).__name__ == "DirichletMultinomial"
    with pytest.warns(FutureWarning):
        assert type(NormalInverseGamma(0, 1, 2, 3).predictive()).__name__ == "StudentT"
    with pytest.warns(FutureWarning):
        assert np.array_equal(gamma.at(np.array([7.0, 8.0])).rate, [7, 8])


def test_a_prior_that_no_family_is_known_for_says_whom_to_ask() -> None:
    class Own(Gamma):
        pass

    with pytest.raises(LikelyError, match="ask a family"):
        Own(1, 1).predictive()


def test_normals_are_given_columns_as_before() -> None:
    """The closed form: mean and covariance of the last column given the first two."""
    covariance = np.array([[2.0, 0.5, 0.7], [0.5, 1.0, -0.3], [0.7, -0.3, 3.0]])
    normal = MultivariateNormal(np.array([[1.0, 2.0, 3.0]]), covariance[None])
    cells = np.array([[0.0, 1.0, np.nan], [2.0, 2.0, np.nan]])
    with pytest.warns(FutureWarning, match="given_patterns"):
        mean, spread = normal.given(0, cells, np.array([0, 1]))
    slope = np.linalg.solve(covariance[:2, :2], covariance[:2, 2])
    assert mean[:, 0] == pytest.approx(3 + (cells[:, :2] - [1, 2]) @ slope)
    assert spread[0, 0] == pytest.approx(3 - covariance[2, :2] @ slope)


def test_the_old_order_of_examples_warns() -> None:
    example = likely.textbook.show("N6")
    with pytest.warns(FutureWarning, match="catalogue_order"):
        assert example.place == example.catalogue_order


def test_the_warning_names_the_line_of_the_user() -> None:
    code = "import likely.draw\nlikely.draw.Curve\nlikely.Beta(1, 1).predictive()\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "<string>:2: FutureWarning" in done.stderr
    assert "<string>:3: FutureWarning" in done.stderr
