"""Draw the moving pictures of docs/optimal_control.md into docs/_static/optimal_control/.

python docs/figures/optimal_control.py [NAME...]
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = ROOT / "docs" / "_static" / "optimal_control"
NAMES = (
    "cart_pole", "ddp_contacts", "transcription", "lift", "balance", "whole_body", "acrobot", "hop",
    "trot", "biped", "five_bar", "throw", "minimum_time",
)  # fmt: skip

SHORT = {"five_bar": 25, "hop": 20, "trot": 15, "biped": 20, "throw": 25, "minimum_time": 50}
"""Pictures in a second of short motions; ten of the others."""


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for name in sys.argv[1:] or NAMES:
        script = runpy.run_path(str(ROOT / "examples" / "optimal_control" / f"{name}.py"))
        script["animation"]().save(HERE / f"{name}.gif", fps=SHORT.get(name, 10), size=(320, 240))


if __name__ == "__main__":
    main()
