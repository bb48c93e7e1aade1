from __future__ import annotations

import numpy as np
import pytest

from likely.codes.tables.lanes import LaneDecoder, LaneEncoder


@pytest.mark.parametrize("seed", range(20))
def test_decisions_come_back_and_cost_their_information(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lanes, n = int(rng.integers(1, 9)), 400
    sure = rng.choice([1, 2, 100, 20000, 32768, 60000, 65534, 65535], (n, lanes))
    yes = rng.random((n, lanes)) < sure / 65536
    open_lanes = [np.flatnonzero(rng.random(lanes) < 0.8) for _ in range(n)]
    encoder, bits = LaneEncoder(lanes), 0.0
    for p, answer, lane in zip(sure, yes, open_lanes, strict=True):
        encoder.decide(lane, p[lane], answer[lane])
        bits -= np.log2(np.where(answer[lane], p[lane], 65536 - p[lane]) / 65536).sum()
    data = encoder.finish()
    # Three bytes a lane at the most to end it; ranges of 32 bits lose little.
    assert 8 * sum(map(len, data)) <= 1.001 * bits + 25 * lanes
    decoder = LaneDecoder(data)
    for p, answer, lane in zip(sure, yes, open_lanes, strict=True):
        assert (decoder.decide(lane, p[lane], None) == answer[lane]).all()
