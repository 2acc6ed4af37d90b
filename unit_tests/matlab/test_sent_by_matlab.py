"""Arguments as MATLAB's interface to Python sends them, and names of MATLAB's version 1."""

from array import array
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy
import zoo
from public_functions import CONFIGURATIONS, VELOCITIES, arguments, functions_of_state, suits
from scipy.io import loadmat
from zoo import build, states

import spatial_v2
from spatial_v2 import CRBA, ID, Model, ModelFileError, SpatialError, autoTree, matlab, mcI
from spatial_v2.version_1 import VERSION_1

FUNCTIONS = {name: (f, names) for name, f, names in functions_of_state()}
over_all = pytest.mark.parametrize("name", FUNCTIONS)


def same(model: Model, name: str, change: Callable[[np.ndarray], Any]) -> None:
    """Check that a function has the same results for vectors in another form."""
    function, names = FUNCTIONS[name]
    if not suits(function, model):
        pytest.skip("the function takes other models")
    given = arguments(model, names, np.random.default_rng(1))
    vectors = [x for x in names if x in (*CONFIGURATIONS, *VELOCITIES)]
    wanted = function(model, *given.values())
    found = function(model, *{**given, **{x: change(given[x]) for x in vectors}}.values())
    pairs = zip(*[x if isinstance(x, tuple) else (x,) for x in (found, wanted)], strict=True)
    for x, y in pairs:
        if isinstance(y, np.ndarray):
            np.testing.assert_array_equal(x, y)


@over_all
def test_a_number_is_the_vector_of_a_model_with_one_variable(name: str) -> None:
    same(autoTree(1), name, lambda x: float(x[0]))


@over_all
def test_a_column_in_a_memoryview_is_a_vector(name: str) -> None:
    """MATLAB has no vectors; it sends a column as a memoryview (n, 1)."""
    same(build("floating"), name, lambda x: memoryview(np.array(x)[:, None].copy()))


@pytest.mark.parametrize("form", [lambda x: array("d", x), lambda x: memoryview(x[:, None].copy())])
def test_matlabs_namespace_takes_what_matlab_sends(form: Callable[[np.ndarray], Any]) -> None:
    """Rows arrive as arrays of the module array, columns as memoryviews."""
    model, q = autoTree(3), np.array([0.1, 0.2, 0.3])
    np.testing.assert_array_equal(
        matlab.ID(model, *[form(x) for x in (q, 2 * q, 3 * q)]), ID(model, q, 2 * q, 3 * q)
    )
    np.testing.assert_array_equal(matlab.mcI(2.0, form(q), np.eye(3)), mcI(2.0, q, np.eye(3)))


@pytest.mark.parametrize("kind", [sympy.Matrix, sympy.ImmutableMatrix])
@pytest.mark.parametrize("n", [1, 3])
def test_matrices_of_sympy_are_arrays_of_symbols(kind: Any, n: int) -> None:
    """A column of SymPy is a vector of its symbols, also as a link's parameter."""
    symbols = sympy.symbols(f"q0:{n}")
    tree = autoTree(n)
    H = CRBA(tree, kind(symbols))
    assert H.shape == (n, n)
    assert (CRBA(tree, np.array(symbols)) == H).all()
    link = mcI(2, kind([1, 2, 3]), kind(np.eye(3)))
    np.testing.assert_array_equal(link.astype(float), mcI(2, [1, 2, 3], np.eye(3)))


STRUCT = {"NB": 1, "parent": [0], "jtype": ["Rz"], "Xtree": [np.eye(6)], "I": [np.eye(6)]}


@over_all
def test_a_struct_in_place_of_a_model_is_explained(name: str) -> None:
    function, names = FUNCTIONS[name]
    given = arguments(build("floating"), names, np.random.default_rng(1))
    for struct in (STRUCT, SimpleNamespace(**STRUCT)):
        with pytest.raises(TypeError, match=r"want a spatial_v2.Model, got .*Model\.from_matlab\("):
            function(struct, *given.values())


def test_names_of_version_1_say_what_to_write() -> None:
    fields = {"pitch", "grav_accn"}
    for old in VERSION_1.keys() - fields:
        new = VERSION_1[old].partition(",")[0]
        assert callable(getattr(spatial_v2, new))
        with pytest.raises(AttributeError, match=f"{old} of version 1 is now {new}"):
            getattr(spatial_v2, old)
        with pytest.raises(SpatialError, match=f"^{old} of MATLAB is not supported; .* {new}"):
            getattr(matlab, old)(1)
    tree = autoTree(1)
    for field in fields:
        with pytest.raises(AttributeError, match=f"{field} of version 1 is now"):
            getattr(tree, field)
    dynamics: Any = ID
    for more, named in (([None, [0, 0, -1]], {}), ([], {"grav_accn": [0, 0, -1]})):
        with pytest.raises(TypeError, match=r"is now the field gravity.*model\.gravity ="):
            dynamics(tree, 0.0, 0.0, 0.0, *more, **named)
    struct = {("pitch" if k == "jtype" else k): x for k, x in STRUCT.items()}
    with pytest.raises(ModelFileError, match="'jtype' is missing; pitch of version 1 is now jtype"):
        Model.from_matlab(struct)


def as_sent(x: Any) -> Any:
    """Return what MATLAB's interface to Python makes of a value, as SciPy reads it from a file."""
    if hasattr(x, "_fieldnames"):
        return {n: as_sent(getattr(x, n)) for n in x._fieldnames}
    if x.dtype == object:
        found = [as_sent(y) for y in x.ravel(order="F")]
        is_struct = x.size == 1 and hasattr(x.flat[0], "_fieldnames")
        return found[0] if is_struct else tuple(found)
    if x.dtype.kind == "U":
        return "".join(x.ravel())
    if x.size == 1:
        return bool(x.item()) if x.dtype.kind == "b" else float(x.item())
    if x.shape[0] == 1 and x.ndim == 2:
        return array("d", x.ravel().astype(float))
    return memoryview(np.asfortranarray(x, float))


@pytest.mark.parametrize("name", zoo.MODELS)
def test_a_struct_arrives_as_a_dictionary(name: str, tmp_path: Path) -> None:
    """Structs are dictionaries, cells tuples, numbers floats, rows arrays, the rest memoryviews."""
    model = build(name)
    model.to_matlab(tmp_path / "robot.mat")
    (file,) = loadmat(tmp_path / "robot.mat", struct_as_record=False)["model"].ravel()
    found = Model.from_matlab(as_sent(file))
    q, qd, qdd, *_ = states(model, np.random.default_rng(3))
    columns = [as_sent(x[:, None]) for x in (q, qd, qdd)]
    np.testing.assert_allclose(
        matlab.ID(found, *columns), ID(model, q, qd, qdd), rtol=1e-11, atol=1e-11
    )


def test_forces_arrive_as_a_tuple_with_empty_entries() -> None:
    model, q = autoTree(3), np.array([0.1, 0.2, 0.3])
    force = np.arange(6.0)
    sent = (memoryview(force[:, None].copy()), memoryview(np.zeros((0, 0))), array("d", force))
    wanted = ID(model, q, q, q, {0: force, 2: force})
    np.testing.assert_array_equal(matlab.ID(model, q, q, q, sent), wanted)
    np.testing.assert_array_equal(matlab.ID(model, q, q, q, ()), ID(model, q, q, q))


def test_numbers_of_bodies_and_booleans_arrive_as_floats() -> None:
    tree = matlab.autoTree(3.0, 1.0, 0.2)
    q = memoryview(np.array([[0.1], [0.2], [0.3]]))
    assert tree.NB == 3
    np.testing.assert_array_equal(
        matlab.BodyJacobian(tree, q, 2.0, memoryview(np.eye(6))),
        matlab.BodyJacobian(tree, [0.1, 0.2, 0.3], 2, np.eye(6)),
    )
