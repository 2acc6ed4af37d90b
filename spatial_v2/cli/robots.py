"""``spatial-v2 robots``: names of the robots that every command accepts."""

from __future__ import annotations

import typer

__all__ = ["robots"]


def robots() -> None:
    """List the names of robots: those of the library, and of the package example-robot-data."""
    from spatial_v2.io import model_names
    from spatial_v2.io.example_robots import example_robots

    installed = example_robots()
    for name in model_names():
        typer.echo(name)
    if not installed:
        typer.echo(
            "Robots such as hyq, talos and ur5 come with the extra robots: pip install '.[robots]'",
            err=True,
        )
