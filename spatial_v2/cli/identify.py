"""``spatial-v2 identify``: inertial parameters from measurements."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spatial_v2.cli.derivatives import ROBOT
from spatial_v2.cli.errors import one_line_warnings
from spatial_v2.cli.files import AtomicFile, text_writer
from spatial_v2.exceptions import SpatialError

if TYPE_CHECKING:
    from spatial_v2.identification import Identification
    from spatial_v2.model import Model

__all__ = ["identify"]

_FRICTION: dict[str, Any] = {
    "none": False, "viscous": "viscous", "coulomb": "coulomb", "both": True,
}  # fmt: skip


def identify(
    robot: Annotated[str, typer.Argument(help=ROBOT)],
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="Measurements: arrays q, qd, qdd, tau in .npz or a Zarr group (.zarr), one sample "
            "a row, or a .csv file with columns q0, ..., qd0, ..., qdd0, ..., tau0, ...",
        ),
    ],
    floating_base: Annotated[
        bool, typer.Option("--floating-base", help="Let the robot float freely.")
    ] = False,
    friction: Annotated[
        str, typer.Option(metavar="|".join(_FRICTION), help="Friction to identify as well.")
    ] = "none",
    armature: Annotated[
        bool, typer.Option("--armature", help="Identify inertias of the drives as well.")
    ] = False,
    offset: Annotated[
        bool, typer.Option("--offset", help="Identify a constant force of each joint as well.")
    ] = False,
    unknown: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BODY", help="Body with unknown parameters, if others are known; repeat."
        ),
    ] = None,
    weigh: Annotated[
        bool, typer.Option("--weigh", help="Weight joint forces by their residuals.")
    ] = False,
    physical: Annotated[
        bool,
        typer.Option(
            "--physical/--no-physical", help="Allow only physically consistent parameters."
        ),
    ] = True,
    lmi: Annotated[
        bool,
        typer.Option("--lmi", help="Use a semidefinite program (extra identify)."),
    ] = False,
    prior_weight: Annotated[
        float | None,
        typer.Option(min=0.0, metavar="W", help="Weight of the robot's own inertias as prior."),
    ] = None,
    tol: Annotated[
        float,
        typer.Option(min=0.0, max=0.1, help="Tolerance for rounded geometry."),
    ] = 1e-8,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Save the model, .mat, or its inertial elements for a URDF file, .xml; repeat "
            "for both.",
        ),
    ] = None,
) -> None:
    """Identify inertial parameters of a robot from measured motions and joint forces.

    Reads the file once, in constant memory. Prints every base parameter with its standard
    deviation, and the residual of each joint force.

    Exit code 0: identified; 2: bad input, or a file cannot be written.
    """
    if friction not in _FRICTION:
        raise typer.BadParameter(
            f"want one of {', '.join(_FRICTION)}; got {friction!r}", param_hint="--friction"
        )
    if physical and prior_weight == 0:
        raise typer.BadParameter(
            "must be positive, unless --no-physical is given", param_hint="--prior-weight"
        )
    if lmi and not physical:
        raise typer.BadParameter("cannot be combined with --no-physical", param_hint="--lmi")
    with ExitStack() as files:
        saved = [
            files.enter_context(AtomicFile(path, (".mat", ".xml"), "--out")) for path in out or []
        ]

        from spatial_v2 import identification
        from spatial_v2.cli.samples import read_measurements
        from spatial_v2.cli.tables import progress_bar
        from spatial_v2.engine.compile.notice import silent
        from spatial_v2.io import load_model

        with one_line_warnings():
            model = load_model(robot, floating_base)
        measurements = files.enter_context(read_measurements(data, model))
        with one_line_warnings(), progress_bar("samples") as progress, silent():
            bar = progress.add_task("reading", total=measurements.samples)
            try:
                estimate = identification.identify(
                    model,
                    measurements.batches,
                    friction=_FRICTION[friction],
                    armature=armature,
                    offset=offset,
                    unknown=unknown or None,
                    weights="residuals" if weigh else None,
                    physical="lmi" if lmi else physical,
                    prior_weight=prior_weight,
                    tol=tol,
                    progress=lambda n: progress.advance(bar, n),
                )
            except SpatialError as error:
                raise SpatialError(str(error).replace("physical=False", "--no-physical")) from error
        with one_line_warnings():
            for file in saved:
                _save(estimate, file)
        _report(model, estimate, f"{model.name or robot}: {estimate.samples} samples ({data.name})")


def _save(fit: Identification, file: AtomicFile) -> None:
    from spatial_v2.cli.inertials import inertial_elements
    from spatial_v2.couplings.free import free_tree
    from spatial_v2.model.matlab_writer import matlab_writer

    if fit.model is None:
        raise file.error("a mass came out negative, which a model cannot have; use --physical")
    matlab, model = file.suffix == ".mat", free_tree(fit.model)
    file.write(matlab_writer(model) if matlab else text_writer(inertial_elements(model)))


def _report(model: Model, fit: Identification, title: str) -> None:
    from spatial_v2.cli.tables import console, new_table

    out = console()
    out.print(title, style="bold")
    table = new_table(
        {"joint": "left", "left over": "right", "viscous": "right", "coulomb": "right",
         "offset": "right", "armature": "right"}
    )  # fmt: skip
    for j, body in enumerate(model.body_of_v):
        values = (
            fit.residual_rms, fit.viscous, fit.coulomb, fit.offset, fit.armature
        )  # fmt: skip
        table.add_row(model.joint_names[body], *(f"{x[j]:.4g}" for x in values))
    out.print(table)
    for x, deviation, name in zip(fit.base, fit.standard_deviations, fit.names, strict=True):
        out.print(f"{x:12.5g} ± {deviation:<9.2g} {name}", soft_wrap=True)
    out.print(f"\n{fit.rank} of {len(fit.base)} determined; condition number {fit.condition:.3g}.")
