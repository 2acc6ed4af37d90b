"""Every small fault in the lists of this folder is found by the tests of the library.

``python -m pytest -m mutation -n 2 unit_tests/mutation`` tries them all, ``-k rnea`` some of them.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from faults import ROOT, Copy, Fault, all_faults, path_of
from helpers import for_each
from thresholds import changed_thresholds, listed, numbers_that_may_decide

FAULTS = all_faults() + changed_thresholds()
ROOMS = (
    "spatial_v2/engine", "spatial_v2/joints", "spatial_v2/configuration", "spatial_v2/io",
    "derivatives/reference", "derivatives", "tensor_sva/identities", "tensor_sva",
)  # fmt: skip
HARMLESS = Fault(
    "spatial_v2/joints/jinfo.py", "nothing", "return row.nq, row.nv", "return (row.nq, row.nv)",
    ("test_joints.py::test_sizes_are_those_of_the_group",),
)  # fmt: skip


@pytest.fixture(scope="session")
def copy() -> Iterator[Copy]:
    with TemporaryDirectory(prefix="faults-") as folder:
        yield Copy(Path(folder))


def statements(text: str) -> list[tuple[str, ast.stmt]]:
    """Return every statement at the top level of a file, as source text and as syntax tree."""
    lines = text.splitlines()
    found = ast.parse(text).body
    starts = [min([x, *getattr(x, "decorator_list", ())], key=lambda y: y.lineno) for x in found]
    return [
        ("\n".join(lines[start.lineno - 1 : x.end_lineno]), x)
        for start, x in zip(starts, found, strict=True)
    ]


def only_in_one(a: list[Any], b: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return the statements of a whose source is not in b, and those of b whose source
    is not in a.
    """
    source_a, source_b = ({source for source, _ in x} for x in (a, b))
    return [x for x in a if x[0] not in source_b], [x for x in b if x[0] not in source_a]


@for_each(sorted({fault.file for fault in FAULTS}))
def test_faults_still_apply(file: str) -> None:
    """The text to replace occurs once in its file, and the file with the fault is valid Python."""
    text = (ROOT / file).read_text()
    sound = statements(text)
    for fault in FAULTS:
        if fault.file == file:
            faulty = statements(fault.put_into(text))
            kept, put = ([ast.dump(y) for _, y in x] for x in only_in_one(sound, faulty))
            assert kept != put, fault


def test_every_number_that_may_decide_is_listed() -> None:
    """Each of them is changed by ten in both directions, or is exempt for a reason; nothing else
    is listed.
    """
    there, entries = numbers_that_may_decide(), listed()
    assert not there - set(entries), "add to thresholds.toml, with a test or a reason"
    assert not set(entries) - there, "in thresholds.toml, but not in the file"
    assert all(len(x.why.split()) >= 3 for x in entries.values() if not x.tests)


def test_tests_that_find_faults_exist() -> None:
    for name in {name for fault in FAULTS for name in fault.tests}:
        file, _, rest = name.partition("::")
        text = (ROOT / path_of(file)).read_text()
        for part in rest.partition("[")[0].split("::"):
            assert not part or re.search(rf"^ *(def|class|) ?{part}\b", text, re.MULTILINE), name


@pytest.mark.slow
def test_tests_that_find_faults_exist_with_their_parameters() -> None:
    """The tests that a fault names exist.

    Otherwise the fault would have no test, and nobody would notice before it is tried.
    """
    names = sorted({f"{ROOT}/{path_of(name)}" for fault in FAULTS for name in fault.tests})
    options = ["--collect-only", "-q", "-p", "no:cacheprovider", "-m", "slow or not slow"]
    command = [sys.executable, "-m", "pytest", *options, *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    output = done.stdout + done.stderr
    assert done.returncode == 0, re.findall("^ERROR: .*", output, re.MULTILINE) or output


def test_faults_are_many_and_everywhere() -> None:
    assert len(FAULTS) >= 300
    assert len({(f.file, f.find, f.replace) for f in FAULTS}) == len(FAULTS)
    assert len({(f.file, f.what) for f in FAULTS}) == len(FAULTS)
    assert {str(Path(f.file).parent) for f in FAULTS} >= set(ROOMS)


@pytest.mark.mutation
def test_without_a_fault_the_tests_pass(copy: Copy) -> None:
    """The tests pass without a fault. Otherwise a failure with a fault would prove nothing."""
    tests = sorted({name for fault in FAULTS for name in fault.tests})
    returncode, output = copy.run(tuple(tests))
    assert returncode == 0, output


@pytest.mark.mutation
def test_a_harmless_change_survives(copy: Copy) -> None:
    assert copy.judge(HARMLESS)[0].why == "SURVIVED"


@pytest.mark.mutation
@pytest.mark.parametrize(
    "fault", FAULTS, ids=[f"{fault.file.removesuffix('.py')}: {fault.what}" for fault in FAULTS]
)
def test_fault_is_found(copy: Copy, fault: Fault) -> None:
    found, output = copy.judge(fault)
    if not found.killed:
        pytest.fail(f"{found.why}\n- {fault.find}\n+ {fault.replace}\n{output}", pytrace=False)
