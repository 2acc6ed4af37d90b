"""The checks of the project: one script for each, all called, and none that the day decides."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECKS = sorted((ROOT / ".ci" / "checks").iterdir())
RUN = (ROOT / ".ci" / "run").read_text()
WORKFLOW = (ROOT / ".github" / "workflows" / "checks.yml").read_text()
ELSEWHERE = {"exhaustive", "with_kernels", "without_kernels"}
"""Checks that take hours, or other machines, and run in the workflow alone."""


def test_every_check_is_called() -> None:
    names = {x.name for x in CHECKS}
    called = re.findall(r"(?m)^check(?:_both)? ([\w \"]+)$", RUN)
    assert set(" ".join(called).replace('"', "").split()) == names - ELSEWHERE
    assert names - {"pythons"} == {x for x in names if re.search(rf"\b{x}\b", WORKFLOW)}


@pytest.mark.parametrize("check", CHECKS, ids=lambda x: x.name)
def test_a_check_is_a_program_that_says_what_it_does(check: Path) -> None:
    """It ends at its first error, and what it runs is the same every day."""
    text = check.read_text()
    assert text.startswith("#!/usr/bin/env bash\n# ")
    assert check.stat().st_mode & 0o100 or os.name != "posix"
    assert "set -euo pipefail" in text or "\nexec " in text
    assert not re.search(r"\bdate\b|RANDOM", text + RUN)
    if bash := shutil.which("bash"):
        subprocess.run([bash, "-n", str(check)], check=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("name", ["arm", "release", "run"])
def test_scripts_of_maintainers_are_valid(name: str) -> None:
    subprocess.run(["bash", "-n", str(ROOT / ".ci" / name)], check=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "want a version, such as 1.0.1"),
        (["1.0"], "want a version such as 1.0.1, got 1.0"),
    ],
)
def test_a_release_wants_a_version(arguments: list[str], told: str) -> None:
    command = ["bash", str(ROOT / ".ci" / "release"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0 and told in done.stdout + done.stderr


def test_files_that_checks_name_exist() -> None:
    for check in CHECKS:
        for name in re.findall(r"unit_tests/(\w+/test_\w+\.py)", check.read_text()):
            assert (ROOT / "unit_tests" / name).exists(), (check.name, name)
        for names in re.findall(r"unit_tests/\*/test_\{([\w,]+)\}\.py", check.read_text()):
            for name in names.split(","):
                assert [*ROOT.glob(f"unit_tests/*/test_{name}.py")], (check.name, name)


def test_all_files_of_tests_are_in_a_part_of_the_workflow() -> None:
    """The parts of the run of all combinations have every file once."""
    (line,) = re.findall(r"files: \[(.*)\]", WORKFLOW)
    parts = [f"unit_tests/*/test_{x}*.py" for x in re.findall(r'"([^"]+)"', line)]
    found = sorted(path for part in parts for path in ROOT.glob(part))
    assert found == sorted(ROOT.glob("unit_tests/*/test_*.py"))
