"""The command ``spatial-v2 show``."""

from pathlib import Path

import numpy as np
import pytest
from command_line import TREE, refused, run
from PIL import Image
from scipy.io import savemat
from show_pages import assert_poses, embedded, world_poses

from spatial_v2 import load_model


class TestCommand:
    @pytest.mark.slow
    def test_the_suffix_chooses_what_is_written(self, tmp_path: Path) -> None:
        t, q = np.array([0.0, 0.5, 1.0]), np.linspace(0, 1, 12).reshape(3, 4)
        np.savez(tmp_path / "motion.npz", t=t, q=q)
        page = tmp_path / "a.html"
        run("show", TREE, "--motion", tmp_path / "motion.npz", "--overlay", "com", "--out", page)
        scene = embedded(page.read_text(encoding="utf-8"))
        assert scene["t"] == t.tolist()
        assert scene["overlays"] == ["com"]
        model = load_model(TREE)
        assert_poses(model, q, *world_poses(scene))
        savemat(tmp_path / "motion.mat", {"t": t[:, None], "q": q})
        picture = tmp_path / "a.png"
        run("show", TREE, "--motion", tmp_path / "motion.mat", "--out", picture)
        assert picture.read_bytes().startswith(b"\x89PNG")
        run("show", "planar:1", "--swing", "--out", tmp_path / "a.gif")
        assert (tmp_path / "a.gif").read_bytes().startswith(b"GIF89a")

    def test_size_and_rate_of_pictures_are_those_asked_for(self, tmp_path: Path) -> None:
        words = ("show", "planar:1", "--swing", "--size", "96x64")
        run(*words, "--out", tmp_path / "a.png")
        run(*words, "--fps", 4, "--out", tmp_path / "a.gif")
        with Image.open(tmp_path / "a.png") as picture:
            assert picture.size == (96, 64)
        with Image.open(tmp_path / "a.gif") as movie:
            assert movie.size == (96, 64)
            assert movie.info["duration"] == 250
            assert movie.n_frames == 5

    def test_opens_a_browser_where_no_file_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        opened: list[str] = []
        monkeypatch.setattr("webbrowser.open", opened.append)
        last = run("show", "planar:2").splitlines()[-1]
        assert opened == [Path(last).as_uri()]
        assert "showmotion" in Path(last).read_text(encoding="utf-8")
        Path(last).unlink()

    def test_wrong_arguments_are_refused_in_one_line(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "a.npz", t=[0, 1], q=np.zeros((2, 3)))
        np.savez(tmp_path / "b.npz", t=[1, 0], q=np.zeros((2, 4)))
        for words, text in (
            (["--motion", tmp_path / "a.npz"], r"(instants, 4)"),
            (["--motion", tmp_path / "b.npz"], "must not decrease"),
            (["--motion", tmp_path / "none.npz"], "cannot be read"),
            (["--motion", tmp_path / "a.npz", "--swing"], "combined with --swing"),
            (["--overlay", "feet"], "'feet'"),
            (["--out", tmp_path / "a.gif"], "--swing"),
            (["--out", tmp_path / "a.mp4"], "--swing"),
            (["--out", tmp_path / "a.avi"], ".html"),
            (["--out", tmp_path / "a.html", "--size", "9x9"], "--size"),
            (["--out", tmp_path / "a.png", "--fps", 3], "--fps"),
            (["--swing", "--out", tmp_path / "a.gif", "--fps", 0], "fps"),
            *(
                (["--out", tmp_path / "a.png", "--size", size], "1280x720")
                for size in ("640", "0x480", "640x99999", "axb", "-4x5", "")
            ),
        ):
            assert text in refused("show", TREE, *words)
        assert not list(tmp_path.glob("a.gif")) + list(tmp_path.glob("a.mp4"))
