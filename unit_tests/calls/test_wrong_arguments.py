"""Every public function of a model and q refuses invalid arguments, and the error names them."""

import inspect
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import for_each
from public_functions import CONFIGURATIONS, VELOCITIES, arguments, functions_of_state, listed

import derivatives
import spatial_v2.control
import spatial_v2.export
import spatial_v2.plots
import tensor_sva.expressions
from derivatives import reference
from derivatives.reference import complex_step, complex_step_q, crba_derivative, finiteDiff, mae
from spatial_v2 import Model, SpatialError, autoTree
from spatial_v2.exceptions import ArrayShapeError

ALL = {
    name: (f, names) for name, f, names in functions_of_state((spatial_v2, derivatives, reference))
}
over_all = pytest.mark.parametrize("name", ALL)
MODEL = zoo.build("floating")


def too_long(x: np.ndarray) -> Any:
    return np.concatenate([x, x[:1]])


def too_short(x: np.ndarray) -> Any:
    return x[:-1]


def strings(x: np.ndarray) -> Any:
    return [str(e) for e in x]


def number(x: np.ndarray) -> Any:
    return 1.0


def ragged(x: np.ndarray) -> Any:
    return [[1.0], *x[1:]]


def nothing(x: np.ndarray) -> Any:
    return [None] * len(x)


@pytest.mark.parametrize("spoil", [too_long, too_short, strings, number, ragged, nothing])
@over_all
def test_wrong_vectors_are_refused(name: str, spoil: Callable[[np.ndarray], Any]) -> None:
    """Each vector is made wrong in turn, while the others are right; the error names it."""
    function, names = ALL[name]
    right = arguments(MODEL, names, np.random.default_rng(1))
    for wrong in names:
        if wrong in (*CONFIGURATIONS, *VELOCITIES):
            given = {**right, wrong: spoil(right[wrong])}
            with pytest.raises(SpatialError, match=rf"(^|\b){wrong}\b"):
                function(MODEL, *given.values())
            with pytest.raises(SpatialError, match=rf"(^|\b){wrong}\b"):
                function(MODEL, **given)


@pytest.mark.parametrize("name", [n for n in ALL if n.startswith("derivatives.reference")])
def test_unknown_functions_are_refused(name: str) -> None:
    """Functions that compare methods for ID and FD refuse an unknown function, whatever else is
    given.
    """
    function, names = ALL[name]
    if "u" in names:
        given = arguments(MODEL, names, np.random.default_rng(1))
        for unknown in ("RNEA", None, ["ID"]):
            with pytest.raises(SpatialError, match="function: .* is unknown; valid: ID, FD"):
                function(MODEL, **given, function=unknown)


@for_each(ALL)
def test_leading_axes_that_do_not_fit_are_refused(name: str) -> None:
    """Batches of two and of three states do not broadcast, which is an error."""
    function, names = ALL[name]
    vectors = [x for x in names if x in (*CONFIGURATIONS, *VELOCITIES)]
    if len(vectors) < 2:
        return
    given = arguments(MODEL, names, np.random.default_rng(1))
    for k, vector in enumerate(vectors):
        given[vector] = np.stack([given[vector]] * (2 if k else 3))
    with pytest.raises(SpatialError, match="leading axes do not broadcast"):
        function(MODEL, *given.values())


@pytest.mark.parametrize("name", [n for n in ALL if "_factorization" in n or "_consistent" in n])
@pytest.mark.parametrize(
    "C", [np.ones((9, 10)), np.ones(10), [["x"] * 10] * 10, None, 1j * np.ones((10, 10))]
)
def test_wrong_matrices_are_refused(name: str, C: Any) -> None:
    function, names = ALL[name]
    given = arguments(MODEL, names, np.random.default_rng(1))
    with pytest.raises(ArrayShapeError, match=r"^C"):
        function(MODEL, **{**given, "C": C})


@pytest.mark.parametrize(
    "directions", [np.ones(10), np.ones((2, 9)), [["x"] * 10], np.ones((1, 1, 10))]
)
def test_wrong_directions_are_refused(directions: Any) -> None:
    q = arguments(MODEL, ["q"], np.random.default_rng(1))["q"]
    with pytest.raises(ArrayShapeError, match="^directions"):
        crba_derivative(MODEL, q, directions)
    with pytest.raises(ArrayShapeError, match="^directions"):
        complex_step_q(MODEL, lambda q: q, q, directions)
    with pytest.raises(ArrayShapeError, match="^directions"):
        complex_step(lambda x: x, np.ones(10), directions)


def test_strings_are_refused_as_numbers() -> None:
    """A string that spells a number is not accepted as one."""
    for wrong in (["1", "2"], "1", [None, 1]):
        for call in (
            lambda x: complex_step(lambda y: y, x),
            lambda x: reference.bicomplex_step(lambda y: y, x),
            lambda x: reference.complexStepJacobian(lambda y: y, x),
            lambda x: reference.finiteDiffJacobian(lambda y: y, x),
            lambda x: finiteDiff(lambda y: y, x, x),
            lambda x: mae(x, x),
        ):
            with pytest.raises(ArrayShapeError, match="must be"):
                call(wrong)


def takes_a_model(x: Any) -> bool:
    """True if the first argument of a function or class of the library is a model."""
    if not inspect.isroutine(x) and (not inspect.isclass(x) or issubclass(x, Exception | dict)):
        return False
    return list(inspect.signature(x).parameters)[:1] == ["model"]


OF_A_MODEL = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (
        spatial_v2, derivatives, reference, spatial_v2.control, spatial_v2.export,
        spatial_v2.plots, tensor_sva.expressions,
    )
    for name in listed(module)
    if takes_a_model(getattr(module, name))
}  # fmt: skip
"""All public functions and classes whose first argument is a model."""


@for_each(product([None, "puma560", np.zeros(3), [MODEL], Model], OF_A_MODEL))
def test_what_is_no_model_is_refused(wrong: Any, name: str) -> None:
    """A name, a list, a class, or another argument in place of the model is an error."""
    function = OF_A_MODEL[name]
    parameters = list(inspect.signature(function).parameters.values())[1:]
    needed = [p for p in parameters if p.default is p.empty and p.kind < p.VAR_POSITIONAL]
    named = {
        p.name: np.zeros(3)
        for p in parameters
        if (p.name == "qdd") == (p.default is not p.empty) and p.kind == p.KEYWORD_ONLY
    }
    given = [np.zeros(3) for _ in needed]
    with pytest.raises(TypeError, match=rf"want a spatial_v2.Model, got {type(wrong).__name__}\b"):
        function(wrong, *given, **named)


def test_transposed_forces_are_refused() -> None:
    """Forces in columns, as in MATLAB, are an error if there are not six bodies."""
    with pytest.raises(ArrayShapeError, match=r"f_ext: .*got shape \(6, 5\); forces are rows"):
        spatial_v2.ID(autoTree(5), *np.zeros((3, 5)), np.zeros((6, 5)))


def test_columns_of_lambda_are_refused() -> None:
    """Weights in columns are an error if their number is not that of the velocities."""
    state = np.zeros((3, 5))
    for f in (derivatives.modID_derivatives, derivatives.modID_second_derivatives):
        with pytest.raises(ArrayShapeError, match=r"lambda_: .* got \(5, 3\).*transpose"):
            f(autoTree(5), *state, np.ones((5, 3)))


def test_wrong_second_derivatives_are_refused() -> None:
    """`symmetrize` names the argument that is no array, and asks for dense tensors."""
    d2, d1 = np.zeros((3, 3, 3)), np.zeros((3, 3))
    with pytest.raises(ArrayShapeError, match="^d2 must be numbers, got None"):
        derivatives.symmetrize(None, d1, autoTree(3))
    with pytest.raises(ArrayShapeError, match="^d1 must be one array of numbers; some entries"):
        derivatives.symmetrize(d2, np.ma.masked_equal(d1, 0), autoTree(3))
    with pytest.raises(TypeError, match="want a spatial_v2.Model, got ndarray"):
        derivatives.symmetrize(autoTree(3), d2, d1)
    packed = derivatives.ID_SO_derivatives(autoTree(3), *np.ones((3, 3)), packed=True).d2tau_dq
    with pytest.raises(TypeError, match=r"got a PackedTensor; todense\(\) makes it an array"):
        derivatives.symmetrize(packed, d1, autoTree(3))


def test_a_missing_matrix_of_new_coordinates_is_refused() -> None:
    with pytest.raises(ArrayShapeError, match="^A must be numbers, got None"):
        derivatives.transform_coordinates(None, M=np.eye(2))


@pytest.mark.parametrize("q", [None, "half", [None], ["1"]])
def test_joint_positions_must_be_numbers(q: Any) -> None:
    with pytest.raises(ArrayShapeError, match="^jcalc: q must be"):
        spatial_v2.jcalc("Rz", q)


@pytest.mark.parametrize("shape", [-1, 2.5, None, "two", (2, -1), (2.0,)])
def test_shapes_of_random_configurations_are_whole_numbers(shape: Any) -> None:
    with pytest.raises(SpatialError, match="^shape: want the leading axes, .* got"):
        spatial_v2.random_configuration(autoTree(2), np.random.default_rng(0), shape)


@pytest.mark.parametrize("wrong", [-1e-9, np.nan, "small", None, [1e-9], 1e-9j])
def test_tolerances_are_numbers_from_zero_on(wrong: Any) -> None:
    """A tolerance that is none would answer False for every matrix."""
    model, q, C = autoTree(2), np.zeros(2), np.zeros((2, 2))
    for f in (
        derivatives.is_valid_factorization,
        derivatives.is_admissible_factorization,
        derivatives.is_christoffel_consistent,
    ):
        with pytest.raises(SpatialError, match="^rtol: want a number of at least 0, got"):
            f(model, q, q, C, rtol=wrong)
    with pytest.raises(SpatialError, match="^isEqualModSign: tol: want a number of at least 0"):
        spatial_v2.isEqualModSign([1], [1], wrong)


@pytest.mark.parametrize("wrong", ["no", 0, None, [True]])
def test_switches_are_true_or_false(wrong: Any) -> None:
    """Text such as "no" counted as True."""
    model, x = autoTree(2), np.zeros(2)
    with pytest.raises(SpatialError, match="^reduce: want True or False, got"):
        derivatives.linearize(model, x, x, x, reduce=wrong)
    with pytest.raises(SpatialError, match="^stabilise: want True or False, got"):
        spatial_v2.configurationRates(model, x, x, stabilise=wrong)
    with pytest.raises(SpatialError, match="^stabilise: want True or False, got"):
        spatial_v2.rqd([1, 0, 0, 0], [0, 0, 1], stabilise=wrong)


def test_inputs_of_other_states_are_refused() -> None:
    """Three states and the actuation of two do not broadcast."""
    x = np.zeros((3, 2))
    with pytest.raises(ArrayShapeError, match=r"broadcast: state \(3,\), actuation \(2,\)"):
        derivatives.linearize(autoTree(2), x, x, x, np.ones((2, 2, 1)))


@pytest.mark.parametrize("option", ["order", "factorization", "retraction", "kind", "velocity"])
def test_arrays_in_place_of_options_are_refused(option: str) -> None:
    """One vector too many is taken for an option, and named as such."""
    x, model = np.zeros(7), autoTree(2).replace(jtype=["Fb", "R"])
    q = spatial_v2.neutral(model)
    call: dict[str, Callable[[], Any]] = {
        "order": lambda: derivatives.Christoffel(model, q, x),
        "factorization": lambda: derivatives.CoriolisMatrix(model, q, x, x),
        "retraction": lambda: spatial_v2.configurationAddition(model, q, x, x),
        "kind": lambda: spatial_v2.configurationTransport(model, q, x, x, x),
        "velocity": lambda: derivatives.VelocityRepresentation(model, x),
    }
    word = "number" if option == "factorization" else option
    with pytest.raises(SpatialError, match=rf"{word}:? .* got array"):
        call[option]()
