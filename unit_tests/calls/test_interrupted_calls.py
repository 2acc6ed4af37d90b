"""Concurrent calls: after forks, in signal handlers, in the garbage collector, during edits.

Each case runs in its own process, which must end in time and report that all results are correct.
"""

import os
import subprocess
import sys
import textwrap
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
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
def test_calls_of_many_threads_compute_with_one_state_of_the_model() -> None:
    """While threads assign fields, sixteen others call: each result is that of one of the states
    that the model has had, of which one has other joints, and never of a mixture.
    """
    told = run("""
        from concurrent.futures import ThreadPoolExecutor
        from spatial_v2 import ID, FDab
        sys.setswitchinterval(1e-5)
        tree, x = autoTree(8), rng.normal(size=(3, 8))
        values = [
            dict(I=k * tree.I, gravity=[0, 0, -k], damping=k, jtype=["R"] * 7 + ["RP"[k % 2]])
            for k in range(1, 5)
        ]
        states = [autoTree(8).replace(**value)._state for value in values]
        calls = [ID, lambda m, *x: ID(m, *x, workers=2), ID.reference, FDab,
                 lambda m, *x: ID(m, *[y.tolist() for y in x]), lambda m, *x: ID.bind(m)(*x)]
        model = autoTree(8)

        def on(state):
            model._state = state
            return model

        wanted = [[call(on(state), *x).tolist() for state in states] for call in calls]
        stop, ends = False, []
        bound = ID.bind(model)

        def assign():
            k = 0
            while not stop:
                model._state = states[k % 4]
                model.name = "new"  # a state of its own, with the same numbers
                k += 1
                time.sleep(0)

        def ask(n):
            for k in range(60):
                which = (n + k) % len(calls)
                ends.append(calls[which](model, *x).tolist() in wanted[which])
                ends.append(bound(*x).tolist() in wanted[0])

        thread = threading.Thread(target=assign)
        thread.start()
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(ask, range(16)))
        stop = True
        thread.join()
        print(len(ends), all(ends))
        """)
    assert told == "1920 True\n"


def test_assignments_of_two_threads_are_both_kept() -> None:
    told = run("""
        sys.setswitchinterval(1e-6)
        tree = autoTree(3)

        def assign(field, values):
            for value in values:
                setattr(tree, field, value)

        for _ in range(20):
            pairs = [("gravity", np.eye(3)), ("name", "abcdef"), ("damping", range(50))]
            threads = [threading.Thread(target=assign, args=pair) for pair in pairs]
            [x.start() for x in threads], [x.join() for x in threads]
            assert tree.gravity[2] == 1 and tree.name == "f" and tree.damping[0] == 49
        print("kept")
        """)
    assert told == "kept\n"


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


def test_slices_for_which_no_thread_starts_are_computed_by_the_caller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Threads may come to an end between two slices of one batch."""
    slices = pytest.importorskip("spatial_v2.engine.compile.share")

    class Pool:
        started = 0

        def submit(self, task: Any, part: slice) -> Future[Any]:
            if self.started:
                raise RuntimeError("cannot schedule new futures after interpreter shutdown")
            self.started, future = 1, Future[Any]()
            future.set_result(task(part))
            return future

    pool = Pool()
    monkeypatch.setattr(slices, "_pool", lambda _: pool)
    parts = slices.share(4, 100, lambda part: (part.start, part.stop))
    assert parts == [(0, 32), (32, 64), (64, 96), (96, 100)]


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
