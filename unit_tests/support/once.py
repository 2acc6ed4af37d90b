"""Folders that take long to make, such as compiled libraries: made once in a run of the tests."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return the folder of a name, which the first process that asks for it fills by `make`.

    Without this each process of ``pytest -n`` that runs a test of a module makes the folder again.
    Tests must not write into it.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        folder = factory.mktemp(name)
        make(folder)
        return folder
    import fcntl

    folder = factory.getbasetemp().parent / name
    with open(folder.with_suffix(".lock"), "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder.with_suffix(".done")
        if not done.exists():
            folder.mkdir(exist_ok=True)
            make(folder)
            done.touch()
    return folder
