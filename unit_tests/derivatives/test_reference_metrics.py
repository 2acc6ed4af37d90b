"""The error metrics (40)-(43) of paper 000."""

import numpy as np
import pytest

from derivatives.reference.metrics import errors
from spatial_v2.exceptions import ArrayShapeError


def test_metrics_obey_their_definitions():
    A_ref = np.array([[[0.5, -4.0], [0.0, 10.0]]])
    A = A_ref + np.array([[[0.1, -0.4], [0.2, 2.0]]])
    e = errors(A, A_ref)
    relative = np.array([0.1, 0.1, 0.2, 0.2])
    assert e.mae == pytest.approx(2.0)
    assert e.rmsae == pytest.approx(np.sqrt((0.01 + 0.16 + 0.04 + 4.0) / 4))
    assert e.mre == pytest.approx(0.2)
    assert e.rmsre == pytest.approx(np.sqrt(np.mean(relative**2)))


def test_a_nan_is_never_hidden():
    assert all(np.isnan(e) for e in errors([np.nan, 1.0], [1.0, 1.0]))


def test_shapes_must_agree():
    with pytest.raises(ArrayShapeError, match=r"want the shape \(3,\) .*, got \(2,\)"):
        errors([1.0, 2.0], [1.0, 2.0, 3.0])
