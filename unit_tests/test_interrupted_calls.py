"""Concurrent calls: after forks, in signal handlers, in the garbage collector, during edits.

Each case runs in its own process, which must end in time and report that all results are correct.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BEGIN = """
import gc, math, os, signal, sys, threading, time
import numpy as np
import spatial_v2
from spatial_v2 import CRBA, HandC, ModelError, autoTree

model, rng = autoTree(7), np.random.default_rng(0)
q, qd = rng.normal(size=(2, 600, 7))   # large enough for memory that is used again
H = CRBA(model, q).copy()

def right(workers=1):
    one = CRBA(model, q[5])
    return (np.abs(one - H[5]).max() < 1e-12
            and np.array_equal(CRBA(model, q, workers=workers), H)
            and np.array_equal(HandC(model, q, qd, workers=workers).H, H))

assert right() and right(2)
"""


def run(code: str, limit: float = 300) -> str:
    """Return the output of a program that must end in time and without an error."""
    command = [sys.executable, "-W", "ignore", "-c", BEGIN + textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_processes_forked_while_threads_call_can_call() -> None:
    """Processes forked while other threads call functions can call them, alone and with threads of
    their own.
    """
    told = run("""
        stop = False

        def work():
            while not stop:
                assert right()

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        hung = 0
        for k in range(60):
            child = os.fork()
            if not child:
                os._exit(0 if right() and right(2) else 1)
            end = time.time() + 10
            while not (done := os.waitpid(child, os.WNOHANG))[0] and time.time() < end:
                time.sleep(0.002)
            if not done[0]:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            hung += done != (child, 0)
            if hung > 2:
                break
        stop = True
        print(hung, "of", k + 1)
        """)
    assert told == "0 of 60\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.slow
def test_a_forked_child_starts_threads_of_its_own() -> None:
    """A forked process starts new threads, because those of its parent do not exist in it."""
    told = run("""
        child = os.fork()
        if not child:
            signal.alarm(20)
            os._exit(0 if right(2) else 1)
        print(os.waitpid(child, 0)[1])
        """)
    assert told == "0\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs setitimer")
@pytest.mark.slow
def test_signal_handlers_can_call() -> None:
    """A signal handler can call functions while the same functions run, hundreds of times."""
    told = run("""
        seen = []
        signal.signal(signal.SIGALRM, lambda *_: seen.append(right(1 + len(seen) % 2)))
        signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
        end = time.time() + 3
        while time.time() < end:
            assert right() and right(2)
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(len(seen) > 50, all(seen))
        """)
    assert told == "True True\n"


@pytest.mark.slow
def test_callbacks_of_the_garbage_collector_can_call() -> None:
    told = run("""
        seen, inside = [], False

        def call(phase, info):
            global inside
            if not inside:
                inside = True
                seen.append(right(1 + len(seen) % 2))
                inside = False

        gc.callbacks.append(call)
        gc.set_threshold(50)
        for _ in range(60):
            assert right() and right(2)
            x = [CRBA(model, q), None]
            x[1] = x
            del x
        gc.callbacks.clear()
        print(len(seen) > 60, all(seen))
        """)
    assert told == "True True\n"


@pytest.mark.slow
def test_edits_by_another_thread_during_calls_are_refused_or_late() -> None:
    """While another thread writes parents and joint types that are invalid, calls give the result
    of the model or an error, and no kernel reads them as an index.
    """
    told = run("""
        tree = autoTree(40)
        x, edits = rng.normal(size=(200, 40)), 0
        wanted, stop = CRBA(tree, x).copy(), False

        def edit():
            global edits
            while not stop:
                tree.parent[20] = (2**40, -(2**40), 39)[edits % 3]
                time.sleep(0)
                tree.parent[20] = 19
                time.sleep(0.0005)
                edits += 1

        thread = threading.Thread(target=edit)
        thread.start()
        ends = {"right": 0, "refused": 0, "wrong": 0}
        begin = time.time()
        while min(ends["right"], ends["refused"]) < 20 and time.time() < begin + 60:
            for workers in (1, 2):
                try:
                    same = np.array_equal(CRBA(tree, x, workers=workers), wanted)
                    ends["right" if same else "wrong"] += 1
                except ModelError:
                    ends["refused"] += 1
        stop = True
        thread.join()
        print(ends["right"] > 0, ends["refused"] > 0, ends["wrong"], edits > 20)
        """)
    assert told == "True True 0 True\n"


def test_calls_at_the_exit_of_the_interpreter_are_computed() -> None:
    """A batch at the exit of the interpreter is computed in the calling thread, because no thread
    can start.
    """
    told = run("""
        import atexit

        class Last:
            def __del__(self):
                print("gone", right(2))

        kept = Last()
        kept.self = kept
        atexit.register(lambda: print("exit", right(2)))
        atexit.register(lambda: threading._shutdown())
        """)
    assert told.startswith("exit True\n")


def test_a_first_call_at_the_exit_of_the_interpreter_is_computed() -> None:
    """The first batch for several workers may come when no module that uses threads can be loaded
    any more.
    """
    code = """if True:
        import atexit
        import numpy as np
        from spatial_v2 import CRBA, autoTree
        model, q = autoTree(2), np.ones((100, 2))
        atexit.register(lambda: print(CRBA(model, q, workers=2).shape))
        """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (done.stdout, done.stderr) == ("(100, 2, 2)\n", "")
