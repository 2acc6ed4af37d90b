"""Numbers and SIMD batches, and the transfer of batches to kernels; see the README of the engine.

The source of a kernel does not depend on the kind of number: it is compiled for both.
"""
