"""``spatial-v2 info``: tree, joints and mass of a robot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spatial_v2.cli.derivatives import ROBOT
from spatial_v2.cli.errors import one_line_warnings

if TYPE_CHECKING:
    import numpy as np
    from rich.table import Table
    from rich.tree import Tree

    from spatial_v2.model import Model

__all__ = ["info"]


def info(
    robot: Annotated[str, typer.Argument(help=ROBOT)] = "puma560",
    floating_base: Annotated[
        bool, typer.Option("--floating-base", help="Let the robot float freely.")
    ] = False,
) -> None:
    """Show the tree of a robot, its joints, mass and centre of mass."""
    from spatial_v2.cli.tables import console
    from spatial_v2.files.wording import listed
    from spatial_v2.io import load_model

    with one_line_warnings():
        model = load_model(robot, floating_base)
    out = console()
    kind = "planar" if model.is_planar else "spatial"
    counts = f"{model.NB} bodies, NQ = {model.NQ}, NV = {model.NV}, {model.n_rotor} rotors"
    out.print(f"{model.name or robot}: {kind} model, {counts}\n", style="bold")
    out.print(_tree(model))
    out.print()
    out.print(_joints(model))
    m, c = _mass(model)
    out.print(f"mass of the moving bodies        {m:.6g} kg")
    out.print(f"centre of mass, neutral position {_vector(c)} m")
    out.print(f"gravity                          {_vector(model.gravity)} m/s^2")
    if model.left_out:
        out.print(f"not in the model                 {listed(model.left_out)}")
        if any(part.startswith(("damping", "friction")) for part in model.left_out):
            out.print("damping and friction are read by load_model with dynamics=True")


def _tree(model: Model) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    nodes = {-1: Tree("base")}
    for i, (p, joint) in enumerate(zip(model.parent.tolist(), model.layout.joints, strict=True)):
        label = Text.assemble(f"{i} ", (model.body_names[i], "bold"), (f" {joint.code}", "dim"))
        nodes[i] = nodes[p].add(label)
    return nodes[-1]


def _joints(model: Model) -> Table:
    from spatial_v2.cli.tables import index_range, new_table

    limits, layout = model.limits or {}, model.layout
    headings = ["body", "joint", "type", "q", "v", "parent", *(["limits"] if limits else [])]
    table = new_table(
        {h: "left" if h in ("joint", "type", "limits") else "right" for h in headings}
    )
    for i, name in enumerate(model.joint_names):
        joint = layout.joints[i]
        pitch = f" (pitch {joint.pitch:g})" if joint.pitch else ""
        cells = [
            str(i), name, joint.code + pitch, index_range(layout.qinds[i]),
            index_range(layout.vinds[i]), str(layout.parent[i]),
        ]  # fmt: skip
        if limits:
            bounds = limits.get(name)
            cells.append(f"{bounds.lower:g} .. {bounds.upper:g}" if bounds else "")
        table.add_row(*cells)
    return table


def _mass(model: Model) -> tuple[float, np.ndarray]:
    """Compute mass and centre of mass at the neutral configuration, in base coordinates."""
    import numpy as np

    from spatial_v2 import mcI
    from spatial_v2.configuration import neutral
    from spatial_v2.dynamics.GlobalDynamics import GlobalDynamics

    zero = np.zeros(model.NV)
    m, c, _ = mcI(GlobalDynamics(model, neutral(model), zero, zero).I.sum(axis=0))
    return float(m), np.asarray(c)


def _vector(x: np.ndarray) -> str:
    return "[" + ", ".join(f"{round(value, 12) + 0.0:.6g}" for value in x.tolist()) + "]"
