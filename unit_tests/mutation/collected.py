"""A process that has collected the tests already and tries mutants; see `forks.py`."""

import os
import subprocess
import sys
from multiprocessing.connection import Pipe
from pathlib import Path
from typing import Any

from faults import Copy
from forks import PIPE, Answer
from verdicts import relative

OPTIONS = ("-q", "-p", "forks", "-p", "no:cacheprovider", "-p", "no:xdist")


class CollectedTests:
    """The tests of a copy of the tree, collected once in a process of their own."""

    def __init__(self, tree: Copy) -> None:
        self.tree = tree
        self.pipe, there = Pipe()
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        environment |= {
            "PYTHONPATH": os.pathsep.join([str(tree.root), str(Path(__file__).parent)]),
            "OPENBLAS_NUM_THREADS": "1",
            PIPE: str(there.fileno()),
        }
        folders = ("unit_tests", "spatial_v2", "derivatives", "tensor_sva")
        base = f"--basetemp={tree.root.parent / 'temporary'}"
        with (tree.root.parent / "collected.log").open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pytest", *OPTIONS, base, *folders],
                cwd=tree.root, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                pass_fds=[there.fileno()],
            )  # fmt: skip
        there.close()
        self.count: int = self._received()

    def _received(self) -> Any:
        try:
            return self.pipe.recv()
        except EOFError:
            log = (self.tree.root.parent / "collected.log").read_text()
            raise RuntimeError(f"the process of the tests has ended:\n{log[-4000:]}") from None

    def ask(self, file: str, old: str, new: str, tests: list[str], seconds: float) -> Answer:
        """Return the verdict of the tests on a changed file, which the copy contains already."""
        self.pipe.send(("answer", file, old, new, tests, seconds))
        answer: Answer = self._received()
        return answer

    def record(self, path: Path) -> int:
        """Record which functions the tests call in a file, or read it; return the number of tests
        there.
        """
        self.pipe.send(("record", path))
        count: int = self._received()
        return count

    def calling(self, file: str, seconds: float) -> tuple[str, ...]:
        """Return quick tests that call functions of a file, relative to the folder of tests."""
        self.pipe.send(("calling", file, seconds))
        return tuple(relative(x) for x in self._received())

    def close(self) -> None:
        """End the process."""
        self.pipe.send(None)
        self.process.wait()
