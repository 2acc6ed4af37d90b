"""``spatial-v2 help``: every public name and every name of MATLAB's has a help."""

from helpers import for_each
from typer.testing import CliRunner

import spatial_v2 as sv
from spatial_v2.cli import app
from spatial_v2.cli.help import text_of
from spatial_v2.matlab.table import ROWS, VERSION_1
from spatial_v2.public_names import homes

run = CliRunner().invoke


@for_each(sorted(homes()))
def test_every_public_name_has_a_call_and_plain_lines(name: str) -> None:
    lines = text_of(name)
    assert lines[0].startswith(f" {name}  ") and len(lines[0].split()) > 3
    if callable(getattr(sv, name)):
        assert f"   from spatial_v2 import {name}" in lines
    assert not any("``" in x or ":func:" in x for x in lines if ">>>" not in x)


@for_each(sorted({*ROWS, *VERSION_1}))
def test_every_name_of_matlab_says_what_to_write(name: str) -> None:
    assert name in text_of(name)[0]


def test_it_reads_like_matlab() -> None:
    said = run(app, ["help", "FDab"]).stdout
    parts = ("in MATLAB: qdd = FDab(model,q,qd,tau,f_ext)", "Arguments:", "Returns:", "Examples:")
    assert all(part in said for part in parts)


def test_an_unknown_name_names_near_ones() -> None:
    found = run(app, ["help", "FDb"])
    assert found.exit_code == 1 and "did you mean" in found.output


def test_without_a_name_all_are_listed() -> None:
    said = run(app, ["help"]).stdout
    assert all(f"  {name} " in said for name in ("FDab", "plux", "autoTree"))


def test_examples_are_as_python_prints_them() -> None:
    """Backticks of a tree stay, a default that is a function has its name."""
    assert any("`- 0  R" in x for x in text_of("attach"))
    assert any("dynamics=FDab, " in x for x in text_of("simulate"))


def test_charts_have_a_help() -> None:
    assert "   from spatial_v2.plots import plot_energy" in text_of("plot_energy")


def test_terms_of_the_field_are_known() -> None:
    assert "did you mean FDab?" in run(app, ["help", "forward_dynamics"]).output
