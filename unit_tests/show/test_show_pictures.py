"""Pictures made without a browser: files, movies, and overlays."""

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import zoo
from show_pages import contact_bodies, motion_of

from spatial_v2 import EnerMo, SpatialError, forward_kinematics, planar, rollingdisc, showmotion
from spatial_v2.configuration import random_configuration
from spatial_v2.show import movies
from spatial_v2.show.animation import Animation
from spatial_v2.show.motion import Motion
from spatial_v2.show.pictures import GRID, SHADE, SKY, instants
from spatial_v2.show.rates import momenta, momenta_within, scales_of, screw_axes, world_velocities
from spatial_v2.show.scene import OVERLAYS


def test_the_suffix_chooses_the_format(tmp_path: Path) -> None:
    animation = showmotion(rollingdisc(6), [0, 0.2], np.zeros((2, 6)))
    assert animation.save(tmp_path / "a.html").read_text(encoding="utf-8") == animation.html
    starts = {"png": b"\x89PNG", "gif": b"GIF89a"}
    for suffix, start in starts.items():
        path = animation.save(tmp_path / f"a.{suffix}", size=(64, 48))
        assert path.read_bytes().startswith(start)
    with pytest.raises(SpatialError, match=r"\.html, \.png, \.gif or \.mp4, got '\.avi'"):
        animation.save(tmp_path / "a.avi")
    with pytest.raises(SpatialError, match="up to 50"):
        animation.save(tmp_path / "a.gif", fps=60)
    ax = animation.draw(size=(64, 48))
    assert len(ax.images) == 1
    assert "srcdoc" in animation._repr_html_()


def short() -> Animation:
    return showmotion(planar(2), [0, 0.5], [[0, 0], [1, 1]])


@pytest.mark.optional
def test_movies_have_their_pictures_and_even_sizes(tmp_path: Path) -> None:
    """The movie has 16 pictures at 30 a second, and one more pixel in each direction in which the
    size is odd.
    """
    ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="needs the extra movies")
    path = short().save(tmp_path / "a.mp4", size=(81, 61), browser=False)
    with warnings.catch_warnings():
        # ignore warnings about pipes that stay open if ffmpeg ends first
        warnings.simplefilter("ignore", ResourceWarning)
        reader = ffmpeg.read_frames(str(path))
        about = next(reader)
        pictures = [np.frombuffer(x, np.uint8) for x in reader]
        del reader
    assert tuple(about["source_size"]) == (82, 62)
    assert about["fps"] == 30
    assert len(pictures) == 16
    assert np.abs(pictures[0].astype(int) - pictures[-1]).max() > 50


def test_movies_say_what_they_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright", None)
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(SpatialError, match=r"'\.\[browser\]"):
        short().save(tmp_path / "a.png", browser=True)
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(SpatialError, match=r"a\.mp4: .*ffmpeg.*'\.\[movies\]"):
        short().save(tmp_path / "a.mp4")
    assert not (tmp_path / "a.mp4").exists()


def test_failures_of_the_encoder_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(movies, "encoder", lambda: "false")
    with pytest.raises(SpatialError, match="the program false could not write"):
        short().save(tmp_path / "a.mp4", browser=False, size=(16, 16))


@pytest.mark.parametrize("name", ["mixed", "planar_chain", "SE3", "helical"])
def test_screws_are_those_of_the_velocities(name: str) -> None:
    """A screw axis passes through a point whose velocity is along the axis, and equals the screw's
    translation.
    """
    model = zoo.build(name)
    _, q = motion_of(model, 2)
    qd = np.random.default_rng(5).normal(size=model.NV)
    w, v, p = world_velocities(model, q[0], qd)
    motion = forward_kinematics(model, q[0], qd)
    if not model.is_planar:
        np.testing.assert_allclose(
            np.concatenate([w, v], axis=-1),
            (np.kron(np.eye(2), motion.R) @ np.asarray(motion.v)[..., None])[..., 0],
        )
    foot, turn, advance = screw_axes(w, v, p)
    np.testing.assert_allclose(v + np.cross(w, foot - p), advance, atol=1e-9)
    np.testing.assert_allclose(np.cross(turn, advance), 0, atol=1e-9)
    np.testing.assert_allclose(((foot - p) * turn).sum(axis=-1), 0, atol=1e-9)


@pytest.mark.parametrize("name", ["mixed", "planar_chain", "SE3"])
def test_momentum_about_the_centre_of_mass_moves_to_that_about_the_base(name: str) -> None:
    model = zoo.build(name)
    _, q = motion_of(model, 2)
    qd = np.random.default_rng(5).normal(size=model.NV)
    h = momenta(model, q[0], qd)
    wanted = np.asarray(EnerMo(model, q[0], qd).htot)
    about_base = np.concatenate([h.spin + np.cross(h.centre, h.linear), h.linear])
    if model.is_planar:
        np.testing.assert_allclose(about_base[[0, 1, 5]], 0, atol=1e-12)
        about_base = about_base[2:5]
    np.testing.assert_allclose(about_base, wanted, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "frames"), [("SE3", 3), ("planar_chain", 3), ("planar_chain", 700)]
)
def test_momentum_within_a_step_is_that_on_its_way(name: str, frames: int) -> None:
    """The momentum within a step is sampled at equal distances from its start to its end, more
    often if there are few steps.
    """
    model = zoo.build(name)
    rng = np.random.default_rng(6)
    motion = Motion(np.arange(float(frames)), random_configuration(model, rng, (frames,)))
    found = momenta_within(model, motion)
    times = np.linspace(0, 1, len(found.centre[0]))
    assert len(times) == (5 if frames < 500 else 2)
    for k in range(0, frames - 1, frames // 3):
        q, qd = motion.at(model, k + times), motion.velocity(model, k)
        wanted = momenta(model, q, np.tile(qd, (len(times), 1)))
        for x, y in zip(found, wanted, strict=True):
            np.testing.assert_allclose(x[k], y, atol=1e-9)


@pytest.mark.parametrize("name", zoo.MODELS)
def test_arrows_are_no_longer_than_the_robot(name: str) -> None:
    model = zoo.build(name)
    t, q = motion_of(model)
    scene = showmotion(model, t / 100, q).scene
    scales = scales_of(model, scene.motion, scene.size)
    _, rate = scene.motion.steps(model)
    _, turn, advance = screw_axes(*world_velocities(model, q[:-1], rate))
    for scale, x in ((scales.turn, turn), (scales.advance, advance)):
        assert scale > 0
        assert scale * np.linalg.norm(x, axis=-1).max() <= 0.4 * scene.size * (1 + 1e-9)
    h = momenta(model, q[:-1], rate)
    longest = [np.linalg.norm(x, axis=-1).max(initial=0.0) for x in (h.linear, h.spin)]
    for scale, most in zip((scales.momentum, scales.spin), longest, strict=True):
        no_mass = not np.asarray(model.I)[:, -1, -1].any()
        if no_mass or most <= 1e-8 * (1 + scene.size * longest[0]):
            assert scale * most <= 0.4 * scene.size
        else:
            assert scale * most == pytest.approx(0.4 * scene.size)


def test_pictures_have_everything_on_top() -> None:
    """Each overlay changes the picture of a motion."""
    model = rollingdisc(8)
    q, f = np.outer([0, 1], [0.1, 0, 0.05, 0.3, 0.4, 2]), np.zeros((2, 6, 6))
    f[:, 5, 5] = 1.0
    points = np.ones((2, len(contact_bodies(model)), 3))
    animation = showmotion(model, [0, 1], q, f_ext=f, f_contact=points)
    assert set(animation.scene.overlays) == {"forces", "contacts"}
    bare = showmotion(model, [0, 1], q).image(0.5, (160, 120))
    for name in OVERLAYS:
        chosen = Animation(
            animation.scene.__class__(**{**vars(animation.scene), "overlays": (name,)})
        )
        assert (chosen.image(0.5, (160, 120)) != bare).any(), name


def test_the_last_words_of_the_encoder_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "encoder"
    program.write_text("#!/bin/sh\nprintf 'one\\ntwo\\nthree\\n' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(movies, "encoder", lambda: str(program))
    with pytest.raises(SpatialError, match="file: three; check"):
        short().save(tmp_path / "a.mp4", browser=False, size=(16, 16))


@pytest.mark.parametrize("begin", [0.0, 3.0])
def test_movies_have_as_many_pictures_as_their_duration_needs(begin: float) -> None:
    for t in ([begin, begin + 1.0], [begin, begin + 0.9, begin + 1.0]):
        scene = showmotion(planar(1), t, np.zeros((len(t), 1))).scene
        np.testing.assert_allclose(instants(scene, 20), begin + np.arange(21) / 20, atol=1e-12)


def test_colours_of_pictures_are_between_black_and_white() -> None:
    assert all(((x >= 0) & (x <= 1)).all() for x in (SKY, SHADE, GRID))


def test_pictures_have_640_by_480_pixels_unless_others_are_asked_for(tmp_path: Path) -> None:
    from PIL import Image

    for asked, wanted in (({}, (640, 480)), ({"size": (40, 30)}, (40, 30))):
        with Image.open(short().save(tmp_path / "a.png", browser=False, **asked)) as picture:
            assert picture.size == wanted
