"""The faults are tried only where they are asked for: ``pytest -m mutation``."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "mutation" not in config.getoption("markexpr"):
        asked = [item for item in items if item.get_closest_marker("mutation") is None]
        config.hook.pytest_deselected(items=[item for item in items if item not in asked])
        items[:] = asked
