"""Hidden states of sequences that are not in memory: a start from some of them, then a pass for each step."""

from __future__ import annotations

from dataclasses import dataclass, replace

from likely.engine import Engine, ReduceTask
from likely.engine.scan.large import LargeTable
from likely.engine.scan.scan import Scan
from likely.engine.scan.sequences import SequenceScan, run_starts
from likely.estimator.fitted import refuse_no_rows
from likely.infer import EM, Chains
from likely.models.groups.tally import Settings
from likely.models.markov.baum_welch import Finding, Transitions, allowed
from likely.models.markov.chain_e_step import HiddenChain, Sequences
from likely.models.markov.record import ChainRecord, ChainTally
from likely.models.mixture.em_search import EMSearch, climb
from likely.models.mixture.large import SAMPLE, LargePlan
from likely.models.parts.part import Part
from likely.models.parts.plan import FamilyWords
from likely.table.accepted import Kinds
from likely.table.column.block import Block
from likely.table.frame import Frame


@dataclass(frozen=True, slots=True)
class ExpectedChains:
    """What is expected of some sequences, and the log of how probable they are."""

    seen: ChainTally
    log_likelihood: float

    def __add__(self, other: ExpectedChains) -> ExpectedChains:
        return ExpectedChains(self.seen + other.seen, self.log_likelihood + other.log_likelihood)


@dataclass(frozen=True, slots=True)
class WholeSequences:
    """The columns of some sequences, at their places in the chains."""

    blocks: tuple[Block, ...]
    chains: Chains


@dataclass(frozen=True)
class ReadSequences:
    """A block of rows of whole sequences, each named by a column."""

    parts: tuple[Part, ...]
    key: str
    states: int

    def __call__(self, frame: Frame) -> WholeSequences:
        """What the E step reads."""
        starts = run_starts(frame, self.key)
        chains = Chains.of([*(starts[1:] - starts[:-1]), frame.n - starts[-1]], self.states)
        rows = frame.without(self.key).at(chains.order)
        return WholeSequences(tuple(part.block(rows) for part in self.parts), chains)


@dataclass(frozen=True)
class ExpectChains(ReduceTask[WholeSequences, ExpectedChains]):
    """The E step: forward-backward of some sequences, and the counts that it makes."""

    record: ChainRecord

    def step(self, data: WholeSequences, start: int, stop: int) -> ExpectedChains:
        """Of all of them: they are one row of the source."""
        return ExpectedChains(*HiddenChain(data.blocks, data.chains).counted(self.record))


@dataclass(frozen=True)
class LargeFinding:
    """Sequences in files, in which states are to be found."""

    sequences: SequenceScan
    few: Finding  # whole sequences in memory, under the plan and the priors of all
    engine: Engine

    @classmethod
    def of(
        cls,
        table: object,
        groups: object,
        transitions: Transitions,
        how: EMSearch,
        settings: Settings,
        kinds: Kinds,
        families: FamilyWords,
        covariance: str,
        missing: str,
    ) -> LargeFinding:
        """Look through the sequences, plan the columns by one pass over all rows, and draw a sample."""
        scan = Scan.of(table)
        sequences = SequenceScan.of(scan, groups)
        refuse_no_rows(sequences.rows, len(scan.names) - 1)
        rest = LargeTable.of(scan.drop(sequences.key), kinds, how.engine)
        plan = LargePlan.of(rest, settings, kinds, families, covariance, missing)
        frame, own = Sequences.of(sequences.sample(SAMPLE, plan.few.record.schema), None, sequences.key)
        few = Finding(replace(plan.few, frame=frame), own, None, transitions, how)
        return cls(sequences, few, how.engine)

    def find(self, states: int) -> EM[ChainRecord]:
        """The model of so many states that EM comes to on all sequences."""
        start = self._start(states)
        read = ReadSequences(start.states.parts, self.sequences.key, states)
        scan, schema = self.sequences.scan, start.schema
        source = replace(scan.source(schema, read), whole=True)

        def e_step(model: ChainRecord) -> tuple[ChainRecord, float]:
            expected = scan.engine(self.engine).reduce(source, ExpectChains(model))
            seen = expected.seen
            next_model = ChainRecord(
                replace(model.states, tally=seen.tally.settled()), seen.first, seen.moves, model.allowed
            )
            return next_model, expected.log_likelihood + model.log_priors

        n = float(self.sequences.rows)
        return climb(e_step, iter([start]), self.few.how, n, f"{states} states")

    def _start(self, states: int) -> ChainRecord:
        """The model that is given to begin with, or that of the sample as if all were like it."""
        given = self.few.given_model(self.few.of_states(states), allowed(self.few.transitions, states))
        if given is not None:
            return given
        of_few = self.few.find(states).parameters
        share = self.sequences.rows / max(len(self.few.sequences.rows), 1)
        of_sequences = self.sequences.n / max(self.few.sequences.n, 1)
        tally = of_few.states.tally * share
        return replace(
            of_few,
            states=replace(of_few.states, tally=tally),
            first=of_few.first * of_sequences,
            moves=of_few.moves * share,
        )
