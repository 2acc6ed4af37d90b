"""Command lines and what they print, for the tests of the command."""

from __future__ import annotations

import numpy as np
from scipy.io import loadmat
from typer.testing import CliRunner

from spatial_v2.cli import app

TREE = "autoTree:4,1.5,0.3,0.9"


def run(*words, code=0):
    """The standard output of a command line that ends with the expected exit code."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result.stdout


def refused(*words):
    """The one line in which a command line is refused."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("error: ")
    return result.stderr


def read(path):
    """The arrays of an .npz or .mat file."""
    if path.suffix == ".npz":
        with np.load(path) as file:
            return dict(file)
    return {name: x for name, x in loadmat(path).items() if not name.startswith("__")}
