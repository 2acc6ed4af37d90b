"""A chapter of the course in JupyterLab: a student steps through it, answers and asks for hints."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spatial_v2.course import write_course
from spatial_v2.course.hands_on import figures_of
from spatial_v2.course.named import exercises
from spatial_v2.course.notebook import notebook
from spatial_v2.course.text import chapter

pytestmark = [pytest.mark.optional, pytest.mark.slow]

NAME = "07_inverse"
OWN = [key for key in exercises() if key.startswith("7.")]
RESTS = """() => {
  const state = document.querySelector(".jp-Notebook-ExecutionIndicator")?.dataset.status;
  const prompts = [...document.querySelectorAll(".jp-InputPrompt")];
  return state === "idle" && !prompts.some((x) => x.textContent.includes("*"));
}"""
"""True where the kernel has started and nothing runs."""
QUIET = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start JupyterLab in a folder with the course; yield its address."""
    pytest.importorskip("jupyterlab", reason="needs the extra course")
    folder, own = tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("jupyter")
    write_course(folder)
    settings = own / "config" / "labconfig"
    settings.mkdir(parents=True)
    settings.joinpath("page_config.json").write_text(json.dumps(QUIET))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    root = str(Path(__file__).parents[2])
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")])),
        "JUPYTER_CONFIG_DIR": str(own / "config"), "JUPYTER_RUNTIME_DIR": str(own / "runtime"),
        "JUPYTER_DATA_DIR": str(own / "data"), "IPYTHONDIR": str(own / "ipython"),
    }  # fmt: skip
    options = [
        "--allow-root", "--no-browser", f"--port={port}", "--ServerApp.port_retries=0",
        "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}",
    ]  # fmt: skip
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options],
        env=env, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    found = f"http://127.0.0.1:{port}"
    for _ in range(240):
        try:
            urllib.request.urlopen(f"{found}/api/status").close()
            break
        except OSError:
            assert server.poll() is None
            time.sleep(0.25)
    yield found
    server.terminate()
    server.wait(30)


class Lab:
    """A notebook in JupyterLab, and a student at the keyboard."""

    def __init__(self, tab: Any) -> None:
        self.tab = tab
        self.errors: list[str] = []
        tab.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, address: str) -> None:
        """Load the notebook and wait for its kernel."""
        self.tab.goto(f"{address}/lab/tree/{NAME}.ipynb?reset")
        self.tab.wait_for_function(RESTS, timeout=120_000)
        self.tab.locator(".jp-Notebook .jp-Cell").first.click()
        self.tab.keyboard.press("Escape")

    def run(self) -> Any:
        """Run the active cell with Shift+Enter; return it when its output is there."""
        cell = self.tab.locator(".jp-Notebook .jp-Cell.jp-mod-active")
        own = self.tab.locator(f'.jp-Cell[data-windowed-list-index="{self.index()}"]')
        cell.wait_for()
        self.tab.keyboard.press("Shift+Enter")
        self.tab.wait_for_timeout(50)
        self.tab.wait_for_function(RESTS, timeout=120_000)
        return own

    def index(self) -> int:
        """Return the number of the active cell."""
        cell = self.tab.locator(".jp-Notebook .jp-Cell.jp-mod-active")
        return int(cell.get_attribute("data-windowed-list-index"))

    def type(self, code: str) -> Any:
        """Write code into the active cell in place of its own, and run it."""
        self.tab.keyboard.press("Enter")
        self.tab.keyboard.press("Control+a")
        self.tab.keyboard.insert_text(code)
        return self.run()


def texts(found: Any) -> list[str]:
    """Return the texts of elements."""
    return [x.strip() for x in found.all_inner_texts()]


@pytest.fixture(scope="module")
def lab(browser: Any, address: str) -> Iterator[Lab]:
    """A notebook that has just been opened."""
    size = {"width": 1400, "height": 1000}
    # With reduced motion no animation plays by itself, which would take most of the time.
    context = browser.new_context(viewport=size, reduced_motion="reduce")
    lab = Lab(context.new_page())
    lab.open(address)
    yield lab
    context.close()
    assert lab.errors == []


def test_a_student_steps_through_a_chapter(lab: Lab) -> None:
    """Each cell runs with Shift+Enter without an error; formulas are set, solutions stay folded,
    exercises wait, figures and animations are there and move.
    """
    count = len(json.loads(notebook(NAME))["cells"])
    asked, solutions, figures = [], 0, 0
    for k in range(count):
        assert lab.index() == k
        cell = lab.run()
        outputs = cell.locator(".jp-OutputArea-output")
        assert cell.locator('[data-mime-type*="error"], [data-mime-type*="stderr"]').count() == 0
        said = " ".join(texts(outputs))
        asked += re.findall(r"… Exercise ([\d.]+): waiting for your answer\.", said)
        assert "✓ Exercise" not in said and "✗" not in said
        if (markdown := cell.locator(".jp-RenderedMarkdown").first).is_visible():
            assert markdown.locator("mjx-merror").count() == 0
            assert "$" not in markdown.inner_text()
        for solution in cell.locator("details", has_text="Solution").all():
            solutions += 1
            assert solution.get_attribute("open") is None
            assert not solution.locator("pre").is_visible()
        for frame in cell.locator("iframe").all():
            page = frame.element_handle().content_frame()
            assert page is not None
            page.wait_for_selector("canvas, svg", timeout=30_000)
            figures += moved(page) if page.locator("#side").count() else 0
    assert asked == OWN and solutions == len(OWN)
    assert figures == len(figures_of(chapter(NAME)))


def moved(page: Any) -> bool:
    """Move the first slider of a figure, if it has one; return True if its numbers follow."""
    page.wait_for_function("window.figure")
    before = page.locator("#side").inner_text()
    if not page.locator("input[type=range]").count():
        return bool(before)
    page.locator("input[type=range]").first.evaluate(
        "(x) => { x.value = 0.5 * (Number(x.min) + Number(x.max)) + 0.3;"
        " x.dispatchEvent(new Event('input')); }"
    )
    return bool(page.locator("#side").inner_text() != before)


def test_answers_get_what_they_deserve(lab: Lab) -> None:
    """Below the last cell: a known mistake is told, an unknown one gets the first hint, `hint` goes
    on from there, the right answer is right, an unknown exercise is an error in words.
    """
    for code, wanted in (
        ('hint("7.1")', "hint 1 of 2: The arm is at rest"),
        ('check("7.1", 3 * 0.7)', "✗ Exercise 7.1: "),
        ('check("7.1", 100)', "✗ Exercise 7.1: Not yet. The arm is at rest"),
        ('hint("7.1")', "hint 2 of 2: m g times the horizontal distance"),
        ('hint("7.1")', "torque = 3 * 9.81 * 0.7"),
        ('check("7.1", 20.6)', "✓ Exercise 7.1: Right."),
        ('check("7.9", 1)', "no exercise '7.9'"),
    ):
        said = " ".join(texts(lab.type(code).locator(".jp-OutputArea-output")))
        assert wanted in said
