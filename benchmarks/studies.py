"""The studies by name: module, settings and purpose. Each study has one file of results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["STUDIES", "Study"]

GENERIC = {"NUMBA_CPU_NAME": "generic", "OPENBLAS_CORETYPE": "Prescott"}
"""Settings without AVX: Numba compiles for any x86-64, and OpenBLAS uses SSE3."""


class Study(NamedTuple):
    """A study: its module, and the settings under which it runs."""

    module: str
    shows: str
    cpp: bool = False
    environment: Mapping[str, str] = {}
    arguments: tuple[str, ...] = ()


STUDIES = {
    "targets": Study("benchmarks.engine.targets", "ratios to C++, and the targets", cpp=True),
    "robots": Study("benchmarks.engine.robots", "functions on robots, C++ and Python", cpp=True),
    "trees": Study("benchmarks.engine.trees", "growth with the number of bodies, C++", cpp=True),
    "readme": Study("benchmarks.readme", "the example of README.md"),
    "start": Study("benchmarks.start", "import, a new process, compilation"),
    "threads": Study("benchmarks.threads", "two threads that share a batch"),
    "couplings": Study("benchmarks.couplings", "coupled joints, and the free tree"),
    "linkages": Study("benchmarks.linkages", "a quadruped with closed chains, and Pinocchio"),
    "parallel_robots": Study(
        "benchmarks.parallel_robots", "robots with loops and rotors of two collections"
    ),
    "contacts": Study("benchmarks.contacts", "a quadruped on four feet, and Pinocchio"),
    "inverse_kinematics": Study(
        "benchmarks.inverse_kinematics", "poses of an arm, beside Pinocchio, Pink, mink"
    ),
    "simulation": Study("benchmarks.simulation", "a second of motion, beside Pinocchio, MuJoCo"),
    "ten_tasks": Study("benchmarks.ten_tasks", "lines of ten tasks, beside the library for each"),
    "films": Study("benchmarks.films", "twenty seconds of a robot as an .mp4"),
    "control": Study("benchmarks.control", "robots by `solve`, Crocoddyl, IPOPT"),
    "solvers": Study("benchmarks.solvers", "one problem by `solve`, IPOPT and acados"),
    "migrate": Study("benchmarks.migrate.table", "translated MATLAB beside GNU Octave"),
    "migrate_users": Study(
        "benchmarks.migrate.table",
        "files that users of MATLAB's library wrote",
        arguments=("--users",),
    ),
    "migrate_speeds": Study("benchmarks.migrate.speeds", "times of translated MATLAB and Octave"),
    "matlab_mex": Study(
        "benchmarks.matlab_mex", "compiled functions in GNU Octave, and the original library"
    ),
    "c_library": Study(
        "benchmarks.c_library.table", "the exported library and Pinocchio in one C++ program"
    ),
    "interop": Study("benchmarks.interop.overhead", "operators of JAX and PyTorch, and kernels"),
    "interop_compile": Study("benchmarks.interop.compiling", "what compiling by JAX takes"),
    "peers": Study("benchmarks.peers.table", "CasADi, JAX, RBDReference, NumPy"),
    "accuracy_id_so": Study("benchmarks.paper_000.accuracy_id_so", "000 Figs. 7, 8, 11, 12"),
    "code_lines": Study("benchmarks.paper_000.code_lines", "000 Fig. 9: size of code by CasADi"),
    "code_size": Study("benchmarks.paper_000.code_size", "000 Figs. 10, 19: code, small trees"),
    "code_robots": Study("benchmarks.paper_000.code_robots", "000 Figs. 10, 19: code, on robots"),
    "loop_orders": Study("benchmarks.paper_000.loop_orders", "000 Sec. IV-G: two or three loops"),
    "crossover": Study("benchmarks.crossover", "000 Figs. 14, 15; 002 Fig. 7, Table III"),
    "crossover_generic": Study(
        "benchmarks.crossover", "the same without AVX", environment=GENERIC
    ),
    "crossover_large": Study(
        "benchmarks.crossover", "002 Fig. 7, Table III: up to 1000 bodies",
        arguments=("--sizes", "210", "280", "350", "450", "600", "800", "1000"),
    ),
    "sparsity": Study("benchmarks.branches", "factors of H that keep its zeros, and LAPACK's"),
    "identification": Study("benchmarks.identification", "ten million samples, constant memory"),
    "streaming": Study("benchmarks.streaming", "ten million states from disk to disk, processes"),
    "accuracy_fd_so": Study("benchmarks.paper_000.accuracy_fd_so", "000 Figs. 16, 17, 20"),
    "fd_so_parts": Study("benchmarks.paper_000.fd_so_parts", "000 Fig. 18"),
    "step_sizes": Study("benchmarks.paper_000.step_sizes", "000 Figs. 21 to 23"),
    "first_order": Study("benchmarks.paper_002.first_order", "002 Fig. 2, Sec. V"),
    "coordinates": Study("benchmarks.paper_002.coordinates", "002 Fig. 3: ground, body axes"),
    "geometric_differences": Study(
        "benchmarks.paper_003.geometric_differences", "003 Fig. 5: differences of EIDAmb"
    ),
    "cart_pendulum": Study("benchmarks.paper_001.cart_pendulum", "001 Fig. 1: errors on a cart"),
    "effort": Study("benchmarks.paper_001.effort", "001 Fig. 2, Table 1: cost by directions"),
    "forward_mode": Study(
        "benchmarks.paper_001.forward_mode", "001 Fig. 2: kernels in forward mode"
    ),
    "lift": Study("benchmarks.paper_001.lift", "001 Fig. 3: SQP for three weights"),
    "coriolis": Study("benchmarks.paper_004.coriolis", "004 Figs. 2 to 4, Table 1"),
    "optimal_control": Study(
        "benchmarks.optimal_control", "the scripts in examples/optimal_control; CasADi's IPOPT"
    ),
    "optimal_motions": Study(
        "benchmarks.optimal_motions", "convergence of the motions in examples/optimal_control"
    ),
    "symbolic": Study("benchmarks.paper_004.symbolic", "004 Table 2: operations by SymPy"),
}  # fmt: skip
