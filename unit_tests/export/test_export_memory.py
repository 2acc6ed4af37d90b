"""Functions of an exported library compute in the memory that they are given."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from counted import ASKED, counted
from export_checks import NEEDS_COMPILER
from exported import DONE, OF_EVERY_KIND, Library, coupled_models

from spatial_v2 import random_configuration
from spatial_v2.couplings.free import free_tree
from spatial_v2.export import model_bytes
from spatial_v2.export.functions import exportable, exported

pytestmark = [
    *NEEDS_COMPILER,
    pytest.mark.skipif(sys.platform != "linux", reason="needs the linker of Linux"),
]
MODELS = {
    name: zoo.build(name) for name in ("floating", "rotors", "planar_tree")
} | coupled_models()


@pytest.fixture(scope="module")
def watched(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Library:
    return counted(folder, tmp_path_factory.mktemp("counted"), OF_EVERY_KIND)


@pytest.mark.parametrize("name", OF_EVERY_KIND)
def test_no_call_asks_for_memory(watched: Library, name: str) -> None:
    """One state, batches, packed tensors, forces; trees, rotors, couplings; frames."""
    f, done, rng = exported([exportable()[name]])[0], 0, np.random.default_rng(4)
    for model in MODELS.values():
        for lead in ((), (1,), (11,)):
            q = random_configuration(model, rng, lead)
            args = [q if x == "q" else rng.normal(size=(*lead, model.NV)) for x in f.cores]
            force = np.ones((*lead, free_tree(model).NB, 6)) if f.force else None
            more: dict[str, Any] = {}
            if f.subject == "frame":
                more = {"frame": 0, "options": (0,) * (f.axes_given + f.classical)}
            for packed in {False, bool(f.runs)}:
                status, _ = watched.call(f, model, args, force, packed=packed, **more)
                done += status == DONE
    assert done > len(MODELS)


def test_what_makes_a_model_asks_for_memory(watched: Library) -> None:
    counts: Any = watched.c
    before = counts.asked.value
    _, made = watched.open(model_bytes(MODELS["rotors"]))
    watched.c.sv2_model_free(made)
    assert counts.asked.value >= before + 2


def test_no_kernel_knows_functions_that_ask_for_memory(folder: Path) -> None:
    for path in (folder / "objects").glob("*.o"):
        listed = subprocess.run(["nm", "-u", path], capture_output=True, text=True, check=True)
        assert not {*listed.stdout.split()} & {*ASKED}, path.name
