"""Sphinx configuration: Markdown pages, numpydoc docstrings, tables printed from the data."""

import sys
import tomllib
from pathlib import Path

here = Path(__file__).parent
sys.path[:0] = [str(here / "_ext"), str(here.parent)]
metadata = tomllib.loads((here.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "spatial_v2"
copyright = "The spatial_v2 developers"
author = "The spatial_v2 developers"
release = version = metadata["version"]

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "sphinx_design",
    "tables",
    "tensor_tables",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "generated"]

myst_enable_extensions = ["colon_fence", "dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 3

autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = "spatial_v2"
html_static_path = ["_static"]
html_theme_options = {"show_toc_level": 2, "secondary_sidebar_items": ["page-toc"]}
