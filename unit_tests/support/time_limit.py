"""A test that does not end within twenty minutes ends its process, which tells where it was.

Pytest's ``faulthandler_timeout`` starts and ends a thread for every test, which takes milliseconds;
here one thread serves the tests of a minute.
"""

import faulthandler
import os
import sys
import time

import pytest

__all__ = ["TimeLimit"]

LIMIT, RENEWED = 1200.0, 60.0
"""Seconds that a test may take; seconds after which its time is counted anew."""


class TimeLimit:
    """A plugin of pytest; the limit of a test is `LIMIT`, less the `RENEWED` of earlier ones."""

    def __init__(self) -> None:
        assert sys.__stderr__ is not None
        self.stderr, self.since = os.dup(sys.__stderr__.fileno()), -RENEWED

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """Count from now, if that has not been done for a while."""
        if time.monotonic() - self.since > RENEWED:
            self.since = time.monotonic()
            faulthandler.dump_traceback_later(LIMIT, exit=True, file=self.stderr)

    def pytest_enter_pdb(self) -> None:
        """Count no longer where a person looks at a test."""
        faulthandler.cancel_dump_traceback_later()

    def pytest_sessionfinish(self) -> None:
        """Count no longer."""
        faulthandler.cancel_dump_traceback_later()
