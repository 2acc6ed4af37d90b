"""Command lines and their output, for the tests of the command."""

import numpy as np
from scipy.io import loadmat
from typer.testing import CliRunner

from spatial_v2.cli import app

TREE = "autoTree:4,1.5,0.3,0.9"


def run(*words, code=0):
    """Run a command line, check its exit code, and return its standard output."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result.stdout


def refused(*words):
    """Run a command line that must fail; return its error message, which must be one line."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("error: ")
    return result.stderr


def read(path):
    """Read the arrays of an .npz or .mat file."""
    if path.suffix == ".npz":
        with np.load(path) as file:
            return dict(file)
    return {name: x for name, x in loadmat(path).items() if not name.startswith("__")}
