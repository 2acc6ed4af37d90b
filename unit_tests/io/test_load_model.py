"""`load_model`: names, models with parameters, files, and the error for unknown names."""

import importlib.util
import sys
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

import mujoco_files
import numpy as np
import pytest
from parameters import chosen
from urdf_text import BALL, joint, link

from spatial_v2 import Model, ModelError, ModelFileError
from spatial_v2.io import example_robots, load_model, load_urdf, model_names
from spatial_v2.models import autoTree, planar

SHORT_NAMES = """
    alex alexander anymal anymal_kinova asr_twodof b1_z1 borinot g1 g1_with_hands hector
    hextilt hyq solo8 talos talos_arm talos_full ur10 ur3 ur5 xarm
"""


def needs_robots(test: Any) -> Any:
    installed = bool(example_robots())
    skip = pytest.mark.skipif(not installed, reason="example-robot-data is not installed")
    return skip(test)


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    file = tmp_path / "arm.urdf"
    file.write_text(
        f"<robot>{link('a')}{link('b', BALL)}{joint('j', 'revolute', 'a', 'b')}</robot>"
    )
    return file


def test_built_in_models_with_parameters_are_found() -> None:
    for text, model in {
        "autoTree:7,2": autoTree(7, 2),
        "autoTree:5, 1.5, 0.3, 0.9": autoTree(5, 1.5, 0.3, 0.9),
        "planar:4": planar(4),
    }.items():
        loaded = load_model(text)
        np.testing.assert_array_equal(loaded.Xtree, model.Xtree)
        np.testing.assert_array_equal(loaded.I, model.I)
        assert loaded.parent.tolist() == model.parent.tolist()


@pytest.mark.parametrize("suffix", [".urdf", ".sdf"])
def test_damping_and_friction_are_read_on_demand(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"arm{suffix}"
    if suffix == ".urdf":
        terms = '<dynamics damping="0.2" friction="0.1"/>'
        text = f"{link('a')}{link('b', BALL)}{joint('j', 'revolute', 'a', 'b', inside=terms)}"
        file.write_text(f"<robot>{text}</robot>")
    else:
        file.write_text(
            '<sdf version="1.10"><model name="arm"><link name="b"/><joint name="j" type="revolute">'
            "<parent>world</parent><child>b</child><axis><xyz>0 0 1</xyz><dynamics>"
            "<damping>0.2</damping><friction>0.1</friction></dynamics></axis></joint></model></sdf>"
        )
    plain, full = load_model(file), load_model(file, dynamics=True)
    assert plain.damping is None and plain.friction is None and "damping" in plain.left_out
    assert full.damping.tolist() == [0.2] and full.friction.tolist() == [0.1]
    assert load_model("puma560", dynamics=True).NB == 6


@pytest.mark.parametrize("name", ["Panda", "Scara", "TX40", "CheetahLeg", "Test", "Puma560"])
def test_robots_of_matlab_are_found_by_name(name: str) -> None:
    """MATLAB's robots are found by their names with and without the suffix ``_model``."""
    short, full = load_model(name), load_model(f"{name}_model")
    np.testing.assert_array_equal(short.Xtree, full.Xtree)
    assert short.name == full.name


def test_files_are_loaded_by_suffix(arm: Path, tmp_path: Path) -> None:
    np.testing.assert_array_equal(load_model(arm).I, load_urdf(arm).I)
    assert load_model(str(arm), floating_base=True).jtype == ("Fb", "Rx")
    tree = autoTree(5, 2)
    tree.to_matlab(tmp_path / "tree.mat")
    loaded = load_model(tmp_path / "tree.mat")
    np.testing.assert_array_equal(loaded.Xtree, tree.Xtree)
    assert load_model(tmp_path / "tree.mat", floating_base=True).jtype[0] == "Fb"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("autoTre:3", "'autoTre:3'.*did you mean autoTree"),
        ("", "not a known name and not a .urdf, .xacro, .sdf, .xml or .mat file"),
        ("autoTree", "missing a required argument: 'nb'; want autoTree:nb,bf,skew,taper"),
        ("autoTree:1,2,3,4,5", "too many positional arguments"),
        ("autoTree:five", "could not convert string to float: 'five'"),
        ("autoTree:nan", "want finite numbers"),
        ("autoTree:0", "nb"),
        ("planar:2.5", "planar"),
    ],
)
def test_unknown_names_are_refused(text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        load_model(text)


def test_a_file_without_a_suffix_is_refused(tmp_path: Path) -> None:
    (tmp_path / "robot").write_text("<robot/>")
    with pytest.raises(ModelError, match="the suffix of this file does not tell its format"):
        load_model(tmp_path / "robot")


def test_unknown_name_lists_all_names() -> None:
    with pytest.raises(ModelError) as error:
        load_model("no such robot")
    for name in model_names():
        assert name in str(error.value)


@pytest.mark.parametrize("name", ["talos", "hyq", "no such robot"])
def test_without_example_robots_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """If neither the package nor a conda environment has the robots, the error names the extra."""

    def missing(package: str) -> None:
        raise metadata.PackageNotFoundError(package)

    monkeypatch.setattr(metadata, "files", missing)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert example_robots() == {}
    with pytest.raises(ModelError, match="pip install example-robot-data") as error:
        load_model(name)
    assert str(error.value).startswith(f"model {name!r}: not a known name and not a .urdf, .xacro")


@pytest.mark.parametrize("name", ["autoTree:1e12", "autoTree_rotor:99999999999,2", "planar:1e12"])
def test_more_bodies_than_the_memory_holds_are_refused(name: str) -> None:
    with pytest.raises(ModelError, match=rf"model '{name}': 1e\+\d+ bodies take \d+ GB, and"):
        load_model(name)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"none.urdf: cannot be read"):
        load_model(tmp_path / "none.urdf")


@pytest.mark.parametrize("text", ["planar:3"])
def test_models_that_cannot_float_are_refused(text: str) -> None:
    with pytest.raises(ModelError, match="floating_base needs a spatial model"):
        load_model(text, floating_base=True)


@needs_robots
@pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
@pytest.mark.parametrize(
    ("name", "nv"),
    [("talos", 38), ("talos_reduced", 38), ("hyq", 18), ("ur5", 12), ("panda", 14), ("anymal", 18),
     ("anymal_c", 18), ("g1", 35), ("icub", 38), ("ur3", 12), ("iris_simple", 6)],
)  # fmt: skip
def test_example_robots_are_loaded_by_name(name: str, nv: int) -> None:
    model = load_model(name, floating_base=True)
    assert nv == model.NV


def _is_exact(model: Model) -> bool:
    """Test if all inertias are made of mass, first moment and symmetric rotational inertia."""
    I, m = model.I, model.I[:, 5, 5]
    h = I[:, :3, 3:]
    return bool(
        np.all(np.swapaxes(I, 1, 2) == I)
        and np.all(np.swapaxes(h, 1, 2) == -h)
        and np.all(I[:, 3:, 3:] == m[:, None, None] * np.eye(3))
    )


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "floating", chosen([True, False], bool), ids=lambda x: "floating" if x else "fixed"
)
def test_loaded_inertias_are_exactly_those_of_rigid_bodies(tmp_path: Path, floating: bool) -> None:
    """Rounding of transforms leaves no part that is not symmetric, which would limit computations
    with more digits: for all example robots, and for turned and merged bodies of MJCF and SDF.
    """
    models = {}
    for name in example_robots():
        with suppress(ModelError, ModelFileError):  # without joints, or with hands that miss some
            models[name] = load_model(name, floating_base=floating, couplings="free")
    assert len(models) > 40 or not example_robots()
    mjcf, sdf = tmp_path / "tree.xml", tmp_path / "tree.sdf"
    mjcf.write_text(mujoco_files.TREE)
    body = "<pose>.1 .2 .3 .4 .5 .6</pose><inertial><pose>.3 .2 .1 .6 .5 .4</pose><mass>1.3</mass>"
    body += "<inertia><ixx>.3</ixx><iyy>.4</iyy><izz>.5</izz><ixy>.01</ixy></inertia></inertial>"
    turn = "<axis><xyz>.3 .2 .7</xyz></axis>"
    sdf.write_text(
        f"<sdf version='1.10'><model name='m'><link name='a'>{body}</link><link name='b'>{body}"
        f"</link><link name='c'>{body}</link><joint name='j' type='revolute'><parent>a</parent>"
        f"<child>b</child>{turn}</joint><joint name='k' type='fixed'><parent>b</parent>"
        "<child>c</child></joint></model></sdf>"
    )
    models |= {"SDF": load_model(sdf, floating_base=True)}
    if importlib.util.find_spec("mujoco"):
        models |= {"MJCF": load_model(mjcf)}
    assert [name for name, model in models.items() if not _is_exact(model)] == []


@needs_robots
def test_every_short_name_has_its_file() -> None:
    assert set(SHORT_NAMES.split()) <= set(example_robots())


@needs_robots
def test_a_robot_file_without_a_robot_is_refused() -> None:
    with pytest.raises(ModelFileError, match=r"ur3.urdf: <robot>: an empty robot"):
        load_model(example_robots()["ur3"].with_name("ur3.urdf"))


def test_robots_are_found_below_the_prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Conda has robots below the prefix of Python, without a list of files; there may be none."""
    monkeypatch.setattr("importlib.metadata.files", lambda _: None)
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    assert example_robots() == {}
    file = tmp_path / "share/example-robot-data/robots/arm_description/urdf/arm.urdf"
    file.parent.mkdir(parents=True)
    file.touch()
    assert example_robots() == {"arm": file}
