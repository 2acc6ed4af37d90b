"""Pages of the figures that the reader moves; scripts are in ``assets/hands_on``."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

__all__ = ["TITLES", "page_of", "scripts_of"]

TITLES = {
    "screw": "A screw whose axis, pitch and origin you move, and its velocity field",
    "transform": "A frame that you move, and the numbers of a motion and a force in it",
    "inertia": "Particles that you move, with their ellipsoid and spatial inertia",
    "joint": "A joint that you move, its motion subspace, and a force that its motor feels",
    "robot": "A robot whose joints you move, with its Jacobian and its joint forces",
    "reach": "An arm that follows a target by damped steps, with its singular values",
    "torques": "An arm whose motion you choose, and its joint forces term by term",
    "motion": "A robot that moves by its own dynamics, term by term",
    "composite": "A robot with the composite inertia of each joint, and its mass matrix",
    "floating": "A floating body whose arms you swing, and whose trunk turns",
    "linkage": "A four-bar linkage that you turn, and the forces that close it",
    "identity": "Both sides of an identity for arguments that you move",
    "steps": "Derivatives by finite differences and by complex steps of a size that you choose",
    "arm": "A robot arm that moves by its own dynamics, and whose hand you pull",
}
SPACE = ("three.min", "algebra", "dynamics", "systems", "side", "stage", "shapes", "levers")
"""Scripts that every three-dimensional figure loads before its own."""
FLAT = {"steps": ("side",), "identity": ("algebra", "dynamics", "tensors", "side")}
"""Figures without a three-dimensional scene, with the scripts that they load before their own."""
ALSO = {"arm": ("meshes",)}
"""Further scripts of three-dimensional figures."""
BELOW = ("arm",)
"""Figures whose controls are below the picture."""
PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<link rel="icon" href="data:,">
$style
</head>
<body$kind>
<div id="stage" role="group" aria-label="$title" tabindex="0"></div>
<div id="side" role="group" aria-label="Controls and numbers"></div>
<script type="application/json" id="data">$data</script>
$scripts
</body>
</html>
""")


@cache
def asset(name: str) -> str:
    """Read a script or the style of the figures."""
    folder = files("spatial_v2.course").joinpath("assets", "hands_on")
    if name == "three.min.js":
        folder = files("spatial_v2.show").joinpath("assets")
    return folder.joinpath(name).read_text(encoding="utf-8")


def scripts_of(name: str) -> tuple[str, ...]:
    """Return the names of the scripts of a figure, in the order in which they are loaded.

    Examples
    --------
    >>> scripts_of("steps")
    ('side.js', 'steps.js')
    """
    scripts = (*FLAT.get(name, (*SPACE, *ALSO.get(name, ()))), name)
    return tuple(f"{x}.js" for x in scripts)


def page_of(name: str, data: dict[str, Any], *, alone: bool = False) -> str:
    """Return the page of a figure with its data.

    Parameters
    ----------
    name : str
        Name of the figure, one of `TITLES`.
    data : dict
        Options of the figure, with its model as data.
    alone : bool, optional
        If True, the page contains its scripts; by default it loads them from its folder.

    Examples
    --------
    >>> page = page_of("screw", {})
    >>> '<script src="screw.js">' in page, "http" in page
    (True, False)
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    kind = "flat" if name in FLAT else "below" if name in BELOW else ""
    if alone:
        style = f"<style>\n{asset('style.css')}</style>"
        codes = [asset(x).replace("</script", "<\\/script") for x in scripts_of(name)]
        scripts = [f"<script>\n{x}\n</script>" for x in codes]
    else:
        style = '<link rel="stylesheet" href="style.css">'
        scripts = [f'<script src="{x}"></script>' for x in scripts_of(name)]
    return PAGE.substitute(
        title=TITLES[name],
        style=style,
        kind=f' class="{kind}"' if kind else "",
        data=text,
        scripts="\n".join(scripts),
    )
