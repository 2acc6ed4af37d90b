"""Mesh files have the pose that the robot's file gives them, and missing ones are reported."""

import shutil
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from spatial_v2 import Model, ModelError, load_urdf, planar, rx, ry, rz, show, showmotion
from spatial_v2.io import example_robots, load_model, write_matlab
from spatial_v2.io.mesh_paths import mesh_path
from spatial_v2.show.bones import bones
from spatial_v2.show.instructions import COLOURS, drawings_of
from spatial_v2.show.mesh_files import MeshError, _colour, read_mesh
from spatial_v2.show.meshes import facets_of
from spatial_v2.show.shapes import Shape, Triangles

CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
PLACE = '<origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/>'


@pytest.fixture
def trimesh() -> Any:
    return pytest.importorskip("trimesh", reason="needs the extra meshes")


def tetrahedron(folder: Path, name: str = "part.obj") -> Path:
    """Write a file with a tetrahedron of four corners and volume 1."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    points = "\n".join(f"v {x} {y} {z}" for x, y, z in CORNERS)
    path.write_text(points + "\n" + "\n".join(f"f {a} {b} {c}" for a, b, c in FACES + 1))
    return path


def robot(folder: Path, mesh: str, material: str = "", scale: str = "1 1 1") -> Model:
    """Make a robot of a base and a body with one mesh."""
    (folder / "robot.urdf").write_text(
        f"""<robot name="r"><link name="base"/><link name="arm">
        <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
        </inertial><visual>{PLACE}<geometry><mesh filename="{mesh}" scale="{scale}"/></geometry>
        {material}</visual></link><joint name="j" type="continuous"><parent link="base"/>
        <child link="arm"/></joint></robot>"""
    )
    return load_urdf(folder / "robot.urdf")


def mesh_of(shapes: list[Shape]) -> Triangles:
    (shape,) = shapes
    assert isinstance(shape, Triangles)
    return shape


def volume(shape: Triangles) -> float:
    a, b, c = np.moveaxis(facets_of(shape)[0], 1, 0)
    return float((a * np.cross(b, c)).sum() / 6)


def test_mesh_stands_where_its_visual_says(tmp_path: Path, trimesh: Any) -> None:
    """A point x of a mesh is at p + R S x, with scale S and pose R, p.

    A scale that mirrors reverses the order of vertices, so that triangles still face outwards.
    """
    tetrahedron(tmp_path)
    for scale in ([1.0, 1, 1], [2.0, 0.5, 3], [-1.0, 1, 1]):
        words = " ".join(map(str, scale))
        model = robot(tmp_path, "part.obj", scale=words)
        mesh = mesh_of(drawings_of(model.appearance, 1)[1])
        R = rz(0.6).T @ ry(0.5).T @ rx(0.4).T @ np.asarray(model.frames["arm"].X)[:3, :3]
        wanted = (CORNERS * scale) @ R.T + [0.1, 0.2, 0.3]
        for point in wanted:
            assert np.abs(mesh.vertices - point).max(axis=1).min() < 1e-6
        assert volume(mesh) == pytest.approx(abs(np.prod(scale)), rel=1e-5)


def test_colour_of_the_robot_file_comes_before_that_of_the_mesh(
    tmp_path: Path, trimesh: Any
) -> None:
    box = trimesh.creation.box((1, 1, 1))
    box.visual.face_colors = [255, 0, 51, 255]
    box.export(tmp_path / "part.ply")
    tetrahedron(tmp_path)
    green = '<material name="g"><color rgba="0 1 0 1"/></material>'
    for file, material, colour in (
        ("part.ply", "", [1, 0, 0.2]), ("part.ply", green, [0, 1, 0]),
        ("part.obj", "", COLOURS[0]),
    ):  # fmt: skip
        mesh = mesh_of(drawings_of(robot(tmp_path, file, material).appearance, 1)[1])
        np.testing.assert_allclose(mesh.colour, colour, atol=1e-9)


def test_meshes_of_packages_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages are found above the robot's file, by the folder's name, and in ROS_PACKAGE_PATH."""
    wanted = tetrahedron(tmp_path, "arm_data/meshes/part.obj")
    inside = tmp_path / "arm_data" / "urdf" / "robot.urdf"
    for name in ("package://arm_data/meshes/part.obj", "package:///arm_data/meshes/part.obj"):
        assert Path(mesh_path(name, str(inside))) == wanted
    assert Path(mesh_path("../meshes/part.obj", str(inside))).resolve() == wanted
    assert Path(mesh_path(wanted.as_uri(), "elsewhere.urdf")) == wanted
    name = "package://arm_data/meshes/part.obj"
    assert mesh_path(name, "/nowhere/robot.urdf") == name
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/none:{tmp_path}")
    assert Path(mesh_path(name, "/nowhere/robot.urdf")) == wanted


def test_meshes_that_cannot_be_read_are_said_and_drawn_as_bones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trimesh: Any
) -> None:
    (tmp_path / "bad.stl").write_text("nothing")
    for mesh, words in (
        ("none.stl", "none.stl: no such file"),
        ("package://no_such/a.stl", "ROS_PACKAGE_PATH"),
        ("bad.stl", "bad.stl: "),
    ):
        model = robot(tmp_path, mesh)
        with pytest.warns(UserWarning, match=f"1 of 2 drawings .*bones.*{words}"):
            scene = show(model).scene
        wanted = drawings_of(bones(model), 1)
        assert [type(x) for x in scene.shapes[1]] == [type(x) for x in wanted[1]]
        with pytest.raises(MeshError, match=words):
            drawings_of(model.appearance, 1)
    tetrahedron(tmp_path)
    model = robot(tmp_path, "part.obj")
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.warns(UserWarning, match=r"trimesh is not installed: pip install '\.\[me"):
        show(model)


def test_missing_pycollada_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trimesh: Any
) -> None:  # fmt: skip
    (tmp_path / "a.dae").write_text("<COLLADA/>")
    monkeypatch.setitem(sys.modules, "collada", None)
    with pytest.raises(MeshError, match="pycollada is not installed: pip install"):
        read_mesh(str(tmp_path / "a.dae"))


def test_unit_of_a_collada_file_counts(tmp_path: Path, trimesh: Any) -> None:
    pytest.importorskip("collada", reason="needs the extra meshes")
    mesh = trimesh.Trimesh(CORNERS, FACES)
    text = trimesh.exchange.dae.export_collada(mesh).decode()
    sizes = []
    for unit in ("1.0", "0.001"):
        path = tmp_path / f"part{unit}.dae"
        path.write_text(text.replace("<up_axis>", f'<unit name="u" meter="{unit}"/><up_axis>'))
        sizes.append(np.ptp(read_mesh(str(path))[0][0], axis=0))
    np.testing.assert_allclose(sizes, [[1, 2, 3], [0.001, 0.002, 0.003]])


def test_wrong_mesh_instructions_are_named() -> None:
    for drawing, words in (
        (["mesh", "a.stl"], "wants 2 arguments"),
        (["mesh", np.eye(4), np.eye(4)], "wants 2 arguments"),
        (["mesh", "a.stl", np.eye(3)], r"matrix \(4, 4\)"),
    ):
        with pytest.raises(ModelError, match=words):
            show(planar(1).replace(appearance={"body": [drawing]}))


def test_files_for_matlab_have_no_mesh(tmp_path: Path) -> None:
    write_matlab(robot(tmp_path, "part.obj"), tmp_path / "a.mat")
    assert load_model(tmp_path / "a.mat").appearance is None


@pytest.mark.parametrize("name", ["panda", "ur5", "talos_arm", "solo8"])
@pytest.mark.slow
def test_meshes_of_real_robots_are_drawn(name: str, trimesh: Any) -> None:
    """Each mesh is read without a warning, and lies near the bones that are computed from the tree
    alone.
    """
    pytest.importorskip("collada", reason="needs the extra meshes")
    robots = example_robots()
    if name not in robots:
        pytest.skip("needs example-robot-data")
    model = load_urdf(robots[name], couplings="free")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        animation = showmotion(model)
    shapes = animation.scene.shapes
    assert sum(isinstance(x, Triangles) for drawing in shapes for x in drawing) > model.NB // 2
    for i, mass in enumerate(animation.scene.masses):
        points = [x.vertices for x in shapes[i + 1] if isinstance(x, Triangles)]
        if points and mass.m > 0.05:
            low, high = (f(np.concatenate(points), axis=0) for f in (np.min, np.max))
            assert (mass.c > low - 0.05).all() and (mass.c < high + 0.05).all()
    assert np.ptp(animation.image(size=(80, 60))) > 50


def test_a_robot_and_its_meshes_can_be_moved_together(tmp_path: Path, trimesh: Any) -> None:
    tetrahedron(tmp_path / "one")
    robot(tmp_path / "one", "part.obj")
    shutil.move(tmp_path / "one", tmp_path / "two")
    show(load_urdf(tmp_path / "two" / "robot.urdf"))


@pytest.mark.parametrize(
    ("given", "known"),
    [([51, 102, 255, 255], True), ([51, 102, 255], True), ([51, 102], False),
     ([51, np.nan, 255, 255], False), ([], False)],
)  # fmt: skip
def test_colours_of_meshes_are_three_finite_numbers(given: list[float], known: bool) -> None:
    for visual in (
        SimpleNamespace(defined=True, main_color=given),
        SimpleNamespace(defined=True, material=SimpleNamespace(main_color=given)),
    ):
        found = _colour(visual)
        assert (found is not None) == known
        if found is not None:
            np.testing.assert_allclose(found, [0.2, 0.4, 1.0])
    assert _colour(SimpleNamespace(defined=False, main_color=given)) is None
