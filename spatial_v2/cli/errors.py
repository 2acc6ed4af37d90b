"""Bad input ends in one readable line and exit code 2; anything else keeps its traceback."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from spatial_v2.exceptions import SpatialError

__all__ = ["OneLineErrors", "one_line_warnings"]

_UsageError: Any = typer.BadParameter.__base__
"""Every misuse of the command line: unknown options, missing or malformed values."""


class OneLineErrors(TyperGroup):
    """A group of commands that reports bad input as ``error: ...`` on standard error."""

    def main(self, *args: Any, **kw: Any) -> Any:
        """Run the command line; exit with 0, with the code of `typer.Exit`, or with 2."""
        try:
            code = super().main(*args, **{**kw, "standalone_mode": False})
        except _UsageError as error:
            _say("error", error.format_message())
            sys.exit(2)
        except SpatialError as error:
            _say("error", str(error))
            sys.exit(2)
        except typer.Abort:
            _say("error", "interrupted")
            sys.exit(130)
        sys.exit(code if isinstance(code, int) else 0)


@contextmanager
def one_line_warnings() -> Iterator[None]:
    """Show the warnings of the block as ``warning: ...`` on standard error, one line each."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        _say("warning", str(warning.message))


def _say(kind: str, message: str) -> None:
    typer.echo(f"{kind}: {' '.join(message.split())}", err=True)
