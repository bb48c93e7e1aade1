from __future__ import annotations

import numpy as np
import pytest

from likely.codes.tables.lanes import LaneDecoder, LaneEncoder, lanes_for


@pytest.mark.parametrize("lanes", [1, 2, 5, 8])
@pytest.mark.parametrize("seed", range(5))
def test_decisions_come_back_and_cost_their_information(seed: int, lanes: int) -> None:
    """In every way of asking: some in each lane, more than there are lanes, and one alone."""
    rng = np.random.default_rng(seed)
    asked = [
        rng.choice([1, 2, 100, 20000, 32768, 60000, 65534, 65535], rng.integers(1, 20)) for _ in range(300)
    ]
    answers = [rng.random(len(sure)) < sure / 65536 for sure in asked]
    encoder, bits = LaneEncoder(lanes), 0.0
    for sure, yes in zip(asked, answers, strict=True):
        if len(sure) == 1:
            encoder.decide_alone(int(sure[0]), int(yes[0]))
        else:
            encoder.decide(sure, yes)
        bits -= np.log2(np.where(yes, sure, 65536 - sure) / 65536).sum()
    data = encoder.finish()
    # Three bytes a lane at the most to end it; ranges of 32 bits lose little.
    assert 8 * sum(map(len, data)) <= 1.001 * bits + 25 * lanes
    decoder = LaneDecoder(data)
    for sure, yes in zip(asked, answers, strict=True):
        if len(sure) == 1:
            assert decoder.decide_alone(int(sure[0]), 0) == yes[0]
        else:
            assert (decoder.decide(sure, None) == yes).all()


def test_lanes_grow_with_the_cells() -> None:
    cells = (0, 12_000, 73_516, 73_517, 186_852, 512_001, 10**8)
    assert [lanes_for(n) for n in cells] == [1, 1, 1, 8, 82, 1024, 1024]
    for n in (90_000, 187_000, 400_000):
        assert lanes_for(n) == int((n / 32_000) ** 2.5)
