"""Interactive figures: the directive ``hands-on NAME``, with a robot whose motion the page
computes.

The content of the directive is a program whose last value is a `Model`, or empty if the figure has
no robot. Each figure is a page of its own in ``_static/hands_on``, shown in a frame that is loaded
when it is scrolled near the view. All is computed in the browser, without a server.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from string import Template
from typing import Any, ClassVar

import numpy as np
from docutils import nodes
from docutils.parsers.rst import directives
from live import last_value
from robot_meshes import licence_of, meshes_of
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from spatial_v2 import Model, get_gravity, plux
from spatial_v2.joints.table import JointTypeLike, joint_type

FOLDER = Path("_static", "hands_on")
PLANE = (2, 3, 4)
"""Indices of those components of a spatial vector that a planar vector has."""
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
<link rel="stylesheet" href="style.css">
</head>
<body$kind>
<div id="stage" role="group" aria-label="$title" tabindex="0"></div>
<div id="side" role="group" aria-label="Controls and numbers"></div>
<script type="application/json" id="data">$data</script>
$scripts
</body>
</html>
""")


def model_as_data(model: Model) -> dict[str, Any]:
    """Return a model in the form that ``dynamics.js`` reads; planar models become spatial ones."""
    rotors = [
        {
            "joint": joint_as_data(model.jtype_rotor[i]),
            "X": spatial_transform(model.Xrotor[i]).tolist(),
            "I": np.asarray(model.I_rotor[i]).tolist(),
            "gear": float(model.gr[i]),
        }
        if len(model.has_rotor) and model.has_rotor[i]
        else None
        for i in range(model.NB)
    ]
    gravity = get_gravity(model)
    return {
        "parent": model.parent.tolist(),
        "joints": [joint_as_data(x) for x in model.jtype],
        "Xtree": [spatial_transform(X).tolist() for X in model.Xtree],
        "I": [spatial_inertia(I).tolist() for I in model.I],
        "gravity": ([*gravity[1:], 0.0] if model.is_planar else gravity[3:].tolist()),
        "rotors": rotors,
    }


def joint_as_data(jtype: JointTypeLike) -> dict[str, Any]:
    """Return the entries of a joint type in the joint table that ``dynamics.js`` needs."""
    row = joint_type(jtype)
    fields = ("kind", "axis", "sign", "pitch", "nq", "nv")
    return {name: getattr(row, name) for name in fields}


def spatial_transform(X: np.ndarray) -> np.ndarray:
    """Return a planar transform as the spatial transform of the x-y plane; spatial ones
    unchanged.
    """
    if len(X) == 6:
        return np.asarray(X)
    E = np.eye(3)
    E[:2, :2] = X[1:, 1:]
    y, x = E[:2, :2].T @ X[1:, 0]
    return np.asarray(plux(E, [x, -y, 0.0]))


def spatial_inertia(I: np.ndarray) -> np.ndarray:
    """Return a planar inertia as a spatial one, zero for motions out of the plane; spatial ones
    unchanged.
    """
    if len(I) == 6:
        return np.asarray(I)
    out = np.zeros((6, 6))
    out[np.ix_(PLANE, PLANE)] = I
    return out


class HandsOn(SphinxDirective):
    """Directive that shows a figure which the reader moves with the mouse."""

    has_content = True
    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {
        "caption": directives.unchanged_required,
        "height": directives.positive_int,
        "options": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        (name,) = self.arguments
        options = json.loads(self.options.get("options", "{}"))
        page = page_of(name, figure_data(options, "\n".join(self.content)))
        file = f"{name}_{hashlib.sha256(page.encode()).hexdigest()[:12]}.html"
        write(Path(self.env.app.outdir, FOLDER), file, page)
        address = "../" * self.env.docname.count("/") + (FOLDER / file).as_posix()
        kind = "hands-on below" if name in BELOW else "hands-on"
        frame = (
            f'<iframe class="{kind}" loading="lazy" title="{TITLES[name]}" src="{address}" '
            f'style="height:{self.options.get("height", 440)}px"></iframe>'
        )
        caption = nodes.paragraph("", self.options["caption"])
        return [caption, nodes.raw("", frame, format="html")]


def figure_data(options: dict[str, Any], program: str) -> dict[str, Any]:
    """Return the data of a figure: its options, the model, and if ``cell`` is given, meshes with
    cells of this size and their licence.
    """
    data = dict(options)
    if program.strip():
        model = last_value(program)
        data["model"] = model_as_data(model)
        if "cell" in data:
            data["meshes"] = meshes_of(model, data.pop("cell"))
            data["licence"] = licence_of(model)
    return data


def page_of(name: str, data: dict[str, Any]) -> str:
    """Return the page of a figure with its data."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    scripts = (*FLAT.get(name, (*SPACE, *ALSO.get(name, ()))), name)
    kind = "flat" if name in FLAT else "below" if name in BELOW else ""
    return PAGE.substitute(
        title=TITLES[name],
        kind=f' class="{kind}"' if kind else "",
        data=text,
        scripts="\n".join(f'<script src="{x}.js"></script>' for x in scripts),
    )


def write(folder: Path, file: str, page: str) -> None:
    """Write a page beside the scripts that it loads; Sphinx copies those of ``_static``."""
    from spatial_v2.show.page import _asset

    folder.mkdir(parents=True, exist_ok=True)
    three = folder / "three.min.js"
    if not three.exists():
        three.write_text(_asset("three.min.js"), encoding="utf-8")
    folder.joinpath(file).write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("hands-on", HandsOn)
    return {"parallel_read_safe": True}
