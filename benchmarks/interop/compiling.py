"""Time that JAX takes to compile ID: traced reference implementation, loops in JAX, and operator.

``python -m benchmarks.interop.compiling``; needs the extra `jax`. The reference implementation of a
larger robot takes minutes to compile, and is left out.
"""

from __future__ import annotations

from benchmarks import study


def main() -> None:
    args = study.options(__doc__, robots=["ur5", "hyq", "talos"])
    if args.redraw:
        return
    import jax

    from benchmarks.interop.compiling_rows import compile_times

    jax.config.update("jax_enable_x64", True)
    args.largest = 6
    study.table("interop_compile", args, compile_times)


if __name__ == "__main__":
    main()
