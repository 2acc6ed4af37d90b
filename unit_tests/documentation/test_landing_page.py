"""The arm of the landing page: meshes of the robot, moved by the library's dynamics."""

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hands_on_pages import ROOT, Figure, figures_of, hands_on, near
from helpers import for_each

from spatial_v2 import ID, FDab, Fpt, Model, forward_kinematics

robot_meshes = pytest.importorskip("robot_meshes", reason="needs the extra docs")

GIVEN = figures_of((ROOT / "docs" / "index.md").read_text(encoding="utf-8"))["arm"]
OPTIONS = {key: value for key, value in GIVEN.items() if key != "program"}


def cube(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a unit cube whose faces are 2 n n triangles each, with outward normals."""
    steps = np.linspace(0, 1, n + 1)
    corners = np.stack(np.meshgrid([0.0, 1.0], steps, steps, indexing="ij"), axis=-1)
    number = np.arange(corners[0, ..., 0].size).reshape(n + 1, n + 1)
    a, b, c, d = (x.ravel() for x in (number[:-1, :-1], number[1:, :-1], number[1:, 1:],
                                      number[:-1, 1:]))  # fmt: skip
    top = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    points, faces, count = [], [], 0
    for axis in range(3):
        for side in (0, 1):
            points.append(np.roll(corners[side].reshape(-1, 3), axis, axis=1))
            faces.append(count + (top if side else top[:, ::-1]))
            count += number.size
    return np.concatenate(points), np.concatenate(faces)


def volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    """Return the volume within a closed mesh with outward normals."""
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    return float(np.sum(np.cross(a, b) * c) / 6)


@for_each([3, 5])
def test_flat_faces_stay_flat_and_edges_sharp(cells: int) -> None:
    """A cube keeps its eight corners and its volume when it is simplified to a few cells."""
    vertices, faces = cube(30)
    assert volume(vertices, faces) == pytest.approx(1)
    points, fewer = robot_meshes.simplified(vertices, faces, 1.001 / cells)
    assert 12 <= len(fewer) < len(faces) / 10
    assert volume(points, fewer) == pytest.approx(1, abs=0.02)
    for corner in np.ndindex(2, 2, 2):
        assert np.linalg.norm(points - corner, axis=1).min() < 0.02


def test_simplified_vertices_are_near_the_mesh() -> None:
    """Simplified vertices of a unit ball stay within 0.01 of its surface, a tenth of a cell."""
    from spatial_v2.show.meshes import ball

    corners = ball(60)
    vertices, faces = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    points, _ = robot_meshes.simplified(vertices, faces.reshape(-1, 3), 0.1)
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 1, atol=0.01)


def test_packed_numbers_are_read_back() -> None:
    rng = np.random.default_rng(0)
    vertices, faces = rng.normal(size=(50, 3)), rng.integers(0, 50, (20, 3))
    data = robot_meshes.packed((1.0, 0.0, 0.0), vertices, faces)

    def read(name: str) -> np.ndarray:
        return np.frombuffer(base64.b64decode(data[name]), "<u2").reshape(-1, 3)

    np.testing.assert_array_equal(read("faces"), faces)
    step = data["step"]
    np.testing.assert_allclose(data["lower"] + step * read("vertices"), vertices, atol=step)


@pytest.fixture(scope="module")
def model() -> Model:
    """Return the robot of the figure."""
    pytest.importorskip("collada", reason="needs the extra meshes")
    try:
        found = hands_on.last_value(GIVEN["program"])
    except Exception as error:
        pytest.skip(f"needs the extra robots: {error}")
    assert isinstance(found, Model)
    return found


@pytest.fixture(scope="module")
def data(model: Model) -> dict[str, Any]:
    """Return the data of the figure."""
    found: dict[str, Any] = hands_on.with_meshes(OPTIONS, GIVEN["program"])
    return found


def test_every_body_of_the_arm_has_a_mesh_and_they_a_licence(
    model: Model, data: dict[str, Any]
) -> None:
    assert [len(parts) > 0 for parts in data["meshes"]] == [True] * (model.NB + 1)
    assert len(hands_on.page_of("arm", data)) < 500_000
    assert "Apache License" in data["licence"]


@pytest.mark.optional
def test_the_arm_moves_by_forward_dynamics(
    browser: Any, tmp_path: Path, model: Model, data: dict[str, Any]
) -> None:
    """The arm accelerates as `FDab` says, under the torques of the figure and the spring.

    The torques carry the weight, brake, and keep the posture.
    """
    page = Figure(browser, tmp_path, "arm", data, reduced_motion="reduce")
    page.tab.evaluate("for (let k = 0; k < 40; k++) figure.step()")
    q, qd, end, ball = (page.get(x) for x in ("state().q", "state().qd", "end()", "ball()"))
    assert np.abs(qd).max() > 0.05
    pose, hand = forward_kinematics(model, q), data["hand"]
    near(end, pose.p[hand] + pose.R[hand] @ data["tip"])
    f_ext = np.zeros((model.NB, 6))
    f_ext[hand] = Fpt(data["stiffness"] * (ball - end), end)
    hold = -np.multiply(data["damping"], qd) - np.multiply(data["posture"], q - np.array(data["q"]))
    for weight in (True, False):
        page.tick("weight", weight)
        tau = hold + (ID(model, q, 0 * qd, 0 * qd) if weight else 0)
        code = "([q, v]) => figure.acceleration(q, v)"
        near(page.tab.evaluate(code, [q.tolist(), qd.tolist()]), FDab(model, q, qd, tau, f_ext))
    page.close()


@pytest.mark.optional
def test_the_arm_follows_the_mouse_and_rests_if_less_motion_is_preferred(
    browser: Any, tmp_path: Path, data: dict[str, Any]
) -> None:
    page = Figure(browser, tmp_path, "arm", data, reduced_motion="reduce")
    assert page.tab.get_by_role("button", name="Run").count() == 1
    assert page.get("state().time") == 0
    page.drag("handle", -40, -40)
    assert not page.tab.get_by_label("goes round").is_checked()
    before = np.linalg.norm(page.get("end()") - page.get("ball()"))
    page.tab.evaluate("for (let k = 0; k < 250; k++) figure.step()")
    assert np.linalg.norm(page.get("end()") - page.get("ball()")) < before / 2
    page.close()


@pytest.mark.optional
def test_the_arm_runs_by_itself(browser: Any, tmp_path: Path, data: dict[str, Any]) -> None:
    page = Figure(browser, tmp_path, "arm", data)
    page.tab.wait_for_function("figure.state().time > 0.05", timeout=120_000)
    page.close()
