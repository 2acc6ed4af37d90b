"""Bad input to identify raises errors that name the argument."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from spatial_v2 import (
    ArrayShapeError,
    SpatialError,
    autoTree,
    identify,
    planar,
)

BAD: list[tuple[dict[str, Any], str]] = [
    ({"qd": None, "qdd": None, "tau": None}, "qd, qdd and tau are missing"),
    ({"tau": None}, "tau is missing; want arrays"),
    ({"q": np.zeros((5, 4))}, r"q: want shape \(..., 3\)"),
    ({"tau": np.zeros((3, 5))}, "transpose"),
    ({"tau": np.zeros((6, 3))}, "hold 5, 5, 5, 6 samples"),
    ({"qd": np.full((5, 3), np.nan)}, "qd: sample 0 is not finite"),
    ({"qdd": np.zeros((5, 3), complex)}, "qdd: want real numbers"),
    ({"q": np.array(["a"] * 3)}, "q: want real numbers"),
    ({x: np.zeros((0, 3)) for x in ("q", "qd", "qdd", "tau")}, "hold no samples"),
    ({"weights": [1, 2]}, r"weights: want shape \(3,\)"),
    ({"weights": [1, 2, -1]}, "positive and finite"),
    ({"weights": "auto"}, "or 'residuals'"),
    ({"friction": "dry"}, "'viscous', 'coulomb'"),
    ({"friction": 0.1}, "friction: want True, False, 'viscous'"),
    ({"friction": [0.1]}, "friction: want True, False, 'viscous'"),
    ({"armature": "no"}, "armature: want True or False, got 'no'"),
    ({"friction": "offset"}, "offset=True for constant forces"),
    ({"offset": 1.0}, "offset: want True or False, got 1.0"),
    ({"unknown": "hand"}, "unknown: no frame and no body is called 'hand'"),
    ({"unknown": [3]}, "unknown: want the number of a body, 0 to 2"),
    ({"unknown": [-1]}, "unknown: the base has no parameters"),
    ({"unknown": [0.5]}, "unknown: want a Frame"),
    ({"physical": "maybe"}, "physical: want True"),
    ({"physical": np.ones(2)}, "physical: want True"),
    ({"method": "svd"}, "method: want 'qr'"),
    ({"method": ["qr"]}, "method: want 'qr'"),
    ({"prior": np.full((3, 10), np.nan)}, "prior: want finite numbers"),
    ({"prior": np.full((3, 10), np.inf), "physical": False}, "prior: want finite numbers"),
    ({"prior_weight": np.inf}, "at least zero, got inf"),
    ({"prior_weight": np.inf, "physical": False}, "at least zero, got inf"),
    ({"q": [[np.zeros((5, 3))] * 4], "qd": None, "qdd": None}, "qd is missing"),
    ({"chunk": 0}, "chunk must be"),
    ({"tol": 2.0}, "between 0 and 1"),
    ({"prior": np.zeros((2, 10))}, "prior: want shape"),
    ({"prior": np.zeros((3, 10))}, "no distribution of positive mass has those of body 0"),
    ({"prior_weight": -1.0}, "at least zero"),
    ({"prior": np.zeros((3, 10)), "physical": False, "prior_weight": 1.0}, "without prior_weight"),
    ({"prior": autoTree(2).replace(damping=1.0)}, "prior: want"),
    ({"prior_weight": 0.0}, "must be positive, or use physical=False"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_input_is_refused(change: dict[str, Any], message: str) -> None:
    x = {name: np.zeros((5, 3)) for name in ("q", "qd", "qdd", "tau")}
    with pytest.raises(SpatialError, match=message):
        identify(autoTree(3), **{**x, **change})


def test_wrong_batches_are_refused() -> None:
    model = autoTree(2)
    good = [np.zeros((3, 2))] * 4
    late = [good, [*good[:3], np.full((3, 2), np.inf)]]
    with pytest.raises(ArrayShapeError, match="tau: sample 3 is not finite"):
        identify(model, iter(late))
    with pytest.raises(ArrayShapeError, match="batch 1: want .* got 3 entries"):
        identify(model, iter([good, good[:3]]))
    with pytest.raises(ArrayShapeError, match="batch 0: want .* got an object of type float"):
        identify(model, [1.0])
    with pytest.raises(ArrayShapeError, match="hold no samples"):
        identify(model, iter([]))
    with pytest.raises(ArrayShapeError, match="iterable of batches"):
        identify(planar(2), 3, physical=False)
