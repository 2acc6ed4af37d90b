"""The command that compares methods of differentiation: its table and its exit codes."""

import pytest
import typer
from typer.testing import CliRunner

from derivatives.reference.verify import METHODS
from spatial_v2.cli.errors import OneLineErrors
from spatial_v2.cli.methods import methods_of

app = typer.Typer(cls=OneLineErrors)
app.command("methods")(methods_of)
app.callback()(lambda: None)


def run(*args):
    return CliRunner().invoke(app, ["methods", *args])


def test_verify_prints_a_table_of_methods():
    result = run("autoTree:4,1.5", "--methods", "analytic, chain-rule,finite-diff-1")
    assert result.exit_code == 0, result.output
    assert "4, 1 state, seed 0" in result.output
    for word in ("bicomplex", "analytic", "chain-rule", "finite-diff-1", "d2tau_cross", "dM_dq"):
        assert word in result.output


@pytest.mark.parametrize("function", ["ID", "FD"])
def test_first_order_omits_second_derivatives(function):
    result = run("autoTree:3,1", "--function", function, "--order", "1", "-n", "2")
    assert result.exit_code == 0
    assert "complex-step" in result.output and "bicomplex" not in result.output


@pytest.mark.parametrize(("off", "code"), [(9e-10, 0), (2e-9, 1), (1e-3, 1)])
def test_an_exact_method_that_is_wrong_fails(monkeypatch, off, code):
    """Relative errors above 1e-9 of an exact method fail, also if some entries are zero."""
    first, second = METHODS["chain-rule"]
    wrong = (lambda *args: [(1 + off) * A for A in first(*args)], second)
    monkeypatch.setitem(METHODS, "chain-rule", wrong)
    result = run("autoTree:3,1", "--order", "1")
    assert result.exit_code == code
    assert ("FAILED: chain-rule" in result.output) == bool(code)


@pytest.mark.parametrize("methods", ["finite-diff-1", "finite-diff-1,finite-diff-2,complex-step"])
def test_without_an_exact_method_nothing_is_checked(methods):
    """Without an exact method, differences are printed but nothing is reported as checked, with
    exit code 1.
    """
    result = run("autoTree:3,1", "--order", "1", "--methods", methods)
    assert result.exit_code == 1
    assert "No exact method is compared, so nothing is checked." in result.output
    assert "agree" not in result.output
    assert "finite-diff-1" in result.output


def test_unknown_methods_are_refused():
    result = run("autoTree:3,1", "--methods", "magic")
    assert result.exit_code == 2
    assert "methods: 'magic' is unknown" in result.output
