"""Times of the operators of JAX and PyTorch, compared with bare kernels, on a batch of 256 states.

``python -m benchmarks.interop.overhead``; needs the extras `jax` and `torch`.
"""

from __future__ import annotations

from benchmarks import study


def main() -> None:
    args = study.options(__doc__, robots=["ur5", "hyq", "talos"])
    if args.redraw:
        return
    import jax

    from benchmarks.interop.overhead_rows import measure

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_cpu_enable_async_dispatch", False)
    args.states = 256
    study.table("interop", args, measure)


if __name__ == "__main__":
    main()
