"""Draw the pictures of docs/index.md and docs/first_robot.md into docs/_static/first_pages/.

python docs/figures/first_pages.py     needs the extras meshes, robots
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from PIL import Image, ImageSequence

ROOT = Path(__file__).parents[2]
HERE = ROOT / "docs" / "_static" / "first_pages"
BLUE, ORANGE, DARK = "#0072B2", "#D55E00", "#22272e"

MATLAB = """\
model = autoTree(5, 1.5, pi/3);
q  = 0.1 * (1:5)';
qd = zeros(5,1);
tau = ID(model, q, qd, qd)
H = HandC(model, q, qd);"""
PYTHON = """\
model = autoTree(5, 1.5, np.pi/3)
q  = 0.1 * np.arange(1, 6)
qd = np.zeros(5)
tau = ID(model, q, qd, qd)
H, C = HandC(model, q, qd)"""


def identification(path: Path) -> None:
    """Errors of joint forces before and after the identification of examples/identification.py."""
    report = runpy.run_path(str(ROOT / "examples" / "identification.py"))["main"](quick=True)
    names = ["data sheet", "identified"]
    figure, ax = plt.subplots(figsize=(4, 3), layout="constrained")
    ax.bar(names, [report[name] for name in names], color=[ORANGE, BLUE], width=0.5)
    ax.set_ylabel("error of joint forces [N m]")
    ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)


def scripts(path: Path) -> None:
    """Draw a script of MATLAB above its translation."""
    figure = plt.figure(figsize=(4, 3), facecolor=DARK)
    for top, title, code in ((0.95, "MATLAB", MATLAB), (0.46, "Python", PYTHON)):
        figure.text(0.05, top, title, color="#f0a050", size=9, weight="bold", va="top")
        text = {"color": "white", "size": 8.5, "family": "monospace", "linespacing": 1.35}
        figure.text(0.05, top - 0.07, code, va="top", **text)
    figure.savefig(path, dpi=120)


def card(movie: Path, path: Path) -> None:
    """Draw every second picture of a movie, small enough for a card of the landing page."""
    with Image.open(movie) as film:
        images = [frame.convert("RGB").resize((280, 210)) for frame in ImageSequence.Iterator(film)]
        pause = 2 * film.info["duration"]
    palette = images[0].quantize(64)
    first, *others = [x.quantize(palette=palette, dither=Image.Dither.NONE) for x in images[::2]]
    first.save(path, save_all=True, append_images=others, duration=pause, loop=0)


def pasted(page: Path) -> dict[str, Any]:
    """Run the blocks of a page, and return its names."""
    sys.path.append(str(ROOT / "unit_tests" / "support"))
    from pasted import blocks

    names: dict[str, Any] = {}
    for block in blocks(page):
        exec(block.code, names)
    return names


def main() -> None:
    HERE.mkdir(exist_ok=True)
    identification(HERE / "identification.png")
    scripts(HERE / "scripts.png")
    names = pasted(ROOT / "docs" / "first_robot.md")
    names["film"].save(HERE / "fall.gif", fps=10, size=(400, 300))
    names["reach"].save(HERE / "reach.gif", fps=15, size=(400, 300))
    card(HERE / "fall.gif", HERE / "fall_card.gif")
    card(HERE.parent / "optimal_control" / "trot.gif", HERE / "trot_card.gif")


if __name__ == "__main__":
    main()
