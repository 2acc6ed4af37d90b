"""Names and legends in pictures: no name covers another, and the legend says what is shown."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from spatial_v2 import load_model, planar, rollingdisc, show, showmotion
from spatial_v2.show import texts
from spatial_v2.show.labels import Rectangle, overlap, place_labels
from spatial_v2.show.marks import MARKS
from spatial_v2.show.page import description
from spatial_v2.show.scene import OVERLAYS


def assert_apart(places: list[Rectangle | None], taken: list[Rectangle]) -> None:
    found = [place for place in places if place]
    assert not any(overlap(a, b) for a, b in combinations(found, 2))
    assert not any(overlap(a, b) for a in found for b in taken)


@pytest.mark.parametrize("seed", range(5))
def test_no_label_covers_another_or_a_point(seed: int) -> None:
    """Labels of points close to each other do not overlap, are in the picture, and avoid given
    rectangles.
    """
    rng = np.random.default_rng(seed)
    points = [(float(x), float(y)) for x, y in rng.normal([320, 240], 40, (20, 2))]
    sizes = [(float(w), 15.0) for w in rng.uniform(40, 120, 20)]
    taken = [(0.0, 380.0, 160.0, 480.0)]
    places = place_labels(points, sizes, (640, 480), taken)
    assert None not in places
    assert_apart(places, taken)
    for place, (w, h) in zip(places, sizes, strict=True):
        assert place is not None
        assert place[0] >= 0 and place[2] <= 640 and place[1] >= 0 and place[3] <= 480
        assert (place[2] - place[0], place[3] - place[1]) == pytest.approx((w, h))
        assert not any(place[0] < x < place[2] and place[1] < y < place[3] for x, y in points)


@pytest.mark.parametrize("seed", range(3))
def test_labels_may_touch_the_edges_of_the_picture(seed: int) -> None:
    """In a picture cut to its labels these stay where they are."""
    rng = np.random.default_rng(seed)
    points = [(float(x), float(y)) for x, y in rng.integers(100, 500, (12, 2))]
    sizes = [(float(w), 16.0) for w in rng.integers(40, 120, 12)]
    places = [x for x in place_labels(points, sizes, (640, 640)) if x]
    (left, top), (right, low) = np.min(places, axis=0)[:2], np.max(places, axis=0)[2:]
    moved = [(x - left, y - top) for x, y in points]
    cut = place_labels(moved, sizes, (right - left, low - top))
    np.testing.assert_array_equal(cut, np.array(places) - [left, top, left, top])


def test_a_label_that_fits_nowhere_is_left_out() -> None:
    assert place_labels([(5, 5)], [(100, 10)], (50, 50)) == [None]


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_legend_has_the_marks_of_the_overlays_that_are_shown(overlay: str) -> None:
    f, q = np.zeros((2, 6, 6)), np.zeros((2, 6))
    scene = showmotion(rollingdisc(4), [0, 1], q, f_ext=f).scene
    shown = {mark.text for mark in replace(scene, overlays=(overlay,)).legend()}
    assert shown == {mark.text for mark in MARKS[overlay]} - {"contact force"}


def test_legend_and_description_leave_out_what_a_scene_has_not() -> None:
    scene = show(planar(2).replace(I=np.zeros((2, 3, 3))), overlays=OVERLAYS).scene
    assert {mark.text for mark in scene.legend()} == {
        mark.text for name in ("frames", "axes") for mark in MARKS[name]
    }
    assert description(scene) == "View of planar(2), 2 bodies, with frames, names, axes"


def test_robot_at_rest_has_no_path_in_its_legend() -> None:
    marks = show(planar(2), overlays="com").scene.legend()
    assert [mark.text for mark in marks] == ["centre of mass"]


def test_pictures_have_a_legend_in_their_lower_left_corner() -> None:
    """The legend is in the lower left corner of the picture."""
    model = planar(2)
    bare = show(model).image(size=(320, 240))
    shown = show(model, overlays="axes").image(size=(320, 240))
    changed = np.argwhere((bare != shown).any(axis=-1))
    corner = changed[(changed[:, 0] > 200) & (changed[:, 1] < 120)]
    assert len(corner) > 500


def test_names_of_a_quadruped_are_legible() -> None:
    """All names of HyQ have places without overlap in a picture of the usual size."""
    with pytest.warns(UserWarning):
        model = load_model("hyq", floating_base=True)
    places: list[list[Rectangle | None]] = []

    def kept(*arguments: object) -> list[Rectangle | None]:
        places.append(place_labels(*arguments))  # type: ignore[arg-type]
        return places[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "place_labels", kept)
        show(model, overlays="names").image(size=(640, 480))
    (found,) = places
    assert len(found) == model.NB and None not in found
    assert_apart(found, [])
