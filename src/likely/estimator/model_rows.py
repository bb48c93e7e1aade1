"""The rows of the table of models: where each is, what its record is made of, and where people find it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Command:
    """How `likely learn --model NAME` makes a model, and what can be said of it there."""

    name: str
    families: bool = True  # whether columns have families
    missing: tuple[str, ...] = ("ignore", "level")  # what can be done about missing cells; the first is usual
    numbers: bool = False  # whether it predicts numbers rather than classes
    prior: bool = True  # whether a prior can be given
    rows: bool = False  # whether it may be of whole rows, without a target
    settings: tuple[tuple[str, Any], ...] = ()  # what else it is made with


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a model has learnt, as a file holds it. Each place is "module:name"."""

    record: str  # the class
    check: str | None = None  # what refuses a record that no fit gives; None: its own `check`
    others: tuple[str, ...] = ()  # further classes of records, of other ways to learn
    holds: tuple[str, ...] = ()  # what else of our own the record is made of
    form: str | None = None  # the class that files hold in its place, where they keep to older names


@dataclass(frozen=True, slots=True)
class Model:
    """A row: where a model is, what its record is made of, and where people find it."""

    name: str  # in Python, and in files
    module: str
    learnt: Learnt
    purpose: str  # in the table of the docs
    page: str  # of the docs
    command: Command | None = None


_GROUPS = Learnt(
    "likely.models.groups.record:GroupRecord",
    holds=(
        "likely.models.groups.tally:Settings",
        "likely.models.groups.evidence_weights:EvidenceWeights",
        "likely.models.groups.file_form:Slot",
        "likely.models.groups.file_form:Reads",
        "likely.models.groups.file_form:Tally",
        "likely.models.parts.plan:Ranking",
        "likely.models.mixture.em_estimator:Curve",
        "likely.models.mixture.em_estimator:Tried",
    ),
    form="likely.models.groups.file_form:Record",
)
_LOGISTIC = Learnt(
    "likely.models.regression.logistic_record:LogisticRecord",
    holds=(
        "likely.models.regression.design:Design",
        "likely.models.regression.missing_model:Beside",
    ),
)
_ONE_DEPENDENCE = "likely.models.one_dependence"
_PAIRS = Learnt(
    f"{_ONE_DEPENDENCE}.record:PairRecord",
    holds=(
        f"{_ONE_DEPENDENCE}.cells:CellCodes",
        f"{_ONE_DEPENDENCE}.tables:TableSmoothing",
        "likely.stats.level_pairs:LevelPairs",
        "likely.models.groups.tally:Settings",
    ),
)
_COUNTED = Learnt("likely.features.counted:Counted")
_POOL = "likely.pool"
_POOLED = (
    f"{_POOL}.reading.reading:Reading",
    f"{_POOL}.reading.numbers:NumberScales",
    f"{_POOL}.reading.words:WordEvidence",
    f"{_POOL}.projection:Projection",
    f"{_POOL}.reading.step_design:StepDesign",
    f"{_POOL}.members.additive:AdditiveMember",
    f"{_POOL}.members.boost:BoostMember",
    f"{_POOL}.members.evidence:EvidenceMember",
    f"{_POOL}.members.forest:ForestMember",
    f"{_POOL}.members.kernel:KernelMember",
    f"{_POOL}.members.net:NetMember",
    f"{_POOL}.members.repeated:RepeatedMember",
    f"{_POOL}.members.space:RowSpace",
    f"{_POOL}.members.symmetric:SymmetricMember",
    f"{_POOL}.members.trees:Trees",
)
_LINEAR_CLASSIFIERS = "likely.models.regression.linear.classifiers"
_CALIBRATIONS = ("Beta", "Binned", "Isotonic", "Logistic", "Temperature")

ROWS: tuple[Model, ...] = (
    Model(
        name="Classifier",
        module="likely.pool.classifier",
        purpose="classes, by several models of different sorts together: the one to begin with",
        page="classifier.md",
        command=Command("pool", families=False, missing=("indicator",), prior=False),
        learnt=Learnt("likely.pool.record:PoolRecord", "likely.pool.check:check_pool", _POOLED),
    ),
    Model(
        name="Regressor",
        module="likely.pool.regressor",
        purpose="numbers, by several models of different sorts together, with their distribution",
        page="classifier.md",
        command=Command("regressor", families=False, missing=("indicator",), numbers=True, prior=False),
        learnt=Learnt(
            "likely.pool.number_record:NumberPoolRecord",
            "likely.pool.check:check_number_pool",
            (
                *_POOLED,
                *(
                    f"{_POOL}.{n}"
                    for n in ("number_record:ErrorSize", "error_shape:ErrorShape", "outcomes:OutcomeSupport")
                ),
            ),
        ),
    ),
    Model(
        name="NaiveBayes",
        module="likely.models.naive_bayes.classifier",
        purpose="classes, from columns of any kind that are independent given the class",
        page="naive-bayes.md",
        command=Command("naive-bayes"),
        learnt=_GROUPS,
    ),
    Model(
        name="TreeAugmentedNaiveBayes",
        module=f"{_ONE_DEPENDENCE}.classifiers",
        purpose="classes, from columns that each depend on one column more (TAN)",
        page="relaxed-independence.md",
        command=Command("tan", families=False),
        learnt=_PAIRS,
    ),
    Model(
        name="AODE",
        module=f"{_ONE_DEPENDENCE}.classifiers",
        purpose="classes, from columns that all depend on each in turn, averaged",
        page="relaxed-independence.md",
        command=Command("aode", families=False),
        learnt=_PAIRS,
    ),
    Model(
        name="GaussianClassifier",
        module="likely.models.gaussian.classifier",
        purpose="classes, from numbers that vary together (LDA, QDA)",
        page="gaussian.md",
        command=Command("gaussian"),
        learnt=_GROUPS,
    ),
    Model(
        name="MixtureClassifier",
        module="likely.models.mixture.classifier",
        purpose="classes that are made of several groups each",
        page="mixtures.md",
        command=Command("mixture", settings=(("components", "auto"), ("random_state", 0))),
        learnt=_GROUPS,
    ),
    Model(
        name="CompressionClassifier",
        module="likely.codes.classes.classifier",
        purpose="classes of texts, character by character, and of rows: the class with the shortest code",
        page="compression-classes.md",
        command=Command("compression", families=False, missing=("ignore",), prior=False),
        learnt=Learnt(
            "likely.codes.classes.record:CodedRecord",
            holds=(
                *(f"likely.codes.classes.coders:{n}Coder" for n in ("Character", "Compressor", "Model")),
                "likely.codes.classes.character_code:BytePrior",
                "likely.stats.character_runs:CharacterRuns",
                "likely.models.groups.tally:Settings",
            ),
        ),
    ),
    Model(
        name="LogisticRegression",
        module="likely.models.regression.logistic.regression",
        purpose="classes, by coefficients with priors",
        page="regression.md",
        command=Command("logistic", families=False, missing=("indicator", "average")),
        learnt=_LOGISTIC,
    ),
    Model(
        name="LinearRegression",
        module="likely.models.regression.linear.regression",
        purpose="numbers, by coefficients with priors, with intervals",
        page="regression.md",
        command=Command("linear", families=False, missing=("indicator",), numbers=True),
        learnt=Learnt(
            "likely.models.regression.linear.record:LinearRecord",
            holds=("likely.models.regression.design:Design", "likely.models.regression.linear.solve:Line"),
        ),
    ),
    Model(
        name="LeastSquaresClassifier",
        module=_LINEAR_CLASSIFIERS,
        purpose="classes by least squares, for comparison",
        page="regression.md",
        learnt=_LOGISTIC,
    ),
    Model(
        name="BasicLinearClassifier",
        module=_LINEAR_CLASSIFIERS,
        purpose="classes by the nearest class mean, for comparison",
        page="regression.md",
        learnt=_LOGISTIC,
    ),
    Model(
        name="Mixture",
        module="likely.models.mixture.mixture",
        purpose="hidden groups (clustering), in tables of any kinds",
        page="mixtures.md",
        learnt=_GROUPS,
    ),
    Model(
        name="HiddenMarkov",
        module="likely.models.markov.markov",
        purpose="hidden states of sequences (HMM)",
        page="hidden-markov.md",
        learnt=Learnt("likely.models.markov.record:ChainRecord"),
    ),
    Model(
        name="Network",
        module="likely.models.network.network",
        purpose="any column from any others, by a graph of what depends on what (Bayesian network)",
        page="networks.md",
        command=Command("network", rows=True),
        learnt=Learnt(
            "likely.models.network.record:NetworkRecord",
            holds=("likely.models.groups.file_form:Slot", "likely.models.groups.file_form:Reads"),
            form="likely.models.network.file_form:NetworkForm",
        ),
    ),
    Model(
        name="Impute",
        module="likely.features.impute",
        purpose="missing cells, filled by what the known ones suggest",
        page="missing.md",
        learnt=replace(
            _GROUPS,
            others=("likely.features.fill_by_class:ClassFill", "likely.features.fill_by_model:ModelFill"),
        ),
    ),
    Model(
        name="Calibrated",
        module="likely.calibrate.calibrated",
        purpose="any classifier with better probabilities",
        page="calibration.md",
        learnt=Learnt(
            "likely.calibrate.record:CalibratedRecord",
            "likely.calibrate.record:check_calibrated",
            (
                *(f"likely.calibrate.methods:{name}" for name in ("AsTheyAre", "EachClass", "Tempered")),
                *(f"likely.calibrate:{name}Calibration" for name in _CALIBRATIONS),
            ),
        ),
    ),
    Model(
        name="Decompose",
        module="likely.features.decompose",
        purpose="fewer columns that say most: PCA, SVD, LSA, NMF, with gaps, blocks of 0 and 1",
        page="decompositions.md",
        learnt=Learnt("likely.features.factor_record:Factors"),
    ),
    Model(
        name="Discretize",
        module="likely.features.discretize",
        purpose="numbers in bins: equal, optimal, or where they tell most",
        page="discretising.md",
        learnt=_COUNTED,
    ),
    Model(
        name="Evidence",
        module="likely.features.evidence",
        purpose="what each column says about the classes, in log-odds (weight of evidence, target encoding)",
        page="evidence-features.md",
        learnt=_COUNTED,
    ),
    Model(
        name="GroupLevels",
        module="likely.features.levels",
        purpose="fewer levels: rare ones together, or those that look alike",
        page="transformations.md",
        learnt=_COUNTED,
    ),
    Model(
        name="Order",
        module="likely.features.levels",
        purpose="levels in order, or without one",
        page="transformations.md",
        learnt=_COUNTED,
    ),
    Model(
        name="Binarize",
        module="likely.features.levels",
        purpose="one true or false for each level (one-hot)",
        page="transformations.md",
        learnt=_COUNTED,
    ),
    Model(
        name="MissingLevel",
        module="likely.features.missing_level",
        purpose="missing cells as a level of their own",
        page="missing.md",
        learnt=_COUNTED,
    ),
    Model(
        name="Normalize",
        module="likely.features.normalize",
        purpose="numbers on a common scale",
        page="transformations.md",
        learnt=_COUNTED,
    ),
    Model(
        name="Select",
        module="likely.features.select",
        purpose="fewer columns: those that tell most about the classes (filters, CFS, Relief)",
        page="selecting.md",
        learnt=Learnt("likely.features.column_scores:SelectRecord"),
    ),
    Model(
        name="Search",
        module="likely.compare.search",
        purpose="fewer columns: those that a model predicts best with (forward, backward)",
        page="selecting.md",
        learnt=Learnt("likely.compare.search:SearchRecord"),
    ),
    Model(
        name="Subgroups",
        module="likely.features.subgroups",
        purpose="conjunctions of conditions as true or false, searched for or given",
        page="subgroups.md",
        learnt=Learnt("likely.features.subgroups:SubgroupRecord"),
    ),
    Model(
        name="Linked",
        module="likely.features.linked",
        purpose="what the rows of another table say: exists, count, min, max, mean, sum",
        page="subgroups.md",
        learnt=Learnt("likely.features.linked:LinkedRecord"),
    ),
    Model(
        name="Structured",
        module="likely.features.structured",
        purpose="what is inside texts: phrases, runs, palindromes, patterns, common passages",
        page="subgroups.md",
        learnt=Learnt("likely.features.structured:StructuredRecord"),
    ),
    Model(
        name="Cross",
        module="likely.features.cross",
        purpose="columns of levels as one, with a level for each combination (Cartesian product)",
        page="combining.md",
        learnt=Learnt("likely.features.cross:CrossRecord"),
    ),
    Model(
        name="Polynomial",
        module="likely.features.polynomial",
        purpose="powers, products, ratios and differences of numbers, called by their formulas",
        page="combining.md",
        learnt=Learnt("likely.features.polynomial:PolynomialRecord"),
    ),
    Model(
        name="Threshold",
        module="likely.features.threshold",
        purpose="one cut of a column: mean, median, best, or by costs",
        page="discretising.md",
        learnt=_COUNTED,
    ),
    Model(
        name="Whiten",
        module="likely.features.whiten",
        purpose="columns without correlation, of variance 1",
        page="gaussian.md",
        learnt=Learnt("likely.features.whiten:WhitenRecord", "likely.features.whiten:check_whitening"),
    ),
)
