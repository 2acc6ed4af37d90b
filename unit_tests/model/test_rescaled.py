"""`rescaled`: the same robot in other units."""

import numpy as np
import pytest
import zoo
from helpers import for_each, near
from joint_term_samples import with_terms
from numpy.testing import assert_array_equal
from units import Units, rescaled

from spatial_v2 import ID, FDab, Frame, Model, load_model, xlt
from spatial_v2.io.robot_data import JointLimits, Loop, Mimic

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
SYSTEMS = [Units(1e3, 1e3, 1e3), Units(2.0**-10, 2.0**-30), Units(1.0, 2.0**12, 2.0**-4)]


def with_everything() -> Model:
    """Make a model with all fields that have units."""
    model = with_terms(zoo.build("mixed"))
    names = model.joint_names
    return model.replace(
        limits={names[3]: JointLimits(-1.0, 2.0, 3.0, 4.0)},
        mimic={names[3]: Mimic(names[4], 2.0, 0.5)},
        frames={"tip": Frame(2, xlt([1.0, 2, 3]))},
        loops={"l": Loop("frame", "tip", np.eye(6), "body0", xlt([1.0, 0, 0]), np.eye(6)[:, 3:4])},
        gc={"point": np.ones((2, 3)), "body": [0, 1]},
    )


@for_each([(name, units) for name in zoo.NAMES for units in SYSTEMS])
def test_equations_of_motion_hold_in_other_units(name: str, units: Units) -> None:
    """Joint forces and accelerations are those of the first units, scaled."""
    model = zoo.build(name)
    rng = np.random.default_rng(2)
    if not model.has_rotors:
        model = with_terms(model)
    s, other = zoo.states(model, rng, (3,)), units.model(model)
    q, qd, qdd, tau = (
        units.scaled(model, x, dimension)
        for x, dimension in zip(s, ("q", "T-1 v", "T-2 v", "E f"), strict=False)
    )
    f_ext = units.scaled(model, s.f_ext, "E w")
    for found, wanted, back in (
        (ID(other, q, qd, qdd, f_ext), ID(model, *s[:3], s.f_ext), "E f"),
        (FDab(other, q, qd, tau, f_ext), FDab(model, *s[:2], s.tau, s.f_ext), "T-2 v"),
    ):
        near(Units(*1 / np.array(units)).scaled(model, found, back), wanted, 1e-10)


@for_each(SYSTEMS)
def test_every_field_comes_back(units: Units) -> None:
    """Units and their inverse leave all fields as they were."""
    model = with_everything()
    back = Units(*1 / np.array(units)).model(units.model(model))
    for name, x in model.fields().items():
        _same(x, back.fields()[name], name)


def test_fields_in_millimetres_and_grams() -> None:
    model = rescaled(with_everything(), 1e3, 1e3, 1e3)
    assert model.limits == {"joint3": (-1e3, 2e3, 3.0, 4.0)}
    assert model.mimic["joint3"][1:] == (2e3, 500.0)
    near(model.frames["tip"].X, xlt([1e3, 2e3, 3e3]))
    near(model.gc["point"], np.full((2, 3), 1e3))
    assert model.jtype[1]["pars"]["pitch"] == 300.0
    near(model.loops["l"].X2, xlt([1e3, 0, 0]))


def test_limits_of_a_robot_file_are_kept_with_their_type() -> None:
    model = rescaled(load_model("panda", couplings="free"), 10.0)
    assert {type(x) for x in model.limits.values()} == {JointLimits}


def _same(x: object, y: object, name: str) -> None:
    if isinstance(x, dict):
        assert isinstance(y, dict) and x.keys() == y.keys()
        for key in x:
            _same(x[key], y[key], name)
    elif isinstance(x, tuple | list):
        assert type(x) is type(y), name
        for a, b in zip(x, y, strict=True):  # type: ignore[arg-type]
            _same(a, b, name)
    elif isinstance(x, float | np.ndarray):
        np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=1e-12, atol=1e-13)
    else:
        assert_array_equal(x, y)
