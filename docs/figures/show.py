"""Draw the pictures of docs/show.md into docs/_static/show/.

python docs/figures/show.py          pictures without a browser; needs the extras meshes, robots
python docs/figures/show.py --page   also the page as Chromium shows it; needs the extra browser
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

from spatial_v2 import (
    autoTree,
    build_quadruped_model,
    gfxExample,
    load_model,
    puma560,
    show,
    showmotion,
)
from spatial_v2.show import Animation

HERE = Path(__file__).parents[1] / "_static" / "show"


def wave() -> Animation:
    """A tree that waves, with what can be drawn on top."""
    model = autoTree(6, 1.5, np.pi / 4, 0.9)
    rate = 1 + np.arange(model.NQ) / 2
    return showmotion(
        model, [0, 4], lambda t: 0.6 * np.sin(rate * t), overlays=("frames", "com", "ellipsoids")
    )


def page(animation: Animation, path: Path, time: float) -> None:
    """The page, its menu open, as Chromium shows it."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        chromium = play.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--enable-unsafe-swiftshader", "--no-sandbox"],
        )
        tab = chromium.new_page(viewport={"width": 900, "height": 540})
        tab.goto(animation.save(Path(folder, "a.html")).as_uri())
        tab.wait_for_function("window.showmotion")
        tab.evaluate(f"showmotion.seek({time})")
        tab.click("#menu-button")
        tab.wait_for_timeout(1500)
        tab.screenshot(path=path)
        chromium.close()


def main() -> None:
    HERE.mkdir(exist_ok=True)
    size = (480, 360)
    show(gfxExample(), [0.5, 0.4]).save(HERE / "appearance.png", size=size)
    bones = puma560().replace(appearance=None)
    show(bones, [0.4, 0.6, -0.4, 0, 0.5, 0], overlays="axes").save(HERE / "bones.png", size=size)
    trot = build_quadruped_model()
    show(trot, [0, 0, 0, 0.6, -1.2, 0.6, -1.2], overlays=("com", "ellipsoids")).save(
        HERE / "overlays.png", size=size
    )
    show(load_model("panda"), [0, 0.4, 0, -1.8, 0, 2.2, 0.8, 0.03]).save(
        HERE / "meshes.png", size=size
    )
    showmotion(
        puma560(), [0, 1], [[0, 0, 0, 0, 0, 0], [1, 0.8, -0.4, 0, 0.9, 0.5]],
        overlays=("velocities", "momentum", "com", "names"),
    ).save(HERE / "screws.png", time=0.5, size=size)  # fmt: skip
    wave().save(HERE / "wave.gif", fps=12, size=(400, 300))
    if "--page" in sys.argv:
        page(wave(), HERE / "page.png", 1.7)


if __name__ == "__main__":
    main()
