"""Drawing instructions: the shapes that MATLAB's language describes, and its errors."""

import warnings
from typing import Any

import numpy as np
import pytest
import zoo

import spatial_v2.models
from spatial_v2 import Model, ModelError, planar, show
from spatial_v2.show.bones import bones
from spatial_v2.show.instructions import COLOURS, drawings_of
from spatial_v2.show.meshes import facets_of
from spatial_v2.show.scene import OVERLAYS
from spatial_v2.show.shapes import Box, Cylinder, Line, Sphere, Triangles, extent

BUILT_IN: dict[str, Model] = {}
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    for _name, _arguments in {
        "autoTree": (4, 1.5), "planar": (3,), "rollingdisc": (8,), "doubleElbow": (), "vee": (),
        "gfxExample": (True,), "scissor": (), "singlebody": (), "puma560": (), "Panda_model": (),
        "TX40_model": (), "Scara_model": (), "Puma560_model": (), "CheetahLeg_model": (),
        "build_quadruped_model": (),
    }.items():  # fmt: skip
        BUILT_IN[_name] = getattr(spatial_v2.models, _name)(*_arguments)


@pytest.mark.parametrize("name", BUILT_IN)
def test_appearance_of_every_built_in_model_can_be_read(name: str) -> None:
    model = BUILT_IN[name]
    shapes = drawings_of(model.appearance or bones(model), model.NB)
    assert len(shapes) == model.NB + 1
    assert any(shapes[1:])
    for shape in (x for drawing in shapes for x in drawing):
        corners, colours = facets_of(shape)
        assert len(corners) == len(colours)
        points, box = corners.reshape(-1, 3), extent(shape)
        if len(points):
            assert (points >= box.min(axis=0) - 1e-9).all()
            assert (points <= box.max(axis=0) + 1e-9).all()


@pytest.mark.parametrize("name", zoo.MODELS)
def test_every_model_can_be_drawn_without_an_appearance(name: str) -> None:
    model = zoo.build(name)
    assert any(drawings_of(bones(model), model.NB)[1:])
    picture = show(model, overlays=OVERLAYS).image(size=(80, 60))
    assert picture.shape == (60, 80, 3)
    assert np.ptp(picture) > 50


def test_every_drawing_command_makes_its_shape() -> None:
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    drawing = [
        "box", [[1, 0, 0], [0, 2, 3]],
        ["colour", [0.5, 0.5, 0.5], "facets", 7, "sphere", [0, 0, 1], 0.5],
        "cyl", [[0, 0, 0], [0, 0, 1]], 0.1,
        "vertices", corners, "triangles", [[0, 2, 1]], "line", [0, 1, 3],
        "colour", [[1, 0, 0], [0, 1, 0]], "sphere", [0, 0, 0], 1.0,
        "line", [[0, 0, 0], [1, 1, 1]],
    ]  # fmt: skip
    base = ["tiles", [[-1, 1], [0, 2], [0, 0]], 0.5]
    floor, shapes = drawings_of({"base": base, "body": [drawing]}, 1)
    kinds = [Box, Sphere, Cylinder, Triangles, Line, Sphere, Line]
    assert [type(x) for x in shapes] == kinds
    box, grey, tube, _, path, ball, _ = shapes
    assert isinstance(box, Box) and isinstance(grey, Sphere) and isinstance(tube, Cylinder)
    assert isinstance(path, Line) and isinstance(ball, Sphere)
    np.testing.assert_array_equal(box.upper, [1, 2, 3])
    np.testing.assert_array_equal(box.colour, COLOURS[0])
    assert (grey.facets, tube.facets) == (8, 24)
    # the colour set in the sub-list does not affect this shape
    np.testing.assert_array_equal(tube.colour, COLOURS[0])
    np.testing.assert_array_equal(path.points, [corners[0], corners[1], corners[3]])
    np.testing.assert_array_equal(ball.colour, [[1, 0, 0], [0, 1, 0]])
    assert sum(len(x.faces) for x in floor if isinstance(x, Triangles)) == 2 * 16


@pytest.mark.parametrize("end", [0.0, -1e-9])
def test_tiles_face_the_side_that_their_range_says(end: float) -> None:
    floor, _ = drawings_of({"base": ["tiles", [[0, 1], [0, 1], [0, end]], 0.5], "body": [[]]}, 1)
    for part in floor:
        a, b, c = np.moveaxis(facets_of(part)[0], 1, 0)
        np.testing.assert_array_equal(np.sign(np.cross(b - a, c - a)[:, 2]), 1 if end == 0 else -1)


def test_solids_are_closed_and_turn_outwards() -> None:
    """Solids are closed with triangles that face outwards: by the divergence theorem they have the
    right volume.
    """
    grey = np.full(3, 0.5)
    for shape, volume in (
        (Box(np.array([0.0, 1, 2]), np.array([1.0, 3, 5]), grey), 6.0),
        (Cylinder(np.ones(3), np.array([1.0, 1, 3]), 0.5, 400, grey), np.pi / 2),
        (Sphere(np.ones(3), 2.0, 200, np.stack([grey, grey])), 32 / 3 * np.pi),
    ):
        a, b, c = np.moveaxis(facets_of(shape)[0], 1, 0)
        assert (a * np.cross(b, c)).sum() / 6 == pytest.approx(volume, rel=1e-3)


def test_three_facets_are_enough() -> None:
    """Three facets are accepted, and a sphere of 24 has more triangles than one of 3."""
    few, many = (
        drawings_of({"body": [["facets", n, "sphere", [0, 0, 0], 1.0]]}, 1)[1][0] for n in (3, 24)
    )
    assert 0 < len(facets_of(few)[0]) < len(facets_of(many)[0])


@pytest.mark.parametrize(
    ("drawing", "words"),
    [
        ([1.0], r"body'\]\[0\]\[0\]: want a drawing command"),
        (["cone", 1], "'cone'"),
        (["box"], "'box' wants 1 argument after it"),
        ([["cyl", [[0, 0, 0], [0, 0, 1]]]], r"\[0\]\[0\]\[0\]: 'cyl' wants 2 arguments"),
        (["box", [[0, 0, 0], [1, 1, 0]]], "a volume"),
        (["cyl", [[0, 0, 0], [0, 0, 0]], 1], "two points that differ"),
        (["sphere", [0, 0, 0], -1], "a centre and a radius"),
        (["colour", [0, 0, 2]], "0..1"),
        (["colour", [0, 0]], "one or two rows"),
        (["colour", [[0, 0, 1]] * 3], "one or two rows"),
        (["facets", 2], "from 3 on"),
        (["line", [0, 1]], "no 'vertices'"),
        (["vertices", [[0, 0, 0], [1, 0, 0]], "line", [0, 2]], "from 0 to 1"),
        (["vertices", np.eye(3), "triangles", [[0, 1, 1]]], "have an area"),
        (["tiles", [[0, 1], [0, 1], [0, 0]], 0.5], "base only"),
        (["box", [[0, 0, np.nan], [1, 1, 1]]], "finite"),
    ],
)
def test_wrong_instructions_are_named(drawing: list[Any], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        show(planar(1).replace(appearance={"body": [drawing]}))


@pytest.mark.parametrize("size", [[0.1, 0.2], [], 0.0, -0.1])
def test_tiles_have_one_size(size: Any) -> None:
    floor = ["tiles", [[-1, 1], [-1, 1], [0, 0]], size]
    with pytest.raises(ModelError, match="'tiles' wants ranges"):
        show(planar(1).replace(appearance={"base": floor, "body": [[]]}))


@pytest.mark.parametrize("sides", [(1.4, 3.0), (3.0, 1.4), (0.0, 3.0)])
def test_a_floor_has_room_for_a_tile_and_a_half(sides: tuple[float, float]) -> None:
    floor = ["tiles", [[0, sides[0]], [0, sides[1]], [0, 0]], 1.0]
    with pytest.raises(ModelError, match="one tile and a half or more|exactly one of the ranges"):
        show(planar(1).replace(appearance={"base": floor, "body": [[]]}))
