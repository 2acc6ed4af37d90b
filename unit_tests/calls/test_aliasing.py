"""Results are arrays of their own: edits of them change neither arguments nor models."""

import calls
import numpy as np
import pytest
import zoo
from calls import Call
from helpers import for_each, parts

from derivatives import VelocityRepresentation
from spatial_v2 import autoTree, confVecToCell, mcI, plux

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")

VIEWS = {"page", "unpage", "rotR", "rotRT", "rotT"}
"""Functions that move indices only, and return views as `numpy.transpose` does."""
MODELS = {
    "one joint": autoTree(1),
    "chain": autoTree(3),
    **{name: zoo.build(name) for name in ("floating", "SE3", "planar_tree", "one_rotor")},
}


def check(call: Call, *owners: np.ndarray) -> None:
    """Check that no two results share memory, that none is read-only or shares memory with an
    argument or with the other arrays.
    """
    results = [
        x for p in parts(call.function(*call.arrays)) for x in (p if type(p) is list else [p])
    ]
    arrays = [x for x in results if isinstance(x, np.ndarray)]
    for k, x in enumerate(arrays):
        assert x.flags.writeable, call.name
        others = *call.arrays, *owners, *arrays[k + 1 :]
        assert not any(np.shares_memory(x, y) for y in others), call.name


@for_each(c for c in calls.without_model() if c.name not in VIEWS)
def test_results_without_a_model_are_new(call: Call) -> None:
    check(call)


@pytest.mark.parametrize("name", MODELS)
def test_results_of_a_model_are_new(name: str) -> None:
    model = MODELS[name]
    fields = [x for x in model.fields().values() if isinstance(x, np.ndarray)]
    for call in calls.of_model(model):
        check(call, *fields)


def test_parts_of_a_model_can_be_edited() -> None:
    """Editing parts of a transform or an inertia of a model leaves the model as it is."""
    model = autoTree(2)
    E, m = plux(model.Xtree[1])[0], mcI(model.I[1])[0]
    E[:], m[...] = 0, 7
    assert np.array_equal(model.Xtree, autoTree(2).Xtree)
    assert np.array_equal(model.I, autoTree(2).I)
    q = np.zeros(2)
    confVecToCell(model, q)[0][1][:] = 5
    assert not q.any()


@pytest.mark.parametrize("velocity", ["body", "mixed", "inertial"])
def test_results_of_representations_are_new(velocity: str) -> None:
    model = zoo.build("floating")
    of = VelocityRepresentation(model, velocity)  # type: ignore[arg-type]
    q, nu, force = zoo.states(model, np.random.default_rng(0))[:3]
    for method in (of.ID, of.FDab, of.ID_derivatives, of.FD_derivatives, of.FD_SO_derivatives):
        check(Call(method.__name__, method, (q, nu, force)), model.Xtree, model.I)
