"""The gallery: a page for each file of ``examples/``, run when the site is built.

Pages are written into ``docs/gallery``. ``docs/figures/gallery.py`` draws the pictures. Outputs and
pictures are kept in ``docs/_build/gallery`` under a name that changes with any line of source.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parents[2]
DRAW = ROOT / "docs" / "figures" / "gallery.py"
GROUPS = {
    "In motion": ["simulate", "tennis_racket", "gyroscope", "foucault", "chaos"],
    "On the ground and in loops": [
        "two_feet",
        "balance",
        "landing",
        "four_bar",
        "strandbeest",
        "gripper",
        "simulink_7_rolling_disc",
    ],
    "Derivatives and tensors": ["ddp", "sparsity", "derive_expression", "com_coordinates"],
    "Control of an arm": ["arm_control", "adaptive_control", "momentum_observer"],
    "From measurements": ["identification"],
    "Beside Pinocchio": ["against_pinocchio", "contacts_against_pinocchio"],
    "MATLAB's Simulink examples": [f"simulink_{n}" for n in range(1, 7)],
}
NEEDS = {
    "against_pinocchio": ["pin", "example-robot-data"],
    "contacts_against_pinocchio": ["pin", "example-robot-data"],
    "two_feet": ["example-robot-data"],
    "balance": ["example-robot-data", "osqp"],
    "landing": ["example-robot-data"],
    "identification": ["clarabel", "cvxpy"],
}
LONGEST = 900
"""Maximum time of an example, including the compilation of kernels [s]."""


def examples() -> list[Path]:
    return sorted((ROOT / "examples").glob("*.py"))


def groups() -> dict[str, list[str]]:
    """Return the names of all examples by group; examples without a group come last."""
    names = [path.stem for path in examples()]
    found = {
        group: [next(n for n in names if n == x or n.startswith(f"{x}_")) for x in members]
        for group, members in GROUPS.items()
    }
    rest = [n for n in names if n not in {x for members in found.values() for x in members}]
    return found | ({"More": rest} if rest else {})


def state_of_the_source() -> str:
    """Return a hash of all source files that can change the output of an example."""
    digest = hashlib.sha256()
    for folder in ("spatial_v2", "derivatives", "tensor_sva"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.relative_to(ROOT).parts[1] not in ("cli", "course"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


def missing(name: str) -> list[str]:
    """Return the packages that an example needs and that are not installed."""
    return [x for x in NEEDS.get(name, []) if not installed(x)]


def installed(package: str) -> bool:
    try:
        return bool(metadata.version(package))
    except metadata.PackageNotFoundError:
        return False


def run(name: str, source: str, folder: Path) -> Path:
    """Run an example; return the folder with its output, picture and, if it has one, animation."""
    path = ROOT / "examples" / f"{name}.py"
    text = source + path.read_text(encoding="utf-8") + DRAW.read_text(encoding="utf-8")
    kept = folder / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    if (kept / "done").exists() or missing(name):
        return kept
    kept.mkdir(parents=True, exist_ok=True)
    path_of = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path_of, "MPLBACKEND": "Agg"}
    done = subprocess.run(
        [sys.executable, str(DRAW), name, str(kept)],
        capture_output=True, text=True, timeout=LONGEST, env=environment, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"examples/{name}.py: {done.stderr[-2000:]}")
    kept.joinpath("done").touch()
    return kept


def title(name: str) -> str:
    """Return the title of an example: its first line up to the colon."""
    first = docstring(name).splitlines()[0].rstrip(".")
    short = first.split(":")[0] if "MATLAB" not in first else first.split(": ", 1)[1]
    return short[0].upper() + short[1:]


def docstring(name: str) -> str:
    text = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")
    return ast.get_docstring(ast.parse(text)) or name


def words(name: str) -> str:
    """Return the docstring of an example as text for its page, without the command that runs it."""
    text = docstring(name)
    text = re.sub(r"\n\n    python .*", "", text, flags=re.S)
    text = re.sub(r"\s*(Run it|Run it, with[^.]*|Try it)[^.:]*:\s*$", "", text)
    text = text.rstrip(":") if text.endswith(":") else text
    return re.sub(r"(?<!`)``([^`]+)``(?!`)", r"{code}`\1`", text)


def page(name: str) -> str:
    return f"""# {title(name)}

{words(name)}

```{{example}} {name}
```

## The script

```{{literalinclude}} ../../examples/{name}.py
:language: python
```
"""


class Example(SphinxDirective):
    """Directive that shows picture and output of an example."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        (name,) = self.arguments
        kept = Path(self.env.app.gallery[name])  # type: ignore[attr-defined]
        text = [f"```bash\npython examples/{name}.py\n```", ""]
        shown: list[nodes.Node] = []
        if not (kept / "done").exists():
            text += [f"Not run here: {', '.join(missing(name))} could not be imported."]
        else:
            frame = kept / "frame.html"
            picture = publish(self.env.app, name, kept)
            html = frame.read_text(encoding="utf-8") if frame.exists() else image(picture, name, 1)
            shown = [nodes.raw("", html, format="html")]
            output = (kept / "output.txt").read_text(encoding="utf-8").rstrip()
            text += ["```text", output, "```"]
        self.env.note_dependency(str(ROOT / "examples" / f"{name}.py"))
        return shown + self.parse_text_to_nodes("\n".join(text))


class Gallery(SphinxDirective):
    """Directive that lists all examples, each with its picture."""

    def run(self) -> list[nodes.Node]:
        text = []
        for group, names in groups().items():
            text += ["", f"## {group}", "", "::::{grid} 1 2 3 3", ":gutter: 3", ""]
            for name in names:
                kept = Path(self.env.app.gallery[name])  # type: ignore[attr-defined]
                text += [
                    f":::{{grid-item-card}} {title(name)}",
                    f":link: {name}",
                    ":link-type: doc",
                ]
                text += [":class-card: example", ""]
                if (kept / "done").exists():
                    publish(self.env.app, name, kept)
                    text += ["```{raw} html", image(f"_static/gallery/{name}.png", name, 1), "```"]
                text += [":::", ""]
            text += ["::::"]
        return self.parse_text_to_nodes("\n".join(text), allow_section_headings=True)


def image(path: str, name: str, depth: int) -> str:
    return f'<img class="chart" loading="lazy" src="{"../" * depth}{path}" alt="{title(name)}">'


def publish(app: Sphinx, name: str, kept: Path) -> str:
    """Copy the picture of an example into the built site; return its path there."""
    folder = Path(app.outdir, "_static", "gallery")
    folder.mkdir(parents=True, exist_ok=True)
    folder.joinpath(f"{name}.png").write_bytes((kept / "picture.png").read_bytes())
    return f"_static/gallery/{name}.png"


def make(app: Sphinx) -> None:
    """Run the examples that have changed, two at a time, and write their pages."""
    source, folder = state_of_the_source(), ROOT / "docs" / "_build" / "gallery"
    names = [path.stem for path in examples()]
    with ThreadPoolExecutor(2) as pool:
        kept = list(pool.map(lambda name: run(name, source, folder), names))
    app.gallery = dict(zip(names, map(str, kept), strict=True))  # type: ignore[attr-defined]
    for name in names:
        write(Path(app.srcdir, "gallery", f"{name}.md"), page(name))
    for path in Path(app.srcdir, "gallery").glob("*.md"):
        if path.stem not in (*names, "index"):
            path.unlink()
    logging.getLogger(__name__).info("gallery: %s", json.dumps(names))


def write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("example", Example)
    app.add_directive("gallery", Gallery)
    app.connect("builder-inited", make)
    return {"parallel_read_safe": True}
