"""No edit of a model reaches a kernel unchecked: it takes effect, or raises an error."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import parts
from numpy.testing import assert_allclose
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
from spatial_v2.calls.prepared import geared_tree, kernel_tree

MODELS = ("floating_rotors", "one_rotor", "mixed", "planar_tree")
CODES = ["Rx", "Pz", "S", "Fb", "SE3", "r", "px", "nonsense", None, {"code": "H", "pars": {}}, 7]
ARRAYS = ("parent", "Xtree", "I", "gravity", "has_rotor", "Xrotor", "I_rotor", "gr")
LISTS = ("jtype", "jtype_rotor")


def edit(model: Model, rng: np.random.Generator) -> str:
    """Make a random edit, in place or by assignment, mostly an invalid one; return its
    description.
    """
    field = str(rng.choice(ARRAYS + LISTS))
    value = getattr(model, field)
    way = int(rng.integers(6))
    if field in LISTS:
        i, code = int(rng.integers(model.NB)), CODES[rng.integers(len(CODES))]
        if way == 0:
            value.append(code)
        elif way == 1:
            setattr(model, field, [code] * model.NB)
        else:
            value[i] = code
    elif way == 0:
        setattr(model, field, rng.normal(size=rng.integers(1, 8, size=rng.integers(1, 4))))
    elif way == 1:
        setattr(model, field, np.roll(value, 1, axis=0))
    elif way == 2:
        value.shape = (value.size,)
    else:
        flat = value.reshape(-1)
        k = int(rng.integers(flat.size))
        flat[k] = flat[k] + [1, -1, 2][way - 3] if value.dtype != bool else ~flat[k]
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


@pytest.mark.parametrize(
    ("name", "count"),
    [("floating_rotors", 3), *(pytest.param(name, 50, marks=pytest.mark.slow) for name in MODELS)],
)
def test_random_edits_never_crash_a_kernel(name: str, count: int) -> None:
    """No kernel crashes after random edits, which are made in a separate process."""
    script = f"import test_model_edits as t; t.many_edits({name!r}, 7, {count}); print('alive')"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        capture_output=True, text=True, check=False, cwd=zoo.__file__.rsplit("/", 1)[0],
        env={**__import__("os").environ, "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "alive\n"


BREAKING: dict[str, tuple[Callable[[Model], Any], str]] = {
    "inertia": (lambda m: m.I.__setitem__((1, 3, 3), 7.0), r"I\[1\] is not a rigid-body inertia"),
    "transform": (lambda m: m.Xtree.__setitem__((1, 0, 5), 7.0), r"Xtree\[1\] is not a Pl"),
    "scaled": (lambda m: m.Xtree.__imul__(1.001), r"Xtree\[0\] is not a Pl"),
    "not finite": (lambda m: m.Xtree.__setitem__((2, 0, 0), np.nan), r"Xtree\[2\] has entries"),
    "gravity": (lambda m: m.gravity.__setitem__(0, np.inf), "gravity: want finite numbers"),
    "shape": (lambda m: setattr(m.I, "shape", (6, 18)), "I: want shape"),
    "parent": (lambda m: m.parent.__setitem__(1, 2), r"parent\[1\] = 2"),
    "rotor's joint": (lambda m: m.jtype_rotor.__setitem__(0, "Fb"), r"\[0\]: the joint of a rotor"),
    "no rotor's joint": (lambda m: m.jtype_rotor.__setitem__(2, None), r"jtype_rotor\[2\]: mis"),
    "rotor's inertia": (lambda m: m.I_rotor.__setitem__((2, 5, 5), -1.0), r"I_rotor\[2\] is not a"),
    "rotor's place": (lambda m: m.Xrotor.__setitem__((1, 0, 0), 9.0), r"Xrotor\[1\] is not a Pl"),
    "gear": (lambda m: m.gr.__setitem__(1, np.nan), "gr: want finite numbers"),
    "planar": (lambda m: m.jtype.__setitem__(0, "r"), "joint 'r' is not allowed in a spatial"),
}  # fmt: skip


@pytest.mark.parametrize("form", [ID, ID.reference], ids=["kernel", "page"])
@pytest.mark.parametrize(("break_", "message"), BREAKING.values(), ids=BREAKING)
def test_kernel_and_page_refuse_alike(
    break_: Callable[[Model], Any], message: str, form: Callable[..., Any]
) -> None:
    """After an invalid edit in place, kernel and reference implementation raise the error that
    names the entry.
    """
    model = autoTree_rotor(3)
    form(model, *np.ones((3, 3)))
    break_(model)
    for _ in range(2):
        with pytest.raises(SpatialError, match=message):
            form(model, *np.ones((3, 3)))


def test_rotors_are_named_by_the_joints_they_belong_to() -> None:
    """Errors about rotors name the joint of the rotor, not a body of the expanded tree with rotors
    as bodies.
    """
    model = autoTree_rotor(6)
    model.I_rotor[4, 0, 1] = -1.0
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
def test_replaced_arrays_have_no_effect(name: str, tree: Any, shape: tuple[int, ...]) -> None:
    """An edit of an array that was replaced in the model changes nothing."""
    model, call = tree(3), READERS[name]
    x = np.random.default_rng(1).normal(size=(3, *shape, 3))
    old, before = model.I, parts(call(model, *x))
    model.I = model.I.copy()
    for _ in range(2):
        for y, z in zip(parts(call(model, *x)), before, strict=True):
            assert_allclose(y, z, rtol=0, atol=0)
        old[:] = 0.0


@pytest.mark.parametrize("name", zoo.NAMES)
def test_kernels_use_copies_of_the_layout(name: str) -> None:
    """Kernels use copies of the integers of a model.

    Another thread may edit these while a kernel runs, and invalid indices would end the process.
    `test_interrupted_calls` does this with threads.
    """
    model = zoo.build(name)
    trees = [kernel_tree(model), *([geared_tree(model)] if model.has_rotors else [])]
    for tree in trees:
        for x in (tree.parent, tree.joint):
            assert not np.shares_memory(x, model.parent)
            assert not x.flags.writeable or tree is not trees[0]


@pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
@pytest.mark.parametrize("field", [*ARRAYS, "armature", "damping", "friction"])
def test_edits_of_shapes_and_types_in_place_are_seen_or_refused(field: str) -> None:
    """An edit of shape or type of an array, which keeps its memory, is an error or has
    no effect.
    """
    terms = {"armature": 0.1, "damping": 0.2, "friction": 0.3}
    good = autoTree_rotor(3).replace(**(terms if field in terms else {}))
    x = np.ones((3, 3))
    for name, value in (
        ("shape", (-1,)), ("shape", (1, -1)), ("shape", (-1, 1)), ("dtype", np.int8),
        ("dtype", np.int64), ("dtype", np.float32), ("dtype", np.complex64), ("dtype", "S1"),
        ("dtype", "V1"), ("dtype", "S8"), ("dtype", "M8[s]"),
    ):  # fmt: skip
        model = good.replace()
        bound, wanted, array = ID.bind(model), ID(model, *x), getattr(model, field)
        before = array.copy()
        try:
            setattr(array, name, value)
        except ValueError:
            continue
        for call in (partial(ID, model), partial(ID.reference, model), bound):
            try:
                found = call(*x)
            except SpatialError:
                continue
            assert array.shape == before.shape
            if array.dtype == before.dtype:
                assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize("field", ["gr", "I_rotor", "I"])
def test_expanded_trees_follow_edits(field: str) -> None:
    """The cached tree with rotors as bodies is made anew if a gear ratio or an inertia changes."""
    model = autoTree_rotor(3)
    x = np.ones((3, 3))
    before = ID(model, *x)
    getattr(model, field)[1] *= 2.0
    assert_allclose(ID(model, *x), ID.reference(model, *x), rtol=1e-12)
    assert abs(ID(model, *x) - before).max() > 1e-3


def test_lists_of_the_caller_are_not_shared() -> None:
    """A joint type given as a dict is copied, so that later edits of the dict have no effect."""
    screw = {"code": "H", "pars": {"pitch": 0.1}}
    one = autoTree(1).replace(jtype=[screw])
    screw["pars"] = {"pitch": 5.0}
    assert one.layout.joints[0].pitch == 0.1


def test_joints_that_were_given_by_one_dict_are_edited_one_by_one() -> None:
    """A dict that is given for several joints, or for rotors, becomes one dict for each of them."""
    screw = {"code": "H", "pars": {"pitch": 0.1}}
    model = autoTree_rotor(3).replace(jtype=[screw] * 3, jtype_rotor=[screw] * 3)
    for entries in (model.jtype, model.jtype_rotor):
        entries[0]["pars"]["pitch"] = 2.0
        assert [x["pars"]["pitch"] for x in entries] == [2.0, 0.1, 0.1]
    assert screw == {"code": "H", "pars": {"pitch": 0.1}}


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
