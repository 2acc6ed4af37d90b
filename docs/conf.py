"""Sphinx configuration: Markdown pages, numpydoc docstrings, tables printed from the data."""

import os
import sys
import warnings
from pathlib import Path

here = Path(__file__).parent
sys.path[:0] = [str(here / "_ext"), str(here.parent)]
paths = [str(here.parent), os.environ.get("PYTHONPATH", "")]
# the notebook kernels that run chapters import the library from here
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))

from spatial_v2 import __version__  # noqa: E402
from spatial_v2.exceptions import LoaderWarning  # noqa: E402

warnings.filterwarnings("ignore", category=LoaderWarning)  # first_robot.md says what is left out

project = "spatial_v2"
copyright = "The spatial_v2 developers"
author = "The spatial_v2 developers"
release = version = __version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "about",
    "animations",
    "api_pages",
    "benchmark_tables",
    "cards",
    "compact",
    "counts",
    "course",
    "drawings",
    "formulas",
    "gallery",
    "hands_on",
    "identity_cards",
    "live",
    "llms",
    "names",
    "papers",
    "results",
    "search_entries",
    "studies",
    "tables",
    "tensor_tables",
]
source_address = os.environ.get("SPATIAL_V2_SOURCE", "")
"""Address of the repository, which the pages link to where it is given."""
source_suffix = {".md": "myst-nb", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "generated", "course/notebooks"]

nb_execution_mode = "cache"
nb_execution_cache_path = str(here / "_build" / "cells")
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_output_stderr = "remove"
# kernels of notebooks do not warn that they talk to this machine alone
profile = here / "_build" / "ipython" / "profile_default"
profile.mkdir(parents=True, exist_ok=True)
settings = 'c = get_config()\nc.IPKernelApp.log_level = "ERROR"\n'
(profile / "ipython_kernel_config.py").write_text(settings, encoding="utf-8")
os.environ["IPYTHONDIR"] = str(profile.parent)

myst_enable_extensions = ["colon_fence", "dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 3

# MathJax 3.2.2 is part of the site, so that pages need no network
mathjax_path = "mathjax/startup.js"
mathjax3_config = {"loader": {"load": ["core", "input/tex", "output/chtml"]}}

# prompts and results are not copied; blocks without prompts are copied as they are
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_selector = "div.highlight pre"

autodoc_typehints = "none"
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False

html_copy_source = False  # llms.py writes every page in Markdown beside it
html_show_search_summary = False  # else each result loads its page
html_theme = "pydata_sphinx_theme"
html_title = "spatial_v2"
html_context = {"default_mode": "auto"}  # else the theme's script reports an error
html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["code.css", "site.css"]
html_js_files = ["site.js"]
templates_path = ["_templates"]
html_sidebars = {"index": [], "api/functions/*": ["functions.html"]}
html_theme_options = {
    "logo": {
        "text": "spatial_v2", "alt_text": "The screw of the logo",
        "image_light": "_static/logo.svg", "image_dark": "_static/logo.svg",
    },
    "header_links_before_dropdown": 5,
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],
    "search_as_you_type": True,
    "secondary_sidebar_items": ["page-toc"],
    **({"github_url": source_address} if "github.com" in source_address else {}),
}  # fmt: skip
