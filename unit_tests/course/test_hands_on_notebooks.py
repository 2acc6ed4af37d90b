"""Hands-on figures in notebooks: each is a page that needs nothing else."""

import json
from typing import Any

import pytest
from hands_on_pages import CHAPTERS, FIGURES, data_of

from spatial_v2.course import hands_on
from spatial_v2.course.hands_on import last_value
from spatial_v2.course.hands_on_page import page_of
from spatial_v2.course.notebook import notebook
from spatial_v2.exceptions import SpatialError


@pytest.mark.parametrize("name", CHAPTERS)
def test_notebooks_show_the_figures_of_their_chapter(name: str) -> None:
    codes = ["".join(x["source"]) for x in json.loads(notebook(name))["cells"]]
    shown = [code for code in codes if "hands_on(" in code]
    wanted = [f'from spatial_v2.course import hands_on\n\nhands_on("{x}")' for x in CHAPTERS[name]]
    assert shown == wanted and len(set(FIGURES)) == sum(map(len, CHAPTERS.values()))


@pytest.mark.optional
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_stands_alone(browser: Any, name: str) -> None:
    """The page that a notebook displays has the data of the figure, and loads no file."""
    figure = hands_on(name)
    assert figure.page == page_of(name, data_of(name), alone=True)
    assert figure.caption and figure.name == name
    context = browser.new_context(viewport={"width": 900, "height": figure.height}, offline=True)
    tab = context.new_page()
    asked: list[str] = []
    errors: list[str] = []
    tab.on("request", lambda x: asked.append(x.url))
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.set_content(figure._repr_html_())
    frame = tab.locator("iframe").element_handle().content_frame()
    frame.wait_for_function("window.figure")
    context.close()
    assert errors == [] and not [url for url in asked if not url.startswith(("data:", "about:"))]


def test_unknown_figures_are_refused() -> None:
    with pytest.raises(SpatialError, match=r"hands_on: no figure 'x'; there are screw, "):
        hands_on("x")


@pytest.mark.parametrize("program", ["", "x = 1"])
def test_programs_without_a_last_value_are_refused(program: str) -> None:
    with pytest.raises(ValueError, match="end with an expression"):
        last_value(program)
