"""ID, HandC, FDab and forward_kinematics: batches, every kind of array, and bad input."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import zoo
from helpers import near
from numpy.testing import assert_array_equal

from spatial_v2 import (
    ID,
    FDab,
    HandC,
    Model,
)

EPS = 1e-30


close = partial(near, least=0.0)


def sample(name: str, shape: tuple[int, ...] = ()) -> tuple[Model, zoo.State]:
    model = zoo.build(name)
    return model, zoo.states(model, np.random.default_rng(9), shape)


def test_complex_models_are_differentiated() -> None:
    """The complex step with respect to the inertia of a body is exact, because tau is
    linear in it.
    """
    model, s = sample("chain")
    change = zoo.random_inertia(np.random.default_rng(2))
    inertia = model.I.astype(complex)
    inertia[2] += 1j * EPS * change
    step = ID(model.replace(I=inertia), s.q, s.qd, s.qdd).imag / EPS
    twice = model.I.copy()
    twice[2] += change
    close(step, ID(model.replace(I=twice), *s[:3]) - ID(model, *s[:3]), tolerance=1e-11)


@pytest.mark.parametrize("name", ["chain", "planar_tree", "floating_rotors"])
def test_external_forces_may_be_a_dict_a_list_or_an_array(name: str) -> None:
    """A dict may leave out bodies, a list may have None for some, and an array has a force for
    every body.
    """
    model, s = sample(name, (2,))
    some = {0: s.f_ext[:, 0], 2: s.f_ext[0, 2].tolist()}
    array = np.zeros_like(s.f_ext)
    array[:, 0], array[:, 2] = s.f_ext[:, 0], s.f_ext[0, 2]
    for function, last in ((ID, s.qdd), (FDab, s.tau)):
        args = (model, s.q, s.qd, last)
        close(function(*args, some), function(*args, array))
        cells = [some.get(i, [] if i else None) for i in range(model.NB)]
        close(function(*args, cells), function(*args, array))
        close(function(*args, f_ext=some), function.reference(*args, array))
        assert_array_equal(function(*args, None), function(*args))
        assert_array_equal(function(*args, {}), function(*args, 0 * array))
    close(HandC(model, s.q, s.qd, some).C, HandC(model, s.q, s.qd, array).C)
