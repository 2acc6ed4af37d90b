"""Fields of a model are assigned and checked; what they hold cannot be edited in place."""

from __future__ import annotations

import contextlib
import copy
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import parts
from numpy.testing import assert_allclose, assert_array_equal
from public_functions import arguments, functions_of_state

from derivatives import KKT_FO_derivatives
from spatial_v2 import (
    ID,
    KKT_FD,
    FDab,
    Model,
    ModelError,
    PointConstraint,
    SpatialError,
    autoTree,
    autoTree_rotor,
    modTimeStep_second_derivatives,
    plux,
    rx,
)
from spatial_v2.model.fields import JOINT_TERMS

MODELS = ("floating_rotors", "one_rotor", "mixed", "planar_tree")
CODES = ["Rx", "Pz", "S", "Fb", "SE3", "r", "px", "nonsense", None, {"code": "H", "pars": {}}, 7]
ARRAYS = ("parent", "Xtree", "I", "gravity", "has_rotor", "Xrotor", "I_rotor", "gr")
LISTS = ("jtype", "jtype_rotor")


def edit(model: Model, rng: np.random.Generator) -> str:
    """Make a random edit by assignment, mostly an invalid one; return its description."""
    field = str(rng.choice(ARRAYS + LISTS))
    value, way = getattr(model, field), int(rng.integers(5))
    if field in LISTS:
        i, code = int(rng.integers(model.NB)), CODES[rng.integers(len(CODES))]
        setattr(model, field, [[*value, code], [code] * model.NB, {i: code}][min(way, 2)])
    elif way == 0:
        setattr(model, field, rng.normal(size=rng.integers(1, 8, size=rng.integers(1, 4))))
    elif way == 1:
        setattr(model, field, np.roll(value, 1, axis=0))
    else:
        new = value.copy()
        flat = new.reshape(-1)
        k = int(rng.integers(flat.size))
        flat[k] = flat[k] + [1, -1, 2][way - 2] if value.dtype != bool else ~flat[k]
        setattr(model, field, new)
    return f"{field} ({way})"


def call_everything(model: Model, good: Model, rng: np.random.Generator) -> None:
    """Check that every public function raises an error, or agrees with its reference
    implementation.
    """
    try:
        size = model.layout and model
    except SpatialError:
        size = good
    for _, function, required in functions_of_state():
        given = list(arguments(size, required, rng).values())
        try:
            result = function(model, *given)
        except (SpatialError, np.linalg.LinAlgError):
            continue
        if hasattr(function, "reference") and isinstance(result, np.ndarray):
            page = function.reference(model, *given)
            if np.isfinite(page).all() and np.abs(page).max(initial=0) < 1e6:
                assert_allclose(result, page, atol=1e-6 * (1 + np.abs(page).max(initial=0)))


def many_edits(name: str, seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(count):
        model = zoo.build(name)
        for _ in range(rng.integers(1, 4)):
            try:
                edit(model, rng)
            except (SpatialError, ValueError, TypeError, AttributeError):
                continue
        call_everything(model, zoo.build(name), rng)


FEW = 3
"""Edits of a default run, which compiles few kernels."""


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("floating_rotors", FEW),
        *(pytest.param(name, 25, marks=pytest.mark.slow) for name in MODELS),
    ],
)
def test_random_edits_never_crash_a_kernel(name: str, count: int) -> None:
    """No kernel crashes after random edits, which are made in a separate process."""
    few = "import default_kernels; default_kernels.hold_back()" if count == FEW else "pass"
    edits = f"import test_model_edits as t; t.many_edits({name!r}, 7, {count}); print('alive')"
    script = f"{few}; {edits}"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        capture_output=True, text=True, check=False, cwd=zoo.__file__.rsplit("/", 1)[0],
        env={**__import__("os").environ, "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "alive\n"


def entry(model: Model, field: str, i: tuple[int, ...], value: float) -> dict[int, Any]:
    """Return an entry of a field with another number in it, to be assigned."""
    new = getattr(model, field)[i[0]].copy()
    new[i[1:]] = value
    return {i[0]: new}


BREAKING: dict[str, tuple[str, Callable[[Model], Any], str]] = {
    "inertia": ("I", lambda m: entry(m, "I", (1, 3, 3), 7.0), r"I\[1\] is not a rigid-body"),
    "transform": ("Xtree", lambda m: entry(m, "Xtree", (1, 0, 5), 7.0), r"Xtree\[1\] is not a Pl"),
    "scaled": ("Xtree", lambda m: 1.001 * m.Xtree, r"Xtree\[0\] is not a Pl"),
    "not finite": ("Xtree", lambda m: entry(m, "Xtree", (2, 0, 0), np.nan), r"Xtree\[2\] has ent"),
    "gravity": ("gravity", lambda m: {0: np.inf}, "gravity: want finite numbers"),
    "shape": ("I", lambda m: m.I.reshape(6, 18), "I: want shape"),
    "parent": ("parent", lambda m: {1: 2}, r"parent\[1\] = 2"),
    "rotor's joint": ("jtype_rotor", lambda m: {0: "Fb"}, r"\[0\]: the joint of a rotor"),
    "no rotor's joint": ("jtype_rotor", lambda m: {2: None}, r"jtype_rotor\[2\]: missing"),
    "rotor's inertia": (
        "I_rotor", lambda m: entry(m, "I_rotor", (2, 5, 5), -1.0), r"I_rotor\[2\] is not a"
    ),
    "rotor's place": (
        "Xrotor", lambda m: entry(m, "Xrotor", (1, 0, 0), 9.0), r"Xrotor\[1\] is not a Pl"
    ),
    "gear": ("gr", lambda m: {1: np.nan}, "gr: want finite numbers"),
    "planar": ("jtype", lambda m: {0: "r"}, "joint 'r' is not allowed in a spatial"),
}  # fmt: skip


@pytest.mark.parametrize("form", [ID, ID.reference], ids=["kernel", "page"])
@pytest.mark.parametrize(("field", "value", "message"), BREAKING.values(), ids=BREAKING)
def test_kernel_and_page_refuse_alike(
    field: str, value: Callable[[Model], Any], message: str, form: Callable[..., Any]
) -> None:
    """A wrong value is refused when it is assigned, and fields that do not fit one another by
    kernel and reference implementation, with an error that names the entry.
    """
    model = autoTree_rotor(3)
    form(model, *np.ones((3, 3)))
    for _ in range(2):
        with pytest.raises(SpatialError, match=message):
            setattr(model, field, value(model))
            form(model, *np.ones((3, 3)))


def test_rotors_are_named_by_the_joints_they_belong_to() -> None:
    """Errors about rotors name the joint of the rotor, not a body of the expanded tree with rotors
    as bodies.
    """
    model = autoTree_rotor(6).replace(has_rotor=[1, 1, 1, 1, 0, 1])
    model.I_rotor = entry(model, "I_rotor", (4, 0, 1), -1.0)
    model.has_rotor = {4: True}
    with pytest.raises(ModelError, match=r"^I_rotor\[4\]") as error:
        FDab(model, *np.ones((3, 6)))
    assert "10" not in str(error.value)


@pytest.mark.parametrize("distance", [0.0, 1.0, 1e9])
@pytest.mark.parametrize("factor", [1.001, 1 + 1e-7])
def test_transforms_are_judged_alike_near_and_far(distance: float, factor: float) -> None:
    """A matrix that is not a rotation is an error, however long the translation beside it is."""
    X = np.asarray(plux(rx(0.3), [0, distance, 0])) * factor
    with pytest.raises(ModelError, match=r"Xtree\[0\] is not a Pluecker transform"):
        autoTree(1).Xtree = X[None]


TIP = [PointConstraint(2, [1.0, 0.2, 0.0], directions=[[0.0, 1.0, 0.0]])]
READERS: dict[str, Any] = {
    "ID": ID,
    "KKT_FD": partial(KKT_FD, constraints=TIP),
    "KKT_FO_derivatives": partial(KKT_FO_derivatives, constraints=TIP),
    "modTimeStep_second_derivatives": partial(
        modTimeStep_second_derivatives, h=0.1, p_q=np.ones(3), p_qd=np.ones(3)
    ),
}
"""Functions that prepare kernels for the arrays of a model in different ways."""


@pytest.mark.parametrize("shape", [(), (9,)])
@pytest.mark.parametrize("tree", [autoTree, autoTree_rotor])
@pytest.mark.parametrize("name", READERS)
def test_arrays_of_the_caller_are_not_shared(name: str, tree: Any, shape: tuple[int, ...]) -> None:
    """An edit of an array that was assigned changes nothing in the model."""
    model, call = tree(3), READERS[name]
    x = np.random.default_rng(1).normal(size=(3, *shape, 3))
    before = parts(call(model, *x))
    own = model.I.copy()
    model.I = own
    for _ in range(2):
        for y, z in zip(parts(call(model, *x)), before, strict=True):
            assert_allclose(y, z, rtol=0, atol=0)
        own[:] = 0.0


def everything(model: Model) -> Model:
    """Return the model with a value of every field that is read-only."""
    return model.replace(
        armature=0.1, damping=0.2, friction=0.3, stiffness=0.4, rest=0.5,
        limits={"joint0": (-1.0, 1.0)},
        frames={"tool": (0, np.eye(6))}, mimic={}, loops={"a": {"b": np.eye(6)}},
    )  # fmt: skip


@pytest.mark.parametrize("field", [*ARRAYS, *JOINT_TERMS])
def test_arrays_cannot_be_edited(field: str) -> None:
    """Entries, shape and dtype of an array of a model cannot be changed, nor can it be made
    writeable.
    """
    model = everything(autoTree_rotor(3))
    x, before = getattr(model, field), getattr(model, field).copy()
    bound, wanted = ID.bind(model), ID(model, *np.ones((3, 3)))
    with pytest.raises(ValueError, match="read-only"):
        x[0] = x[1]
    with pytest.raises(ValueError, match="read-only"):
        x += 1
    with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
        x.flags.writeable = True
    with pytest.raises(SpatialError, match=r"out: .*read-only|out: want"):
        ID(model, *np.ones((3, 3)), out=x)
    for name, value in (("shape", (-1,)), ("shape", (1, -1)), ("dtype", np.int8), ("dtype", "S8")):
        with contextlib.suppress(ValueError, AttributeError):
            setattr(x, name, value)
        now = getattr(model, field)
        assert now.shape == before.shape and now.dtype == before.dtype
        assert_array_equal(now, before)
        for call in (partial(ID, model.replace()), partial(ID.reference, model), bound):
            assert_allclose(call(*np.ones((3, 3))), wanted, rtol=1e-12)


@pytest.mark.parametrize("field", ["jtype", "jtype_rotor", "joint_names", "body_names"])
def test_lists_are_tuples(field: str) -> None:
    with pytest.raises(TypeError, match="does not support item assignment"):
        getattr(autoTree_rotor(3), field)[0] = "a"


@pytest.mark.parametrize("field", ["limits", "frames", "mimic", "loops"])
def test_dicts_are_read_only(field: str) -> None:
    own = getattr(everything(autoTree(2)), field)
    with pytest.raises(TypeError, match="does not support item assignment"):
        own["b"] = 1
    for value in own.values():
        with pytest.raises((TypeError, ValueError, AttributeError)):
            value["b" if isinstance(value, Mapping) else 0] = 2


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, pickle.loads, Model.replace])
def test_copies_have_the_same_values_and_no_common_future(twin: Callable[[Any], Model]) -> None:
    """Copies of a model have equal fields; an assignment to one does not reach another."""
    model = everything(autoTree_rotor(3)).replace(
        jtype=["Rx", {"code": "H", "pars": {"pitch": 1}}, "R"]
    )
    other = twin(pickle.dumps(model) if twin is pickle.loads else model)
    for name, value in model.fields().items():
        assert repr(getattr(other, name)) == repr(getattr(model, name)), name
        if isinstance(value, np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                getattr(other, name)[0] = 0
    x = np.ones((3, 3))
    before = ID(model, *x)
    other.gravity = [1, 2, 3]
    assert_array_equal(ID(model, *x), before)
    assert np.abs(ID(other, *x) - before).max() > 1e-3


def test_a_state_lasts_until_an_assignment() -> None:
    """One comparison tells whether a model has changed; numbers leave the layout as it is."""
    model = autoTree(3)
    state = model.checked()
    assert model.checked() is state and copy.copy(model).checked() is state
    model.I = 2 * model.I
    assert model.checked() is not state and model.layout is state.layout
    model.jtype = list(model.jtype)
    assert model.layout is state.layout
    model.jtype = {0: "Px"}
    assert model.layout is not state.layout


def test_some_entries_of_a_field_are_given_by_number() -> None:
    """A dict replaces the entries that it names, by assignment and by `replace`."""
    model = autoTree_rotor(3).replace(damping=1.0)
    heavier = model.replace(I={2: 2 * model.I[2]}, damping={0: 3}, body_names={1: "arm"})
    assert_array_equal(heavier.I, model.I * [[[1]], [[1]], [[2]]])
    assert heavier.damping is not None and heavier.damping.tolist() == [3, 1, 1]
    assert heavier.body_names == ("body0", "arm", "body2")
    model.I = {2: 2 * model.I[2]}
    assert_array_equal(heavier.I, model.I)


@pytest.mark.parametrize("field", ["gr", "I_rotor", "I"])
def test_expanded_trees_follow_edits(field: str) -> None:
    """The tree with rotors as bodies follows a gear ratio or an inertia that is assigned."""
    model = autoTree_rotor(3)
    x = np.ones((3, 3))
    before = ID(model, *x)
    setattr(model, field, {1: 2.0 * getattr(model, field)[1]})
    assert_allclose(ID(model, *x), ID.reference(model, *x), rtol=1e-12)
    assert abs(ID(model, *x) - before).max() > 1e-3


def test_lists_of_the_caller_are_not_shared() -> None:
    """A joint type given as a dict is copied, so that later edits of the dict have no effect."""
    screw = {"code": "H", "pars": {"pitch": 0.1}}
    one = autoTree(1).replace(jtype=[screw])
    screw["pars"] = {"pitch": 5.0}
    assert one.layout.joints[0].pitch == 0.1


MATRICES = ("Xtree", "I", "Xrotor", "I_rotor")


@pytest.mark.parametrize("field", ["gravity", *MATRICES, "gr", "armature", "parent"])
def test_fields_with_masked_entries_are_refused(field: str) -> None:
    """The values below a mask are not used."""
    model = autoTree_rotor(3).replace(armature=1.0)
    masked = np.ma.array(getattr(model, field), mask=False)
    model.replace(**{field: masked})
    masked[-1] = np.ma.masked
    with pytest.raises(ModelError, match=f"^{field}: some entries are masked"):
        setattr(model, field, masked)
    if field in MATRICES:
        with pytest.raises(ModelError, match=f"^{field}: some entries are masked"):
            setattr(model, field, list(masked))


@pytest.mark.parametrize("dtype", [">f8", ">f4", ">c8", ">i8"])
@pytest.mark.parametrize("field", ["gravity", *MATRICES, "gr", "armature"])
def test_fields_are_stored_in_double_precision(field: str, dtype: str) -> None:
    """Arrays in the other byte order, as files have them, are read, so that kernels run."""
    model = autoTree_rotor(2).replace(armature=1.0, gravity=[0, 0, -10])
    given = np.round(getattr(model, field)) if dtype == ">i8" else getattr(model, field)
    if field in MATRICES:
        given = np.stack([np.eye(6)] * 2)
    setattr(model, field, given.astype(dtype))
    stored = getattr(model, field)
    assert stored.dtype == (np.complex128 if "c" in dtype else np.float64)
    assert_allclose(stored, given.astype(dtype), rtol=0)
    assert model.checked().real == ("c" not in dtype)


@pytest.mark.parametrize(
    ("gravity", "message"),
    [
        (["a", "b", "c"], "gravity: want numbers"),
        ("down", "gravity: want 3 components"),
        ([0, 0, None], "gravity: want numbers"),
        ([0, 0, np.nan], "gravity: want finite numbers"),
        ([[0], [0, 1], 2], "gravity: want 3 components"),
    ],
)
def test_gravity_must_be_numbers(gravity: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        autoTree(2).gravity = gravity


@pytest.mark.parametrize("pitch", [np.nan, np.inf, "steep", None])
def test_pitch_must_be_a_finite_number(pitch: Any) -> None:
    with pytest.raises(SpatialError, match=r"a helical joint needs its pitch .* \(joint 0\)"):
        autoTree(1).replace(jtype=[{"code": "H", "pars": {"pitch": pitch}}])


@pytest.mark.parametrize("gr", [[1.0, np.nan, 1.0], ["a", 1, 1], [[1, 2], 1, 1], 3.0])
def test_gear_ratios_must_be_finite_numbers(gr: Any) -> None:
    with pytest.raises(ModelError, match="^gr: want"):
        autoTree_rotor(3).gr = gr


@pytest.mark.parametrize("names", ["ab", [1, 2], [[], "b"], ("a", None)])
@pytest.mark.parametrize("field", ["joint_names", "body_names"])
def test_names_must_be_strings(field: str, names: Any) -> None:
    with pytest.raises(ModelError, match=f"^{field}: want .*names.*, got"):
        autoTree(2).replace(**{field: names})


def test_names_must_be_unique() -> None:
    with pytest.raises(ModelError, match="joint_names: 'a' is the name of more than one joint"):
        autoTree(2).replace(joint_names=["a", "a"])


def test_a_long_chain_can_be_shown() -> None:
    """A chain is shown with one line for each body, at any depth."""
    assert len(repr(autoTree(1500, 1)).splitlines()) == 1502
