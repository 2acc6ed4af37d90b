"""Pages of interactive figures as the site has them, and actions of a mouse on them."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spatial_v2 import Model
from spatial_v2.course.hands_on import figures_of as in_markdown
from spatial_v2.course.hands_on_model import model_as_data
from spatial_v2.course.text import chapter, chapters

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "spatial_v2" / "course" / "assets" / "hands_on"
sys.path.append(str(ROOT / "docs" / "_ext"))
hands_on = pytest.importorskip("hands_on", reason="needs the extra docs")


def figures_of(text: str) -> dict[str, dict[str, Any]]:
    """Return the data of the figures in a text of Markdown, by name of the figure."""
    figures = {}
    for name, options in in_markdown(text).items():
        figures[name] = json.loads(options.get("options", "{}"))
        if options["program"].strip():
            figures[name]["program"] = options["program"]
    return figures


CHAPTERS = {name: figures_of(chapter(name)) for name in chapters()}
"""Figures of the course by chapter."""
FIGURES = {name: data for figures in CHAPTERS.values() for name, data in figures.items()}
"""Figures of the course, with options and the program of the model."""


def model_of(name: str) -> Model:
    """Return the model of a figure of the course."""
    model = hands_on.last_value(FIGURES[name]["program"])
    assert isinstance(model, Model)
    return model


def data_of(name: str) -> dict[str, Any]:
    """Return the data of the page of a figure of the course."""
    data = {key: value for key, value in FIGURES[name].items() if key != "program"}
    if "program" in FIGURES[name]:
        data["model"] = model_as_data(model_of(name))
    return data


class Figure:
    """An interactive figure in a browser without network."""

    def __init__(
        self,
        browser: Any,
        folder: Path,
        name: str,
        data: dict[str, Any] | None = None,
        *,
        width: int = 900,
        address: str = "",
        **context: Any,
    ) -> None:
        given = data_of(name) if data is None else data
        hands_on.write(folder, f"{name}.html", hands_on.page_of(name, given), name)
        size = {"width": width, "height": 640}
        self.context = browser.new_context(viewport=size, offline=True, **context)
        self.tab = self.context.new_page()
        self.errors: list[str] = []
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.address = folder.joinpath(f"{name}.html").as_uri()
        self.open(address)

    def open(self, address: str = "") -> None:
        """Load the page of the figure, with an addition to its address."""
        self.tab.goto(self.address + address)
        self.tab.wait_for_function("window.figure")

    def get(self, expression: str) -> Any:
        """Return the value of an expression of the figure; lists become arrays."""
        value = self.tab.evaluate(f"figure.{expression}")
        return np.array(value) if isinstance(value, list) else value

    def drag(self, handle: str, dx: float, dy: float) -> None:
        """Move a handle by pixels with the mouse."""
        x, y, _ = self.tab.evaluate(f"stage.onScreen(figure.{handle}.position)")
        self.tab.mouse.move(x, y)
        self.tab.mouse.down()
        self.tab.mouse.move(x + dx, y + dy, steps=4)
        self.tab.mouse.up()

    def slide(self, name: str, value: float) -> float:
        """Move a slider; return its value, which is one of its steps."""
        slider = self.tab.locator("label", has_text=name).locator("input")
        slider.evaluate(f"(x) => {{ x.value = {value}; x.dispatchEvent(new Event('input')); }}")
        return float(slider.input_value())

    def tick(self, name: str, value: bool) -> None:
        """Tick or clear a check box."""
        self.tab.get_by_label(name).set_checked(value)

    def table(self, name: str = "numbers") -> list[list[str]]:
        """Return the texts of the cells of a table."""
        code = """(rows) => rows.map((row) => [...row.children].map((x) => x.textContent))"""
        rows: list[list[str]] = self.tab.locator(f"#{name} tr").evaluate_all(code)
        return rows

    def shown(self, name: str = "numbers") -> np.ndarray:
        """Return the numbers of a table whose first row and first column are names."""
        return np.array([[float(x) for x in row[1:]] for row in self.table(name)[1:]])

    def matrix(self, name: str) -> np.ndarray:
        """Return the numbers of a matrix."""
        return np.array([[float(x) for x in row] for row in self.table(name)])

    def close(self) -> None:
        """Close the page; fail if it has reported errors."""
        self.context.close()
        assert self.errors == []


def near(actual: Any, wanted: Any, tolerance: float = 1e-12) -> None:
    """Compare numbers, relative to the largest one above 1."""
    wanted = np.asarray(wanted)
    size = max(1, np.abs(wanted).max())
    np.testing.assert_allclose(actual, wanted, rtol=0, atol=tolerance * size)
