"""Leading axes of different arguments are broadcast by every function, as by NumPy's."""

import itertools

import calls
import numpy as np
import pytest
import zoo
from calls import Call
from helpers import for_each, near, parts
from joint_term_samples import with_terms
from public_functions import CONFIGURATIONS, VELOCITIES, arguments, functions_of_state, suits

from derivatives import symmetrize
from spatial_v2 import ArrayShapeError, BodyJacobian, BodyJacobianTimeDerivative, Model, autoTree
from spatial_v2.arrays.checks import common_shape

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")

MODELS: dict[str, Model] = {
    "one body": with_terms(autoTree(1)),
    "floating": with_terms(zoo.build("floating")),
    "no joint terms": zoo.build("floating"),
}
FUNCTIONS = {
    name: (function, names)
    for name, function, names in functions_of_state()
    if hasattr(function, "reference")
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("kind", MODELS)
def test_reference_implementations_broadcast(kind: str, name: str) -> None:
    """A batch of one argument and one value of another are the batch with that value repeated, in
    arrays that can be written.
    """
    (function, names), model = FUNCTIONS[name], MODELS[kind]
    terms = model.has_joint_terms and not function.joint_terms
    if terms or not suits(function, model):
        return
    given = arguments(model, names, np.random.default_rng(2))
    alone = parts(function.reference(model, **given))
    for vector in (*CONFIGURATIONS, *VELOCITIES):
        if vector in given:
            batch = {**given, vector: np.stack([given[vector]] * 2)[:, None]}
            found = parts(function.reference(model, **batch))
            for x, one in zip(found, alone, strict=True):
                near(x, np.broadcast_to(one, (2, 1, *np.shape(one))), 1e-9)
                assert x.flags.writeable


@for_each(c for c in calls.without_model() if len(c.arrays) > 1)
def test_leading_axes_that_do_not_fit_are_named(call: Call) -> None:
    """Batches of two and of three are an error of the library, whichever argument is longer."""
    for longer in range(len(call.arrays)):
        batches = [np.stack([x] * (2 + (k == longer))) for k, x in enumerate(call.arrays)]
        with pytest.raises(ArrayShapeError, match=r"leading axes .*\(3,"):
            call.function(*batches)


def test_leading_axes_of_end_transforms_are_named() -> None:
    model, ends, q = autoTree(3), np.stack([np.eye(6)] * 3), np.zeros((2, 3))
    message = r"leading axes do not broadcast: q \(2,\), Xend{} \(3,\)"
    with pytest.raises(ArrayShapeError, match=message.format("")):
        BodyJacobian(model, q, 1, ends)
    with pytest.raises(ArrayShapeError, match=message.format("")):
        BodyJacobianTimeDerivative(model, q, q, 1, ends)
    with pytest.raises(ArrayShapeError, match=message.format("_dot")):
        BodyJacobianTimeDerivative(model, q, q, 1, None, ends)


def test_leading_axes_of_both_derivatives_are_named() -> None:
    """The first derivatives of three rows do not belong to the second of two."""
    with pytest.raises(ArrayShapeError, match=r"symmetrize: leading axes .* d2 \(3,\), d1 \(2,\)"):
        symmetrize(np.zeros((3, 3, 3)), np.zeros((2, 3)), autoTree(3))


def test_shapes_broadcast_as_those_of_numpy() -> None:
    """`common_shape` agrees with NumPy for every pair of shapes with up to two axes."""
    shapes = [s for n in range(3) for s in itertools.product((0, 1, 2, 3), repeat=n)]
    for pair in itertools.product(shapes, repeat=2):
        try:
            wanted = np.broadcast_shapes(*pair)
        except ValueError:
            with pytest.raises(ValueError, match="do not broadcast"):
                common_shape(*pair)
        else:
            assert common_shape(*pair) == wanted
