"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data sets beside the project; see its INDEX.md."""
    checkout = Path(__file__).resolve().parents[1]
    folder = Path(os.environ.get("LIKELY_DATA", checkout.parent / "shared" / "data"))
    if not folder.is_dir():
        if os.environ.get("LIKELY_DATA_REQUIRED"):
            pytest.fail(f"the real data sets are required, and {folder} does not exist (set LIKELY_DATA)")
        pytest.skip(f"no real data sets: {folder} does not exist (set LIKELY_DATA)")
    return folder
