"""Test files that are likely to find a fault in a file: they mention names from its users."""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator

from faults import ENGINE, ROOT
from verdicts import found_before

FIRST, MORE = 4, 6
"""Numbers of test files that are tried at first, and later if no test has failed; with all that are
named after the file's folder.
"""
DEPTH, FADING = 3, 0.3
"""Number of steps from a file to the files that use it, and factor of the weight for each step."""
OF_FILE, OF_FOLDER = 1.2, 0.6
"""Weights of test files that are named after a file, or after its folder."""
ABOUT_OTHERS = ("test_site.py", "test_benchmarks.py", "test_studies.py", "test_prose.py")
"""Files of tests that do not test the library itself."""


def mentioned(text: str) -> Iterator[str]:
    r"""Yield the names in the code of tests, and the words in their strings that name commands and
    modules.

    Examples
    --------
    >>> sorted(mentioned("import a.b\nc.d('e.f', 'some words')"))
    ['a', 'b', 'c', 'd', 'e', 'f']
    """
    for node in ast.walk(ast.parse(text)):
        for _, field in ast.iter_fields(node):
            for x in field if isinstance(field, list) else [field]:
                if isinstance(x, str) and re.fullmatch(r"[\w.:/-]+", x):
                    yield from re.findall(r"\w+", x)


class LikelyTests:
    """The order in which tests are tried, from imports and from the names that tests mention."""

    def __init__(self) -> None:
        self.users: dict[str, set[str]] = defaultdict(set)
        self.names: dict[str, set[str]] = {}
        for folder in ("spatial_v2", "derivatives", "tensor_sva"):
            for path in (ROOT / folder).rglob("*.py"):
                self._read(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
        tests = [p for p in (ROOT / "unit_tests").glob("*/test_*.py") if p.name not in ABOUT_OTHERS]
        self.words = {p.name: set(mentioned(p.read_text("utf-8"))) for p in tests}
        self.spread = Counter(word for words in self.words.values() for word in words)
        self.found = found_before()

    def _read(self, file: str, text: str) -> None:
        """Record the names that a file defines and the files that it uses.

        Files that only import names to export them define none.
        """
        tree = ast.parse(text)
        kinds = ast.FunctionDef | ast.ClassDef
        own = {n.name for n in tree.body if isinstance(n, kinds) and n.name[0] != "_"}
        stem = file.rpartition("/")[2].removesuffix(".py")
        self.names[file] = own | {stem} - {"__init__"}
        if stem == "__init__":
            return
        for node in ast.walk(tree):
            for used in self._used(node):
                self.users[used].add(file)

    @staticmethod
    def _used(node: ast.AST) -> Iterator[str]:
        """Yield the files that a node of a syntax tree imports, or whose kernel it names."""
        if isinstance(node, ast.ImportFrom) and node.module:
            whole = node.module.replace(".", "/")
            yield f"{whole}.py"
            yield from (f"{whole}/{x.name}.py" for x in node.names)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield f"{ENGINE}{node.value}.py"
            yield node.value.replace(".", "/") + ".py"

    def used_by(self, file: str) -> list[set[str]]:
        """Return the names defined in the file, then those in files that use it, and so on."""
        levels, files, seen = [], {file}, {file}
        for _ in range(DEPTH):
            levels.append({name for x in files for name in self.names.get(x, ())})
            files = {user for x in files for user in self.users[x]} - seen
            seen |= files
        return levels

    def of(self, file: str) -> Iterator[tuple[str, ...]]:
        """Yield the tests to try for a fault in a file, in groups that each run in one process."""
        if file in self.found:
            yield self.found[file]
        levels = self.used_by(file)
        engine = file.startswith(ENGINE)
        kernels = self._kernels(set().union(*levels) if engine else levels[0])
        if kernels:
            yield kernels
        *folders, stem = file.removesuffix(".py").split("/")
        parts, weight = set(stem.lower().split("_")), defaultdict[str, float](float)
        named = set[str]()
        for test in self.words:
            about = test.removeprefix("test_").removesuffix(".py")
            of_folder = sum(f"_{x.rstrip('s')}" in f"_{about}" for x in folders)
            weight[test] += OF_FOLDER * of_folder
            if of_folder:
                named.add(test)
            weight[test] += OF_FILE * len(parts & set(about.split("_"))) / len(parts)
        for k, names in enumerate(levels):
            for test, words in self.words.items():
                weight[test] += FADING**k * sum(1 / self.spread[x] for x in names & words)
        ranked = sorted((x for x in weight if weight[x] > 0), key=lambda x: -weight[x])
        best = [x for k, x in enumerate(ranked) if k < FIRST + MORE or x in named]
        yield (f"../{file}", *best[:FIRST])
        if best[FIRST:]:
            yield tuple(best[FIRST:])
        if "course/exercises" in file:
            chapters = (ROOT / "spatial_v2/course/chapters").glob(f"{stem[-2:]}_*.md")
            yield tuple(f"test_course.py::test_chapter_runs[{x.stem}]" for x in chapters)

    @staticmethod
    def _kernels(names: set[str]) -> tuple[str, ...]:
        """Return the tests that compare kernels of the given names with reference
        implementations.
        """
        sys.path[:0] = [str(ROOT), *(str(ROOT / "unit_tests" / x) for x in ("support", "engine"))]
        from test_simd_batches import FUNCTIONS

        test = "test_simd_batches.py::test_batches_agree_with_single_states_and_reference"
        used = [f for f in FUNCTIONS if f.rpartition(".")[2] in names]
        return tuple(f"{test}[{m}-{f}]" for f in used for m in ("mixed", "planar_tree"))
