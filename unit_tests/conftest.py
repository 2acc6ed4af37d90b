"""Some tests run only where they are asked for by their marker: ``pytest -m mutation``."""

from __future__ import annotations

import pytest

ASKED = ("mutation", "results")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    unasked = [name for name in ASKED if name not in config.getoption("markexpr")]
    left = [item for item in items if not any(map(item.get_closest_marker, unasked))]
    config.hook.pytest_deselected(items=[item for item in items if item not in left])
    items[:] = left
