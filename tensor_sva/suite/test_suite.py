"""M1 to M27, K1 to K16, J1 to J9, P1 to P7 hold with the operators under test.

The environment variable ``TENSOR_SVA_OPERATORS`` names a module or object with operators
(``package.module`` or ``package.module:name``), which may also have ``asarray`` and ``to_numpy``.
Without it, the operators of this library are tested.
"""

from __future__ import annotations

import os
from functools import cache

import pytest

from tensor_sva.identities import IDENTITIES
from tensor_sva.suite.load import load_operators
from tensor_sva.suite.run import Result, run


@cache
def results(seed: int) -> dict[str, Result]:
    operators, ways = load_operators(os.environ.get("TENSOR_SVA_OPERATORS"))
    return {result.name: result for result in run(operators, None, seed, **ways)}


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("name", IDENTITIES)
def test_identity_holds(name: str, seed: int) -> None:
    result = results(seed)[name]
    if result.missing:
        pytest.skip(f"needs {', '.join(result.missing)}")
    assert result.holds, result.error or result.residuals
