"""A pytest plugin that collects the tests once and tries each mutant in a process forked from this
one.

Only the changed function is replaced in the forked process, so that nothing is imported again. The
functions that a test calls are recorded as it runs. Tests that call the changed function come
first, and quick tests before slow ones; tests of one function with several sets of parameters are
tried in turn with those of others.
"""

import contextlib
import gc
import json
import os
import resource
import signal
import sys
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Iterator
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import pytest
from faults import path_of, verdict
from in_place import Change, functions_by_file, place

LIMIT, ENDLESS = 600.0, 60
"""Wall-clock seconds for all tests of a mutant; processor seconds for one test, after which it
counts as endless.
"""
PIPE = "SPATIAL_V2_MUTANTS"
"""The environment variable with the number of the pipe to the process that asks for verdicts."""
THREADS = ("jax", "torch")
"""Packages that start threads. A forked process lacks these and could wait for them forever."""
MANY = 60
"""Number of tests that are known to call a function and that come before those of likely files."""
Place = tuple[str, int, str]
Named = tuple[str, str]


class Ran(NamedTuple):
    """A test that ran: its name, its duration, and the functions that it called."""

    test: str
    seconds: float
    called: set[Place]


class Answer(NamedTuple):
    """Outcome of a mutant.

    Attributes
    ----------
    why : str
        The verdict.
    tests : int
        Number of tests that ran.
    final : bool
        True if tests in a new process would give the same verdict.
    left : int
        Number of tests that would be tried if there were more time.
    test : str
        The test that failed or did not end; empty if there is none.
    """

    why: str
    tests: int
    final: bool
    left: int
    test: str = ""


class Calls:
    """Recorder of the functions of a folder that are called, by Python's tracing."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.codes = f"{folder}{os.sep}", dict[int, CodeType]()
        sys.settrace(self._note)
        threading.settrace(self._note)

    def _note(self, frame: Any, event: str, arg: Any) -> None:
        self.codes[id(frame.f_code)] = frame.f_code

    def taken(self) -> set[Place]:
        """Return the functions called since this method was called before.

        Recording continues, even if a test has used tracing itself.
        """
        codes, self.codes = self.codes, {}
        sys.settrace(self._note)
        return {place(x) for x in codes.values() if x.co_filename.startswith(self.folder)}


class Forks:
    """The tests of a pytest session, and what has been recorded about them."""

    def __init__(self, root: Path) -> None:
        self.root, self.calls = root, Calls(root)
        self.every: dict[str, pytest.Item] = {}
        self.usual: dict[str, list[str]] = defaultdict(list)
        self.seconds: dict[str, float] = {}
        self.callers: dict[Named, set[str]] = defaultdict(set)
        self.passed: dict[str, set[str]] = defaultdict(set)
        self.passing, self.failing = set[str](), set[str]()
        self.failure: str | None = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Iterator[None]:
        """Record all tests, and those of each file that run by default."""
        self.every = {x.nodeid: x for x in items}
        yield
        for item in items:
            self.usual[item.nodeid.partition("::")[0]].append(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the text of a failure."""
        if report.failed:
            self.failure = report.longreprtext

    def pytest_runtestloop(self) -> bool:
        """Answer requests, which name a method, until there are no more; no other tests run."""
        with Connection(int(os.environ[PIPE])) as pipe:
            self.early = self.calls.taken()
            sys.settrace(None)
            self.functions = functions_by_file()
            gc.collect()
            gc.freeze()
            pipe.send(len(self.every))
            for name, *arguments in iter(pipe.recv, None):
                pipe.send(getattr(self, name)(*arguments))
        return True

    def record(self, path: Path) -> int:
        """Run one test of each parametrised one that is not in a file of recorded calls, and add
        to the file which functions it calls; return the number of tests in the file.
        """
        if path.exists():
            self.seconds, callers = json.loads(path.read_text())
            self.callers.update({tuple(k.split(":")): set(tests) for k, tests in callers.items()})
        usual = [x for tests in self.usual.values() for x in tests]
        first = {x.partition("[")[0]: x for x in reversed(usual)}
        new = [self.every[x] for x in sorted(first.values()) if x not in self.seconds]
        while new:
            why, ran, _ = self.forked(Change("", "", ""), new, 1e6)
            self.note(ran)
            last = new[len(ran) - (why == "killed" and bool(ran)) :][:1]
            new = new[max(len(ran), 1) :]
            if why != "SURVIVED":
                self.failing |= {x.nodeid for x in last}
                self.seconds.update({x.nodeid: LIMIT for x in last})
        callers = {":".join(place): sorted(tests) for place, tests in self.callers.items()}
        path.write_text(json.dumps([self.seconds, callers]))
        return len(self.seconds)

    def note(self, ran: list[Ran]) -> None:
        """Note duration and calls of tests that ran."""
        for x in ran:
            self.seconds.setdefault(x.test, x.seconds)
            for called in x.called:
                self.callers[self.named(called)].add(x.test)

    def named(self, called: Place) -> Named:
        """Return file and name of a function."""
        return os.path.relpath(called[0], self.root), called[2]

    def calling(self, file: str, seconds: float) -> list[str]:
        """Return quick tests that call functions of a file; together they take the given time."""
        tests = {x for (name, _), tests in self.callers.items() if name == file for x in tests}
        ranked, end = self.in_turn(tests - self.failing), seconds
        return [x for x in ranked if (end := end - self.seconds[x]) > 0]

    def answer(self, file: str, old: str, new: str, tests: list[str], seconds: float) -> Answer:
        """Return the verdict of the tests on a changed text of a file, which is on disk already.

        Tests that passed with this text before are not run again.
        """
        path = str(self.root / file)
        change = Change(path, old, new)
        imported = path in self.functions or any(
            getattr(x, "__file__", "") == path for x in list(sys.modules.values())
        )
        if change.at_import and imported:
            return Answer("at import", 0, False, 0)
        known, final = list[str](), change.place not in self.early
        if change.place:
            known = self.in_turn(self.callers.get(self.named(change.place), set()))
        files = {x.partition("::")[0] for x in known}
        likely = [
            x
            for x in self.likely(tests)
            if not final or x not in self.seconds or x.partition("::")[0] in files
        ]
        first = {x.partition("[")[0]: x for x in reversed(likely)}
        begin = sorted(first.values(), key=likely.index)
        groups = {x.partition("[")[0] for x in known}
        beside = [x for f in sorted(files) for x in self.usual[f] if x.partition("[")[0] in groups]
        chosen = dict.fromkeys([*known[:MANY], *begin, *known, *beside, *likely])
        left = [x for x in chosen if x in self.every and x not in self.passed[new]]
        left = [x for x in left if x not in self.failing]
        why, ran, found_by = self.forked(change, [self.every[x] for x in left], seconds)
        if found_by and not self.sound(found_by):
            return self.answer(file, old, new, tests, seconds)
        self.passed[new] |= {x.test for x in ran}
        self.note(ran)
        return Answer(why, len(ran), final, len(left) - len(ran), found_by)

    def sound(self, test: str) -> bool:
        """True if a test passes without a mutant, also in a forked process; otherwise its failure
        means nothing.
        """
        if test not in self.passing:
            same = Change("", "", "")
            why, _, _ = self.forked(same, [self.every[test]], 0.0)
            (self.passing if why == "SURVIVED" else self.failing).add(test)
        return test in self.passing

    def in_turn(self, tests: set[str]) -> list[str]:
        """Return tests with the quick ones first; of each parametrised one, first one set of
        parameters, then a second one.
        """
        groups = defaultdict[str, list[str]](list)
        for test in sorted(tests, key=lambda x: self.seconds[x]):
            groups[test.partition("[")[0]].append(test)
        ranked = [(k, self.seconds[x], x) for xs in groups.values() for k, x in enumerate(xs)]
        return [test for _, _, test in sorted(ranked)]

    def likely(self, names: list[str]) -> Iterator[str]:
        """Yield the tests with the given names, and the usual tests of the given files."""
        for name in names:
            path = path_of(name)
            yield from [path] if "::" in path else self.usual[path]

    def forked(
        self, change: Change, items: list[pytest.Item], seconds: float
    ) -> tuple[str, list[Ran], str]:
        """Try a change in a forked process; return the verdict, the tests that ran, and the one
        that failed.
        """
        here, there = Pipe(duplex=False)
        child = os.fork()
        if child == 0:
            os.setsid()
            end = int(seconds) + ENDLESS
            resource.setrlimit(resource.RLIMIT_CPU, (end, end))
            try:
                change.put_into(self.functions.get(change.file, []))
                for x in self.run(items, seconds):
                    there.send(x)
                there.send(verdict(int(self.failure is not None), self.failure or "", True).why)
            except BaseException:
                there.send(traceback.format_exc())
            finally:
                os._exit(0)
        there.close()
        ran, end = list[Ran](), time.monotonic() + LIMIT
        while here.poll(max(0.0, end - time.monotonic())):
            try:
                message = here.recv()
            except EOFError:
                message = "killed"  # the forked process crashed, or a test did not end
                found_by = items[len(ran)].nodeid if len(ran) < len(items) else ""
                break
            if isinstance(message, str):
                found_by = ran[-1].test if message == "killed" else ""
                break
            ran.append(message)
        else:
            message, found_by = "out of time", ""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return message, ran, found_by

    def run(self, items: list[pytest.Item], seconds: float) -> Iterator[Ran]:
        """Run tests up to the first that fails, or until the time is over."""
        for item, following in zip(items, [*items[1:], None], strict=False):
            begin, called = sum(os.times()[:4]), set[Place]()
            if item.nodeid not in self.seconds:
                self.calls.taken()
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if item.nodeid not in self.seconds:
                called = self.calls.taken()
                sys.settrace(None)
            yield Ran(item.nodeid, sum(os.times()[:4]) - begin, called)
            seconds -= sum(os.times()[:4]) - begin
            if self.failure is not None or seconds < 0:
                item.session._setupstate.teardown_exact(None)
                return


class NotHere:
    """Finder of modules that treats packages which start threads as not installed."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:
        """Raise an error for a package with threads; leave others to the next finder."""
        if name in THREADS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def pytest_configure(config: pytest.Config) -> None:
    """Start recording calls, before anything is collected."""
    sys.meta_path.insert(0, NotHere())  # type: ignore[arg-type]
    config.pluginmanager.register(Forks(config.rootpath))
