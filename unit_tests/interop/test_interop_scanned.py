"""Dynamics in loops of JAX agree with the library, and so do their derivatives."""

import numpy as np
import pytest
import zoo
from joint_term_samples import with_terms
from numpy.testing import assert_allclose

from spatial_v2 import CRBA, ID, ArrayShapeError, FDab, ModelError

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
loops = pytest.importorskip("spatial_v2.interop.jax.scanned")
pytestmark = pytest.mark.optional


@pytest.mark.parametrize("name", ["forest", "mixed", "helical"])
def test_values_are_those_of_the_kernels(name: str) -> None:
    """Results agree with those of the kernels, including joint terms."""
    model = zoo.build(name)
    if name == "mixed":
        model = with_terms(model)
    s, robot = zoo.states(model, np.random.default_rng(0), (2,)), loops.scanned(model)
    pairs = (
        (jax.vmap(robot.ID)(*s[:3]), ID(model, *s[:3])),
        (jax.vmap(robot.CRBA)(s.q), CRBA(model, s.q)),
        (jax.vmap(robot.FD)(s.q, s.qd, s.tau), FDab(model, s.q, s.qd, s.tau)),
    )
    for made, wanted in pairs:
        assert_allclose(made, wanted, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("field", ["I", "Xtree", "gravity"])
def test_gradients_by_fields_are_complex_steps(field: str) -> None:
    model = zoo.build("chain")
    s, robot = zoo.states(model, np.random.default_rng(0)), loops.scanned(model)
    x = getattr(model, field)
    dx = np.roll(x, 1) if field == "gravity" else 0.3 * x
    step = ID(model.replace(**{field: x + 1e-20j * dx}), *s[:3]).imag / 1e-20
    _, slope = jax.jvp(lambda x: robot._replace(**{field: x}).ID(*s[:3]), (x,), (dx,))
    assert_allclose(slope, step, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", ["planar_chain", "rotors"])
def test_other_models_are_refused(name: str) -> None:
    with pytest.raises(ModelError, match="scanned: model: want a spatial one without rotors"):
        loops.scanned(zoo.build(name))


def test_states_of_another_shape_are_refused() -> None:
    """A state of another shape is an error: JAX would silently use the nearest entry for a missing
    one.
    """
    model = zoo.build("floating")
    s, robot = zoo.states(model, np.random.default_rng(0), (2,)), loops.scanned(model)
    with pytest.raises(ArrayShapeError, match=r"q: want shape \(11,\), one state.*got \(10,\)"):
        jax.jit(robot.ID)(s.qd[0], s.qd[0], s.qdd[0])
    with pytest.raises(ArrayShapeError, match=r"tau: .*jax.vmap; got \(2, 10\)"):
        robot.FD(s.q[0], s.qd[0], s.tau)
